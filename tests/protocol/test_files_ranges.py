"""Ranges of real files: single, suffix, many, wrong ones (RFC 9110 section 14)."""

import re

import pytest

from lib.http1 import Client
from protocol.site import files_site, pattern

SIZE = 200_000
DATA = pattern(SIZE)


@pytest.fixture(scope="module", params=["memory", "disk"])
def tree(request, tmp_path_factory):
    """The same file from the memory cache and from disk."""
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("ranges")
    (base / "www").mkdir()
    (base / "www" / "a.bin").write_bytes(DATA)
    (base / "www" / "a.txt").write_bytes(b"0123456789")
    (base / "www" / "empty").write_bytes(b"")
    keep = "1m" if request.param == "memory" else "0b"
    with start(base, files_site(base / "www", f'memory_max_file = "{keep}"'), server='file_cache = "8m"') as server:
        yield server


SINGLE = [
    ("0-0", 0, 0),
    ("0-", 0, SIZE - 1),
    ("0-99", 0, 99),
    ("1-1", 1, 1),
    ("100-199", 100, 199),
    ("65535-65536", 65535, 65536),
    (f"{SIZE - 1}-", SIZE - 1, SIZE - 1),
    (f"{SIZE - 1}-{SIZE - 1}", SIZE - 1, SIZE - 1),
    (f"0-{SIZE - 1}", 0, SIZE - 1),
    (f"0-{SIZE}", 0, SIZE - 1),
    ("0-99999999999", 0, SIZE - 1),
    ("0-18446744073709551615", 0, SIZE - 1),
    ("0-99999999999999999999999999", 0, SIZE - 1),
    ("-1", SIZE - 1, SIZE - 1),
    ("-100", SIZE - 100, SIZE - 1),
    (f"-{SIZE}", 0, SIZE - 1),
    (f"-{SIZE + 1}", 0, SIZE - 1),
    ("-99999999999999999999999999", 0, SIZE - 1),
    ("00-0099", 0, 99),
    (" 0-99", 0, 99),
    ("0-99 ", 0, 99),
    ("0-99,", 0, 99),
    (",0-99", 0, 99),
]


@pytest.mark.parametrize(("spec", "first", "last"), SINGLE, ids=[spec for spec, _, _ in SINGLE])
def test_single(tree, spec, first, last):
    with Client(tree) as client:
        answer = client.get("/a.bin", f"Range: bytes={spec}")
        assert answer.status == 206
        assert answer["Content-Range"] == f"bytes {first}-{last}/{SIZE}"
        assert answer.length == last - first + 1
        assert answer.body == DATA[first : last + 1]
        assert answer["ETag"] and answer["Content-Type"]
        client.expect_alive()


@pytest.mark.parametrize("spec", [f"{SIZE}-", f"{SIZE}-{SIZE}", f"{SIZE + 1}-", "999999999999-", "99999999999999999999999-", "-0", f"{SIZE}-,-0"])
def test_unsatisfiable(tree, spec):
    with Client(tree) as client:
        answer = client.get("/a.bin", f"Range: bytes={spec}")
        assert answer.status == 416 and answer["Content-Range"] == f"bytes */{SIZE}"
        client.expect_alive()


@pytest.mark.parametrize("value", [
    "bytes=", "bytes=-", "bytes=a-b", "bytes=5", "bytes=5-1", "bytes=1-2-3", "bytes=--1", "bytes=+1-2", "bytes=0x0-1", "bytes=0-1;q=1",
    "bytes = 0-1", "0-1", "=0-1", "lines=0-1", "bytes:0-1", "bytes", "bytes=0-1x", "bytes=0--1", "bytes=1 - 2", "bytes=\"0-1\"",
])
def test_a_range_that_is_none_is_ignored(tree, value):
    with Client(tree) as client:
        answer = client.get("/a.bin", f"Range: {value}")
        assert answer.status == 200 and answer.body == DATA
        client.expect_alive()


def test_the_unit_is_compared_without_case(tree):
    with Client(tree) as client:
        assert client.get("/a.bin", "Range: Bytes=0-1").body == DATA[:2]


def test_two_range_fields_are_ignored(tree):
    with Client(tree) as client:
        assert client.get("/a.bin", "Range: bytes=0-1", "Range: bytes=2-3").status == 200


def test_a_range_of_nothing(tree):
    with Client(tree) as client:
        for spec in ("0-", "0-0", "-1", "-0"):
            answer = client.get("/empty", f"Range: bytes={spec}")
            assert answer.status in (200, 416) and (answer.status == 416) == (answer.get("Content-Range") == "bytes */0")
        assert client.get("/empty").body == b""
        client.expect_alive()


