"""Host: exactly one, valid, and overridden by an absolute target (RFC 9112 section 3.2, RFC 9110 section 7.2)."""

import pytest

from lib.http1 import Client, request
from protocol.checks import Case, accepted, cases, refused
from protocol.site import ALIVE_ROUTE


def hosts(*values: bytes, version: bytes = b"1.1") -> bytes:
    return b"GET / HTTP/" + version + b"\r\n" + b"".join(b"Host:" + value + b"\r\n" for value in values) + b"\r\n"


REFUSED = [
    ("missing", hosts(), 400),
    ("two", hosts(b" a", b" b"), 400),
    ("two-equal", hosts(b" t", b" t"), 400),
    ("two-one-empty", hosts(b" t", b""), 400),
    ("two-in-other-case", b"GET / HTTP/1.1\r\nHost: t\r\nhOST: t\r\n\r\n", 400),
    ("two-in-http-1.0", hosts(b" a", b" b", version=b"1.0"), 400),
    ("two-with-absolute-target", b"GET http://t/ HTTP/1.1\r\nHost: t\r\nHost: u\r\n\r\n", 400),
    ("missing-with-absolute-target", b"GET http://t/ HTTP/1.1\r\n\r\n", 400),
    ("invalid-with-absolute-target", b"GET http://t/ HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    ("invalid-in-http-1.0", hosts(b" a b", version=b"1.0"), 400),
    ("list", hosts(b" a,b"), 400),
    ("list-with-space", hosts(b" a, b"), 400),
    ("space", hosts(b" a b"), 400),
    ("path", hosts(b" t/"), 400),
    ("query", hosts(b" t?a"), 400),
    ("fragment", hosts(b" t#a"), 400),
    ("url", hosts(b" http://t"), 400),
    ("user", hosts(b" user@t"), 400),
    ("at", hosts(b" @t"), 400),
    ("backslash", hosts(b" a\\b"), 400),
    ("percent", hosts(b" a%2eb"), 400),
    ("high-byte", hosts(b" gr\xc3\xbcn"), 400),
    ("quote", hosts(b' "t"'), 400),
    ("leading-dot", hosts(b" .t"), 400),
    ("two-dots", hosts(b" a..b"), 400),
    ("dot", hosts(b" ."), 400),
    ("colon-only", hosts(b" :"), 400),
    ("port-only", hosts(b" :80"), 400),
    ("port-word", hosts(b" t:http"), 400),
    ("port-negative", hosts(b" t:-1"), 400),
    ("port-sign", hosts(b" t:+80"), 400),
    ("port-zero", hosts(b" t:0"), 400),
    ("port-65536", hosts(b" t:65536"), 400),
    ("port-overflow", hosts(b" t:4294967376"), 400),
    ("two-ports", hosts(b" t:80:80"), 400),
    ("space-before-port", hosts(b" t :80"), 400),
    ("ipv6-without-brackets", hosts(b" ::1"), 400),
    ("ipv6-open", hosts(b" [::1"), 400),
    ("ipv6-closed-only", hosts(b" ::1]"), 400),
    ("ipv6-two-gaps", hosts(b" [1::2::3]"), 400),
    ("ipv6-no-hex", hosts(b" [::g]"), 400),
    ("ipv6-nine-groups", hosts(b" [1:2:3:4:5:6:7:8:9]"), 400),
    ("ipv6-zone", hosts(b" [fe80::1%25eth0]"), 400),
    ("ipv6-and-more", hosts(b" [::1]x"), 400),
    ("empty-brackets", hosts(b" []"), 400),
    ("256-bytes", hosts(b" " + b"a" * 256), 400),
    ("nul", hosts(b" t\x00"), 400),
]


@cases(*REFUSED)
def test_refused(core, case: Case):
    refused(core, case)


@cases(
    ("name", hosts(b" t")),
    ("no-white-space", hosts(b"t")),
    ("white-space-around", hosts(b"\t t \t")),
    ("empty", hosts(b"")),
    ("upper-case", hosts(b" EXAMPLE.Org")),
    ("port", hosts(b" t:8080")),
    ("port-65535", hosts(b" t:65535")),
    ("empty-port", hosts(b" t:")),
    ("trailing-dot", hosts(b" example.org.")),
    ("underscore", hosts(b" my_app.test")),
    ("ipv4", hosts(b" 127.0.0.1:80")),
    ("ipv6", hosts(b" [::1]:80")),
    ("ipv6-full", hosts(b" [2001:db8:0:0:0:0:0:1]")),
    ("ipv6-with-ipv4", hosts(b" [::ffff:127.0.0.1]")),
    ("255-bytes", hosts(b" " + b".".join([b"a" * 63] * 4))),
    ("absolute-target-and-other-host", b"GET http://t/ HTTP/1.1\r\nHost: other\r\n\r\n"),
)
def test_accepted(core, case: Case):
    accepted(core, case)


def test_http_1_0_needs_no_host(core):
    with Client(core) as client:
        assert client.get("/", host=None, version="1.0").status == 200
        client.expect_end()


SITES = "".join(
    f"""
[[site]]
name = "{name}"
{hosts_line}
listen = ["http://127.0.0.1:0"]
{ALIVE_ROUTE}
[[site.route]]
path = "/*"
respond = {{ body = "{name}" }}
"""
    for name, hosts_line in [
        ("exact", 'hosts = ["one.example", "two.example"]'),
        ("wild", 'hosts = ["*.example"]'),
        ("deep", 'hosts = ["*.deep.example"]'),
        ("inner", 'hosts = ["a.deep.example"]'),
        ("v6", 'hosts = ["[::1]"]'),
        ("default", ""),
    ]
)


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    with start(tmp_path_factory.mktemp("sites"), SITES) as server:
        yield server


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("one.example", "exact"),
        ("ONE.EXAMPLE", "exact"),
        ("one.example:8080", "exact"),
        ("one.example.", "exact"),
        ("two.example", "exact"),
        ("three.example", "wild"),
        ("THREE.Example", "wild"),
        ("a.b.example", "wild"),
        ("x.deep.example", "deep"),
        ("x.y.deep.example", "deep"),
        ("a.deep.example", "inner"),
        ("deep.example", "wild"),
        ("example", "default"),
        ("xexample", "default"),
        ("one.example.org", "default"),
        ("[::1]", "v6"),
        ("[::1]:80", "v6"),
        ("127.0.0.1", "default"),
        ("", "default"),
    ],
)
def test_the_site_by_host(sites, host, name):
    with Client(sites) as client:
        assert client.get("/", host=host).body.decode() == name


@pytest.mark.parametrize(("target", "host", "name"), [
    ("http://one.example/", "three.example", "exact"),
    ("http://ONE.example:81/a", "", "exact"),
    ("http://three.example", "one.example", "wild"),
    ("http://nowhere.test/", "one.example", "default"),
])
def test_an_absolute_target_overrides_host(sites, target, host, name):
    with Client(sites) as client:
        client.send(request(target, host=host))
        assert client.response().body.decode() == name


def test_no_host_in_http_1_0_is_the_default_site(sites):
    with Client(sites) as client:
        assert client.get("/", host=None, version="1.0").body == b"default"


def test_without_a_default_site_an_unknown_host_is_answered_404(serve):
    server = serve("""
[[site]]
hosts = ["one.example"]
listen = ["http://127.0.0.1:0"]
[[site.route]]
path = "/*"
respond = { body = "one" }
""")
    with Client(server) as client:
        assert client.get("/", host="one.example").body == b"one"
        answer = client.get("/", host="two.example")
        assert answer.status in (404, 421) and b"one" not in answer.body
        assert client.get("/", host="one.example").body == b"one"
