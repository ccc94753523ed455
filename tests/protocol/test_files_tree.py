"""Directories, hidden files, links, special files and media types of a real tree."""

import json
import os
import socket

import pytest

from lib.http1 import Client
from protocol.site import files_site, one_site


def make_tree(base):
    www = base / "www"
    outside = base / "outside"
    for directory in (www / "plain", www / "with" / "deep", www / ".hidden", www / ".well-known", www / "list" / "sub", outside / "dir"):
        directory.mkdir(parents=True)
    (www / "index.html").write_text("<p>home")
    (www / "with" / "index.html").write_text("<p>with")
    (www / "with" / "deep" / "index.html").write_text("<p>deep")
    (www / "list" / "b.txt").write_text("bb")
    (www / "list" / "a <&> \"x\".txt").write_text("a")
    (www / "list" / ".secret").write_text("s")
    (www / "a.txt").write_text("a")
    (www / ".env").write_text("SECRET=1")
    (www / ".hidden" / "x.txt").write_text("SECRET=2")
    (www / ".well-known" / "security.txt").write_text("ok")
    (www / ".well-known" / ".x").write_text("SECRET=3")
    (outside / "secret.txt").write_text("SECRET=4")
    (outside / "dir" / "x.txt").write_text("SECRET=5")
    for name, target in {
        "in.txt": "a.txt", "in-dir": "with", "chain": "in.txt", "up-and-in": "../www/a.txt", "abs-in": str(www / "a.txt"),
        "out.txt": "../outside/secret.txt", "abs-out": str(outside / "secret.txt"), "out-dir": "../outside/dir",
        "proc": "/proc/self/environ", "root": "/", "loop": "loop", "dangling": "nothing", "out-chain": "out.txt",
        "to-hidden": ".env",
    }.items():
        (www / name).symlink_to(target)
    os.mkfifo(www / "fifo")
    os.mkfifo(www / "with" / "fifo")
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(str(www / "socket"))
    bound.close()
    (www / "fifo-link").symlink_to("fifo")
    (www / "dev-link").symlink_to("/dev/zero")
    (www / "unreadable.txt").write_text("SECRET=6")
    (www / "unreadable.txt").chmod(0)
    return www


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("tree")
    with start(base, files_site(make_tree(base))) as server:
        yield server


@pytest.fixture
def client(tree):
    with Client(tree) as made:
        yield made
        made.expect_alive()


@pytest.mark.parametrize(("target", "status", "body"), [
    ("/", 200, b"<p>home"),
    ("/index.html", 200, b"<p>home"),
    ("/with/", 200, b"<p>with"),
    ("/with/index.html", 200, b"<p>with"),
    ("/with/deep/", 200, b"<p>deep"),
    ("//with///deep//", 200, b"<p>deep"),
    ("/with/./deep/../", 200, b"<p>with"),
    ("/plain/", 403, None),
    ("/missing/", 404, None),
    ("/a.txt/", 404, None),
    ("/a.txt/x", 404, None),
    ("/index.html/", 404, None),
    ("/missing", 404, None),
    ("/A.TXT", 404, None),
    ("/a.txt?query", 200, b"a"),
    ("/a%2Etxt", 200, b"a"),
    ("/%61.txt", 200, b"a"),
    ("/a.txt%20", 404, None),
    ("/a.txt.", 404, None),
])
def test_paths(client, target, status, body):
    answer = client.get(target)
    assert answer.status == status
    assert body is None or answer.body == body


@pytest.mark.parametrize(("target", "location"), [
    ("/with", "/with/"),
    ("/plain", "/plain/"),
    ("/with/deep", "/with/deep/"),
    ("/with?a=b&c", "/with/?a=b&c"),
    ("//with", "/with/"),
    ("/x/../with", "/with/"),
    ("/%77ith", "/with/"),
    ("/in-dir", "/in-dir/"),
])
def test_a_directory_without_slash_is_redirected(client, target, location):
    answer = client.get(target)
    assert answer.status in (301, 308) and answer["Location"] == location
    assert client.get(location).status in (200, 403)


@pytest.mark.parametrize("target", ["//evil.example/..", "//evil.example/%2e%2e/with", "/%2Fevil.example/with", "///with"])
def test_a_redirect_never_leaves_the_site(client, target):
    """`//host` in Location would be another host."""
    location = client.get(target).get("Location")
    assert location is None or (location.startswith("/") and not location.startswith("//"))


@pytest.mark.parametrize("target", ["/.env", "/.hidden/x.txt", "/.hidden/", "/.hidden", "/%2eenv", "/list/.secret", "/.well-known/.x", "/with/../.env",
                                    "/./.env", "/.env?x"])
