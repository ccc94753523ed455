"""Field lines: syntax, and names that stand for others (RFC 9112 section 5, RFC 9110 section 5)."""

import pytest

from lib.http1 import Client, request
from protocol.checks import Case, accepted, cases, refused
from protocol.site import one_site

_START = b"GET / HTTP/1.1\r\nHost: t\r\n"


def with_line(text: bytes) -> bytes:
    return _START + text + b"\r\n\r\n"


def _bytes_of_names():
    """Every byte that a token cannot have, inside of a name. ':' ends the name, white space has cases of its own."""
    token = b"!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    for byte in range(256):
        if byte not in token and byte not in b":\t\n\r ":
            yield f"name-{byte:02x}", with_line(b"X-" + bytes([byte]) + b"Y: z"), 400


def _bytes_of_values():
    for byte in [*range(0x20), 0x7F]:
        if byte not in b"\t\n\r":
            yield f"value-{byte:02x}", with_line(b"X: a" + bytes([byte]) + b"b"), 400


REFUSED = [
    *_bytes_of_names(),
    *_bytes_of_values(),
    ("no-colon", with_line(b"X-Nothing"), 400),
    ("empty-name", with_line(b": value"), 400),
    ("colon-alone", with_line(b":"), 400),
    ("space-before-colon", with_line(b"X : y"), 400),
    ("tab-before-colon", with_line(b"X\t: y"), 400),
    ("space-in-name", with_line(b"X Y: z"), 400),
    ("space-before-colon-of-host", b"GET / HTTP/1.1\r\nHost : t\r\n\r\n", 400),
    ("space-before-first-field", b"GET / HTTP/1.1\r\n Host: t\r\n\r\n", 400),
    ("tab-before-first-field", b"GET / HTTP/1.1\r\n\tHost: t\r\n\r\n", 400),
    ("blank-line-before-first-field", b"GET / HTTP/1.1\r\n \r\nHost: t\r\n\r\n", 400),
    ("fold-with-space", with_line(b"X: a\r\n b"), 400),
    ("fold-with-tab", with_line(b"X: a\r\n\tb"), 400),
    ("fold-of-nothing", with_line(b"X: a\r\n "), 400),
    ("fold-that-hides-a-field", with_line(b"X: a\r\n Content-Length: 5"), 400),
    ("line-of-white-space", with_line(b"  "), 400),
    ("bare-lf", with_line(b"X: a\nY: b"), 400),
    ("bare-lf-at-the-end", _START + b"\n", 400),
    ("lf-lf", b"GET / HTTP/1.1\r\nHost: t\n\n", 400),
    ("bare-cr", with_line(b"X: a\rY: b"), 400),
    ("bare-cr-at-value-end", with_line(b"X: a\r"), 400),
    ("cr-before-the-last-crlf", _START + b"\r\r\n", 400),
    ("cr-cr", _START + b"\r\r", 400),
    ("lf-cr", with_line(b"X: a\n\rY: b"), 400),
    ("nul-first-in-value", with_line(b"X:\x00a"), 400),
    ("nul-first-in-line", with_line(b"\x00X: a"), 400),
    ("byte-order-mark", b"GET / HTTP/1.1\r\n\xef\xbb\xbfHost: t\r\n\r\n", 400),
    ("request-line-as-field", with_line(b"GET /smuggled HTTP/1.1"), 400),
]


@cases(*REFUSED)
def test_refused(core, case: Case):
    refused(core, case)


def test_refused_the_same_byte_by_byte(core):
    for row in REFUSED[::7]:
        refused(core, Case(*row), piecewise=True)


ACCEPTED = [
    ("no-white-space", with_line(b"X:y")),
    ("much-white-space", with_line(b"X: \t  y \t ")),
    ("empty-value", with_line(b"X:")),
    ("white-space-only-value", with_line(b"X: \t ")),
    ("tab-in-value", with_line(b"X: a\tb")),
    ("high-bytes-in-value", with_line(b"X: \x80\xff\xc3\xa9")),
    ("colons-in-value", with_line(b"X: a:b::c")),
    ("quotes-in-value", with_line(b'X: "a\\"b", (c)')),
    ("every-token-byte", with_line(b"!#$%&'*+-.^_`|~09AZaz: y")),
    ("host-last", b"GET / HTTP/1.1\r\nX: y\r\nHost: t\r\n\r\n"),
    ("host-lower-case", b"GET / HTTP/1.1\r\nhost: t\r\n\r\n"),
    ("repeated-field", with_line(b"X: a\r\nX: b\r\nX: c")),
    ("long-name", with_line(b"X" * 8000 + b": y")),
    ("long-value", with_line(b"X: " + b"y" * 30000)),
    # Names that a program behind the server would take for framing or Host: they frame nothing here.
    ("content_length", with_line(b"Content_Length: 5")),
    ("content.length", with_line(b"Content.Length: 5")),
    ("transfer_encoding", with_line(b"Transfer_Encoding: chunked")),
    ("transfer.encoding", with_line(b"transfer.encoding: chunked")),
    ("second-host-alias", with_line(b"Ho.st: other")),
    ("expect-alias", with_line(b"Ex_pect: 100-continue")),
]


@cases(*ACCEPTED)
def test_accepted(core, case: Case):
    assert accepted(core, case).body == b"ok\n"


def test_accepted_the_same_byte_by_byte(core):
    for row in ACCEPTED:
        if not row[0].startswith("long"):
            accepted(core, Case(*row), piecewise=True)


ALIASES = """
[[site.route]]
match = { path = "/*", header = { X-Role = "admin" } }
respond = { body = "admin\\n" }
[[site.route]]
path = "/*"
respond = { body = "ok\\n" }
"""


@pytest.mark.parametrize("name", ["X_Role", "X.Role", "x_role", "X~Role", "X-Role_"])
def test_an_alias_is_not_the_field(serve, name):
    server = serve(one_site(ALIASES))
    with Client(server) as client:
        assert client.get("/", f"{name}: admin").body == b"ok\n"
        assert client.get("/", "X-Role: user", f"{name}: admin").body == b"ok\n"
        assert client.get("/", f"{name}: user", "x-role: admin").body == b"admin\n"


def test_an_alias_does_not_pass_basic_auth(serve):
    hashed = "$6$saltsalt$qFmFH.bQmmtXzyBY0s9v7Oicd2z4XSIecDzlB5KiA2/jctKu9YterLp8wwnSq.qc.eoxqOmSuNp2xS0ktL3nh/"
    server = serve(one_site(f"""
[[site.route]]
path = "/*"
basic_auth = {{ realm = "r", users = {{ a = "{hashed}" }} }}
respond = {{ body = "in" }}
"""))
    with Client(server) as client:
        assert client.get("/", "Auth_orization: Basic YTpi", "Authorization_: Basic YTpi").status == 401


def test_fields_are_compared_without_case(core):
    with Client(core) as client:
        client.send(b"GET / HTTP/1.1\r\nhOsT: t\r\ncOnNeCtIoN: ClOsE\r\n\r\n")
        assert client.response().closes
        client.expect_end()


def test_a_request_of_only_large_fields(core):
    with Client(core) as client:
        lines = [f"X-{i}: {'v' * 400}" for i in range(120)]
        client.send(request("/", *lines))
        assert client.response().status == 200
        client.expect_alive()
