"""A raw HTTP/1.1 client for tests: it sends exactly the bytes it is given and reads responses without mercy.

    with Client(server) as client:
        client.send(b"GET / HTTP/1.1\\r\\nHost: t\\r\\n\\r\\n")
        answer = client.response()
        client.expect_alive()

Whatever a server must never do (a field line without CRLF, two Content-Lengths, bytes behind the last message, a content
that is longer or shorter than announced) raises Malformed, in every test. Every wait is bounded by the timeout.
"""

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field

from lib.wait import PATIENCE

TIMEOUT_S = 10.0
ALIVE = b"GET /alive HTTP/1.1\r\nHost: t\r\n\r\n"  # every configuration of the protocol tests answers this
ALIVE_BODY = b"alive\n"

_STATUS_LINE = re.compile(rb"HTTP/1\.1 ([1-5][0-9]{2}) ([\t\x20-\x7e\x80-\xff]*)")
_FIELD_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+): ?((?:[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?)")
_CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})")


class Malformed(AssertionError):
    """The server sent what no server may send."""


class Ended(AssertionError):
    """The connection ended where a response, or the rest of one, was expected."""

    def __init__(self, how: str, received: bytes):
        super().__init__(f"the connection ended ({how}) after {bytes(received[-400:])!r}")
        self.how = how
        self.received = bytes(received)


@dataclass
class Response:
    """One response. `body` is the content without its framing; `head` the bytes up to the empty line."""

    status: int
    reason: str
    fields: list[tuple[str, str]]
    body: bytes = b""
    head: bytes = b""
    trailers: list[tuple[str, str]] = field(default_factory=list)
    chunks: int = 0

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.fields if key.lower() == name.lower()]

    def get(self, name: str) -> str | None:
        """The value of a field that comes at most once."""
        values = self.all(name)
        assert len(values) <= 1, f"{name} comes {len(values)} times: {values}"
        return values[0] if values else None

    def __getitem__(self, name: str) -> str:
        value = self.get(name)
        assert value is not None, f"there is no {name} in {self.fields}"
        return value

    @property
    def closes(self) -> bool:
        return "close" in [option.strip().lower() for line in self.all("Connection") for option in line.split(",")]

    @property
    def length(self) -> int:
        return int(self["Content-Length"])


def _parse_fields(lines: list[bytes]) -> list[tuple[str, str]]:
    fields = []
    for line in lines:
        match = _FIELD_LINE.fullmatch(line)
        if not match:
            raise Malformed(f"field line {line!r}")
        fields.append((match[1].decode("ascii"), match[2].decode("latin-1")))
    return fields


def parse_head(head: bytes) -> Response:
    """A head that ends with its empty line; checks what every response of a server must keep."""
    if re.search(rb"(?<!\r)\n|\r(?!\n)|\x00", head):
        raise Malformed(f"bare CR or LF, or NUL in {head!r}")
    lines = head.split(b"\r\n")
    match = _STATUS_LINE.fullmatch(lines[0])
    if not match:
        raise Malformed(f"status line {lines[0]!r}")
    answer = Response(int(match[1]), match[2].decode("latin-1"), _parse_fields(lines[1:-2]), head=head)
    lengths, codings = answer.all("Content-Length"), answer.all("Transfer-Encoding")
    if len(lengths) > 1 or (lengths and codings) or any(not re.fullmatch("[0-9]+", one) for one in lengths):
        raise Malformed(f"framing: Content-Length {lengths}, Transfer-Encoding {codings}")
    if codings and codings != ["chunked"]:
        raise Malformed(f"Transfer-Encoding {codings}")
    if len(answer.all("Date")) != (0 if answer.status < 200 else 1):
        raise Malformed(f"Date in {answer.fields}")
    for once in ("Content-Type", "ETag", "Last-Modified", "Location", "Content-Range", "Connection", "Content-Encoding", "Age"):
        if len(answer.all(once)) > 1:
            raise Malformed(f"{once} comes twice: {answer.fields}")
    if answer.status < 200 or answer.status == 204:
        if lengths or codings:
            raise Malformed(f"a {answer.status} announces content: {answer.fields}")
    return answer


