"""A file of 3 GiB: its end, its middle, and the whole of it, without keeping any of it."""

import hashlib
import os

import pytest

from lib.http1 import Client, request
from protocol.site import files_site

SIZE = 3 << 30
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
    place = 0
    zeros = bytes(1 << 20)
    with Client(tree, timeout_s=30) as client:
        client.send(request("/large.bin"))
        head = client.head()
        assert head.status == 200 and head.length == SIZE
        pending = dict(MARKS)
        buffer = bytearray(1 << 20)
        view = memoryview(buffer)
        while place < SIZE:
            if client.received:
                piece = client.received
                client.received = b""
            else:
                got = client.socket.recv_into(view, min(len(buffer), SIZE - place))
                assert got > 0, f"ended at {place}"
                piece = view[:got]
            check(piece, place, pending, zeros)
            place += len(piece)
        client.expect_alive()
    assert all(not left for left in pending.values())


def check(piece, place: int, pending: dict[int, bytes], zeros: bytes) -> None:
    """The piece that begins at `place` holds its part of the marks, and zeros."""
    end = place + len(piece)
    if not any(at < end and at + len(mark) > place for at, mark in MARKS.items()):
        assert piece == zeros[: len(piece)], f"not zero behind {place}"
        return
    expected = bytearray(len(piece))
    for at, mark in MARKS.items():
        for offset, byte in enumerate(mark):
            if place <= at + offset < end:
                expected[at + offset - place] = byte
                pending[at] = pending[at][1:]
    assert bytes(piece) == bytes(expected), f"wrong bytes behind {place}"


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
