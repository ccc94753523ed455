"""Layering and confinement, on this repository and on trees that break them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tidy import rooms, tree

ROOT = tree.repository()
TABLE = rooms.load()

# What the samples include; every header exists so that only the edge is judged.
HEADERS = {
    f"core/{name}": ""
    for name in (
        "base/error.h", "sys/socket.h", "io/driver.h", "io/portable/selector.h", "net/stream.h", "net/tls/session.h",
        "http/fields.h", "http/h1/parser.h", "http/h3/codec.h", "pipeline/plan.h", "handlers/files.h", "handlers/files_settings.h",
        "config/model.h", "server/worker.h", "cli/main.h", "certs/source.h", "admin/store.h",
    )
} | {"platform/linux/epoll.h": "", "platform/posix/socket.h": "", "platform/macos/kqueue.h": ""}


def test_this_repository_is_layered():
    assert rooms.layering(ROOT, TABLE) == []


def test_this_repository_confines_its_libraries():
    assert rooms.confinement(ROOT, TABLE) == []


def test_the_repository_has_something_to_check():
    assert len(tree.sources(ROOT, "core", "platform")) > 10


def test_the_document_shows_the_table():
    document = ROOT / "docs/architecture.md"
    if document.exists():
        assert rooms.documented(document.read_text(), TABLE) == []


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("core/base/x.cpp", "sys/socket.h"),
        ("core/sys/x.h", "io/driver.h"),
        ("core/io/x.h", "net/stream.h"),
        ("core/net/x.h", "http/fields.h"),
        ("core/http/x.h", "sys/socket.h"),
        ("core/http/h1/x.h", "pipeline/runner.h"),
        ("core/pipeline/x.cpp", "handlers/files.h"),
        ("core/pipeline/x.cpp", "net/stream.h"),
        ("core/handlers/x.cpp", "net/stream.h"),
        ("core/handlers/x.cpp", "server/worker.h"),
        ("core/config/x.cpp", "handlers/files.h"),
        ("core/config/x.cpp", "http/fields.h"),
        ("core/certs/x.cpp", "net/stream.h"),
        ("core/server/x.cpp", "platform/linux/epoll.h"),
        ("core/cli/x.cpp", "platform/posix/socket.h"),
        ("platform/linux/x.cpp", "net/stream.h"),
        ("platform/linux/x.cpp", "server/worker.h"),
        ("platform/linux/x.cpp", "platform/macos/kqueue.h"),
        ("platform/linux/main.cpp", "http/fields.h"),
    ],
)
def test_an_edge_that_is_not_in_the_table_is_found(plant, path, include):
    root = plant(HEADERS | {path: f'#include "{include}"\n'})
    found = rooms.layering(root, TABLE)
    assert len(found) == 1 and found[0].startswith(f"{path}:1: ") and include in found[0]


@pytest.mark.parametrize(
    ("path", "include"),
    [
        ("core/sys/x.h", "base/error.h"),
        ("core/io/portable/x.h", "io/driver.h"),
        ("core/io/x.cpp", "io/portable/selector.h"),
        ("core/net/tls/x.h", "net/stream.h"),
        ("core/http/h3/x.h", "io/driver.h"),
        ("core/http/h1/x.cpp", "http/fields.h"),
        ("core/config/x.h", "handlers/files_settings.h"),
        ("core/certs/x.h", "net/tls/session.h"),
        ("core/server/x.cpp", "http/h1/parser.h"),
        ("core/cli/x.cpp", "server/worker.h"),
        ("platform/linux/x.cpp", "platform/posix/socket.h"),
        ("platform/linux/x.cpp", "platform/linux/epoll.h"),
        ("platform/linux/main.cpp", "cli/main.h"),
        ("platform/linux/main.cpp", "io/portable/selector.h"),
    ],
)
def test_an_edge_of_the_table_passes(plant, path, include):
    assert rooms.layering(plant(HEADERS | {path: f'#include "{include}"\n'}), TABLE) == []


def test_an_include_that_leads_nowhere_is_found(plant):
    root = plant(HEADERS | {"core/http/x.h": '#include "fields.h"\n'})
    assert [line for line in rooms.layering(root, TABLE) if "core/http/x.h:1" in line]


def test_a_file_without_a_room_is_found(plant):
    root = plant({"core/attic/x.h": ""})
    assert len(rooms.layering(root, TABLE)) == 1


@pytest.mark.parametrize(
    ("path", "header"),
    [
        ("core/io/x.cpp", "event2/event.h"),
        ("platform/linux/x.cpp", "event2/event.h"),
        ("core/pipeline/x.cpp", "openssl/ssl.h"),
        ("core/http/x.cpp", "openssl/evp.h"),
        ("core/http/h1/x.cpp", "nghttp2/nghttp2.h"),
        ("core/server/x.cpp", "sqlite3.h"),
        ("core/server/worker.cpp", "nlohmann/json.hpp"),
        ("core/handlers/x.cpp", "toml++/toml.h"),
        ("core/server/x.cpp", "cxxopts.hpp"),
        ("core/io/x.cpp", "liburing.h"),
        ("core/sys/x.h", "sys/socket.h"),
        ("core/net/x.cpp", "netinet/tcp.h"),
        ("core/base/x.cpp", "unistd.h"),
        ("core/handlers/x.cpp", "fcntl.h"),
        ("core/io/x.cpp", "linux/io_uring.h"),
        ("core/sys/x.cpp", "windows.h"),
        ("core/sys/x.cpp", "WinSock2.h"),
        ("core/sys/x.cpp", "ws2tcpip.h"),
    ],
)
def test_a_confined_header_elsewhere_is_found(plant, path, header):
    found = rooms.confinement(plant({path: f"\n#include <{header}>\n"}), TABLE)
    assert len(found) == 1 and found[0].startswith(f"{path}:2: <{header}>")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("core/io/portable/x.cpp", "#include <event2/event.h>"),
        ("core/net/tls/x.cpp", "#include <openssl/ssl.h>"),
        ("core/pipeline/x.cpp", "#include <openssl/evp.h>"),
        ("core/server/control.cpp", "#include <nlohmann/json.hpp>"),
        ("core/server/control/answer.cpp", "#include <nlohmann/json.hpp>"),
        ("core/config/x.cpp", "#include <toml++/toml.h>"),
        ("platform/linux/x.cpp", "#include <sys/socket.h>"),
        ("platform/linux/x.cpp", "#include <liburing.h>"),
        ("core/io/x.cpp", '#include "sys/socket.h"'),
        ("core/io/x.cpp", "#include <cstring>"),
    ],
)
def test_a_header_in_its_place_passes(plant, path, line):
    assert rooms.confinement(plant({"core/sys/socket.h": "", path: f"{line}\n"}), TABLE) == []


def test_a_system_header_in_quotes_is_found(plant):
    assert len(rooms.confinement(plant({"core/io/x.cpp": '#include "sys/epoll.h"\n'}), TABLE)) == 1


def test_a_document_that_differs_is_found():
    lines = rooms.rendered(TABLE)
    assert rooms.documented("\n".join(["# Rooms", "", *lines, "", "text"]), TABLE) == []
    assert rooms.documented("# Rooms\n", TABLE) == [f"no table with the head {rooms.TABLE_HEAD}"]
    changed = [line.replace("base, sys, io |", "base, sys, io, server |") if line.startswith("| net ") else line for line in lines]
    assert rooms.documented("\n".join(changed), TABLE) == [
        "not in the document: | net | base, sys, io |",
        "not in rooms.toml: | net | base, sys, io, server |",
    ]
    assert rooms.documented("\n".join(lines[:-1]), TABLE) == [f"not in the document: {lines[-1]}"]


def test_the_table_can_be_printed():
    program = Path(rooms.__file__)
    printed = subprocess.run([sys.executable, str(program)], check=True, capture_output=True, text=True).stdout
    assert printed.splitlines() == rooms.rendered(TABLE)
