"""Servers for the protocol tests.

`core` is one server for each poller, shared by all tests of the session that ask for it: the syntax and connection
tests run on every poller. `serve` starts a server of a test's own from a few lines of configuration.
"""

import os
from pathlib import Path

import pytest

from lib.server import Server
from protocol import site

POLLERS = ("epoll", "io_uring", "libevent")


def start(directory: Path, toml: str, poller: str = "auto", **options) -> Server:
    """A server for a configuration that may begin with keys of [[site]]s; see site.config."""
    return Server.from_config(directory, site.config(toml, poller, **options))


@pytest.fixture(scope="session", params=POLLERS)
def core(request, tmp_path_factory):
    """The shared server on each poller, with the routes of site.CORE."""
    directory = tmp_path_factory.mktemp(f"core-{request.param}")
    site.write_files(directory / "www")
    try:
        server = start(directory, site.CORE, request.param)
    except AssertionError as error:
        if request.param == "io_uring" and "cannot be used" in str(error) and not os.environ.get("TIDEGATE_NEEDS_URING"):
            pytest.skip("this system has no usable io_uring")  # containers often forbid it
        raise
    with server:
        yield server


@pytest.fixture
def serve(tmp_path):
    """serve(toml, poller="auto", limits={...}, ...) starts a server of this test; it is stopped with the test."""
    servers = []

    def make(toml: str, poller: str = "auto", **options) -> Server:
        directory = tmp_path / f"server-{len(servers)}"
        directory.mkdir()
        servers.append(start(directory, toml, poller, **options))
        return servers[-1]

    yield make
    for server in servers:
        with server:
            pass
