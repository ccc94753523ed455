"""Files that change: seen within about a second, and never two versions in one response that looks complete."""

import itertools
import os
import shutil
import time
from typing import NamedTuple

import pytest

from lib.http1 import Client, Ended, request
from lib.wait import PATIENCE, wait_until
from protocol.site import files_site, pattern

POLLERS = ["epoll", "io_uring", "libevent"]
BIG = 8 << 20
NAMES = itertools.count()
SEEN_S = 3.0 * PATIENCE  # "within about a second" on a loaded machine


@pytest.fixture(scope="module", params=POLLERS)
def tree(request, tmp_path_factory):
    from protocol.conftest import start  # noqa: PLC0415

    base = tmp_path_factory.mktemp(f"changes-{request.param}")
    (base / "www").mkdir()
    with start(base, files_site(base / "www"), request.param) as server:
        server.www = base / "www"
        yield server


def becomes(client: Client, target: str, body: bytes | None, status: int = 200) -> None:
    """The new state is seen soon; until then only the old one, whole."""
    began = time.monotonic()
    while True:
        answer = client.get(target)
        as_wanted = answer.status == status and (body is None or answer.body == body)
        if as_wanted:
            return
        assert time.monotonic() - began < SEEN_S, f"still {answer.status} {answer.body[:80]!r}"


def settle(client: Client, target: str) -> None:
    """The file has been served a few times, so that it is in whatever caches there are."""
    for _ in range(3):
        assert client.get(target).status == 200


@pytest.mark.parametrize("size", [20, 5000, 1 << 20])
def test_rewritten_in_place(tree, size):
    path = tree.www / f"in-place-{size}"
    path.write_bytes(b"a" * size)
    with Client(tree) as client:
        settle(client, f"/{path.name}")
        tag = client.get(f"/{path.name}")["ETag"]
        path.write_bytes(b"b" * size)
        becomes(client, f"/{path.name}", b"b" * size)
        answer = client.get(f"/{path.name}", f"If-None-Match: {tag}")
        assert answer.status == 200 and answer["ETag"] != tag


@pytest.mark.parametrize("size", [20, 1 << 20])
def test_replaced_by_rename(tree, size):
    path = tree.www / f"renamed-{size}"
    path.write_bytes(b"a" * size)
    with Client(tree) as client:
        settle(client, f"/{path.name}")
        (tree.www / "next").write_bytes(b"b" * size)
        os.rename(tree.www / "next", path)
        becomes(client, f"/{path.name}", b"b" * size)


def test_replaced_with_the_same_time_and_size(tree):
    """A copy that keeps the time: another inode, another change time."""
    path = tree.www / "same"
    path.write_bytes(b"old one")
    os.utime(path, (1_000_000_000, 1_000_000_000))
    with Client(tree) as client:
        settle(client, "/same")
        (tree.www / "next").write_bytes(b"new one")
        os.utime(tree.www / "next", (1_000_000_000, 1_000_000_000))
        os.rename(tree.www / "next", path)
        becomes(client, "/same", b"new one")


def test_grows_and_shrinks(tree):
    path = tree.www / "grows"
    path.write_bytes(b"a")
    with Client(tree) as client:
        for size in (10, 5, 100_000, 3, 0, 2_000_000, 7):
            path.write_bytes(pattern(size))
            becomes(client, "/grows", pattern(size))


def test_removed_and_back(tree):
    path = tree.www / "comes-and-goes"
    with Client(tree) as client:
        assert client.get(f"/{path.name}").status == 404
        path.write_text("here")
        becomes(client, f"/{path.name}", b"here")
        path.unlink()
        becomes(client, f"/{path.name}", None, 404)
        path.write_text("again")
        becomes(client, f"/{path.name}", b"again")


def test_a_file_becomes_a_directory(tree):
    path = tree.www / "changes-kind"
    path.write_text("file")
    with Client(tree) as client:
        settle(client, "/changes-kind")
        path.unlink()
        path.mkdir()
        (path / "index.html").write_text("<p>dir")
        becomes(client, "/changes-kind", None, 301)
        assert client.get("/changes-kind/").body == b"<p>dir"
        shutil.rmtree(path)
        path.write_text("file again")
        becomes(client, "/changes-kind", b"file again")
        becomes(client, "/changes-kind/", None, 404)


