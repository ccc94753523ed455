"""Requests behind each other without waiting for answers: order, buffers, cuts at every byte (RFC 9112 section 9.3)."""

import threading

import pytest

from lib.http1 import ALIVE, ALIVE_BODY, Client, Ended, request
from protocol.checks import send_in_pieces
from protocol.site import LARGE_SIZE, MEDIUM_SIZE, pattern

_CHUNKED = b"POST /c HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nX: y\r\n\r\n"
_SIZED = b"POST /s HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello"


def numbered(count: int) -> bytes:
    """Requests whose answers tell their place: a file that is missing is answered 404, the others 200."""
    return b"".join(request("/alive" if i % 3 else "/files/missing") for i in range(count))


def read_numbered(client: Client, count: int) -> None:
    for i in range(count):
        answer = client.response()
        assert answer.status == (200 if i % 3 else 404), i
        assert (answer.body == ALIVE_BODY) == bool(i % 3), i


@pytest.mark.parametrize("count", [2, 3, 10, 100])
def test_in_one_write(core, count):
    with Client(core) as client:
        client.send(numbered(count))
        read_numbered(client, count)
        client.expect_alive()


@pytest.mark.parametrize("padding", [0, 1, 700, 4000])
def test_far_beyond_a_buffer(core, padding):
    """400 requests in one write, with heads that end at ever other places of the server's buffers."""
    data = b"".join(request("/alive" if i % 3 else "/files/missing", "X: " + "y" * ((i * 7) % (padding + 1))) for i in range(400))
    with Client(core) as client:
        writer = threading.Thread(target=client.send, args=(data,), daemon=True)
        writer.start()
        read_numbered(client, 400)
        writer.join(10)
        client.expect_alive()


def test_the_client_reads_only_after_it_has_sent_all(core):
    """More answers than the server keeps for a client that does not read: it stops reading, and goes on later."""
    count = 30
    with Client(core) as client:
        client.send(request("/large") * count + ALIVE)
        for _ in range(count):
            assert len(client.response().body) == LARGE_SIZE
        assert client.response().body == ALIVE_BODY
        client.expect_alive()


def test_half_close_behind_more_answers_than_fit(core):
    count = 30
    with Client(core) as client:
        client.send(request("/large") * count + ALIVE)
        client.shutdown_write()
        for _ in range(count):
            assert len(client.response().body) == LARGE_SIZE
        assert client.response().body == ALIVE_BODY
        client.expect_end()


def test_half_close_behind_small_answers_that_nobody_reads_yet(core):
    """All requests have come and the answers do not fit: the end of the input must not end what is waiting."""
    count = 1500
    with Client(core, receive_buffer=4096) as client:
        client.send(request("/medium") * count + ALIVE)
        client.shutdown_write()
        for _ in range(count):
            assert len(client.response().body) == MEDIUM_SIZE
        assert client.response().body == ALIVE_BODY
        client.expect_end()


@pytest.mark.parametrize("tail", [b"GET /smug", request("/smuggled", "Content-Length: 5", method="POST", body=b"hell")], ids=["head", "content"])
def test_a_cut_request_behind_small_answers_that_nobody_reads_yet(core, tail):
    count = 1400
    with Client(core, receive_buffer=4096) as client:
        client.send(request("/medium") * count + tail)
        client.shutdown_write()
        for _ in range(count):
            assert len(client.response().body) == MEDIUM_SIZE
        with pytest.raises(Ended) as end:
            answer = client.response()
            assert answer.status == 400 and answer.closes
            client.response()
        assert end.value.received == b""


def test_cut_at_every_byte(core):
    """Two writes, cut at every place of a pair of requests."""
    data = request("/files/hello.txt", "X: y") + _SIZED + ALIVE
    with Client(core) as client:
        for cut in range(1, len(data)):
            client.send(data[:cut])
            client.send(data[cut:])
            assert client.response().body == b"hello\n", cut
            assert client.response().body == b"ok\n", cut
            assert client.response().body == ALIVE_BODY, cut


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_in_small_pieces(core, size):
    with Client(core) as client:
        send_in_pieces(client, request("/files/hello.txt") + _CHUNKED + _SIZED + request("/empty") + ALIVE, size)
        assert [client.response().body for _ in range(5)] == [b"hello\n", b"ok\n", b"ok\n", b"", ALIVE_BODY]
        client.expect_alive()


