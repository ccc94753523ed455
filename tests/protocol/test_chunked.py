"""Chunked request content: sizes, extensions, ends and trailers (RFC 9112 section 7.1)."""

import pytest

from lib.http1 import Client
from protocol.checks import Case, accepted, cases, refused

_HEAD = b"POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
_END = b"0\r\n\r\n"
EXTENSION_MAX = 256  # bytes behind the size of one chunk
EXTENSIONS_MAX = 4096  # of a whole content


def chunks(data: bytes) -> bytes:
    return _HEAD + data


def sized(size: bytes, data: bytes = b"hello") -> bytes:
    """One chunk with this size line (without CRLF), and the end."""
    return chunks(size + b"\r\n" + data + b"\r\n" + _END)


def trailers(*lines: bytes) -> bytes:
    return chunks(b"5\r\nhello\r\n0\r\n" + b"".join(line + b"\r\n" for line in lines) + b"\r\n")


REFUSED = [
    # size
    ("no-hexadecimal", sized(b"g"), 400),
    ("plus", sized(b"+5"), 400),
    ("minus", sized(b"-5"), 400),
    ("minus-zero", chunks(b"-0\r\n\r\n"), 400),
    ("0x", sized(b"0x5"), 400),
    ("0X", sized(b"0X5"), 400),
    ("underscore", sized(b"1_0"), 400),
    ("leading-space", sized(b" 5"), 400),
    ("leading-tab", sized(b"\t5"), 400),
    ("trailing-space", sized(b"5 "), 400),
    ("trailing-tab", sized(b"5\t"), 400),
    ("vertical-tab", sized(b"5\x0b"), 400),
    ("nul", sized(b"5\x00"), 400),
    ("empty", sized(b""), 400),
    ("extension-only", sized(b";a"), 400),
    ("two-numbers", sized(b"5 5"), 400),
    ("comma", sized(b"5,5"), 400),
    ("decimal", sized(b"5.0"), 400),
    ("quoted", sized(b'"5"'), 400),
    ("full-width-digit", sized(b"\xef\xbc\x95"), 400),
    ("17-digits", sized(b"00000000000000005"), 400),
    ("2-to-63", sized(b"8000000000000000"), 400),
    ("2-to-64-less-1", sized(b"ffffffffffffffff"), 400),
    ("2-to-64-and-5", sized(b"10000000000000005"), 400),
    ("2-to-32-and-5-negative", sized(b"-fffffffb"), 400),
    ("endless-zeros", sized(b"0" * 100 + b"5"), 400),
    ("crlf-first", chunks(b"\r\n5\r\nhello\r\n" + _END), 400),
    # line end of the size
    ("size-bare-lf", chunks(b"5\nhello\r\n" + _END), 400),
    ("size-bare-cr", chunks(b"5\rhello\r\n" + _END), 400),
    ("size-cr-cr-lf", chunks(b"5\r\r\nhello\r\n" + _END), 400),
    ("size-lf-cr", chunks(b"5\n\rhello\r\n" + _END), 400),
    ("extension-bare-lf", chunks(b"5;a\nhello\r\n" + _END), 400),
    ("extension-bare-cr", chunks(b"5;a\rb\r\nhello\r\n" + _END), 400),
    ("last-bare-lf", chunks(b"5\r\nhello\r\n0\n\n"), 400),
    ("last-bare-lf-of-the-empty-line", chunks(b"5\r\nhello\r\n0\r\n\n"), 400),
    # end of the data
    ("data-bare-lf", chunks(b"5\r\nhello\n" + _END), 400),
    ("data-bare-cr", chunks(b"5\r\nhello\r" + _END), 400),
    ("data-no-end", chunks(b"5\r\nhello" + _END), 400),
    ("data-too-long", chunks(b"5\r\nhello!\r\n" + _END), 400),
    ("data-too-short", chunks(b"5\r\nhell\r\n" + _END), 400),
    ("data-cr-cr-lf", chunks(b"5\r\nhello\r\r\n" + _END), 400),
    ("data-two-ends", chunks(b"5\r\nhello\r\n\r\n" + _END), 400),
    ("second-size-bad", chunks(b"5\r\nhello\r\nx\r\n\r\n"), 400),
    # extensions
    ("extension-no-name", sized(b"5;"), 400),
    ("extension-no-name-with-space", sized(b"5; "), 400),
    ("extension-two-semicolons", sized(b"5;;a"), 400),
    ("extension-equals-first", sized(b"5;=a"), 400),
    ("extension-no-value", sized(b"5;a="), 400),
    ("extension-two-words", sized(b"5;a b"), 400),
    ("extension-space-behind", sized(b"5;a=b "), 400),
    ("extension-open-quote", sized(b'5;a="b'), 400),
    ("extension-behind-quote", sized(b'5;a="b"c'), 400),
    ("extension-nul", sized(b"5;a\x00"), 400),
    ("extension-control", sized(b"5;a=\x01"), 400),
    ("extension-control-in-quotes", sized(b'5;a="\x01"'), 400),
    ("extension-lf-in-quotes", sized(b'5;a="\nb"'), 400),
    ("extension-crlf-in-quotes", sized(b'5;a="\r\nb"'), 400),
    ("extension-n+1", sized(b"5;" + b"a" * EXTENSION_MAX), 400),
    ("extension-of-the-last-chunk-n+1", chunks(b"0;" + b"a" * EXTENSION_MAX + b"\r\n\r\n"), 400),
    ("extensions-n+1", chunks((b"1;" + b"a" * 255 + b"\r\nx\r\n") * 16 + b"1;\r\nx\r\n" + _END), 400),
    # trailers
    ("trailer-content-length", trailers(b"Content-Length: 5"), 400),
    ("trailer-transfer-encoding", trailers(b"Transfer-Encoding: chunked"), 400),
    ("trailer-host", trailers(b"Host: other"), 400),
    ("trailer-content-length-in-capitals", trailers(b"CONTENT-LENGTH: 5"), 400),
    ("trailer-space-before-colon", trailers(b"X : y"), 400),
    ("trailer-no-colon", trailers(b"X"), 400),
    ("trailer-empty-name", trailers(b": x"), 400),
    ("trailer-leading-space", trailers(b" X: y"), 400),
    ("trailer-folded", trailers(b"X: y\r\n z"), 400),
    ("trailer-bare-lf", trailers(b"X: y\nZ: z"), 400),
    ("trailer-bare-cr", trailers(b"X: y\rZ: z"), 400),
    ("trailer-nul", trailers(b"X: \x00"), 400),
    ("trailer-control", trailers(b"X: \x7f"), 400),
    ("trailer-is-a-request", chunks(b"0\r\nGET /hidden HTTP/1.1\r\nHost: t\r\n\r\n"), 400),
]


