"""How long a connection lives: keep-alive, close, HTTP/1.0, half-close (RFC 9112 section 9)."""

import pytest

from lib.http1 import ALIVE, ALIVE_BODY, Client, Ended, request
from protocol.site import LARGE_SIZE, pattern


@pytest.mark.parametrize(("lines", "version", "stays", "says"), [
    ([], "1.1", True, None),
    (["Connection: keep-alive"], "1.1", True, None),
    (["Connection: close"], "1.1", False, "close"),
    (["Connection: Close"], "1.1", False, "close"),
    (["Connection: keep-alive, close"], "1.1", False, "close"),
    (["Connection: close, keep-alive"], "1.1", False, "close"),
    (["Connection: keep-alive", "Connection: close"], "1.1", False, "close"),
    (["Connection: , ,close"], "1.1", False, "close"),
    (["Connection: x-close"], "1.1", True, None),
    (["Connection: upgrade", "Upgrade: websocket"], "1.1", True, None),
    (["Connection: upgrade, close", "Upgrade: h2c"], "1.1", False, "close"),
    (["Connection: \"close\""], "1.1", True, None),
    (["Proxy-Connection: close"], "1.1", True, None),
    (["Keep-Alive: timeout=5"], "1.1", True, None),
    ([], "1.0", False, "close"),
    (["Connection: keep-alive"], "1.0", True, "keep-alive"),
    (["Connection: Keep-Alive"], "1.0", True, "keep-alive"),
    (["Connection: keep-alive, close"], "1.0", False, "close"),
    (["Connection: close"], "1.0", False, "close"),
    (["Connection: x"], "1.0", False, "close"),
    (["Proxy-Connection: keep-alive"], "1.0", False, "close"),
])
@pytest.mark.parametrize("target", ["/alive", "/files/hello.txt", "/files/missing", "/empty"])
def test_connection_options(core, lines, version, stays, says, target):
    with Client(core) as client:
        answer = client.get(target, *lines, version=version)
        assert answer.get("Connection") == says
        assert answer.get("Upgrade") is None and answer.status != 101
        if stays:
            client.expect_alive()
        else:
            client.expect_end()


def test_the_answer_speaks_1_1_to_a_1_0_client(core):
    """RFC 9110 section 6.2: the version of the server, not that of the client; but no chunks."""
    with Client(core) as client:
        answer = client.get("/files/big.bin", version="1.0")
        assert answer.head.startswith(b"HTTP/1.1 200") and answer.get("Transfer-Encoding") is None
        whole = answer.body == pattern(LARGE_SIZE)
        assert whole
        client.expect_end()


def test_many_requests_on_one_connection(core):
    with Client(core) as client:
        for _ in range(500):
            client.expect_alive()


@pytest.mark.parametrize("target", ["/alive", "/large", "/files/big.bin", "/files/hello.txt", "/files/missing"])
def test_half_close_behind_one_request(core, target):
    with Client(core) as client:
        client.send(request(target))
        client.shutdown_write()
        assert client.response().status == (404 if target.endswith("missing") else 200)
        client.expect_end()


def test_half_close_behind_many_requests(core):
    with Client(core) as client:
        client.send(request("/files/big.bin") + ALIVE * 200 + request("/files/hello.txt"))
        client.shutdown_write()
        whole = client.response().body == pattern(LARGE_SIZE)
        assert whole
        assert [client.response().body for _ in range(200)] == [ALIVE_BODY] * 200
        assert client.response().body == b"hello\n"
        client.expect_end()


def test_half_close_behind_a_post(core):
    with Client(core) as client:
        client.send(request("/", "Content-Length: 5", method="POST", body=b"hello") + ALIVE)
        client.shutdown_write()
        assert client.response().body == b"ok\n"
        assert client.response().body == ALIVE_BODY
        client.expect_end()


def test_half_close_of_an_idle_connection(core):
    with Client(core) as client:
        client.expect_alive()
        client.shutdown_write()
        client.expect_end()


def test_half_close_of_a_fresh_connection(core):
    with Client(core) as client:
        client.shutdown_write()
        client.expect_end()


CUT = [
    ("head", b"GET /alive HTTP/1.1\r\nHost: t\r\n"),
    ("request-line", b"GET /ali"),
    ("one-byte", b"G"),
    ("crlf", b"\r\n"),
    ("sized-content", request("/", "Content-Length: 5", method="POST", body=b"hell")),
    ("no-content", request("/", "Content-Length: 5", method="POST")),
    ("chunk-size", request("/", "Transfer-Encoding: chunked", method="POST", body=b"5")),
    ("chunk-data", request("/", "Transfer-Encoding: chunked", method="POST", body=b"5\r\nhel")),
    ("chunk-end", request("/", "Transfer-Encoding: chunked", method="POST", body=b"5\r\nhello")),
    ("last-chunk", request("/", "Transfer-Encoding: chunked", method="POST", body=b"5\r\nhello\r\n0\r\n")),
    ("trailer", request("/", "Transfer-Encoding: chunked", method="POST", body=b"0\r\nX: y\r\n")),
    ("expected-content", request("/", "Content-Length: 5", "Expect: 100-continue", method="POST")),
]


@pytest.mark.parametrize("data", [data for _, data in CUT], ids=[name for name, _ in CUT])
def test_a_cut_request_is_not_carried_out(core, data):
    """The end may be silent or a 4xx, but never a success: the server cannot know what was meant."""
    with Client(core) as client:
        client.send(data)
        client.shutdown_write()
        with pytest.raises(Ended) as end:
            while True:
                answer = client.response()
                assert answer.status == 100 or (400 <= answer.status < 500 and answer.closes), answer
        assert end.value.received == b""


def test_the_client_that_sends_on_still_gets_the_refusal(core):
    """Closing with unread bytes in the buffer would reset the connection and take the answer with it."""
    for _ in range(5):
        with Client(core) as client:
            client.send(b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n" + b"x" * 500_000)
            answer = client.response()
            assert answer.status == 400
            client.expect_end()


def test_date_moves(core):
    """Date is of the second in which the answer was made, within two."""
    import email.utils
    import time

    with Client(core) as client:
        before = int(time.time())
        at = email.utils.parsedate_to_datetime(client.get("/alive")["Date"]).timestamp()
        assert before - 1 <= at <= int(time.time()) + 1
