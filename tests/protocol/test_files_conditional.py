"""Conditional requests on real files, and the precedence of the fields (RFC 9110 section 13)."""

import email.utils
import os
import time

import pytest

from lib.http1 import Client
from protocol.site import files_site

BODY = b"0123456789abcdef\n"
OLD_S = 1_000_000_000  # 2001-09-09: far in the past, so Last-Modified is a strong validator


def http_date(at: float) -> str:
    return email.utils.formatdate(at, usegmt=True)


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("conditional")
    (base / "www").mkdir()
    (base / "www" / "a.txt").write_bytes(BODY)
    os.utime(base / "www" / "a.txt", (OLD_S, OLD_S))
    (base / "www" / "new.txt").write_bytes(BODY)
    with start(base, files_site(base / "www", 'cache_control = "max-age=60"')) as server:
        server.www = base / "www"
        yield server


@pytest.fixture
def client(tree):
    with Client(tree) as made:
        yield made
        made.expect_alive()


def etag_of(client: Client) -> str:
    return client.get("/a.txt")["ETag"]


def test_validators(client):
    answer = client.get("/a.txt")
    assert answer["Last-Modified"] == http_date(OLD_S)
    tag = answer["ETag"]
    assert tag.startswith('"') and tag.endswith('"') and len(tag) > 4  # strong, and never the same for another content
    assert answer.get("Accept-Ranges") == "bytes"


def test_two_files_have_different_tags(client):
    assert client.get("/a.txt")["ETag"] != client.get("/new.txt")["ETag"]


BEFORE, AT, AFTER = http_date(OLD_S - 1), http_date(OLD_S), http_date(OLD_S + 1)
FUTURE = http_date(time.time() + 86400)
RFC850 = "Sunday, 09-Sep-01 01:46:40 GMT"
ASCTIME = "Sun Sep  9 01:46:40 2001"

# Lines with TAG for the current tag, and the status of GET.
CASES = [
    # If-None-Match
    (["If-None-Match: TAG"], 304),
    (["If-None-Match: W/TAG"], 304),
    (["If-None-Match: *"], 304),
    (["If-None-Match: \"x\""], 200),
    (["If-None-Match: W/\"x\""], 200),
    (["If-None-Match: \"x\", TAG, \"y\""], 304),
    (["If-None-Match: \"x\",TAG"], 304),
    (["If-None-Match: \"a,b\", TAG"], 304),
    (["If-None-Match: \"x\"", "If-None-Match: TAG"], 304),
    (["If-None-Match: , ,TAG,"], 304),
    (["If-None-Match: w/TAG"], 200),
    (["If-None-Match: "], 200),
    (["If-None-Match: x"], 200),
    (["If-None-Match: \"*\""], 200),
    # If-Modified-Since
    ([f"If-Modified-Since: {AT}"], 304),
    ([f"If-Modified-Since: {AFTER}"], 304),
    ([f"If-Modified-Since: {BEFORE}"], 200),
    ([f"If-Modified-Since: {RFC850}"], 304),
    ([f"If-Modified-Since: {ASCTIME}"], 304),
    (["If-Modified-Since: yesterday"], 200),
    (["If-Modified-Since: "], 200),
    (["If-Modified-Since: 0"], 200),
    (["If-Modified-Since: Sun, 09 Sep 2001 01:46:40 +0200"], 200),
    (["If-Modified-Since: Sun, 32 Sep 2001 01:46:40 GMT"], 200),
    ([f"If-Modified-Since: {FUTURE}"], 304),
    ([f"If-Modified-Since: {AT}", f"If-Modified-Since: {AT}"], 200),
    # If-None-Match wins over If-Modified-Since
    (["If-None-Match: \"x\"", f"If-Modified-Since: {AT}"], 200),
    (["If-None-Match: TAG", f"If-Modified-Since: {BEFORE}"], 304),
    (["If-None-Match: ", f"If-Modified-Since: {AT}"], 200),
    # If-Match
    (["If-Match: TAG"], 200),
    (["If-Match: *"], 200),
    (["If-Match: \"x\""], 412),
    (["If-Match: W/TAG"], 412),
    (["If-Match: \"x\", TAG"], 200),
    (["If-Match: \"x\"", "If-Match: TAG"], 200),
    # If-Unmodified-Since
    ([f"If-Unmodified-Since: {AT}"], 200),
    ([f"If-Unmodified-Since: {AFTER}"], 200),
    ([f"If-Unmodified-Since: {BEFORE}"], 412),
    (["If-Unmodified-Since: yesterday"], 200),
    # precedence
    (["If-Match: TAG", f"If-Unmodified-Since: {BEFORE}"], 200),
    (["If-Match: \"x\"", f"If-Unmodified-Since: {AT}"], 412),
    (["If-Match: TAG", "If-None-Match: TAG"], 304),
    (["If-Match: \"x\"", "If-None-Match: TAG"], 412),
    ([f"If-Unmodified-Since: {BEFORE}", "If-None-Match: TAG"], 412),
    ([f"If-Unmodified-Since: {AT}", f"If-Modified-Since: {AT}"], 304),
    (["If-Match: \"x\"", "Range: bytes=0-1"], 412),
    (["If-None-Match: TAG", "Range: bytes=0-1"], 304),
    (["If-None-Match: TAG", "Range: bytes=999-"], 304),
    (["If-Match: TAG", "Range: bytes=0-1"], 206),
]


