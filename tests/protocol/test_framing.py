"""Where a request ends: Content-Length and Transfer-Encoding, and every known way to lie about them (RFC 9112 section 6).

Two servers in a row that read these fields differently are how a request is smuggled past the first one. So everything
that is not plainly one length or plainly one "chunked" is refused, and the connection ends.
"""

from lib.http1 import Client, request
from protocol.checks import Case, accepted, cases, refused

_CHUNKED = b"5\r\nhello\r\n0\r\n\r\n"
_HIDDEN = b"0\r\n\r\n" + request("/hidden")  # a request inside of what another server takes for the content


def post(*lines: bytes, body: bytes = b"hello", version: bytes = b"1.1") -> bytes:
    return b"POST / HTTP/" + version + b"\r\nHost: t\r\n" + b"".join(line + b"\r\n" for line in lines) + b"\r\n" + body


def length(value: bytes, body: bytes = b"hello") -> bytes:
    return post(b"Content-Length:" + value, body=body)


def coding(value: bytes, body: bytes = _CHUNKED) -> bytes:
    return post(b"Transfer-Encoding:" + value, body=body)


BAD_LENGTHS = [
    ("empty", length(b""), 400),
    ("blank", length(b" "), 400),
    ("plus", length(b" +5"), 400),
    ("minus", length(b" -5"), 400),
    ("minus-zero", length(b" -0"), 400),
    ("hexadecimal", length(b" 0x5"), 400),
    ("octal-prefix", length(b" 0o5"), 400),
    ("list", length(b" 5,5"), 400),
    ("list-with-space", length(b" 5, 5"), 400),
    ("list-that-differs", length(b" 5, 6"), 400),
    ("list-with-empty-element", length(b" 5,"), 400),
    ("two-numbers", length(b" 5 5"), 400),
    ("word", length(b" five"), 400),
    ("digit-and-letter", length(b" 5a"), 400),
    ("letter-and-digit", length(b" a5"), 400),
    ("decimal", length(b" 5.0"), 400),
    ("exponent", length(b" 5e0"), 400),
    ("underscore", length(b" 1_0"), 400),
    ("quoted", length(b' "5"'), 400),
    ("parameter", length(b" 5;a=b"), 400),
    ("vertical-tab-before", length(b"\x0b5"), 400),
    ("form-feed-behind", length(b" 5\x0c"), 400),
    ("nul-behind", length(b" 5\x00"), 400),
    ("superscript", length(b" \xb2"), 400),
    ("arabic-digit", length(b" \xd9\xa5"), 400),
    ("full-width-digit", length(b" \xef\xbc\x95"), 400),
    ("no-break-space", length(b"\xa05"), 400),
    ("2-to-63", length(b" 9223372036854775808"), 400),
    ("2-to-64", length(b" 18446744073709551616"), 400),
    ("2-to-64-and-5", length(b" 18446744073709551621"), 400),
    ("2-to-32-and-5-as-negative", length(b" -4294967291"), 400),
    ("30-digits", length(b" " + b"9" * 30), 400),
    ("1000-digits", length(b" " + b"1" * 1000), 400),
    ("two-lines-equal", post(b"Content-Length: 5", b"Content-Length: 5"), 400),
    ("two-lines-differ", post(b"Content-Length: 5", b"Content-Length: 6"), 400),
    ("two-lines-differ-first-zero", post(b"Content-Length: 0", b"Content-Length: 5"), 400),
    ("two-lines-in-other-case", post(b"Content-Length: 5", b"content-length: 5"), 400),
    ("two-lines-one-empty", post(b"Content-Length: 5", b"Content-Length:"), 400),
    ("space-before-colon", post(b"Content-Length : 5"), 400),
    ("tab-before-colon", post(b"Content-Length\t: 5"), 400),
    ("folded-value", post(b"Content-Length:\r\n 5"), 400),
    ("folded-away", post(b"X: a\r\n Content-Length: 5"), 400),
    ("behind-bare-lf", post(b"X: a\nContent-Length: 5"), 400),
    ("behind-bare-cr", post(b"X: a\rContent-Length: 5"), 400),
    ("in-a-get", b"GET / HTTP/1.1\r\nHost: t\r\nContent-Length: x\r\n\r\n", 400),
    ("in-http-1.0", post(b"Content-Length: +5", version=b"1.0"), 400),
]

