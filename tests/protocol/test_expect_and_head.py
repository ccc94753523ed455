"""Expect: 100-continue (RFC 9110 section 10.1.1) and HEAD (section 9.3.2)."""

import pytest

from lib.http1 import Client, request
from protocol.site import LARGE_SIZE


def expecting(*lines: str, target: str = "/", method: str = "POST", version: str = "1.1", value: str = "100-continue") -> bytes:
    return request(target, f"Expect: {value}", *lines, method=method, version=version)


def test_the_client_is_asked_for_the_content(core):
    with Client(core) as client:
        client.send(expecting("Content-Length: 5"))
        interim = client.response()
        assert interim.status == 100 and interim.fields == []
        client.send(b"hello")
        assert client.response().status == 200
        client.expect_alive()


def test_the_client_is_asked_for_chunks(core):
    with Client(core) as client:
        client.send(expecting("Transfer-Encoding: chunked", value="100-Continue"))
        assert client.response().status == 100
        client.send(b"5\r\nhello\r\n0\r\n\r\n")
        assert client.response().status == 200
        client.expect_alive()


def test_content_that_comes_unasked(core):
    """The client did not wait. A 100 may come, and exactly one final answer."""
    with Client(core) as client:
        client.send(expecting("Content-Length: 5") + b"hello")
        answer = client.response()
        if answer.status == 100:
            answer = client.response()
        assert answer.status == 200
        client.expect_alive()


@pytest.mark.parametrize("line", ["Content-Length: 0", "X: y"])
def test_no_content_needs_no_100(core, line):
    with Client(core) as client:
        client.send(expecting(line))
        assert client.response().status == 200
        client.expect_alive()


def test_no_100_to_a_1_0_client(core):
    with Client(core) as client:
        client.send(expecting("Content-Length: 5", version="1.0") + b"hello")
        assert client.response().status == 200
        client.expect_end()


@pytest.mark.parametrize(("target", "status"), [("/files/missing", 405), ("/gone", 410)])
def test_a_refusal_comes_instead_of_100(core, target, status):
    with Client(core) as client:
        client.send(expecting("Content-Length: 5", target=target))
        answer = client.response()
        assert answer.status == status
        if answer.closes:
            client.expect_end()
        else:  # then the server has to be able to read on
            client.send(b"hello")
            client.expect_alive()


@pytest.mark.parametrize("value", ["200-ok", "100-continue, x", "100-continue;a=b", "x", "1"])
def test_an_unknown_expectation(core, value):
    with Client(core) as client:
        client.send(expecting("Content-Length: 5", value=value) + b"hello" + request("/smuggled"))
        answer = client.response()
        assert answer.status == 417 and answer.closes
        client.expect_end()


def test_pipelined_behind_an_expected_content(core):
    with Client(core) as client:
        client.send(expecting("Content-Length: 5"))
        assert client.response().status == 100
        client.send(b"hello" + request("/alive"))
        assert client.response().body == b"ok\n"
        assert client.response().body == b"alive\n"
        client.expect_alive()


TARGETS = ["/alive", "/large", "/gone", "/files/hello.txt", "/files/big.bin", "/files/empty", "/files/missing", "/empty", "/files/"]


@pytest.mark.parametrize("target", TARGETS)
def test_head_has_the_fields_of_get_and_no_content(core, target):
    with Client(core) as client:
        got = client.get(target)
        head = client.get(target, method="HEAD")
        client.expect_alive()  # fails if content came
    assert (head.status, head.reason) == (got.status, got.reason)
    assert [field for field in head.fields if field[0] != "Date"] == [field for field in got.fields if field[0] != "Date"]


def test_head_length_is_that_of_the_content(core):
    with Client(core) as client:
        assert client.get("/large", method="HEAD").length == LARGE_SIZE
        assert client.get("/files/big.bin", method="HEAD").length == LARGE_SIZE
        client.expect_alive()


@pytest.mark.parametrize("line", ["Range: bytes=0-1", "If-None-Match: *", "If-Match: \"x\"", "Range: bytes=999999999-"])
def test_head_with_conditions(core, line):
    """A precondition counts for HEAD; Range is defined for GET only (RFC 9110 section 14.2)."""
    with Client(core) as client:
        answer = client.get("/files/hello.txt", line, method="HEAD")
        expected = {"If-None-Match: *": 304, 'If-Match: "x"': 412}.get(line, 200)
        assert answer.status == expected and answer.get("Content-Range") is None
        client.expect_alive()


def test_head_of_a_refused_request(core):
    with Client(core) as client:
        client.send(request("/", "X : y", method="HEAD"))
        answer = client.head()
        assert answer.status == 400 and answer.closes
        client.expect_end()


def test_no_content_has_neither_length_nor_coding(core):
    with Client(core) as client:
        answer = client.get("/empty")
        assert answer.status == 204 and answer.get("Content-Length") is None and answer.get("Transfer-Encoding") is None
        client.expect_alive()


def test_not_modified_has_no_content(core):
    with Client(core) as client:
        got = client.get("/files/hello.txt")
        answer = client.get("/files/hello.txt", f"If-None-Match: {got['ETag']}")
        assert answer.status == 304
        assert answer["ETag"] == got["ETag"] and answer["Date"]
        client.expect_alive()
