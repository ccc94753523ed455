"""Files with odd names and odd sizes, found under the percent-encoded name and listed with a link that works."""

import hashlib
import html
import json
import re
import urllib.parse

import pytest

from lib.http1 import Client, request
from protocol.site import files_site, pattern

NAMES = [
    b"with space.txt", b"two  spaces.txt", b" leading.txt", b"trailing .txt ", b"100%.txt", b"100%25.txt", b"%2e%2e.txt", b"%00.txt", b"%41.txt",
    "grüße.txt".encode(), "日本語.txt".encode(), "emoji-🦊.txt".encode(), "e\u0301.txt".encode(), "é.txt".encode(), b"latin-\xe9.txt", b"\xff\xfe.txt",
    b"new\nline.txt", b"carriage\rreturn.txt", b"tab\t.txt", b"bell\x07.txt", b"del\x7f.txt", b"escape\x1b[31m.txt",
    b"quote\".txt", b"apostrophe'.txt", b"<script>alert(1)<|script>.txt", b"a&b.txt", b"a+b.txt", b"a=b.txt", b"a;b.txt", b"a,b.txt",
    b"a:b.txt", b"a@b.txt", b"a$b.txt", b"a!b.txt", b"a*b.txt", b"(a).txt", b"[a].txt", b"{a}.txt", b"a|b.txt", b"a^b.txt", b"a`b.txt", b"a~b.txt",
    b"a#b.txt", b"a?b.txt", b"a\\b.txt", b"a...txt", b"x...", b"-rf", b"--help", b"con",
    b"nul.txt", b"a.txt:stream", b"\xe2\x80\xae.txt.exe", b"a" * 255, ("ü" * 127).encode(), b"x" * 251 + b".txt", b"index.html.txt", b"0", b"*",
]


assert len(set(NAMES)) == len(NAMES)


def quoted(name: bytes) -> str:
    return "/" + urllib.parse.quote(name, safe="")


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("names")
    www = base / "www"
    www.mkdir()
    for number, name in enumerate(NAMES):
        with open(bytes(www) + b"/" + name, "wb") as file:
            file.write(b"%d:" % number + name)
    with start(base, files_site(www, "listing = true")) as server:
        yield server


@pytest.mark.parametrize("number", range(len(NAMES)), ids=[ascii(name)[2:40] for name in NAMES])
def test_found(tree, number):
    name = NAMES[number]
    content = b"%d:" % number + name
    with Client(tree) as client:
        assert client.get(quoted(name)).body == content
        everything = "/" + "".join(f"%{byte:02x}" for byte in name)
        assert client.get(everything).body == content
        assert client.get(quoted(name), method="HEAD").length == len(content)
        client.expect_alive()


def test_a_name_that_needs_encoding_is_not_found_decoded_twice(tree):
    with Client(tree) as client:
        assert client.get("/100%25.txt").body == b"4:100%.txt"
        assert client.get("/100%2525.txt").body == b"5:100%25.txt"
        assert client.get("/A.txt").status == 404  # %41.txt is a name with a percent sign
        assert client.get("/%41.txt").status == 404
        assert client.get("/%2541.txt").body == b"8:%41.txt"
        client.expect_alive()


def test_plus_is_a_plus(tree):
    with Client(tree) as client:
        assert client.get("/a+b.txt").body.endswith(b"a+b.txt")
        assert client.get("/with+space.txt").status == 404


def test_raw_utf_8(tree):
    with Client(tree) as client:
        assert client.get("/grüße.txt").body.endswith("grüße.txt".encode())


def test_too_long_a_name(tree):
    with Client(tree) as client:
        assert client.get("/" + "a" * 256).status == 404
        assert client.get("/" + "a" * 5000).status == 404
        assert client.get("/" + "a/" * 3000).status == 404
        assert client.get("/" + "%61" * 256).status == 404
        client.expect_alive()


def test_every_name_is_listed_with_a_link_that_leads_to_it(tree):
    with Client(tree) as client:
        page = client.get("/", "Accept: text/html")
        links = [html.unescape(link) for link in re.findall(r'href="([^"]*)"', page.body.decode())]
        for name in NAMES:
            matching = [link for link in links if urllib.parse.unquote_to_bytes(link.removeprefix("./")) == name]
            assert matching, name
            target = urllib.parse.urljoin("/", matching[0])
            client.send(request(target))
            assert client.response().body.endswith(b":" + name)
        client.expect_alive()


def test_listings_are_free_of_raw_controls_and_markup(tree):
    with Client(tree) as client:
        page = client.get("/", "Accept: text/html").body
        assert b"<script>alert" not in page and b"\x07" not in page and b"\x1b" not in page
        page.decode("utf-8")
        listing = json.loads(client.get("/", "Accept: application/json").body.decode("utf-8"))
        assert len(json.dumps(listing)) > 1000
        client.expect_alive()


def test_a_directory_with_an_odd_name_is_redirected_to_its_encoded_name(serve, tmp_path):
    name = "a b%20\r\nX-Injected: 1\u00fc?#"
    (tmp_path / "www" / name).mkdir(parents=True)
    (tmp_path / "www" / name / "index.html").write_text("in")
    with Client(serve(files_site(tmp_path / "www"))) as client:
        answer = client.get(quoted(name.encode()))
        assert answer.status == 301 and answer.get("X-Injected") is None
        assert urllib.parse.unquote(answer["Location"]) == f"/{name}/"
        assert client.get(answer["Location"]).body == b"in"


SIZES = [0, 1, 2, 1023, 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 16383, 16384, 16385, 32768, 65535, 65536, 65537, 131072, 262143, 262144,
         262145, 524288, 1048575, 1048576, 1048577, 2097152, 3000000]


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("sizes")
    (base / "www").mkdir()
    data = pattern(max(SIZES))
    for size in SIZES:
        (base / "www" / str(size)).write_bytes(data[:size])
    with start(base, files_site(base / "www")) as server:
        server.digests = {size: hashlib.sha256(data[:size]).digest() for size in SIZES}
        yield server


@pytest.mark.parametrize("size", SIZES)
def test_every_size(sizes, size):
    with Client(sizes) as client:
        for _ in range(2):  # from disk, then perhaps from memory
            answer = client.get(f"/{size}")
            assert answer.length == size and hashlib.sha256(answer.body).digest() == sizes.digests[size]
        assert client.get(f"/{size}", method="HEAD").length == size
        client.expect_alive()


def test_all_sizes_pipelined(sizes):
    with Client(sizes) as client:
        client.send(b"".join(request(f"/{size}") for size in SIZES))
        for size in SIZES:
            assert hashlib.sha256(client.response().body).digest() == sizes.digests[size]
        client.expect_alive()