BAD_CODINGS = [
    ("identity", coding(b" identity"), 501),
    ("gzip", coding(b" gzip"), 501),
    ("gzip-chunked", coding(b" gzip, chunked"), 501),
    ("identity-chunked", coding(b" identity, chunked"), 501),
    ("trailers-word", coding(b" trailers"), 501),
    ("chunked-gzip", coding(b" chunked, gzip"), 400),
    ("chunked-identity", coding(b" chunked, identity"), 400),
    ("chunked-chunked", coding(b" chunked, chunked"), 400),
    ("chunked-chunked-no-space", coding(b" chunked,chunked"), 400),
    ("chunked-space-chunked", coding(b" chunked chunked"), 400),
    ("xchunked", coding(b" xchunked"), 501),
    ("x-chunked", coding(b" x-chunked"), 501),
    ("chunkedx", coding(b" chunkedx"), 501),
    ("chunke", coding(b" chunke"), 501),
    ("parameter", coding(b" chunked;q=1"), 400),
    ("empty-parameter", coding(b" chunked;"), 400),
    ("parameter-with-space", coding(b" chunked ; a=b"), 400),
    ("quoted", coding(b' "chunked"'), 400),
    ("single-quoted", coding(b" 'chunked'"), 501),
    ("comma-behind", coding(b" chunked,"), 400),
    ("comma-before", coding(b" ,chunked"), 400),
    ("comma-only", coding(b" ,"), 400),
    ("empty", coding(b""), 400),
    ("blank", coding(b"  "), 400),
    ("colon-before", coding(b": chunked"), 400),
    ("vertical-tab-before", coding(b"\x0bchunked"), 400),
    ("vertical-tab-behind", coding(b" chunked\x0b"), 400),
    ("form-feed-behind", coding(b" chunked\x0c"), 400),
    ("nul-behind", coding(b" chunked\x00"), 400),
    ("nul-inside", coding(b" chun\x00ked"), 400),
    ("high-byte", coding(b" chunked\xff"), 400),
    ("no-break-space", coding(b"\xa0chunked"), 400),
    ("long-s", coding(" chunſed".encode()), 400),
    ("kelvin-sign", coding(" chun\u212aed".encode()), 400),
    ("two-lines", post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked", body=_CHUNKED), 400),
    ("two-lines-identity-first", post(b"Transfer-Encoding: identity", b"Transfer-Encoding: chunked", body=_CHUNKED), 501),
    ("two-lines-identity-last", post(b"Transfer-Encoding: chunked", b"Transfer-Encoding: identity", body=_CHUNKED), 400),
    ("two-lines-one-empty", post(b"Transfer-Encoding:", b"Transfer-Encoding: chunked", body=_CHUNKED), 400),
    ("two-lines-other-case", post(b"Transfer-Encoding: chunked", b"transfer-encoding: x", body=_CHUNKED), 400),
    ("http-1.0", post(b"Transfer-Encoding: chunked", body=_CHUNKED, version=b"1.0"), 400),
    ("http-1.0-keep-alive", post(b"Connection: keep-alive", b"Transfer-Encoding: chunked", body=_CHUNKED, version=b"1.0"), 400),
    ("space-before-colon", post(b"Transfer-Encoding : chunked", body=_CHUNKED), 400),
    ("tab-before-colon", post(b"Transfer-Encoding\t: chunked", body=_CHUNKED), 400),
    ("vertical-tab-before-colon", post(b"Transfer-Encoding\x0b: chunked", body=_CHUNKED), 400),
    ("space-before-name", post(b" Transfer-Encoding: chunked", body=_CHUNKED), 400),
    ("folded-value", post(b"Transfer-Encoding:\r\n chunked", body=_CHUNKED), 400),
    ("folded-list", post(b"Transfer-Encoding: chunked\r\n , identity", body=_CHUNKED), 400),
    ("folded-away", post(b"X: a\r\n Transfer-Encoding: chunked", body=_CHUNKED), 400),
    ("behind-bare-lf", post(b"X: a\nTransfer-Encoding: chunked", body=_CHUNKED), 400),
    ("behind-bare-cr", post(b"X: a\rTransfer-Encoding: chunked", body=_CHUNKED), 400),
    ("nul-in-name", post(b"Transfer-Enc\x00oding: chunked", body=_CHUNKED), 400),
    ("in-a-get", b"GET / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: x\r\n\r\n", 501),
]

BOTH = [
    ("length-first", post(b"Content-Length: 15", b"Transfer-Encoding: chunked", body=_CHUNKED), 400),
    ("coding-first", post(b"Transfer-Encoding: chunked", b"Content-Length: 15", body=_CHUNKED), 400),
    ("cl-te", post(b"Content-Length: %d" % len(_HIDDEN), b"Transfer-Encoding: chunked", body=_HIDDEN), 400),
    ("te-cl", post(b"Transfer-Encoding: chunked", b"Content-Length: 4", body=b"5c\r\n" + _HIDDEN), 400),
    ("length-zero", post(b"Content-Length: 0", b"Transfer-Encoding: chunked", body=_CHUNKED), 400),
    ("length-empty", post(b"Content-Length:", b"Transfer-Encoding: chunked", body=_CHUNKED), 400),
    ("coding-identity", post(b"Content-Length: 5", b"Transfer-Encoding: identity"), 400),
    ("coding-unknown", post(b"Content-Length: 5", b"Transfer-Encoding: xchunked"), 400),
    ("coding-empty", post(b"Content-Length: 5", b"Transfer-Encoding:"), 400),
    ("coding-in-http-1.0", post(b"Content-Length: 5", b"Transfer-Encoding: chunked", version=b"1.0"), 400),
    ("two-lengths-and-coding", post(b"Content-Length: 5", b"Content-Length: 6", b"Transfer-Encoding: chunked"), 400),
    ("in-a-get", b"GET / HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + _CHUNKED, 400),
    ("in-a-head", b"HEAD / HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + _CHUNKED, 400, "HEAD"),
]


@cases(*BAD_LENGTHS)
def test_bad_content_length(core, case: Case):
    refused(core, case)


@cases(*BAD_CODINGS)
def test_bad_transfer_encoding(core, case: Case):
    refused(core, case)


@cases(*BOTH)
def test_both(core, case: Case):
    refused(core, case)


def test_refused_the_same_byte_by_byte(core):
    for row in (BAD_LENGTHS + BAD_CODINGS + BOTH)[::5]:
        refused(core, Case(*row), piecewise=True)


ACCEPTED = [
    ("length", length(b" 5")),
    ("length-without-space", length(b"5")),
    ("length-with-white-space", length(b" \t5\t ")),
    ("length-zero", length(b" 0", b"")),
    ("length-leading-zeros", length(b" 0000000000000000000005")),
    ("length-name-in-capitals", post(b"CONTENT-LENGTH: 5")),
    ("length-that-holds-a-request", length(b" %d" % len(_HIDDEN), _HIDDEN)),
    ("length-that-holds-crlf", length(b" 4", b"\r\n\r\n")),
    ("chunked", coding(b" chunked")),
    ("chunked-without-space", coding(b"chunked")),
    ("chunked-with-white-space", coding(b"\t chunked \t")),
    ("chunked-mixed-case", coding(b" ChUnKeD")),
    ("chunked-in-a-get", b"GET / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n" + _CHUNKED),
    ("length-in-a-get", b"GET / HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello"),
    ("length-in-a-delete", b"DELETE / HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello"),
    ("post-without-either", b"POST / HTTP/1.1\r\nHost: t\r\n\r\n"),
    ("length-alias-beside-length", post(b"Content_Length: 500", b"Content-Length: 5")),
    ("coding-alias-beside-length", post(b"Transfer_Encoding: chunked", b"Content-Length: 5")),
    ("coding-in-te", post(b"TE: trailers, chunked", b"Content-Length: 5")),
]


@cases(*ACCEPTED)
def test_accepted(core, case: Case):
    assert accepted(core, case).body == b"ok\n"


def test_accepted_the_same_byte_by_byte(core):
    for row in ACCEPTED:
        accepted(core, Case(*row), piecewise=True)


def test_the_largest_length_is_no_error_but_ends_the_connection(core):
    """2^63-1 is a number. Its content will not be read for the sake of the connection."""
    with Client(core) as client:
        client.send(length(b" 9223372036854775807", b"hello"))
        answer = client.response()
        assert answer.status in (200, 413) and answer.closes
        client.expect_end()


def test_the_hidden_request_is_never_answered(core):
    """A content that looks like a request is content, whatever its framing."""
    with Client(core) as client:
        client.send(length(b" %d" % len(_HIDDEN), _HIDDEN))
        assert client.response().body == b"ok\n"
        chunk = request("/hidden")
        client.send(coding(b" chunked", b"%x\r\n%s\r\n0\r\n\r\n" % (len(chunk), chunk)))
        assert client.response().body == b"ok\n"
        client.expect_alive()
