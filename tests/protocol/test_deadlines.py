"""Slow clients: idle deadlines and minimum rates for head, content and response. Every connection ends in bounded time.

The limits are short so that the tests are; bounds from above are generous, since a loaded machine is slow as well.
"""

import hashlib
import select
import socket
import time

import pytest

from lib.http1 import ALIVE, Client, Ended, request
from lib.wait import PATIENCE
from protocol.site import one_site, pattern

POLLERS = ["epoll", "io_uring", "libevent"]
DEADLINE_S = 0.3
LATE_S = 8 * PATIENCE  # no end later than this
LIMITS = {
    "header_timeout": "300ms",
    "idle_timeout": "300ms",
    "body_idle_timeout": "300ms",
    "body_rate_min": "1k/s",
    "write_idle_timeout": "300ms",
    "write_rate_min": "off",
    "rate_grace": "300ms",
}
BIG_SIZE = 8 << 20  # far more than the buffers between server and client

ROUTES = """
[[site.route]]
path = "/files/*"
files = { root = "../www", strip_prefix = "/files" }
[[site.route]]
path = "/*"
respond = { body = "ok\\n" }
"""


@pytest.fixture(scope="module", params=POLLERS)
def hasty(request, tmp_path_factory):
    """A server with short deadlines, one for each poller."""
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp(f"hasty-{request.param}")
    big_file(base)
    (base / "server").mkdir()
    with start(base / "server", one_site(ROUTES), request.param, limits=LIMITS) as server:
        yield server


def big_file(base) -> None:
    (base / "www").mkdir()
    (base / "www" / "big.bin").write_bytes(pattern(BIG_SIZE))


def trickle(client: Client, data: bytes, pause_s: float) -> None:
    """One byte each pause, until all is sent or the server has something to say."""
    for byte in data:
        try:
            client.send(bytes([byte]))
        except (BrokenPipeError, ConnectionResetError):
            return
        if select.select([client.socket], [], [], pause_s)[0]:
            return


def ends(client: Client, began: float, at_least: float = DEADLINE_S, how: str = "fin") -> None:
    client.expect_end(how)
    in_time(began, at_least)


def in_time(began: float, at_least: float = DEADLINE_S) -> None:
    took = time.monotonic() - began
    assert at_least * 0.9 <= took < LATE_S, f"{took:.2f} s"


def dies(client: Client, timeout_s: float = LATE_S) -> None:
    """Waits until the connection is reset, without reading from it."""
    poller = select.poll()
    poller.register(client.socket, select.POLLHUP | select.POLLERR)
    assert poller.poll(timeout_s * 1000), "the connection is still open"


def test_a_connection_that_says_nothing(hasty):
    began = time.monotonic()
    with Client(hasty) as client:
        ends(client, began)


@pytest.mark.parametrize("data", [b"G", b"\r\n", b"GET / HTTP/1.1\r\n", b"GET / HTTP/1.1\r\nHost: t\r\n", ALIVE[:-1]],
                         ids=["letter", "empty-line", "line", "fields", "all-but-one-byte"])
def test_a_head_that_stops(hasty, data):
    began = time.monotonic()
    with Client(hasty) as client:
        client.send(data)
        answer = client.response()
        assert answer.status == 408 and answer.closes
        ends(client, began)


def test_a_head_that_trickles(hasty):
    """Activity does not move the deadline: it counts from the first byte."""
    began = time.monotonic()
    with Client(hasty) as client:
        trickle(client, ALIVE * 10, 0.05)
        assert client.response().status == 408
        ends(client, began)


def test_the_second_head_has_a_deadline_of_its_own(hasty):
    with Client(hasty) as client:
        client.expect_alive()
        began = time.monotonic()
        client.send(ALIVE + ALIVE[:20])
        assert client.response().status == 200
        assert client.response().status == 408
        ends(client, began)


