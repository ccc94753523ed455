"""Asks a server the scenario's request and compares the answer, before and after every measurement.

The client is a bare socket: it sends the same bytes as the load generator and sees the same bytes come back.
"""

import gzip
import socket
import zlib
from dataclasses import asdict, dataclass

from bench.macro.fixtures import digest
from bench.macro.scenarios import Scenario

TIMEOUT_S = 5.0
MAX_HEAD_BYTES = 16 * 1024


class AnswerError(Exception):
    """The answer cannot be read as an HTTP/1.1 response with a Content-Length or chunks."""


@dataclass(frozen=True)
class Answer:
    """A response: `fields` with lower-case names, `body` without chunk framing but not decoded.

    `wire_bytes` counts everything: head, empty line, framing, body.
    """

    status: int
    fields: dict[str, str]
    body: bytes
    wire_bytes: int


@dataclass(frozen=True)
class Observation:
    """What a check saw: what is compared between before and after, and the problems found."""

    status: int
    encoding: str
    body_bytes: int
    body_sha256: str
    wire_bytes: int
    problems: list[str]

    def as_json(self) -> dict:
        return asdict(self)


def request_bytes(scenario: Scenario, port: int) -> bytes:
    """The request in the form that wrk sends it."""
    lines = [f"GET {scenario.path} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"{name}: {value}" for name, value in scenario.request_fields.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")


def parse_head(head: bytes) -> tuple[int, dict[str, str]]:
    """Status and fields of a response head without its empty line. Raises AnswerError."""
    first, *rest = head.decode("latin-1").split("\r\n")
    words = first.split(" ", 2)
    if len(words) < 2 or words[0] != "HTTP/1.1" or not words[1].isdigit():
        raise AnswerError(f"not an HTTP/1.1 status line: {first!r}")
    fields = {}
    for line in rest:
        name, colon, value = line.partition(":")
        if not colon:
            raise AnswerError(f"not a field: {line!r}")
        fields[name.lower()] = value.strip()
    return int(words[1]), fields


class Reader:
    """Bytes of one connection with what was received too early kept for the next read."""

    def __init__(self, connection: socket.socket):
        self._connection = connection
        self._kept = b""
        self.consumed = 0

    def _fill(self) -> None:
        try:
            data = self._connection.recv(65536)
        except OSError as error:
            raise AnswerError(f"receiving failed: {error}") from error
        if not data:
            raise AnswerError("the server closed the connection inside the answer")
        self._kept += data

    def take(self, count: int) -> bytes:
        """Exactly `count` bytes."""
        while len(self._kept) < count:
            self._fill()
        taken, self._kept = self._kept[:count], self._kept[count:]
        self.consumed += count
        return taken

    def take_until(self, end: bytes) -> bytes:
        """What comes before `end`, which is consumed too."""
        while end not in self._kept:
            if len(self._kept) > MAX_HEAD_BYTES:
                raise AnswerError(f"no {end!r} in {MAX_HEAD_BYTES} bytes")
            self._fill()
        return self.take(self._kept.index(end) + len(end))[: -len(end)]

    def expect_nothing_more(self) -> None:
        if self._kept:
            raise AnswerError(f"{len(self._kept)} bytes after the body")


def read_chunks(reader: Reader) -> bytes:
    """A chunked body (RFC 9112 section 7.1); none of the servers is asked for trailers, so none may come."""
    parts = []
    while True:
        size_text = reader.take_until(b"\r\n").partition(b";")[0]
        try:
            size = int(size_text, 16)
        except ValueError as error:
            raise AnswerError(f"not a chunk size: {size_text[:40]!r}") from error
        parts.append(reader.take(size))
        if reader.take(2) != b"\r\n":
            raise AnswerError("a chunk or the body does not end with CRLF")
        if size == 0:
            return b"".join(parts)


def read_answer(connection: socket.socket) -> Answer:
    """Reads one response. Raises AnswerError when it is cut, not HTTP/1.1, or its length is not told."""
    reader = Reader(connection)
    status, fields = parse_head(reader.take_until(b"\r\n\r\n"))
    length = fields.get("content-length", "")
    if fields.get("transfer-encoding", "").lower() == "chunked":
        body = read_chunks(reader)
    elif length.isdigit():
        body = reader.take(int(length))
    else:
        raise AnswerError("neither Content-Length nor chunks")
    reader.expect_nothing_more()
    return Answer(status=status, fields=fields, body=body, wire_bytes=reader.consumed)


def decode(answer: Answer) -> bytes:
    """The body without its content coding. Raises AnswerError for a coding other than gzip and for damaged data."""
    encoding = answer.fields.get("content-encoding", "")
    if not encoding:
        return answer.body
    if encoding != "gzip":
        raise AnswerError(f"unexpected content coding {encoding!r}")
    try:
        return gzip.decompress(answer.body)
    except (OSError, EOFError, zlib.error) as error:
        raise AnswerError(f"the gzip body is damaged: {error}") from error


def answer_problems(answer: Answer, scenario: Scenario) -> list[str]:
    """Every way in which the answer differs from what the scenario wants."""
    problems = []
    if answer.status != 200:
        problems.append(f"status {answer.status}")
    encoding = answer.fields.get("content-encoding", "")
    if encoding != scenario.encoding:
        problems.append(f"content coding {encoding!r} instead of {scenario.encoding!r}")
    try:
        if decode(answer) != scenario.content:
            problems.append("other content")
    except AnswerError as error:
        problems.append(str(error))
    return problems


def observe(scenario: Scenario, port: int) -> Observation:
    """Two requests on one connection, so that keep-alive is checked too. Never raises for what the server does."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S) as connection:
            answers = []
            for _ in range(2):
                connection.sendall(request_bytes(scenario, port))
                answers.append(read_answer(connection))
    except (OSError, AnswerError) as error:
        return Observation(0, "", 0, "", 0, [str(error)])
    first, second = answers
    problems = answer_problems(first, scenario)
    if second.body != first.body:
        problems.append("the second answer differs from the first")
    return Observation(status=first.status, encoding=first.fields.get("content-encoding", ""), body_bytes=len(first.body),
                       body_sha256=digest(first.body), wire_bytes=first.wire_bytes, problems=problems)


def compare(before: Observation, after: Observation) -> list[str]:
    """All problems of a measurement's two checks, and whether the bytes on the wire stayed the same."""
    problems = [f"before: {text}" for text in before.problems] + [f"after: {text}" for text in after.problems]
    if not problems and before.body_sha256 != after.body_sha256:
        problems.append("the body changed during the measurement")
    return problems