def test_hidden_files_are_not_there(client, target):
    answer = client.get(target)
    assert answer.status == 404 and b"SECRET" not in answer.body


def test_well_known_is_served(client):
    assert client.get("/.well-known/security.txt").body == b"ok"


@pytest.mark.parametrize(("target", "body"), [("/in.txt", b"a"), ("/chain", b"a"), ("/up-and-in", b"a"), ("/abs-in", b"a"), ("/in-dir/", b"<p>with"),
                                              ("/in-dir/deep/index.html", b"<p>deep")])
def test_links_inside_the_root(client, target, body):
    answer = client.get(target)
    assert answer.status == 200 and answer.body == body


@pytest.mark.parametrize("target", ["/out.txt", "/abs-out", "/out-dir/x.txt", "/out-dir/", "/out-chain", "/proc", "/root/etc/passwd", "/root/", "/loop", "/dangling", "/dev-link"])
def test_links_out_of_the_root(client, target):
    answer = client.get(target)
    assert answer.status in (400, 403, 404)
    assert b"SECRET" not in answer.body and b"root:" not in answer.body


@pytest.mark.parametrize("target", ["/fifo", "/fifo-link", "/socket", "/with/fifo", "/fifo/", "/socket/x"])
def test_special_files_are_never_opened(client, target):
    """Opening a fifo would block for ever."""
    for method in ("GET", "HEAD"):
        assert client.get(target, method=method).status in (403, 404)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(client):
    assert client.get("/unreadable.txt").status == 403


@pytest.mark.parametrize(("name", "kind"), [
    ("a.html", "text/html; charset=utf-8"), ("a.HTML", "text/html; charset=utf-8"), ("a.css", "text/css; charset=utf-8"),
    ("a.js", "text/javascript; charset=utf-8"), ("a.mjs", "text/javascript; charset=utf-8"), ("a.json", "application/json"),
    ("a.svg", "image/svg+xml"), ("a.png", "image/png"), ("a.jpeg", "image/jpeg"), ("a.webp", "image/webp"), ("a.avif", "image/avif"),
    ("a.woff2", "font/woff2"), ("a.wasm", "application/wasm"), ("a.pdf", "application/pdf"), ("a.mp4", "video/mp4"),
    ("a.tar.gz", "application/gzip"), ("a.txt", "text/plain; charset=utf-8"), ("a.unknown", "application/octet-stream"),
    ("a", "application/octet-stream"), ("a.", "application/octet-stream"), ("a.xml", "application/xml"), ("a.ico", "image/x-icon"),
])
def test_media_types(serve_types, name, kind):
    with Client(serve_types) as client:
        got = client.get(f"/types/{name}")["Content-Type"]
        aliases = {"application/xml": {"application/xml", "text/xml", "text/xml; charset=utf-8", "application/xml; charset=utf-8"},
                   "image/x-icon": {"image/x-icon", "image/vnd.microsoft.icon"},
                   "application/json": {"application/json", "application/json; charset=utf-8"},
                   "image/svg+xml": {"image/svg+xml", "image/svg+xml; charset=utf-8"}}
        assert got in aliases.get(kind, {kind})


