"""Every size and count of [limits] at n and at n+1: outermost, of a site, of a route."""

import pytest

from lib.http1 import ALIVE_BODY, Client, request
from protocol.site import ALIVE_ROUTE, OK_BODY, files_site, one_site

ROUTE = '[[site.route]]\npath = "/*"\nrespond = { body = "ok\\n" }\n'
LINE_MAX = 300
HEAD_MAX = 1024
COUNT_MAX = 5
BODY_MAX = 1000


@pytest.fixture(scope="module")
def tight(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    limits = {"request_line_size": f"{LINE_MAX}b", "header_size": f"{HEAD_MAX}b", "header_count": COUNT_MAX, "body_size": f"{BODY_MAX}b"}
    with start(tmp_path_factory.mktemp("limits"), one_site(ROUTE), limits=limits) as server:
        yield server


def line_of(size: int) -> bytes:
    """A request whose request line has `size` bytes without its CRLF."""
    return request("/" + "a" * (size - len("GET / HTTP/1.1")))


def fields_of(size: int, lines: int = 2) -> bytes:
    """A request whose field lines, with their CRLFs, have `size` bytes together."""
    rest = size - len("Host: t\r\n") - (lines - 2) * len("X: \r\n") - len("X: \r\n")
    return request("/", *["X: "] * (lines - 2), "X: " + "y" * rest)


def expect(server, data: bytes, status: int, piecewise: bool = False) -> None:
    """One answer; above a limit it ends the connection, else it goes on."""
    with Client(server) as client:
        if piecewise:
            for byte in data[:-1]:
                client.send(bytes([byte]))
            data = data[-1:]
        client.send(data + (request("/smuggled") if status >= 400 else b""))
        answer = client.response()
        assert answer.status == status, answer
        if status >= 400:
            assert answer.closes
            client.expect_end()
        else:
            client.expect_alive()


@pytest.mark.parametrize(("size", "status"), [(LINE_MAX - 1, 200), (LINE_MAX, 200), (LINE_MAX + 1, 414), (LINE_MAX + 500, 414), (LINE_MAX * 100, 414)])
def test_request_line_size(tight, size, status):
    expect(tight, line_of(size), status)


def test_request_line_size_byte_by_byte(tight):
    expect(tight, line_of(LINE_MAX), 200, piecewise=True)


@pytest.mark.parametrize("data", [b"A" * 5000, b"GET /" + b"a" * 5000, b"GET /" + b"?" * 5000], ids=["method", "path", "query"])
def test_a_request_line_without_end(tight, data):
    """Refused as soon as the limit is passed, not when the line ends."""
    with Client(tight) as client:
        client.send(data)
        answer = client.response()
        assert answer.status == 414 and answer.closes
        client.expect_end()


@pytest.mark.parametrize(("size", "status"), [(HEAD_MAX - 1, 200), (HEAD_MAX, 200), (HEAD_MAX + 1, 431), (HEAD_MAX * 3, 431), (HEAD_MAX * 100, 431)])
@pytest.mark.parametrize("lines", [2, 4])
def test_header_size(tight, size, status, lines):
    expect(tight, fields_of(size, lines), status)


def test_header_size_byte_by_byte(tight):
    expect(tight, fields_of(HEAD_MAX), 200, piecewise=True)


@pytest.mark.parametrize("data", [b"X" * 5000, b"X: " + b"y" * 5000, b"Host: t\r\nX:" + b" " * 5000], ids=["name", "value", "white-space"])
def test_a_header_without_end(tight, data):
    with Client(tight) as client:
        client.send(b"GET / HTTP/1.1\r\n" + data)
        answer = client.response()
        assert answer.status == 431 and answer.closes
        client.expect_end()


@pytest.mark.parametrize(("count", "status"), [(COUNT_MAX - 1, 200), (COUNT_MAX, 200), (COUNT_MAX + 1, 431), (COUNT_MAX + 50, 431)])
def test_header_count(tight, count, status):
    expect(tight, request("/", *["X: y"] * (count - 1)), status)


def test_dropped_fields_count_as_well(tight):
    expect(tight, request("/", *["Content_Length: 5"] * (COUNT_MAX - 1)), 200)
    expect(tight, request("/", *["Content_Length: 5"] * COUNT_MAX), 431)


def chunked(size: int, piece: int = 100) -> bytes:
    body = b"".join(b"%x\r\n%s\r\n" % (min(piece, size - at), b"x" * min(piece, size - at)) for at in range(0, size, piece))
    return request("/", "Transfer-Encoding: chunked", method="POST", body=body + b"0\r\n\r\n")


def sized(size: int) -> bytes:
    return request("/", f"Content-Length: {size}", method="POST", body=b"x" * size)


@pytest.mark.parametrize("make", [sized, chunked])
@pytest.mark.parametrize(("size", "status"), [(0, 200), (BODY_MAX - 1, 200), (BODY_MAX, 200), (BODY_MAX + 1, 413), (BODY_MAX * 200, 413)])
def test_body_size(tight, make, size, status):
    expect(tight, make(size), status)


def test_body_size_names_the_limit(tight):
    with Client(tight) as client:
        client.send(sized(BODY_MAX + 1))
        answer = client.response()
        assert answer.status == 413 and b"limits.body_size" in answer.body


def test_a_length_above_the_limit_is_refused_before_the_content_comes(tight):
    with Client(tight) as client:
        client.send(request("/", f"Content-Length: {BODY_MAX + 1}", method="POST"))
        assert client.response().status == 413
        client.expect_end()
    with Client(tight) as client:
        client.send(request("/", f"Content-Length: {BODY_MAX + 1}", "Expect: 100-continue", method="POST"))
        assert client.response().status == 413  # no 100 before it
        client.expect_end()


def test_a_chunk_size_above_the_limit_is_refused_before_its_data_comes(tight):
    with Client(tight) as client:
        client.send(request("/", "Transfer-Encoding: chunked", method="POST", body=b"%x\r\n" % (BODY_MAX + 1)))
        client.send(b"x" * (BODY_MAX + 1))
        assert client.response().status == 413
        client.expect_end()


@pytest.mark.parametrize(("size", "status"), [(HEAD_MAX, 200), (HEAD_MAX + 1, 431)])
def test_trailer_size(tight, size, status):
    """header_size also limits the trailer section."""
    trailer = b"X: " + b"y" * (size - len("X: \r\n")) + b"\r\n"
    data = request("/", "Transfer-Encoding: chunked", method="POST", body=b"0\r\n" + trailer + b"\r\n")
    expect(tight, data, status)
    expect(tight, data, status)


@pytest.mark.parametrize(("count", "status"), [(COUNT_MAX, 200), (COUNT_MAX + 1, 431)])
def test_trailer_count(tight, count, status):
    expect(tight, request("/", "Transfer-Encoding: chunked", method="POST", body=b"0\r\n" + b"X: y\r\n" * count + b"\r\n"), status)


def test_the_default_header_size_is_64k(core):
    with Client(core) as client:
        client.send(fields_of(64 * 1024))
        assert client.response().status == 200
        client.send(fields_of(64 * 1024 + 1))
        assert client.response().status == 431
        client.expect_end()


def test_the_default_header_count_is_128(core):
    with Client(core) as client:
        client.send(request("/", *["X: y"] * 127))
        assert client.response().status == 200
        client.send(request("/", *["X: y"] * 128))
        assert client.response().status == 431
        client.expect_end()


def test_the_default_request_line_size_is_16k(core):
    with Client(core) as client:
        client.send(line_of(16 * 1024))
        assert client.response().status == 200
        client.send(line_of(16 * 1024 + 1))
        assert client.response().status == 414
        client.expect_end()


def test_a_large_limit_is_used_in_full(serve):
    """Heads far beyond one buffer, in one write and in pieces."""
    server = serve(one_site(ROUTE), limits={"header_size": "1m", "request_line_size": "256k", "header_count": 1000})
    with Client(server) as client:
        client.send(fields_of(1024 * 1024))
        assert client.response().status == 200
        data = line_of(256 * 1024)
        for at in range(0, len(data), 10_000):
            client.send(data[at : at + 10_000])
        assert client.response().status == 200
        client.send(request("/", *["X: y"] * 999))
        assert client.response().status == 200
        client.send(request("/", "Transfer-Encoding: chunked", method="POST",
                            body=b"0\r\nX: " + b"y" * (1024 * 1024 - 5) + b"\r\n\r\n"))
        assert client.response().status == 200
        client.expect_alive()


@pytest.mark.parametrize("count", [1, 2, 7])
def test_keepalive_requests(serve, count):
    server = serve(one_site(ROUTE), limits={"keepalive_requests": count})
    with Client(server) as client:
        client.send(request("/") * (count + 1))
        for left in range(count, 0, -1):
            answer = client.response()
            assert answer.body == OK_BODY and answer.closes == (left == 1)
        client.expect_end()


SITES = f"""
[[site]]
hosts = ["small"]
listen = ["http://127.0.0.1:0"]
limits = {{ body_size = "10b", header_count = 4, header_size = "1k", request_line_size = "256b" }}
{ALIVE_ROUTE}
[[site.route]]
path = "/wide"
limits = {{ body_size = "100b", header_count = 8, header_size = "2k", request_line_size = "512b" }}
respond = {{ body = "ok\\n" }}
[[site.route]]
path = "/narrow"
limits = {{ body_size = "5b", header_count = 2 }}
respond = {{ body = "ok\\n" }}
[[site.route]]
path = "/*"
respond = {{ body = "ok\\n" }}
[[site]]
listen = ["http://127.0.0.1:0"]
{ALIVE_ROUTE}
{ROUTE}
"""


@pytest.fixture(scope="module")
def two_sites(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    with start(tmp_path_factory.mktemp("limits"), SITES) as server:
        yield server


@pytest.mark.parametrize(("target", "host", "size", "status"), [
    ("/", "small", 10, 200), ("/", "small", 11, 413),
    ("/wide", "small", 100, 200), ("/wide", "small", 101, 413),
    ("/narrow", "small", 5, 200), ("/narrow", "small", 6, 413),
    ("/", "t", 100_000, 200),
])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_body_size_of_site_and_route(two_sites, target, host, size, status, is_chunked):
    if is_chunked:
        data = request(target, "Transfer-Encoding: chunked", host=host, method="POST", body=b"%x\r\n%s\r\n0\r\n\r\n" % (size, b"x" * size))
    else:
        data = request(target, f"Content-Length: {size}", host=host, method="POST", body=b"x" * size)
    expect(two_sites, data, status)


@pytest.mark.parametrize(("target", "host", "count", "status"), [
    ("/", "small", 4, 200), ("/", "small", 5, 431),
    ("/wide", "small", 8, 200), ("/wide", "small", 9, 431),
    ("/narrow", "small", 2, 200), ("/narrow", "small", 3, 431),
    ("/", "t", 128, 200), ("/", "t", 129, 431),
])
def test_header_count_of_site_and_route(two_sites, target, host, count, status):
    expect(two_sites, request(target, *["X: y"] * (count - 1), host=host), status)


@pytest.mark.parametrize(("target", "host", "size", "status"), [
    ("/", "small", 1024, 200), ("/", "small", 1025, 431),
    ("/wide", "small", 2048, 200), ("/wide", "small", 2049, 431),
    ("/", "t", 65536, 200), ("/", "t", 65537, 431),
])
def test_header_size_of_site_and_route(two_sites, target, host, size, status):
    rest = size - len(f"Host: {host}\r\nX: \r\n")
    expect(two_sites, request(target, "X: " + "y" * rest, host=host), status)


@pytest.mark.parametrize(("target", "host", "size", "status"), [
    ("/", "small", 256, 200), ("/", "small", 257, 414),
    ("/wide", "small", 512, 200), ("/wide", "small", 513, 414),
    ("/", "t", 16384, 200), ("/", "t", 16385, 414),
])
def test_request_line_size_of_site_and_route(two_sites, target, host, size, status):
    rest = size - len(f"GET {target}? HTTP/1.1")
    expect(two_sites, request(f"{target}?" + "a" * rest, host=host), status)


def test_a_route_may_allow_more_than_the_rest(serve):
    """A listener reads heads under the largest value of its sites and routes."""
    server = serve(one_site('[[site.route]]\npath = "/wide"\nlimits = { header_count = 20 }\nrespond = { body = "ok\\n" }\n' + ROUTE),
                   limits={"header_count": 4})
    expect(server, request("/wide", *["X: y"] * 19), 200)
    expect(server, request("/wide", *["X: y"] * 20), 431)
    expect(server, request("/", *["X: y"] * 3), 200)
    expect(server, request("/", *["X: y"] * 4), 431)


@pytest.mark.parametrize("poller", ["epoll", "io_uring", "libevent"])
def test_connections(serve, poller):
    """n are served; the next one waits in the kernel's queue and is served when one of them goes."""
    server = serve(one_site(ROUTE), poller, limits={"connections": 4})
    clients = [Client(server) for _ in range(4)]
    for client in clients:
        client.expect_alive()
    with Client(server, timeout_s=0.3) as waiting:
        waiting.send(request("/alive"))
        with pytest.raises(TimeoutError):
            waiting.response()
        for client in clients:
            client.expect_alive()
        clients.pop().socket.close()
        waiting.socket.settimeout(10)
        assert waiting.response().body == ALIVE_BODY
    for client in clients:
        client.expect_alive()
        client.socket.close()


@pytest.mark.parametrize("poller", ["epoll", "io_uring", "libevent"])
def test_connections_that_come_at_once(serve, poller):
    """Never more than the limit are open, also when many come in one turn; in the end all are served."""
    server = serve(one_site(ROUTE), poller, limits={"connections": 2})
    clients = [Client(server) for _ in range(12)]
    for client in clients:
        client.send(request("/alive", "Connection: close"))
    for client in clients:
        assert client.response().body == ALIVE_BODY
        client.expect_end()
        client.socket.close()


def test_body_size_zero_allows_no_content(serve, tmp_path):
    (tmp_path / "www").mkdir()
    (tmp_path / "www" / "a.txt").write_text("a")
    server = serve(files_site(tmp_path / "www"), limits={"body_size": "0b"})
    with Client(server) as client:
        assert client.get("/a.txt", "Content-Length: 0").status == 200
        client.send(request("/a.txt", "Content-Length: 1", body=b"x"))
        assert client.response().status == 413
        client.expect_end()
