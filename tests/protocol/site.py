"""Configurations and files of the servers under test."""

import array
import functools
from pathlib import Path

# What [limits] or [server] have to say is given by the caller; access logs are not wanted here.
_HEAD = """\
[server]
workers = {workers}
poller = "{poller}"
{server}
[limits]
{limits}
[log]
access = {{ to = "off" }}
error = {{ to = "stderr", level = "info" }}
"""

ALIVE_ROUTE = """\
[[site.route]]
path = "/alive"
respond = { body = "alive\\n" }
"""

OK_BODY = b"ok\n"
MEDIUM_SIZE = 1800  # small enough that the server copies it
LARGE_SIZE = 300_000  # more than the output that a connection holds

# One site for the syntax and connection tests.
CORE = f"""
[[site]]
listen = ["http://127.0.0.1:0"]
{ALIVE_ROUTE}
[[site.route]]
path = "/empty"
respond = {{ status = 204 }}
[[site.route]]
path = "/large"
respond = {{ body = "{"x" * LARGE_SIZE}" }}
[[site.route]]
path = "/medium"
respond = {{ body = "{"m" * MEDIUM_SIZE}" }}
[[site.route]]
path = "/files/*"
files = {{ root = "www", strip_prefix = "/files" }}
[[site.route]]
path = "/gone"
respond = {{ status = 410, body = "gone\\n" }}
[[site.route]]
path = "/*"
respond = {{ body = "ok\\n" }}
"""


def _lines(values: dict) -> str:
    def text(value) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, int) else f'"{value}"'

    return "\n".join(f"{key} = {text(value)}" for key, value in values.items())


def config(sites: str, poller: str = "auto", workers: int = 1, limits: dict | None = None, server: str = "") -> str:
    """A whole configuration from its [[site]] tables."""
    return _HEAD.format(workers=workers, poller=poller, server=server, limits=_lines(limits or {})) + sites


def one_site(routes: str, keys: str = "", listen: str = "http://127.0.0.1:0") -> str:
    """A default site with these routes behind the one of the liveness check. `keys` are keys of the site."""
    return f'[[site]]\nlisten = ["{listen}"]\n{keys}\n{ALIVE_ROUTE}\n{routes}'


def files_site(root: Path, more: str = "", keys: str = "") -> str:
    """A default site that serves `root`; `more` are further settings of the files handler."""
    return one_site(f'[[site.route]]\npath = "/*"\n[site.route.files]\nroot = "{root}"\n{more}\n', keys)


def write_files(root: Path) -> None:
    """The small tree of CORE."""
    root.mkdir(parents=True)
    (root / "hello.txt").write_bytes(b"hello\n")
    (root / "empty").write_bytes(b"")
    (root / "big.bin").write_bytes(pattern(LARGE_SIZE))


@functools.lru_cache(maxsize=4)
def pattern(size: int) -> bytes:
    """Bytes in which every place of a file can be told from every other (up to 4 GiB)."""
    numbers = array.array("I", range(size // 4 + 1))
    assert numbers.itemsize == 4
    return numbers.tobytes()[:size]