def test_a_link_that_is_turned(tree):
    for name in ("v1", "v2"):
        (tree.www / name).mkdir()
        (tree.www / name / "x.txt").write_text(name)
    link = tree.www / "current"
    link.symlink_to("v1")
    with Client(tree) as client:
        becomes(client, "/current/x.txt", b"v1")
        (tree.www / "next").symlink_to("v2")
        os.rename(tree.www / "next", link)
        becomes(client, "/current/x.txt", b"v2")


def test_a_link_that_is_turned_out_of_the_root(tree):
    """What was allowed when it was cached is not served when it leads outside."""
    (tree.www.parent / "outside.txt").write_text("SECRET")
    (tree.www / "inside.txt").write_text("inside")
    link = tree.www / "turned"
    link.symlink_to("inside.txt")
    with Client(tree) as client:
        settle(client, "/turned")
        link.unlink()
        link.symlink_to("../outside.txt")
        becomes(client, "/turned", None, 404)


def test_an_index_that_appears(tree):
    (tree.www / "site").mkdir()
    with Client(tree) as client:
        assert client.get("/site/").status == 403
        (tree.www / "site" / "index.html").write_text("<p>new")
        becomes(client, "/site/", b"<p>new")
        (tree.www / "site" / "index.html").unlink()
        becomes(client, "/site/", None, 403)


def test_a_sidecar_that_appears_and_goes(serve, tmp_path):
    www = tmp_path / "www"
    www.mkdir()
    (www / "a.css").write_bytes(b"plain")
    with Client(serve(files_site(www, 'precompressed = ["gzip"]'))) as client:
        def chosen() -> str | None:
            return client.get("/a.css", "Accept-Encoding: gzip").get("Content-Encoding")

        assert chosen() is None
        (www / "a.css.gz").write_bytes(b"zipped")
        wait_until(lambda: chosen() == "gzip", "the sidecar to be used", SEEN_S)
        (www / "a.css.gz").unlink()
        wait_until(lambda: chosen() is None, "the sidecar to be forgotten", SEEN_S)


def test_the_root_is_deleted_and_made_again(serve, tmp_path):
    www = tmp_path / "www"
    www.mkdir()
    (www / "a.txt").write_text("one")
    with Client(serve(files_site(www))) as client:
        settle(client, "/a.txt")
        shutil.rmtree(www)
        becomes(client, "/a.txt", None, 404)
        www.mkdir()
        (www / "a.txt").write_text("two")
        becomes(client, "/a.txt", b"two")
        os.rename(www, tmp_path / "away")  # deployed by a rename of the directory
        www.mkdir()
        (www / "a.txt").write_text("three")
        becomes(client, "/a.txt", b"three")


# While it is being sent.

def half_read(tree, path, keep_reading: int = 200_000) -> tuple[Client, object, bytes]:
    """A client that has begun to read a large file through a small window."""
    client = Client(tree, receive_buffer=65536)
    client.send(request(f"/{path.name}"))
    head = client.head()
    assert head.status == 200 and head.length == BIG
    return client, head, client.take(keep_reading)


class Outcome(NamedTuple):
    """How a response ended. Large contents are compared here, since pytest would explain each difference for minutes."""

    complete: bool  # it looks whole: as many bytes as announced
    old: bool  # its bytes are those of the old version, as far as they go
    size: int


def finish(client: Client, received: bytes, size: int, offset: int = 0) -> Outcome:
    """Reads to the end. `offset` is where the response begins in the file."""
    pieces = [received]
    complete = True
    try:
        for data in client.stream(size - len(received)):
            pieces.append(data)
    except Ended:
        complete = False
    data = b"".join(pieces)
    return Outcome(complete, pattern(BIG)[offset:].startswith(data), len(data))