class Client:
    """One connection to a server (an object with connect(), or a connected socket)."""

    def __init__(self, server, timeout_s: float = TIMEOUT_S, receive_buffer: int | None = None):
        if isinstance(server, socket.socket):
            self.socket = server
        elif receive_buffer is None:
            self.socket = server.connect(timeout_s)
        else:  # a slow reader: the window has to be small before the connection is made
            self.socket = socket.socket()
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            self.socket.settimeout(timeout_s * PATIENCE)
            self.socket.connect(server.address)
        if self.socket.family != socket.AF_UNIX:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = bytearray()  # not yet taken by a response

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_) -> None:
        self.socket.close()

    # Sending.

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def get(self, target: str | bytes, *lines: str, method: str = "GET", host: str | None = "t", version: str = "1.1") -> Response:
        """Sends one request without content and reads its response."""
        self.send(request(target, *lines, method=method, host=host, version=version))
        return self.response(method)

    def shutdown_write(self) -> None:
        self.socket.shutdown(socket.SHUT_WR)

    # Receiving.

    def _more(self) -> None:
        try:
            data = self.socket.recv(65536)
        except (ConnectionResetError, BrokenPipeError):
            raise Ended("reset", self.received) from None
        if not data:
            raise Ended("fin", self.received)
        self.received += data

    def take(self, size: int) -> bytes:
        while len(self.received) < size:
            self._more()
        return self._cut(size)

    def _cut(self, size: int) -> bytes:
        data = bytes(memoryview(self.received)[:size])
        del self.received[:size]
        return data

    def take_until(self, mark: bytes) -> bytes:
        """Everything up to the mark, with it."""
        start = 0
        while (at := self.received.find(mark, start)) < 0:
            start = max(0, len(self.received) - len(mark) + 1)
            self._more()
        return self.take(at + len(mark))

    def head(self) -> Response:
        """The next head; its content, if there is one, is left."""
        return parse_head(self.take_until(b"\r\n\r\n"))

    def response(self, method: str = "GET") -> Response:
        """The next response with its content. 1xx responses come as responses of their own."""
        answer = self.head()
        if method == "HEAD" or answer.status < 200 or answer.status in (204, 304):
            return answer
        if answer.get("Transfer-Encoding"):
            self._read_chunks(answer)
        elif (length := answer.get("Content-Length")) is not None:
            answer.body = self.take(int(length))
        elif answer.closes:
            answer.body = self.rest()
        else:
            raise Malformed(f"a response without framing on a connection that stays: {answer.head!r}")
        return answer

    def _read_chunks(self, answer: Response) -> None:
        while True:
            line = self.take_until(b"\r\n")[:-2]
            if not _CHUNK_SIZE.fullmatch(line):
                raise Malformed(f"chunk size line {line!r}")
            size = int(line, 16)
            if size == 0:
                break
            answer.chunks += 1
            answer.body += self.take(size)
            if self.take(2) != b"\r\n":
                raise Malformed("a chunk is longer than its size says")
        lines = []
        while line := self.take_until(b"\r\n")[:-2]:
            lines.append(line)
        answer.trailers = _parse_fields(lines)

    def stream(self, size: int, step: int = 1 << 20) -> Iterator[bytes]:
        """`size` bytes in pieces, without keeping them."""
        while size > 0:
            if not self.received:
                try:
                    data = self.socket.recv(min(step, size))
                except ConnectionResetError:
                    raise Ended("reset", b"") from None
                if not data:
                    raise Ended("fin", b"")
            else:
                data = self._cut(min(size, len(self.received)))
            size -= len(data)
            yield data

    def rest(self) -> bytes:
        """Everything up to the end of the connection, which must be a clean one."""
        while True:
            try:
                self._more()
            except Ended as end:
                if end.how != "fin":
                    raise
                return self._cut(len(self.received))

    # What the connection is afterwards.

    def expect_end(self, how: str = "fin") -> None:
        """The connection ends now, without one more byte: `fin` is a clean end, `any` may be a reset as well."""
        try:
            data = self.socket.recv(65536)
        except (ConnectionResetError, BrokenPipeError):
            assert how in ("reset", "any"), "the connection was reset, a clean end was expected"
            data = b""
        else:
            assert data or how in ("fin", "any"), "the connection ended cleanly, a reset was expected"
        if self.received + data:
            raise Malformed(f"bytes behind the last response: {bytes(self.received + data)[:400]!r}")

    def expect_alive(self) -> None:
        """Nothing is left over, and the connection serves one more request."""
        if self.received:
            raise Malformed(f"bytes behind the last response: {bytes(self.received[:400])!r}")
        self.send(ALIVE)
        answer = self.response()
        assert (answer.status, answer.body) == (200, ALIVE_BODY), answer
        assert not answer.closes


def request(target: str | bytes = "/", *lines: str, method: str = "GET", host: str | None = "t", version: str = "1.1",
            body: bytes = b"") -> bytes:
    """The bytes of a request. `lines` are field lines; `host` None leaves Host out; no length is added by itself."""
    raw_target = target if isinstance(target, bytes) else target.encode()
    head = method.encode() + b" " + raw_target + b" HTTP/" + version.encode() + b"\r\n"
    if host is not None:
        head += b"Host: " + host.encode("latin-1") + b"\r\n"
    for line in lines:
        head += line.encode("latin-1") + b"\r\n"
    return head + b"\r\n" + body