@pytest.mark.parametrize("target", ["/alive", "/files/big.bin"])
def test_an_idle_connection(hasty, target):
    """Closed without an answer: the client did nothing wrong."""
    with Client(hasty) as client:
        client.send(request(target))
        client.response()
        began = time.monotonic()
        # The server counts from when the kernel had taken all of the response, which is before the client has read it.
        ends(client, began, at_least=DEADLINE_S / 2 if target == "/alive" else 0)


def test_requests_keep_a_connection_from_being_idle(hasty):
    began = time.monotonic()
    with Client(hasty) as client:
        while time.monotonic() - began < 3 * DEADLINE_S:
            client.expect_alive()
            select.select([client.socket], [], [], DEADLINE_S / 6)


@pytest.mark.parametrize("data", [
    request("/", "Content-Length: 10", method="POST", body=b"hello"),
    request("/", "Content-Length: 10", method="POST"),
    request("/", "Transfer-Encoding: chunked", method="POST"),
    request("/", "Transfer-Encoding: chunked", method="POST", body=b"5"),
    request("/", "Transfer-Encoding: chunked", method="POST", body=b"5\r\nhel"),
    request("/", "Transfer-Encoding: chunked", method="POST", body=b"5\r\nhello\r\n0\r\nX: y"),
], ids=["length-half", "length-nothing", "chunks-nothing", "chunk-size", "chunk-data", "trailer"])
def test_content_that_stops(hasty, data):
    began = time.monotonic()
    with Client(hasty) as client:
        client.send(data)
        answer = client.response()
        assert answer.status == 408 and answer.closes
        ends(client, began)


@pytest.mark.parametrize("coding", ["Content-Length: 500", "Transfer-Encoding: chunked"])
def test_content_that_trickles(hasty, coding):
    """Each byte is within the idle deadline; the rate is below body_rate_min."""
    began = time.monotonic()
    with Client(hasty) as client:
        client.send(request("/", coding, method="POST"))
        trickle(client, b"1\r\nx\r\n" * 80, 0.03)
        answer = client.response()
        assert answer.status == 408 and answer.closes
        ends(client, began)


def test_an_expected_content_that_never_comes(hasty):
    began = time.monotonic()
    with Client(hasty) as client:
        client.send(request("/", "Content-Length: 5", "Expect: 100-continue", method="POST"))
        assert client.response().status == 100
        assert client.response().status == 408
        ends(client, began)


def test_a_response_that_nobody_reads(hasty):
    began = time.monotonic()
    with Client(hasty, receive_buffer=4096) as client:
        client.send(request("/files/big.bin"))
        dies(client)
        in_time(began)
        with pytest.raises(Ended):
            client.response()


def test_small_responses_that_nobody_reads(hasty):
    """The answers of thousands of pipelined requests fill the buffers as well as one large one."""
    with Client(hasty, receive_buffer=4096) as client:
        client.socket.settimeout(0.2)
        try:
            for _ in range(2000):
                client.send(request("/files/missing") * 100)
        except (TimeoutError, ConnectionResetError, BrokenPipeError):
            pass
        dies(client)
    with Client(hasty) as client:
        client.expect_alive()


def test_many_that_stop_at_once_harm_nobody(hasty):
    began = time.monotonic()
    slow = [Client(hasty) for _ in range(150)]
    for client in slow:
        client.send(ALIVE[:30])
    with Client(hasty) as client:
        client.expect_alive()
    for client in slow:
        with client:
            assert client.response().status == 408
            client.expect_end()
    in_time(began)


def test_a_refused_client_that_sends_on_for_ever(hasty):
    """The connection lingers so that the answer arrives, but not for long."""
    began = time.monotonic()
    with Client(hasty) as client:
        client.send(b"GET / HTTP/1.1\r\n\r\n")
        assert client.response().status == 400
        client.expect_end()
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            while time.monotonic() - began < LATE_S:
                client.send(b"x" * 1000)
                select.select([], [], [], 0.02)


def test_a_lingering_client_that_does_nothing(hasty):
    """Nor does it hold the connection when it just never closes its side: the server's end goes away."""
    with Client(hasty) as client:
        client.send(b"GET / HTTP/1.1\r\n\r\n")
        assert client.response().status == 400
        client.expect_end()
        dead = time.monotonic() + LATE_S
        while True:  # a byte that is sent after the server let go is answered with a reset
            assert time.monotonic() < dead
            select.select([], [], [], 0.1)
            try:
                client.send(b"x")
            except (BrokenPipeError, ConnectionResetError):
                break