def parts_of(answer) -> list[tuple[int, int, bytes]]:
    """The parts of a multipart/byteranges content, parsed without mercy."""
    match = re.fullmatch(r'multipart/byteranges; ?boundary="?([0-9A-Za-z\'()+_,./:=?-]{1,70})"?', answer["Content-Type"])
    assert match, answer["Content-Type"]
    mark = b"--" + match[1].encode()
    assert answer.get("Content-Range") is None
    body = answer.body
    assert body.startswith(mark + b"\r\n") or body.startswith(b"\r\n" + mark + b"\r\n")
    body = body[body.index(mark) + len(mark) :]
    parts = []
    while not body.startswith(b"--"):
        head, body = body.split(b"\r\n\r\n", 1)
        fields = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
        first, last, size = re.fullmatch(rb"bytes (\d+)-(\d+)/(\d+)", fields[b"Content-Range"]).groups()
        assert int(size) == SIZE and fields[b"Content-Type"]
        length = int(last) - int(first) + 1
        parts.append((int(first), int(last), body[:length]))
        assert body[length:].startswith(b"\r\n" + mark)
        body = body[length + 2 + len(mark) :]
    assert body in (b"--", b"--\r\n")
    return parts


MANY = [
    ("0-0,2-2", [(0, 0), (2, 2)]),
    ("0-9,100-199,-5", [(0, 9), (100, 199), (SIZE - 5, SIZE - 1)]),
    ("0-9, 100-199 , 1000-1999", [(0, 9), (100, 199), (1000, 1999)]),
    ("100-199,0-9", [(100, 199), (0, 9)]),
    (f"0-9,{SIZE}-", [(0, 9)]),
    ("0-9,,20-29", [(0, 9), (20, 29)]),
    ("0-65535,131072-196607", [(0, 65535), (131072, 196607)]),
]


@pytest.mark.parametrize(("spec", "ranges"), MANY, ids=[spec for spec, _ in MANY])
def test_many(tree, spec, ranges):
    with Client(tree) as client:
        answer = client.get("/a.bin", f"Range: bytes={spec}")
        assert answer.status == 206
        if len(ranges) == 1:
            assert answer["Content-Range"] == f"bytes {ranges[0][0]}-{ranges[0][1]}/{SIZE}"
            assert answer.body == DATA[ranges[0][0] : ranges[0][1] + 1]
        else:
            assert [(first, last) for first, last, _ in parts_of(answer)] == ranges
            assert all(data == DATA[first : last + 1] for first, last, data in parts_of(answer))
        client.expect_alive()


@pytest.mark.parametrize("spec", ["0-,0-,0-", ",".join(["0-"] * 500), ",".join(f"{i}-{i + 5}" for i in range(1000)), ",".join(["-1"] * 2000)],
                         ids=["whole-thrice", "whole-500-times", "overlapping", "same-suffix"])
def test_a_range_that_asks_for_more_than_the_file(tree, spec):
    """Answered by less than it asks for: merged, or the whole file. Never an amplification."""
    with Client(tree) as client:
        answer = client.get("/a.bin", f"Range: bytes={spec}")
        assert answer.status in (200, 206, 416)
        assert len(answer.body) <= SIZE + 1000
        client.expect_alive()


def test_many_small_ranges_are_bounded(tree):
    """Parts have heads; thousands of one-byte ranges must not cost a hundred times the file."""
    spec = ",".join(f"{i * 2}-{i * 2}" for i in range(5000))
    with Client(tree) as client:
        answer = client.get("/a.bin", f"Range: bytes={spec}")
        assert answer.status in (200, 206, 416) and len(answer.body) <= 2 * SIZE
        client.expect_alive()


def test_boundaries_differ(tree):
    with Client(tree) as client:
        first = client.get("/a.bin", "Range: bytes=0-0,2-2")["Content-Type"]
        assert client.get("/a.bin", "Range: bytes=0-0,2-2")["Content-Type"] != first


def test_range_with_other_methods(tree):
    with Client(tree) as client:
        assert client.get("/a.bin", "Range: bytes=0-1", method="POST").status == 405
        answer = client.get("/a.bin", "Range: bytes=0-1", method="OPTIONS")
        assert answer.status == 204


def test_range_of_a_directory_or_error(tree):
    with Client(tree) as client:
        assert client.get("/missing", "Range: bytes=0-1").status == 404


def test_every_byte_of_a_small_file(tree):
    with Client(tree) as client:
        for first in range(10):
            for last in range(first, 10):
                answer = client.get("/a.txt", f"Range: bytes={first}-{last}")
                assert answer.body == b"0123456789"[first : last + 1]
