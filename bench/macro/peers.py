"""The servers that can be measured: how each is found, asked for its version, configured and started.

A Peer is a description; `start` makes a Server, which is one running process tree with its private directory.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.macro import configs
from bench.macro.configs import Site
from bench.macro.process import MissingError, Process, StartError, free_port
from bench.macro.scenarios import RESPOND, STATIC, Scenario

START_ATTEMPTS = 3                               # a free port may be taken by somebody else before the server binds it
SERVICE_DIRECTORIES = ("/usr/local/sbin", "/usr/sbin", "/sbin")


@dataclass(frozen=True)
class Peer:
    """One contestant. `configure` writes what it needs into site.work and returns the command."""

    name: str
    role: str                                    # "floor", "peer" or "subject" (Tidegate)
    binary: Path
    scenarios: frozenset[str]
    configure: Callable[[Path, Site, Scenario], list[str]]
    version_arguments: tuple[str, ...]
    descriptors: int = 1                         # that it wants for a connection

    def supports(self, scenario: str) -> bool:
        return scenario in self.scenarios

    def version(self) -> str:
        """First line of what the program says about itself, without paths."""
        if not self.version_arguments:
            return "built from bench/macro/floor.cpp"
        done = subprocess.run([self.binary, *self.version_arguments], capture_output=True, text=True, timeout=20, check=False)
        lines = (done.stdout + done.stderr).strip().splitlines()
        return lines[0].strip() if lines else "unknown"


@dataclass
class Server:
    """A started peer. stop() ends the whole tree and removes its directory."""

    process: Process
    port: int
    work: Path

    @property
    def pid(self) -> int:
        return self.process.pid

    def stop(self) -> None:
        self.process.stop()
        shutil.rmtree(self.work, ignore_errors=True)


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def _nginx(binary: Path, site: Site, _scenario: Scenario) -> list[str]:
    config = _write(site.work / "nginx.conf", configs.nginx(site))
    return [str(binary), "-p", str(site.work), "-e", "stderr", "-c", str(config)]


def _h2o(binary: Path, site: Site, _scenario: Scenario) -> list[str]:
    return [str(binary), "-m", "worker", "-c", str(_write(site.work / "h2o.yaml", configs.h2o(site)))]


def _lighttpd(binary: Path, site: Site, scenario: Scenario) -> list[str]:
    config = _write(site.work / "lighttpd.conf", configs.lighttpd(site, sidecars=bool(scenario.encoding)))
    return [str(binary), "-D", "-f", str(config)]


def _haproxy(binary: Path, site: Site, _scenario: Scenario) -> list[str]:
    return [str(binary), "-q", "-db", "-f", str(_write(site.work / "haproxy.cfg", configs.haproxy(site)))]


def _caddy(binary: Path, site: Site, _scenario: Scenario) -> list[str]:
    config = _write(site.work / "Caddyfile", configs.caddy(site))
    return [str(binary), "run", "--adapter", "caddyfile", "--config", str(config)]


def _tidegate(poller: str) -> Callable[[Path, Site, Scenario], list[str]]:
    def configure(binary: Path, site: Site, _scenario: Scenario) -> list[str]:
        return [str(binary), "run", "--config", str(_write(site.work / "tidegate.toml", configs.tidegate(site, poller)))]
    return configure


def floor_answer(scenario: Scenario) -> tuple[bytes, bytes]:
    """Head and body that the floor sends: as many fields as a server must send, nothing more."""
    body, encoding = scenario.content, ""
    if scenario.encoding:
        body, encoding = scenario.wire_content, f"Content-Encoding: {scenario.encoding}\r\n"
    head = (f"HTTP/1.1 200 OK\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\nContent-Type: {scenario.content_type}\r\n"
            f"Content-Length: {len(body)}\r\n{encoding}\r\n")
    return head.encode("ascii"), body


def _floor(binary: Path, site: Site, scenario: Scenario) -> list[str]:
    head, body = floor_answer(scenario)
    answer = site.work / "answer"
    answer.write_bytes(head + body)
    return [str(binary), str(site.port), str(answer), str(len(head)), scenario.floor_way]


_INSTALLED = {
    "nginx": (STATIC | RESPOND, _nginx, ("-v",)),
    "h2o": (STATIC, _h2o, ("-v",)),
    "lighttpd": (STATIC, _lighttpd, ("-v",)),
    "haproxy": (RESPOND, _haproxy, ("-v",)),
    "caddy": (STATIC | RESPOND, _caddy, ("version",)),
}
NAMES = ("tidegate", "floor", *_INSTALLED)


def find_program(name: str) -> Path | None:
    """In PATH, or where distributions put services (not in the PATH of ordinary users)."""
    path = os.pathsep.join((os.environ.get("PATH", ""), *SERVICE_DIRECTORIES))
    found = shutil.which(name, path=path)
    return Path(found) if found else None


def installed(name: str) -> Peer:
    """A peer from the distribution. Raises MissingError."""
    scenarios, configure, version = _INSTALLED[name]
    binary = find_program(name)
    if binary is None:
        raise MissingError(f"{name} is not installed: apt-get install {name}, or choose other servers with --peers")
    descriptors = configs.LIGHTTPD_DESCRIPTORS if name == "lighttpd" else 1
    return Peer(name, "peer", binary, scenarios, configure, version, descriptors)


def tidegate(binary: Path, poller: str) -> Peer:
    """Tidegate with one poller; "auto" is called tidegate, others carry the poller's name. Raises MissingError."""
    if not os.access(binary, os.X_OK):
        raise MissingError(f"tidegate is not built at {binary}: build it, name it with --tidegate, "
                           "or choose other servers with --peers")
    name = "tidegate" if poller == "auto" else f"tidegate-{poller}"
    return Peer(name, "subject", binary.absolute(), STATIC | RESPOND, _tidegate(poller), ("version",))


