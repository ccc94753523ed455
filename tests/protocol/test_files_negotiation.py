"""Precompressed sidecar files, chosen by Accept-Encoding (RFC 9110 section 12.5.3)."""

import gzip

import pytest

from lib.http1 import Client
from protocol.site import files_site

PLAIN = b"body { color: red }\n" * 500
FILES = {"br": (".br", b"<brotli bytes>" * 20), "zstd": (".zst", b"<zstd bytes>" * 25), "gzip": (".gz", gzip.compress(PLAIN, mtime=0))}


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp("negotiation")
    www = base / "www"
    (www / "docs").mkdir(parents=True)
    (www / "all.css").write_bytes(PLAIN)
    for suffix, content in FILES.values():
        (www / f"all.css{suffix}").write_bytes(content)
    (www / "gz.css").write_bytes(PLAIN)
    (www / "gz.css.gz").write_bytes(FILES["gzip"][1])
    (www / "none.css").write_bytes(PLAIN)
    (www / "only.css.gz").write_bytes(FILES["gzip"][1])
    (www / "odd.css").write_bytes(PLAIN)
    (www / "odd.css.gz").mkdir()
    (www / "docs" / "index.html").write_bytes(b"<p>index")
    (www / "docs" / "index.html.gz").write_bytes(gzip.compress(b"<p>index", mtime=0))
    with start(base, files_site(www, 'precompressed = ["br", "zstd", "gzip"]')) as server:
        server.www = www
        yield server


# Accept-Encoding (None: not sent), and what is chosen of br, zstd, gzip and the plain file.
CHOICES = [
    (None, "identity"),
    ("", "identity"),
    ("identity", "identity"),
    ("gzip", "gzip"),
    ("GZIP", "gzip"),
    ("x-gzip", "gzip"),
    ("br", "br"),
    ("zstd", "zstd"),
    ("deflate", "identity"),
    ("gzip, br", "br"),
    ("gzip, deflate, br, zstd", "br"),
    ("zstd, gzip", "zstd"),
    ("*", "br"),
    ("gzip;q=1, br;q=0.5", "gzip"),
    ("gzip;q=0.5, br;q=1", "br"),
    ("gzip;q=0.5, br;q=0.5", "br"),
    ("br;q=0, gzip", "gzip"),
    ("br;q=0.000, gzip;q=0.001, identity;q=0", "gzip"),
    ("br;q=0, *", "zstd"),
    ("gzip;q=0", "identity"),
    ("*;q=0, gzip", "gzip"),
    ("*;q=0.5, gzip;q=0.9", "gzip"),
    ("identity;q=1, gzip;q=0.5", "identity"),
    ("identity;q=0.5, gzip;q=0.5", "gzip"),
    ("gzip ; q=0.8 , br ; q=0.2", "gzip"),
    ("gzip;Q=0.8, br;Q=0.9", "br"),
    ("gzip;q=2, br", "br"),
    ("gzip;q=x, br;q=0.1", "br"),
    (",,gzip,,", "gzip"),
    ("gzipped", "identity"),
]


@pytest.mark.parametrize(("value", "chosen"), CHOICES, ids=[str(value) for value, _ in CHOICES])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_choice(tree, value, chosen, method):
    lines = [] if value is None else [f"Accept-Encoding: {value}"]
    with Client(tree) as client:
        answer = client.get("/all.css", *lines, method=method)
        assert answer.status == 200 and answer["Vary"] == "Accept-Encoding"
        assert answer["Content-Type"].startswith("text/css")
        content = PLAIN if chosen == "identity" else FILES[chosen][1]
        assert answer.get("Content-Encoding") == (None if chosen == "identity" else chosen)
        assert answer.length == len(content)
        assert method == "HEAD" or answer.body == content
        client.expect_alive()


