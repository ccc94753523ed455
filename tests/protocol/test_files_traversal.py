"""Attempts to reach a file outside of the root, in every spelling."""

import pytest

from lib.http1 import Client
from protocol.site import files_site, one_site

_UP = ["..", "%2e%2e", "%2E%2E", ".%2e", "%2e.", "..%00", "%252e%252e", "%c0%ae%c0%ae", "%e0%80%ae%e0%80%ae", "%u002e%u002e", "..;", "..;a=b",
       "．．", "%ef%bc%8e%ef%bc%8e", "..%20", "...", "....", "..%09", "..\\", "%5c..", "..%5c", "..%ff", "%2e%2e%2f", "..%2f"]
_SLASH = ["/", "//", "%2f", "%2F", "%5c", "%5C", "%252f", "%c0%af", "%e0%80%af", "%c1%9c", "/./", "/;/", "%2f%2f"]


def attempts():
    seen = set()
    for up in _UP:
        for slash in _SLASH:
            for target in (f"/{up}{slash}secret.txt", f"/a/{up}{slash}{up}{slash}secret.txt", f"/a{slash}{up}{slash}{up}{slash}secret.txt"):
                if target not in seen:
                    seen.add(target)
                    yield target
    yield from (
        "/secret.txt", "/a/b/../../../secret.txt", "/a/../../secret.txt", "/./../secret.txt", "//../secret.txt", "///../../secret.txt",
        "/..%2f..%2f..%2f..%2f..%2fetc/passwd", "/etc/passwd", "//etc/passwd", "/%2fetc/passwd", "/%2f/etc/passwd", "/a/%2fetc%2fpasswd",
        "/proc/self/environ", "/a/b/%2e%2e/%2e%2e/%2e%2e/secret.txt", "/www/../secret.txt", "/a/..%2f..%2fsecret.txt", "/..%252fsecret.txt",
        "/%2e%2e%2fsecret.txt", "/%2e%2e%5csecret.txt", "/..%5csecret.txt", "/a%2f..%2f..%2fsecret.txt", "/?/../secret.txt", "/a;/../../secret.txt",
        "/~root/.profile", "/C:/secret.txt", "/file:///etc/passwd", "/" + "../" * 40 + "etc/passwd", "/" + "a/../" * 200 + "../secret.txt",
        "/" + "%2e%2e/" * 40 + "etc/passwd",
    )


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("traversal")
    (base / "www" / "a" / "b").mkdir(parents=True)
    (base / "secret.txt").write_text("SECRET")
    (base / "www" / "a" / "x.txt").write_text("x")
    with start(base, files_site(base / "www", "listing = true")) as server:
        yield server


@pytest.mark.parametrize("target", list(attempts()))
def test_never_outside(tree, target):
    with Client(tree) as client:
        answer = client.get(target.encode())
        assert b"SECRET" not in answer.body and b"root:" not in answer.body
        # A query, or a "..." that is a name, may be answered with what lies inside; nothing else is found.
        assert answer.status in ((200, 404) if target.startswith("/?") else (400, 404)), answer
        if answer.status == 400:
            client.expect_end()
        else:
            client.expect_alive()


@pytest.mark.parametrize(("target", "status"), [
    ("/a%2fx.txt", 404),  # an escaped slash is data, not a separator, and no file name has one
    ("/a%2Fx.txt", 404),
    ("/a%5cx.txt", 404),
    ("/a/x.txt", 200),
    ("/a/./x.txt", 200),
    ("/a/b/../x.txt", 200),
    ("/a/b/%2e%2e/x.txt", 200),
    ("/a//x.txt", 200),
    ("/a/%2e/x.txt", 200),
])
def test_what_is_inside(tree, target, status):
    with Client(tree) as client:
        assert client.get(target).status == status
        client.expect_alive()


RULES = """
[[site.route]]
path = "/private/*"
access = {{ deny = ["127.0.0.0/8", "::1"] }}
files = {{ root = "{www}" }}
[[site.route]]
path = "/*"
files = {{ root = "{www}" }}
"""


@pytest.mark.parametrize("target", [
    "/private/x.txt", "//private/x.txt", "/./private/x.txt", "/a/../private/x.txt", "/%70rivate/x.txt", "/private//x.txt", "/private/./x.txt",
    "/a/%2e%2e/private/x.txt", "/private%2fx.txt", "/private%2Fx.txt", "/private/../private/x.txt", "/%2e/private/x.txt", "http://t/private/x.txt",
    "http://t//private/x.txt", "/private/x.txt?a", "/private/%78.txt", "/private\\x.txt", "/private%5cx.txt", "/private/.//x.txt", "/PRIVATE/x.txt",
    "/private;a=b/x.txt", "/private%00/x.txt", "/a%2f../private/x.txt", "/.%2fprivate/x.txt", "/%2fprivate/x.txt",
])
def test_a_protected_path_has_no_second_spelling(serve_private, target):
    """Routes are matched on the path that is looked up, so that no spelling passes by a rule."""
    with Client(serve_private) as client:
        answer = client.get(target)
        assert answer.status in (400, 403, 404) and b"SECRET" not in answer.body


@pytest.fixture(scope="module")
def serve_private(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("private")
    (base / "www" / "private").mkdir(parents=True)
    (base / "www" / "a").mkdir()
    (base / "www" / "private" / "x.txt").write_text("SECRET")
    with start(base, one_site(RULES.format(www=base / "www"))) as server:
        yield server
