"""The request line: what is refused, and what is taken (RFC 9112 section 3, RFC 9110 section 4)."""

import pytest

from lib.http1 import Client, request
from protocol.checks import Case, accepted, cases, refused

_HOST = b"\r\nHost: t\r\n\r\n"


def line(text: bytes) -> bytes:
    return text + _HOST


def _controls():
    """Every control character in the target and in the method."""
    for byte in [*range(0x20), 0x7F]:
        if byte not in (0x0A, 0x0D):
            yield f"control-{byte:02x}-in-target", line(b"GET /a" + bytes([byte]) + b"b HTTP/1.1"), 400
            yield f"control-{byte:02x}-in-method", line(b"G" + bytes([byte]) + b"T / HTTP/1.1"), 400


REFUSED = [
    *_controls(),
    # method
    ("no-method", line(b" / HTTP/1.1"), 400),
    ("leading-space", line(b" GET / HTTP/1.1"), 400),
    ("leading-tab", line(b"\tGET / HTTP/1.1"), 400),
    ("leading-lf", b"\nGET / HTTP/1.1" + _HOST, 400),
    ("leading-cr", b"\rGET / HTTP/1.1" + _HOST, 400),
    ("two-empty-lines", b"\r\n\r\nGET / HTTP/1.1" + _HOST, 400),
    ("method-with-parenthesis", line(b"G(T / HTTP/1.1"), 400),
    ("method-with-colon", line(b"GET: / HTTP/1.1"), 400),
    ("method-with-slash", line(b"G/T / HTTP/1.1"), 400),
    ("method-with-high-byte", line(b"G\xc3\xa9T / HTTP/1.1"), 400),
    ("method-alone", line(b"GET"), 400),
    ("method-and-space", line(b"GET "), 400),
    ("a-field-first", b"Host: t\r\nGET / HTTP/1.1\r\n\r\n", 400),
    # blanks
    ("two-spaces-after-method", line(b"GET  / HTTP/1.1"), 400),
    ("two-spaces-after-target", line(b"GET /  HTTP/1.1"), 400),
    ("tab-after-method", line(b"GET\t/ HTTP/1.1"), 400),
    ("tab-after-target", line(b"GET /\tHTTP/1.1"), 400),
    ("space-after-version", line(b"GET / HTTP/1.1 "), 400),
    ("word-after-version", line(b"GET / HTTP/1.1 x"), 400),
    ("space-in-target", line(b"GET /a b HTTP/1.1"), 400),
    ("second-request-line-in-target", line(b"GET / HTTP/1.1 GET /smuggled HTTP/1.1"), 400),
    # line ends
    ("bare-lf", b"GET / HTTP/1.1\nHost: t\r\n\r\n", 400),
    ("bare-lf-everywhere", b"GET / HTTP/1.1\nHost: t\n\n", 400),
    ("bare-cr", b"GET / HTTP/1.1\rHost: t\r\n\r\n", 400),
    ("cr-cr-lf", b"GET / HTTP/1.1\r\r\nHost: t\r\n\r\n", 400),
    ("lf-cr", b"GET / HTTP/1.1\n\rHost: t\r\n\r\n", 400),
    ("lf-in-target", line(b"GET /a\nb HTTP/1.1"), 400),
    ("cr-in-target", line(b"GET /a\rb HTTP/1.1"), 400),
    # version
    ("http-0.9", b"GET /\r\n", 400),
    ("http-0.9-with-fields", line(b"GET /"), 400),
    ("version-0.9", line(b"GET / HTTP/0.9"), 400),
    ("version-2.0", line(b"GET / HTTP/2.0"), 505),
    ("version-3.0", line(b"GET / HTTP/3.0"), 505),
    ("version-9.9", line(b"GET / HTTP/9.9"), 505),
    ("version-1", line(b"GET / HTTP/1"), 400),
    ("version-1-dot", line(b"GET / HTTP/1."), 400),
    ("version-1.10", line(b"GET / HTTP/1.10"), 400),
    ("version-01.1", line(b"GET / HTTP/01.1"), 400),
    ("version-comma", line(b"GET / HTTP/1,1"), 400),
    ("version-sign", line(b"GET / HTTP/+1.1"), 400),
    ("version-letter", line(b"GET / HTTP/1.x"), 400),
    ("version-lower-case", line(b"GET / http/1.1"), 400),
    ("version-without-slash", line(b"GET / HTTP1.1"), 400),
    ("version-with-space", line(b"GET / HTTP/ 1.1"), 400),
    ("version-of-another-protocol", line(b"GET / ICAP/1.0"), 400),
    ("version-too-many-t", line(b"GET / HTTTP/1.1"), 400),
    ("http2-preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    # target
    ("relative-target", line(b"GET index.html HTTP/1.1"), 400),
    ("query-only", line(b"GET ?a=b HTTP/1.1"), 400),
    ("fragment", line(b"GET /a#b HTTP/1.1"), 400),
    ("less-than", line(b"GET /<script> HTTP/1.1"), 400),
    ("quote", line(b'GET /"a" HTTP/1.1'), 400),
    ("backslash", line(b"GET /a\\b HTTP/1.1"), 400),
    ("asterisk-get", line(b"GET * HTTP/1.1"), 400),
    ("asterisk-and-more", line(b"OPTIONS *x HTTP/1.1"), 400),
    ("authority-get", line(b"GET t:80 HTTP/1.1"), 400),
    ("percent-alone", line(b"GET /% HTTP/1.1"), 400),
    ("percent-one-digit", line(b"GET /%4 HTTP/1.1"), 400),
    ("percent-no-hex", line(b"GET /%zz HTTP/1.1"), 400),
    ("percent-half-hex", line(b"GET /%4z HTTP/1.1"), 400),
    ("percent-unicode", line(b"GET /%u0041 HTTP/1.1"), 400),
    ("percent-nul", line(b"GET /a%00b HTTP/1.1"), 400),
    ("above-root", line(b"GET /../x HTTP/1.1"), 400),
    ("above-root-encoded", line(b"GET /%2e%2e/x HTTP/1.1"), 400),
    ("above-root-later", line(b"GET /a/../../x HTTP/1.1"), 400),
    ("above-root-at-end", line(b"GET /.. HTTP/1.1"), 400),
    # absolute form
    ("scheme-ftp", line(b"GET ftp://t/ HTTP/1.1"), 400),
    ("scheme-empty", line(b"GET ://t/ HTTP/1.1"), 400),
    ("one-slash", line(b"GET http:/t/ HTTP/1.1"), 400),
    ("no-slashes", line(b"GET http:t HTTP/1.1"), 400),
    ("empty-authority", line(b"GET http:///a HTTP/1.1"), 400),
    ("user-information", line(b"GET http://u:p@t/ HTTP/1.1"), 400),
    ("port-too-large", line(b"GET http://t:65536/ HTTP/1.1"), 400),
    ("port-no-number", line(b"GET http://t:x/ HTTP/1.1"), 400),
    ("host-with-space", line(b"GET http://a b/ HTTP/1.1"), 400),
    ("ipv6-open", line(b"GET http://[::1/ HTTP/1.1"), 400),
    # CONNECT
    ("connect-path", line(b"CONNECT / HTTP/1.1"), 400),
    ("connect-without-port", line(b"CONNECT t HTTP/1.1"), 400),
    ("connect-empty-port", line(b"CONNECT t: HTTP/1.1"), 400),
    ("connect-port-0", line(b"CONNECT t:0 HTTP/1.1"), 400),
    ("connect-url", line(b"CONNECT http://t:80/ HTTP/1.1"), 400),
    # not HTTP at all
    ("tls-client-hello", b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + bytes(40), 400),
    ("ssh", b"SSH-2.0-OpenSSH_9.2\r\n", 400),
    ("smtp", b"EHLO example.com\r\n", 400),
    ("redis", b"*1\r\n$4\r\nPING\r\n", 400),
]


@cases(*REFUSED)
def test_refused(core, case: Case):
    refused(core, case)


def test_refused_the_same_byte_by_byte(core):
    for row in REFUSED:
        refused(core, Case(*row), piecewise=True)


ACCEPTED = [
    ("plain", line(b"GET / HTTP/1.1")),
    ("one-empty-line-first", b"\r\nGET / HTTP/1.1" + _HOST),
    ("minor-version-2", line(b"GET / HTTP/1.2")),
    ("minor-version-9", line(b"GET / HTTP/1.9")),
    ("query", line(b"GET /a?b=c&d=e HTTP/1.1")),
    ("empty-query", line(b"GET /? HTTP/1.1")),
    ("question-marks", line(b"GET /???a?b HTTP/1.1")),
    ("backslash-in-query", line(b"GET /?a=\\ HTTP/1.1")),
    ("raw-utf-8", line("GET /grüße HTTP/1.1".encode())),
    ("escaped-utf-8", line(b"GET /gr%C3%BC%C3%9Fe HTTP/1.1")),
    ("all-marks", line(b"GET /-._~!$&'()*+,;=:@ HTTP/1.1")),
    ("browser-marks", line(b"GET /{a}|^`[b] HTTP/1.1")),
    ("dot-segments", line(b"GET /a/./b/../c HTTP/1.1")),
    ("many-slashes", line(b"GET ////a//b HTTP/1.1")),
    ("escaped-percent", line(b"GET /100%25 HTTP/1.1")),
    ("percent-in-query-is-not-read", line(b"GET /?a=%zz HTTP/1.1")),
    ("absolute-form", line(b"GET http://t/a HTTP/1.1")),
    ("absolute-form-without-path", line(b"GET http://t HTTP/1.1")),
    ("absolute-form-query-only", line(b"GET http://t?a HTTP/1.1")),
    ("absolute-form-https", line(b"GET https://t:443/a HTTP/1.1")),
    ("absolute-form-upper-case", line(b"GET HTTP://T/a HTTP/1.1")),
    ("absolute-form-ipv6", line(b"GET http://[::1]:80/a HTTP/1.1")),
    ("unknown-method", line(b"BREW / HTTP/1.1"), 200, "BREW"),
    ("token-method", line(b"A!#$%&'*+-.^_`|~9 / HTTP/1.1"), 200, "BREW"),
    ("long-method", line(b"A" * 1000 + b" / HTTP/1.1"), 200, "BREW"),
]


@cases(*ACCEPTED)
def test_accepted(core, case: Case):
    assert accepted(core, case).body == b"ok\n"


def test_accepted_the_same_byte_by_byte(core):
    for row in ACCEPTED:
        accepted(core, Case(*row), piecewise=True)


@pytest.mark.parametrize("method", ["PUT", "POST", "DELETE", "PATCH", "TRACE", "BREW", "get", "PROPFIND"])
def test_a_file_can_only_be_read(core, method):
    with Client(core) as client:
        answer = client.get("/files/hello.txt", method=method)
        assert answer.status == 405
        assert sorted(answer["Allow"].split(", ")) == ["GET", "HEAD", "OPTIONS"]
        client.expect_alive()


def test_trace_echoes_nothing(core):
    with Client(core) as client:
        answer = client.get("/", "X-Secret: do-not-echo", method="TRACE")
        assert b"do-not-echo" not in answer.head + answer.body
        client.expect_alive()


def test_options_of_a_file(core):
    with Client(core) as client:
        answer = client.get("/files/hello.txt", method="OPTIONS")
        assert answer.status == 204 and sorted(answer["Allow"].split(", ")) == ["GET", "HEAD", "OPTIONS"]
        client.expect_alive()


@pytest.mark.parametrize("target", ["*", "http://t", "http://other.example:8080"])
def test_options_of_the_server(core, target):
    with Client(core) as client:
        client.send(request(target, method="OPTIONS"))
        answer = client.response("OPTIONS")
        assert answer.status == 204 and "GET" in answer["Allow"]
        client.expect_alive()


def test_connect_is_not_implemented(core):
    """Never a 2xx: what follows would be a tunnel (RFC 9110 section 9.3.6)."""
    with Client(core) as client:
        client.send(request("t:443", method="CONNECT", host="t:443"))
        assert client.response("CONNECT").status == 501