def floor(binary: Path) -> Peer:
    return Peer("floor", "floor", binary, STATIC | RESPOND, _floor, ())


def build_floor(directory: Path) -> Path:
    """Compiles floor.cpp into `directory` unless it is there and newer. Raises MissingError without a compiler."""
    source, target = Path(__file__).with_name("floor.cpp"), directory.absolute() / "floor"
    if target.exists() and target.stat().st_mtime > source.stat().st_mtime:
        return target
    compilers = [os.environ.get("CXX", ""), "g++", "clang++", "c++"]
    compiler = next((found for name in compilers if name and (found := shutil.which(name))), None)
    if compiler is None:
        raise MissingError("no C++ compiler for the floor: install g++, or choose servers without floor with --peers")
    directory.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([compiler, "-std=c++2b", "-O2", "-o", target, source], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MissingError(f"the floor does not compile:\n{done.stderr}")
    return target


def _environment(work: Path) -> dict[str, str]:
    """Small and private: no server reads or writes the home directory of whoever runs the benchmark."""
    return {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C", "HOME": str(work), "XDG_DATA_HOME": str(work),
            "XDG_CONFIG_HOME": str(work), "XDG_RUNTIME_DIR": str(work), "GOMAXPROCS": "1"}


def start(peer: Peer, scenario: Scenario, root: Path, connections: int, cpu: int) -> Server:
    """Starts the peer on a free port and waits until it listens. Raises StartError after a few attempts."""
    problem: StartError | None = None
    for _ in range(START_ATTEMPTS):
        work = Path(tempfile.mkdtemp(prefix=f"bench-{peer.name}-"))
        site = Site(root=root, work=work, port=free_port(), connections=connections, as_root=os.geteuid() == 0)
        process = None
        try:
            process = Process(peer.configure(peer.binary, site, scenario), _environment(work), cpu, work / "output.log", work)
            process.wait_until_listening(site.port)
            return Server(process, site.port, work)
        except BaseException as error:           # an interrupt must not leave a server behind either
            if process:
                process.stop()
            shutil.rmtree(work, ignore_errors=True)
            if not isinstance(error, StartError):
                raise
            problem = error
    raise StartError(f"{peer.name} does not start: {problem}")
