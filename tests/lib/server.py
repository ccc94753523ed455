"""The server under test: start it on port 0, learn its address from what it prints, talk to it, stop it by its pid.

    with Server.from_config(tmp_path, '[[site]]\\nlisten = ["http://127.0.0.1:0"]\\n...') as server:
        with server.connect() as sock: ...

Nothing here is shared between tests: each server has a control socket in a directory of its own. Every wait is bounded.
"""

import http.client
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from lib.wait import PATIENCE

_ROOT = Path(__file__).resolve().parents[2]
_URL = re.compile(r"https?://[^\s\"',;()]+")
START_S = 10.0


def binary() -> str:
    """The program under test: $TIDEGATE_BIN, else the release build."""
    path = Path(os.environ.get("TIDEGATE_BIN") or _ROOT / "build" / "release" / "tidegate").absolute()
    assert path.is_file(), f"there is no {path}: build it (./dev build) or set TIDEGATE_BIN"
    return str(path)


def environment(extra: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """The environment of this process without what would change how tidegate behaves; None in `extra` removes."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("TIDEGATE_RUNTIME", "LISTEN_", "NOTIFY_"))}
    for key, value in (extra or {}).items():
        if value is None:
            env.pop(key, None)
        else:
            env[key] = value
    return env


def run(*args: str, stdin: str | bytes = b"", env: Mapping[str, str | None] | None = None, cwd: Path | None = None,
        timeout_s: float = 20.0) -> subprocess.CompletedProcess[str]:
    """Runs one command to its end. stdout and stderr are text (bytes that are no UTF-8 are kept as surrogates)."""
    data = stdin.encode() if isinstance(stdin, str) else stdin
    done = subprocess.run([binary(), *args], input=data, capture_output=True, env=environment(env), cwd=cwd,
                          timeout=timeout_s * PATIENCE, check=False)
    text = [stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr)]
    return subprocess.CompletedProcess(done.args, done.returncode, text[0], text[1])


class Lines:
    """What came out of one pipe of the server, collected by a thread."""

    def __init__(self, pipe, news: threading.Condition):
        self._pipe = pipe
        self._news = news
        self._data = b""
        self._closed = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while data := self._pipe.read1(65536):
            with self._news:
                self._data += data
                self._news.notify_all()
        with self._news:
            self._closed = True
            self._news.notify_all()

    @property
    def text(self) -> str:
        with self._news:
            return self._data.decode("utf-8", "surrogateescape")

    @property
    def closed(self) -> bool:
        with self._news:
            return self._closed

    def wait_for(self, pattern: str, timeout_s: float = 10.0) -> re.Match[str]:
        """The first match of the pattern in everything that was printed; AssertionError when none comes in time."""
        deadline = time.monotonic() + timeout_s * PATIENCE
        with self._news:
            while not (match := re.search(pattern, self._data.decode("utf-8", "surrogateescape"), re.M)):
                left = deadline - time.monotonic()
                assert left > 0 and not self._closed, f"never printed: {pattern}\nprinted was:\n{self._data.decode('utf-8', 'replace')}"
                self._news.wait(left)
            return match

    def join(self) -> None:
        self._thread.join(10 * PATIENCE)
        self._pipe.close()


class Server:
    """A running server. Use it in a `with` statement: leaving it stops the process and checks that it ends in time."""

    def __init__(self, args: Sequence[str], *, env: Mapping[str, str | None] | None = None, cwd: Path | None = None,
                 runtime_dir: str | None = None, wait: bool = True, pass_fds: Sequence[int] = (), wrapper: Sequence[str] = ()):
        self._own_dir = None if runtime_dir else tempfile.mkdtemp(prefix="tidegate-test-")
        # Short on purpose: the path of a unix socket has 107 bytes at most.
        self.runtime_dir = runtime_dir or self._own_dir
        self.env = environment({"TIDEGATE_RUNTIME_DIR": self.runtime_dir, **(env or {})})
        self._news = threading.Condition()
        self.started_at = time.monotonic()
        self.process = subprocess.Popen([*wrapper, binary(), *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=self.env, cwd=cwd, pass_fds=pass_fds)
        self.stdout = Lines(self.process.stdout, self._news)
        self.stderr = Lines(self.process.stderr, self._news)
        if wait:
            try:
                self.wait_until_listening()
            except BaseException:
                self.kill()
                raise

    @classmethod
    def from_config(cls, directory: Path, toml: str, **options) -> "Server":
        """Writes `toml` to directory/tidegate.toml and runs it."""
        path = directory / "tidegate.toml"
        path.write_text(toml)
        server = cls(["run", "--config", str(path), *options.pop("args", ())], **options)
        server.config = path
        return server

    # Where it listens.

    def wait_until_listening(self, timeout_s: float = START_S) -> None:
        """Returns when the first address was printed; AssertionError with all output when the process ends before."""
        deadline = time.monotonic() + timeout_s * PATIENCE
        with self._news:
            while not self.urls:
                left = deadline - time.monotonic()
                ended = self.stdout.closed and self.stderr.closed
                assert left > 0 and not ended, f"the server printed no address (ended: {ended})\n{self.output}"
                self._news.wait(left)

    @property
    def output(self) -> str:
        return f"stdout:\n{self.stdout.text}\nstderr:\n{self.stderr.text}"

    @property
    def urls(self) -> list[str]:
        """The addresses that it printed, in their order, each once. Unix sockets are `http://unix:/path`."""
        found: list[str] = []
        for stream in (self.stdout, self.stderr):
            complete = stream.text.rpartition("\n")[0]  # an address may be cut in the middle
            found += _URL.findall(complete)
        return list(dict.fromkeys(found))

    @property
    def url(self) -> str:
        return self.urls[0]

    @property
    def address(self) -> tuple[str, int]:
        """Host and port of the first TCP address, ready for socket.create_connection."""
        for url in self.urls:
            if match := re.match(r"https?://(?:\[([^]]+)\]|([^:/]+)):(\d+)", url):
                return match[1] or match[2], int(match[3])
        raise AssertionError(f"no TCP address was printed\n{self.output}")

    @property
    def port(self) -> int:
        return self.address[1]

    @property
    def pid(self) -> int:
        return self.process.pid

    # Talking to it.

    def connect(self, timeout_s: float = 10.0) -> socket.socket:
        """A new connection to the first TCP address; every call on it is bounded by the timeout."""
        return socket.create_connection(self.address, timeout=timeout_s * PATIENCE)

    def request(self, method: str, target: str, headers: Mapping[str, str] | None = None, body: bytes | None = None,
                timeout_s: float = 10.0) -> tuple[int, http.client.HTTPMessage, bytes]:
        """One exchange on a connection of its own: status, fields, body. For raw bytes use connect()."""
        connection = http.client.HTTPConnection(*self.address, timeout=timeout_s * PATIENCE)
        try:
            connection.request(method, target, body=body, headers=dict(headers or {}))
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def get(self, target: str = "/", headers: Mapping[str, str] | None = None) -> tuple[int, http.client.HTTPMessage, bytes]:
        return self.request("GET", target, headers)

    def command(self, *args: str, **options) -> subprocess.CompletedProcess[str]:
        """Runs `tidegate ARGS` in the server's environment, so that it finds its control socket."""
        env = {"TIDEGATE_RUNTIME_DIR": self.runtime_dir, **options.pop("env", {})}
        return run(*args, env=env, **options)

    # Ending it.

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self, timeout_s: float = 10.0) -> int:
        """Its exit code; AssertionError when it does not end in time."""
        try:
            code = self.process.wait(timeout_s * PATIENCE)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"the server did not end within {timeout_s * PATIENCE:.0f} s\n{self.output}") from None
        self._finish()
        return code

    def stop(self, timeout_s: float = 10.0) -> int:
        """TERM, and again TERM if connections keep it up (the second ends them at once); returns the exit code."""
        deadline = time.monotonic() + timeout_s * PATIENCE
        pause_s = 0.1 * PATIENCE  # two signals of one kind that come together are one
        while self.process.poll() is None and time.monotonic() < deadline:
            self.signal(signal.SIGTERM)
            try:
                self.process.wait(pause_s)
            except subprocess.TimeoutExpired:
                pause_s *= 2
        return self.wait(0.1)

    def kill(self) -> None:
        """The end without asking. For servers that are broken or were never up."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10 * PATIENCE)
        self._finish()

    def _finish(self) -> None:
        self.stdout.join()
        self.stderr.join()
        if self._own_dir:
            shutil.rmtree(self._own_dir, ignore_errors=True)

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, kind, *_) -> None:
        if kind is not None and self.process.poll() is None:
            print(self.output)  # pytest shows it with the failure
        try:
            code = self.stop()
        except AssertionError:
            self.kill()
            raise
        if kind is None:
            assert code == 0, f"the server ended with {code}\n{self.output}"