def test_the_field_on_two_lines(tree):
    with Client(tree) as client:
        assert client.get("/all.css", "Accept-Encoding: gzip;q=0.5", "Accept-Encoding: br;q=0.1").get("Content-Encoding") == "gzip"


def test_only_what_lies_there(tree):
    with Client(tree) as client:
        assert client.get("/gz.css", "Accept-Encoding: br, gzip").get("Content-Encoding") == "gzip"
        assert client.get("/gz.css", "Accept-Encoding: br, zstd").get("Content-Encoding") is None
        answer = client.get("/none.css", "Accept-Encoding: br, gzip")
        assert answer.get("Content-Encoding") is None and answer.body == PLAIN


def test_a_sidecar_without_its_file_is_no_resource(tree):
    with Client(tree) as client:
        assert client.get("/only.css", "Accept-Encoding: gzip").status == 404


def test_a_sidecar_that_is_no_file_is_ignored(tree):
    with Client(tree) as client:
        answer = client.get("/odd.css", "Accept-Encoding: gzip")
        assert answer.body == PLAIN and answer.get("Content-Encoding") is None


def test_a_sidecar_asked_for_by_name_is_a_file_of_its_own(tree):
    with Client(tree) as client:
        answer = client.get("/gz.css.gz", "Accept-Encoding: gzip")
        assert answer.body == FILES["gzip"][1] and answer.get("Content-Encoding") is None
        assert "gzip" in answer["Content-Type"]


def test_the_index_has_sidecars_too(tree):
    with Client(tree) as client:
        answer = client.get("/docs/", "Accept-Encoding: gzip")
        assert gzip.decompress(answer.body) == b"<p>index" and answer["Content-Type"].startswith("text/html")


def test_each_representation_has_a_tag_of_its_own(tree):
    with Client(tree) as client:
        tags = {client.get("/all.css", f"Accept-Encoding: {coding}")["ETag"] for coding in ("identity", *FILES)}
        assert len(tags) == 4


def test_a_tag_counts_for_its_representation_only(tree):
    with Client(tree) as client:
        gzip_tag = client.get("/all.css", "Accept-Encoding: gzip")["ETag"]
        answer = client.get("/all.css", "Accept-Encoding: gzip", f"If-None-Match: {gzip_tag}")
        assert answer.status == 304 and answer["Vary"] == "Accept-Encoding" and answer["ETag"] == gzip_tag
        assert client.get("/all.css", "Accept-Encoding: br", f"If-None-Match: {gzip_tag}").status == 200
        assert client.get("/all.css", f"If-None-Match: {gzip_tag}").status == 200


def test_ranges_are_of_the_chosen_representation(tree):
    content = FILES["gzip"][1]
    with Client(tree) as client:
        answer = client.get("/all.css", "Accept-Encoding: gzip", "Range: bytes=2-9")
        assert answer.status == 206 and answer.body == content[2:10]
        assert answer["Content-Encoding"] == "gzip" and answer["Content-Range"] == f"bytes 2-9/{len(content)}"
        assert answer["Vary"] == "Accept-Encoding"
        plain_tag = client.get("/all.css")["ETag"]
        mixed = client.get("/all.css", "Accept-Encoding: gzip", "Range: bytes=2-9", f"If-Range: {plain_tag}")
        assert mixed.status == 200 and mixed.body == content


def test_a_404_has_no_coding(tree):
    with Client(tree) as client:
        assert client.get("/missing.css", "Accept-Encoding: gzip").get("Content-Encoding") is None


def test_not_configured_means_not_looked_for(serve, tmp_path):
    (tmp_path / "www").mkdir()
    (tmp_path / "www" / "a.css").write_bytes(PLAIN)
    (tmp_path / "www" / "a.css.gz").write_bytes(b"x")
    with Client(serve(files_site(tmp_path / "www"))) as client:
        answer = client.get("/a.css", "Accept-Encoding: gzip")
        assert answer.body == PLAIN and answer.get("Vary") is None and answer.get("Content-Encoding") is None