@pytest.mark.parametrize(("lines", "status"), CASES, ids=[" + ".join(lines) for lines, _ in CASES])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_preconditions(tree, lines, status, method):
    with Client(tree) as client:
        tag = etag_of(client)
        answer = client.get("/a.txt", *[line.replace("TAG", tag) for line in lines], method=method)
        expected = 200 if (method == "HEAD" and status == 206) else status
        assert answer.status == expected
        if status in (200, 304, 206):
            assert answer["ETag"] == tag and answer["Last-Modified"] and answer["Cache-Control"] == "max-age=60"
        if method == "GET" and status == 200:
            assert answer.body == BODY
        if status == 304:
            assert answer.get("Content-Range") is None and answer.get("Content-Type") is None
        client.expect_alive()


@pytest.mark.parametrize("lines", [["If-None-Match: *"], ["If-Match: *"], [f"If-Modified-Since: {FUTURE}"], ["Range: bytes=0-1"], ["If-None-Match: \"x\""]])
def test_conditions_on_what_is_not_there(client, lines):
    """A 404 without the condition is a 404 with it (RFC 9110 section 13.2.1)."""
    assert client.get("/missing.txt", *lines).status == 404


def test_a_post_is_not_conditional(client):
    assert client.get("/a.txt", "If-None-Match: *", method="POST").status == 405


@pytest.mark.parametrize(("if_range", "partial"), [
    ("TAG", True),
    ("W/TAG", False),
    ("\"x\"", False),
    ("W/\"x\"", False),
    (AT, True),
    (AFTER, False),
    (BEFORE, False),
    (ASCTIME, True),
    ("yesterday", False),
    ("*", False),
    ("TAG, TAG", False),
])
def test_if_range(client, if_range, partial):
    """Only a strong tag or the exact date of the file; else the whole file, never an error (RFC 9110 section 13.1.5)."""
    tag = etag_of(client)
    answer = client.get("/a.txt", "Range: bytes=2-4", f"If-Range: {if_range.replace('TAG', tag)}")
    assert (answer.status, answer.body) == ((206, BODY[2:5]) if partial else (200, BODY))


def test_if_range_with_an_unsatisfiable_range(client):
    tag = etag_of(client)
    assert client.get("/a.txt", "Range: bytes=999-", f"If-Range: {tag}").status == 416
    assert client.get("/a.txt", "Range: bytes=999-", 'If-Range: "x"').status == 200


def test_if_range_without_range_is_ignored(client):
    assert client.get("/a.txt", 'If-Range: "x"').body == BODY


def test_the_date_of_a_fresh_file_is_no_strong_validator(tree):
    """It could change again within the same second (RFC 9110 section 8.8.2.2)."""
    (tree.www / "fresh.txt").write_bytes(BODY)
    with Client(tree) as client:
        modified = client.get("/fresh.txt")["Last-Modified"]
        answer = client.get("/fresh.txt", "Range: bytes=0-1", f"If-Range: {modified}")
        age = time.time() - email.utils.parsedate_to_datetime(modified).timestamp()
        assert answer.status == (200 if age < 60 else 206)


def test_a_file_from_the_future(tree):
    path = tree.www / "future.txt"
    path.write_bytes(BODY)
    later = time.time() + 10 * 86400
    os.utime(path, (later, later))
    with Client(tree) as client:
        answer = client.get("/future.txt")
        assert answer.body == BODY
        at = email.utils.parsedate_to_datetime(answer["Last-Modified"]).timestamp()
        assert at <= time.time() + 1  # never behind Date (RFC 9110 section 8.8.2.1)
        assert client.get("/future.txt", f"If-None-Match: {answer['ETag']}").status == 304


@pytest.mark.parametrize("at", [0, 1, 86399, 951782400, 1709164800])
def test_odd_times(tree, at):
    path = tree.www / f"at-{at}.txt"
    path.write_bytes(BODY)
    os.utime(path, (at, at))
    with Client(tree) as client:
        answer = client.get(f"/{path.name}")
        assert answer.body == BODY
        assert answer["Last-Modified"] == http_date(at)
        assert client.get(f"/{path.name}", f"If-Modified-Since: {http_date(at)}").status == 304
