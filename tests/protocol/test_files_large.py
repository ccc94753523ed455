"""A file of 3 GiB: its end, its middle, and the whole of it, without keeping any of it."""

import hashlib
import os
import socket

import pytest

from lib.http1 import Client, request
from protocol.site import files_site

SIZE = 3 << 30
STEP = 1 << 20
MARKS = {0: b"first bytes", (1 << 31) - 5: b"over 2 GiB!", SIZE - 10: b"last bytes"}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A sparse file with a few marks; the rest is zeros."""
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("large")
    (base / "www").mkdir()
    path = base / "www" / "large.bin"
    with open(path, "wb") as file:
        file.truncate(SIZE)
        for at, mark in MARKS.items():
            file.seek(at)
            file.write(mark)
    with start(base, files_site(base / "www")) as server:
        server.large = path
        yield server
    path.unlink()


@pytest.mark.parametrize(("spec", "first", "data"), [
    ("-10", SIZE - 10, b"last bytes"),
    (f"{SIZE - 10}-", SIZE - 10, b"last bytes"),
    (f"{SIZE - 1}-", SIZE - 1, b"s"),
    (f"{(1 << 31) - 5}-{(1 << 31) + 5}", (1 << 31) - 5, b"over 2 GiB!"),
    ("2147483647-2147483648", 2147483647, b" 2"),
    ("0-10", 0, b"first bytes"),
])
def test_ranges(tree, spec, first, data):
    with Client(tree) as client:
        answer = client.get("/large.bin", f"Range: bytes={spec}")
        assert answer.status == 206 and answer.body == data
        assert answer["Content-Range"] == f"bytes {first}-{first + len(data) - 1}/{SIZE}"
        client.expect_alive()


def test_a_long_range_over_the_32_bit_border(tree):
    first, last = (1 << 31) - 4_000_000, (1 << 31) + 4_000_000
    with open(tree.large, "rb") as file:
        file.seek(first)
        expected = hashlib.sha256(file.read(last - first + 1)).digest()
    with Client(tree) as client:
        client.send(request("/large.bin", f"Range: bytes={first}-{last}"))
        head = client.head()
        assert head.status == 206 and head.length == last - first + 1
        digest = hashlib.sha256()
        for data in client.stream(head.length):
            digest.update(data)
        assert digest.digest() == expected
        client.expect_alive()


def test_head(tree):
    with Client(tree) as client:
        assert client.get("/large.bin", method="HEAD").length == SIZE
        client.expect_alive()


def test_ranges_of_both_ends(tree):
    with Client(tree) as client:
        answer = client.get("/large.bin", "Range: bytes=0-10,-10")
        assert answer.status == 206 and b"first bytes" in answer.body and b"last bytes" in answer.body
        client.expect_alive()


def test_whole(tree):
    """Every byte is compared with the file while it comes; a hash of 3 GiB would take longer than the transfer."""
    zeros = bytes(STEP)
    with Client(tree, timeout_s=60) as client:
        client.send(request("/large.bin"))
        head = client.head()
        assert head.status == 200 and head.length == SIZE
        place = len(client.received)
        assert client.take(place) == expected(0, place)
        buffer = bytearray(STEP)
        while place < SIZE:
            got = client.socket.recv_into(buffer, min(STEP, SIZE - place), socket.MSG_WAITALL)
            assert got > 0, f"ended at {place}"
            if got == STEP and not touches_mark(place, got):
                right = buffer == zeros
            else:
                right = buffer[:got] == expected(place, got)
            assert right, f"wrong bytes behind {place}"
            place += got
        client.expect_alive()


def touches_mark(place: int, size: int) -> bool:
    return any(at < place + size and at + len(mark) > place for at, mark in MARKS.items())


def expected(place: int, size: int) -> bytes:
    """The bytes of the file from `place` on."""
    data = bytearray(size)
    for at, mark in MARKS.items():
        for offset, byte in enumerate(mark, at - place):
            if 0 <= offset < size:
                data[offset] = byte
    return bytes(data)


def test_many_who_go_away_in_the_middle(tree):
    """Nothing is held for clients that are gone: neither memory nor descriptors."""
    def descriptors() -> int:
        return len(os.listdir(f"/proc/{tree.pid}/fd"))

    with Client(tree) as client:
        client.expect_alive()
        before = descriptors()
        for _ in range(40):
            with Client(tree) as leaver:
                leaver.send(request("/large.bin"))
                leaver.take(100_000)
        from lib.wait import wait_until  # noqa: PLC0415

        wait_until(lambda: descriptors() <= before + 3, "the descriptors of clients that went away")
        client.expect_alive()
