"""Starting a server, waiting until it listens, ending it and all that it started.

Processes are ended by their pid and only after their start time was compared, so a reused number never hits a stranger.
"""

import contextlib
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from bench.macro import measure

START_TIMEOUT_S = 15.0
STOP_TIMEOUT_S = 5.0
POLL_S = 0.005


class MissingError(Exception):
    """A program that was asked for is not there. The text says how to get it or how to run without it."""


class StartError(Exception):
    """The server did not come up. The text holds the end of what it printed."""


@contextlib.contextmanager
def pinned(cpu: int) -> Iterator[None]:
    """What is started inside runs on this CPU only; our own affinity is put back at the end."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def free_port() -> int:
    """A port on 127.0.0.1 that was free a moment ago; whoever starts a server on it must be ready to try another."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def last_lines(path: Path, count: int = 8) -> str:
    try:
        return "\n".join(path.read_text(errors="replace").splitlines()[-count:])
    except FileNotFoundError:
        return ""


class Process:
    """One running server: started by the constructor, ended by stop(). Output goes to `log`."""

    def __init__(self, command: list[str], environment: dict[str, str], cpu: int, log: Path, directory: Path):
        self._log = log
        with log.open("wb") as output, pinned(cpu):
            self._child = subprocess.Popen(command, env=environment, cwd=directory, stdin=subprocess.DEVNULL,
                                           stdout=output, stderr=subprocess.STDOUT, start_new_session=True)

    @property
    def pid(self) -> int:
        return self._child.pid

    def wait_until_listening(self, port: int) -> None:
        """Returns when 127.0.0.1:port accepts. Raises StartError when the server ends or takes too long."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            if self._child.poll() is not None:
                raise StartError(f"it ended with {self._child.returncode}: {last_lines(self._log)}")
            with socket.socket() as probe:
                probe.settimeout(1.0)
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(POLL_S)
        raise StartError(f"it does not listen after {START_TIMEOUT_S:.0f} s: {last_lines(self._log)}")

    def stop(self) -> None:
        """TERM to the main process, KILL to whatever of its tree is left after the deadline."""
        members = measure.tree(self.pid)
        if self._child.poll() is None:
            self._child.terminate()
            try:
                self._child.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()
        kill_left_over(members)


def kill_left_over(members: list[measure.ProcStat]) -> None:
    """Ends those processes of a former tree that still run."""
    for member in members:
        try:
            now = measure.parse_stat((measure.PROC / str(member.pid) / "stat").read_text())
            if now.start_time == member.start_time:
                os.kill(member.pid, signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            continue