MIXED = [
    ("get-head-get", [("GET", request("/a"), b"ok\n"), ("HEAD", request("/a", method="HEAD"), b""), ("GET", request("/alive"), ALIVE_BODY)]),
    ("head-of-a-file", [("HEAD", request("/files/big.bin", method="HEAD"), b""), ("GET", request("/files/hello.txt"), b"hello\n")]),
    ("options-get", [("OPTIONS", request("*", method="OPTIONS"), b""), ("GET", request("/a"), b"ok\n")]),
    ("post-get", [("POST", _SIZED, b"ok\n"), ("GET", request("/alive"), ALIVE_BODY)]),
    ("post-zero-get", [("POST", request("/", "Content-Length: 0", method="POST"), b"ok\n"), ("GET", request("/alive"), ALIVE_BODY)]),
    ("chunked-get", [("POST", _CHUNKED, b"ok\n"), ("GET", request("/alive"), ALIVE_BODY)]),
    ("posts", [("POST", _SIZED, b"ok\n"), ("POST", _CHUNKED, b"ok\n"), ("POST", _SIZED, b"ok\n"), ("POST", _CHUNKED, b"ok\n")]),
    ("no-content-get", [("GET", request("/empty"), b""), ("GET", request("/a"), b"ok\n")]),
    ("not-modified-get", [("GET", request("/files/hello.txt", "If-None-Match: *"), b""), ("GET", request("/files/hello.txt"), b"hello\n")]),
    ("range-get", [("GET", request("/files/hello.txt", "Range: bytes=1-2"), b"el"), ("GET", request("/files/empty"), b"")]),
    ("put-to-a-file-get", [("PUT", request("/files/x", "Content-Length: 3", method="PUT", body=b"abc"), None), ("GET", request("/a"), b"ok\n")]),
    ("empty-line-between", [("GET", request("/a") + b"\r\n", b"ok\n"), ("GET", request("/alive"), ALIVE_BODY)]),
    ("1.0-keep-alive", [("GET", request("/a", "Connection: keep-alive", version="1.0"), b"ok\n"), ("GET", request("/alive"), ALIVE_BODY)]),
]


@pytest.mark.parametrize("parts", [parts for _, parts in MIXED], ids=[name for name, _ in MIXED])
def test_mixed(core, parts):
    with Client(core) as client:
        client.send(b"".join(data for _, data, _ in parts))
        for method, data, body in parts:
            answer = client.response(method)
            assert body is None or answer.body == body, data
        client.expect_alive()


def test_answers_keep_their_order_when_one_has_to_wait(core):
    """A file that is looked up on another thread, between answers that are ready at once."""
    with Client(core) as client:
        client.send((request("/a") + request("/files/big.bin") + request("/alive") + request("/files/missing")) * 5)
        for _ in range(5):
            assert client.response().body == b"ok\n"
            whole = client.response().body == pattern(LARGE_SIZE)
            assert whole
            assert client.response().body == ALIVE_BODY
            assert client.response().status == 404
        client.expect_alive()


@pytest.mark.parametrize("bad", [
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
    b"\x00",
], ids=["no-host", "bad-length", "bad-chunk", "nul"])
def test_good_answers_go_out_before_the_bad_one(core, bad):
    with Client(core) as client:
        client.send(request("/a") * 3 + request("/large") + bad + request("/smuggled"))
        assert [client.response().body for _ in range(3)] == [b"ok\n"] * 3
        assert len(client.response().body) == LARGE_SIZE
        answer = client.response()
        assert answer.status == 400 and answer.closes
        client.expect_end()


def test_nothing_is_answered_behind_close(core):
    with Client(core) as client:
        client.send(request("/a") + request("/alive", "Connection: close") + request("/smuggled") * 3)
        assert client.response().body == b"ok\n"
        answer = client.response()
        assert answer.body == ALIVE_BODY and answer.closes
        client.expect_end()


def test_nothing_is_answered_behind_http_1_0(core):
    with Client(core) as client:
        client.send(request("/alive", version="1.0") + request("/smuggled") * 3)
        assert client.response().body == ALIVE_BODY
        client.expect_end()


def test_a_request_cut_by_the_end_is_no_request(core):
    with Client(core) as client:
        client.send(request("/a") + request("/smuggled")[:-1])
        client.shutdown_write()
        assert client.response().body == b"ok\n"
        with pytest.raises(Ended) as end:
            answer = client.response()
            assert answer.status == 400 and answer.closes  # an answer would be right as well
            client.response()
        assert end.value.received == b""


def test_a_reset_in_the_middle_harms_nobody(core):
    for _ in range(20):
        with Client(core) as client:
            client.send(request("/large") * 5 + b"GET /")
            client.take(1)
            client.socket.setsockopt(1, 13, b"\x01\x00\x00\x00\x00\x00\x00\x00")  # SO_LINGER 0: close resets
    with Client(core) as client:
        client.expect_alive()