@pytest.fixture
def patient(serve, tmp_path):
    """patient(limits) starts a server with long deadlines but for those given."""
    big_file(tmp_path)
    return lambda limits, poller="auto": serve(one_site(ROUTES), poller, limits=limits)


@pytest.mark.parametrize("poller", POLLERS)
def test_a_response_that_is_read_too_slowly(patient, poller):
    """There is always progress, at a rate below write_rate_min."""
    server = patient({"write_idle_timeout": "30s", "write_rate_min": "2m/s", "rate_grace": "400ms"}, poller)
    began = time.monotonic()
    with Client(server, receive_buffer=16384) as client:
        client.send(request("/files/big.bin"))
        with pytest.raises(Ended) as end:
            while time.monotonic() - began < LATE_S:
                client.take(8192)
                select.select([], [], [], 0.02)
        assert end.value.how == "reset"
        in_time(began, 0.4)


@pytest.mark.parametrize("poller", POLLERS)
def test_a_slow_but_steady_reader_gets_all(patient, poller):
    server = patient({"write_idle_timeout": "2s", "write_rate_min": "64k/s", "rate_grace": "500ms"}, poller)
    with Client(server, receive_buffer=65536) as client:
        client.send(request("/files/big.bin"))
        head = client.head()
        digest, step = hashlib.sha256(), 0
        for data in client.stream(head.length, 200_000):
            digest.update(data)
            step += 1
            if step % 8 == 0:
                select.select([], [], [], 0.01)
        assert digest.digest() == hashlib.sha256(pattern(BIG_SIZE)).digest()
        client.expect_alive()


def test_a_slow_but_steady_sender_is_served(patient):
    server = patient({"body_idle_timeout": "1s", "body_rate_min": "off", "rate_grace": "200ms"})
    with Client(server) as client:
        client.send(request("/", "Content-Length: 12", method="POST"))
        trickle(client, b"hello, world", 0.05)
        assert client.response().status == 200
        client.expect_alive()


def test_a_rate_above_the_minimum_is_served(patient):
    server = patient({"body_rate_min": "1k/s", "rate_grace": "200ms"})
    with Client(server) as client:
        client.send(request("/", "Content-Length: 50000", method="POST"))
        for _ in range(20):
            client.send(b"x" * 2500)
            select.select([], [], [], 0.03)
        assert client.response().status == 200
        client.expect_alive()


def test_the_deadlines_of_a_route(serve):
    server = serve(one_site("""
[[site.route]]
path = "/hasty"
limits = { body_idle_timeout = "200ms", idle_timeout = "200ms" }
respond = { body = "ok\\n" }
[[site.route]]
path = "/*"
respond = { body = "ok\\n" }
"""))
    with Client(server) as client:
        client.send(request("/hasty", "Content-Length: 5", method="POST"))
        assert client.response().status == 408
        client.expect_end()
    with Client(server) as client:
        assert client.get("/hasty").status == 200
        client.expect_end()
    with Client(server, timeout_s=0.6) as client:
        client.send(request("/", "Content-Length: 5", method="POST"))
        with pytest.raises(TimeoutError):
            client.response()
        client.socket.settimeout(10)
        client.send(b"hello")
        assert client.response().status == 200
        client.expect_alive()


def test_the_head_deadline_of_a_site(serve):
    server = serve(one_site('[[site.route]]\npath = "/*"\nrespond = { body = "ok" }\n', 'limits = { header_timeout = "200ms" }'))
    with Client(server) as client:
        client.send(b"GET /")
        assert client.response().status == 408
        client.expect_end()


def test_keepalive_probes_are_no_activity(hasty):
    """An idle connection with TCP keep-alive on ends like any other."""
    began = time.monotonic()
    with Client(hasty) as client:
        client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        client.expect_alive()
        ends(client, began)