@pytest.fixture(scope="module")
def serve_types(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("types")
    types = base / "www" / "types"
    types.mkdir(parents=True)
    for ending in ("html", "HTML", "css", "js", "mjs", "json", "svg", "png", "jpeg", "webp", "avif", "woff2", "wasm", "pdf", "mp4", "tar.gz", "txt",
                   "unknown", "", "xml", "ico"):
        (types / f"a.{ending}").write_text("x")
    (types / "a").write_text("x")
    with start(base, files_site(base / "www")) as server:
        yield server


def test_own_media_types(serve, tmp_path):
    (tmp_path / "www").mkdir()
    for name in ("a.own", "a.txt", "a.zzz"):
        (tmp_path / "www" / name).write_text("x")
    server = serve(files_site(tmp_path / "www", 'mime = { own = "application/x-own", txt = "text/x-own" }\ncharset = "latin1"\ndefault_type = ""'))
    with Client(server) as client:
        assert client.get("/a.own")["Content-Type"] == "application/x-own"
        assert client.get("/a.txt")["Content-Type"] == "text/x-own; charset=latin1"
        assert client.get("/a.zzz").get("Content-Type") is None


@pytest.fixture(scope="module")
def listing(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("listing")
    with start(base, files_site(make_tree(base), "listing = true")) as server:
        yield server


def test_listing_as_html(listing):
    with Client(listing) as client:
        answer = client.get("/list/", "Accept: text/html")
        assert answer.status == 200 and answer["Content-Type"].startswith("text/html")
        assert b"b.txt" in answer.body and b"sub/" in answer.body
        assert b".secret" not in answer.body
        assert b"<&>" not in answer.body and b"a%20%3C%26%3E%20%22x%22.txt" in answer.body
        assert "Accept" in answer["Vary"]
        client.expect_alive()


def test_listing_as_json(listing):
    with Client(listing) as client:
        answer = client.get("/list/", "Accept: application/json")
        assert answer["Content-Type"].startswith("application/json")
        text = json.dumps(json.loads(answer.body))
        assert "b.txt" in text and "sub" in text and ".secret" not in text


def test_listing_does_not_show_where_links_lead(listing):
    with Client(listing) as client:
        body = client.get("/", "Accept: text/html").body
        assert client.get("/").body == b"<p>home" == body  # the index comes first
        assert client.get("/plain/").status == 200
        assert client.get("/out-dir/").status in (403, 404)
        assert client.get("/.hidden/").status == 404


def test_listing_head(listing):
    with Client(listing) as client:
        assert client.get("/list/", method="HEAD").status == 200
        client.expect_alive()


def test_index_names_in_order(serve, tmp_path):
    www = tmp_path / "www"
    for directory, names in {"a": ["index.htm", "default.html"], "b": ["default.html"], "c": ["index.html"]}.items():
        (www / directory).mkdir(parents=True)
        for name in names:
            (www / directory / name).write_text(name)
    with Client(serve(files_site(www, 'index = ["index.htm", "default.html"]'))) as client:
        assert client.get("/a/").body == b"index.htm"
        assert client.get("/b/").body == b"default.html"
        assert client.get("/c/").status == 403


def test_an_index_that_is_a_directory(serve, tmp_path):
    (tmp_path / "www" / "a" / "index.html").mkdir(parents=True)
    with Client(serve(files_site(tmp_path / "www"))) as client:
        assert client.get("/a/").status in (403, 404)
        client.expect_alive()


def test_fallback_of_a_single_page_application(serve, tmp_path):
    www = tmp_path / "www"
    www.mkdir()
    (www / "index.html").write_text("<p>app")
    (www / "app.js").write_text("js")
    with Client(serve(files_site(www, 'fallback = "/index.html"'))) as client:
        for target in ("/", "/users/7", "/users/7/", "/app.js.map", "/.env"):
            answer = client.get(target)
            assert (answer.status, answer.body) == (200, b"<p>app"), target
            assert answer["Content-Type"].startswith("text/html")
        assert client.get("/app.js").body == b"js"
        assert client.get("/x", method="POST").status == 405
        tag = client.get("/users")["ETag"]
        assert client.get("/users", f"If-None-Match: {tag}").status == 304
        client.expect_alive()


@pytest.mark.parametrize(("policy", "inside", "outside"), [("inside_root", 200, 404), ("never", 404, 404), ("anywhere", 200, 200)])
def test_symlink_policies(serve, tmp_path, policy, inside, outside):
    www = make_tree(tmp_path)
    with Client(serve(files_site(www, f'follow_symlinks = "{policy}"'))) as client:
        assert client.get("/a.txt").status == 200
        assert client.get("/in.txt").status in ((inside,) if inside == 200 else (403, 404))
        assert client.get("/out.txt").status in ((outside,) if outside == 200 else (403, 404))
        assert client.get("/out-dir/x.txt").status in ((outside,) if outside == 200 else (403, 404))
        assert client.get("/fifo").status in (403, 404)
        client.expect_alive()


def test_hidden_files_on_request(serve, tmp_path):
    with Client(serve(files_site(make_tree(tmp_path), "hidden = true"))) as client:
        assert client.get("/.env").body == b"SECRET=1"
        assert client.get("/.hidden/x.txt").body == b"SECRET=2"


def test_strip_prefix(serve, tmp_path):
    www = make_tree(tmp_path)
    server = serve(one_site(f"""
[[site.route]]
path = "/static/*"
files = {{ root = "{www}", strip_prefix = "/static" }}
[[site.route]]
path = "/static"
respond = {{ body = "no slash" }}
"""))
    with Client(server) as client:
        assert client.get("/static/a.txt").body == b"a"
        assert client.get("/static/").body == b"<p>home"
        assert client.get("/static/with")["Location"] == "/static/with/"
        assert client.get("/static/../a.txt").status == 404
        assert client.get("/static/%2e%2e/a.txt").status == 404
        assert client.get("/staticx/a.txt").status == 404
        assert client.get("/a.txt").status == 404


def test_a_root_that_is_not_there(serve, tmp_path):
    with Client(serve(files_site(tmp_path / "www"))) as client:
        assert client.get("/a.txt").status in (404, 500, 503)
        (tmp_path / "www").mkdir()
        client.expect_alive()