@pytest.fixture
def big(tree):
    # A name of its own: for a second the server may serve what it has open of a name, also after it was replaced.
    path = tree.www / f"big-{next(NAMES)}.bin"
    path.write_bytes(pattern(BIG))
    yield path
    path.unlink(missing_ok=True)


def test_replaced_while_it_is_sent(tree, big):
    """The open file goes on: the old version to its end."""
    client, _, first = half_read(tree, big)
    with client:
        (tree.www / "next").write_bytes(b"b" * BIG)
        os.rename(tree.www / "next", big)
        outcome = finish(client, first, BIG)
        assert outcome.old and outcome.complete
        client.expect_alive()


def test_removed_while_it_is_sent(tree, big):
    client, _, first = half_read(tree, big)
    with client:
        big.unlink()
        outcome = finish(client, first, BIG)
        assert outcome.old and outcome.complete
        client.expect_alive()


@pytest.mark.parametrize("left", [0, 100_000, BIG // 2, BIG - 1])
def test_truncated_while_it_is_sent(tree, big, left):
    """Content-Length is a promise that cannot be kept: the connection is cut, and nothing is invented."""
    client, _, first = half_read(tree, big)
    with client:
        os.truncate(big, left)
        outcome = finish(client, first, BIG)
        assert not outcome.complete or (outcome.old and left > BIG // 2)  # all of it may have been sent before
        # The kernel clears the rest of a page that a truncation cuts, also in packets that wait to be sent.
        assert outcome.old or left % 4096 != 0
    with Client(tree) as other:
        other.expect_alive()


def test_truncated_and_extended_while_it_is_sent(tree, big):
    """The size is the old one, the content is not."""
    client, _, first = half_read(tree, big)
    with client:
        os.truncate(big, 0)
        os.truncate(big, BIG)
        assert not finish(client, first, BIG).complete


def test_grown_while_it_is_sent(tree, big):
    client, _, first = half_read(tree, big)
    with client:
        with open(big, "ab") as file:
            file.write(b"more" * 100_000)
        outcome = finish(client, first, BIG)
        assert outcome.old  # nothing of what was promised has changed
        if outcome.complete:
            client.expect_alive()  # fails if there is more than was promised


def test_rewritten_in_place_while_it_is_sent(tree, big):
    client, _, first = half_read(tree, big)
    with client:
        with open(big, "r+b") as file:
            file.write(b"b" * BIG)
        outcome = finish(client, first, BIG)
        assert outcome.old or not outcome.complete, "a mixture looks complete"


def test_the_end_rewritten_in_place_while_it_is_sent(tree, big):
    client, _, first = half_read(tree, big)
    with client:
        with open(big, "r+b") as file:
            file.seek(BIG - 1000)
            file.write(b"b" * 1000)
        outcome = finish(client, first, BIG)
        assert outcome.old or not outcome.complete, "a mixture looks complete"


def test_a_range_of_a_file_that_is_rewritten(tree, big):
    client = Client(tree, receive_buffer=65536)
    with client:
        client.send(request(f"/{big.name}", f"Range: bytes=1000-{BIG - 1001}"))
        head = client.head()
        first = client.take(100_000)
        with open(big, "r+b") as file:
            file.write(b"b" * BIG)
        outcome = finish(client, first, head.length, 1000)
        assert outcome.old or not outcome.complete


@pytest.mark.parametrize("size", [1000, 60_000, 300_000])
def test_rewritten_again_and_again(tree, size):
    """Each answer is one of the versions, whole, whatever the moment: written in place, always of the same size."""
    path = tree.www / "busy"
    versions = [bytes([65 + i]) * size for i in range(8)]
    path.write_bytes(versions[0])
    mixed = cut = whole = 0
    with Client(tree) as writer_side:
        writer_side.expect_alive()
    for turn in range(60):
        with Client(tree) as client:
            client.send(request("/busy"))
            with open(path, "r+b") as file:
                file.write(versions[turn % 8])
            try:
                body = client.response().body
            except Ended:
                cut += 1
                continue
            whole += 1
            mixed += len(set(body)) != 1
    assert whole > 0 and mixed == 0, (whole, cut, mixed)