@cases(*REFUSED)
def test_refused(core, case: Case):
    refused(core, case)


def test_refused_the_same_byte_by_byte(core):
    for row in REFUSED[::3]:
        refused(core, Case(*row), piecewise=True)


ACCEPTED = [
    ("empty", chunks(_END)),
    ("one", sized(b"5")),
    ("capital-digit", sized(b"A", b"0123456789")),
    ("small-digit", sized(b"a", b"0123456789")),
    ("leading-zeros", sized(b"0005")),
    ("16-digits", sized(b"0000000000000005")),
    ("last-of-many-zeros", chunks(b"0000\r\n\r\n")),
    ("one-byte-each", chunks(b"1\r\nx\r\n" * 500 + _END)),
    ("crlf-in-data", sized(b"4", b"\r\n\r\n")),
    ("end-in-data", sized(b"5", _END)),
    ("large", chunks(b"40000\r\n" + b"x" * 0x40000 + b"\r\n" + _END)),
    ("extension-name", sized(b"5;a")),
    ("extension-token", sized(b"5;a=b")),
    ("extension-quoted", sized(b'5;a="b c;d\\"e"')),
    ("extension-empty-quoted", sized(b'5;a=""')),
    ("extension-white-space", sized(b"5 ; a = b ; c")),
    ("extensions", sized(b'5;a;b=c;d="e"')),
    ("extension-n", sized(b"5;" + b"a" * (EXTENSION_MAX - 1))),
    ("extension-of-the-last-chunk-n", chunks(b"0;" + b"a" * (EXTENSION_MAX - 1) + b"\r\n\r\n")),
    ("extensions-n", chunks((b"1;" + b"a" * 255 + b"\r\nx\r\n") * 16 + _END)),
    ("trailer", trailers(b"X-Sum: 1")),
    ("trailers", trailers(b"X-Sum: 1", b"X-Other:", b"X-Sum: 2")),
    ("trailer-that-is-dropped", trailers(b"Authorization: Basic YTpi", b"Connection: close", b"Trailer: x")),
    ("trailer-aliases", trailers(b"Content_Length: 5", b"Transfer_Encoding: chunked")),
]


@cases(*ACCEPTED)
def test_accepted(core, case: Case):
    assert accepted(core, case).body == b"ok\n"


def test_accepted_the_same_byte_by_byte(core):
    for row in ACCEPTED:
        if len(row[1]) < 1000:
            accepted(core, Case(*row), piecewise=True)


@pytest.mark.parametrize("cut", range(1, len(sized(b"5;a=b")), 3))
def test_cut_in_two_anywhere(core, cut):
    data = sized(b"5;a=b")
    with Client(core) as client:
        client.send(data[:cut])
        client.send(data[cut:])
        assert client.response().status == 200
        client.expect_alive()


def test_two_chunked_requests_behind_each_other(core):
    with Client(core) as client:
        client.send(sized(b"5") + trailers(b"X: y") + sized(b"5;a"))
        assert [client.response().body for _ in range(3)] == [b"ok\n"] * 3
        client.expect_alive()


def test_bad_chunks_to_a_file_get_one_answer_and_the_end(core):
    with Client(core) as client:
        client.send(sized(b"g").replace(b"POST / ", b"POST /files/hello.txt "))
        answer = client.response()
        assert answer.status in (400, 405) and answer.closes
        client.expect_end()
