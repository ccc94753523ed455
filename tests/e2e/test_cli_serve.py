"""serve and respond: a server from options alone."""

import http.client
import os
import re
import signal
import socket
import time

import pytest

from lib.server import Server, run
from lib.wait import PATIENCE

ANY_PORT = ["--listen", "http://127.0.0.1:0"]


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "a folder"
    root.mkdir()
    (root / "index.html").write_text("<h1>index</h1>")
    (root / "plain.txt").write_text("plain\n")
    (root / "plain.txt.gz").write_bytes(b"\x1f\x8bzipped")
    (root / ".secret").write_text("hidden\n")
    (root / "sub").mkdir()
    (root / "sub" / "leaf.css").write_text("a{}")
    return root


def test_a_folder_is_served_and_the_address_is_told(folder):
    with Server(["serve", str(folder), *ANY_PORT]) as server:
        first, second = server.stdout.wait_for(r"^(.*)\n(.*)\n").groups()
        assert first == f"Serving {folder.resolve()} on http://127.0.0.1:{server.port}"
        assert "Ctrl-C" in second
        status, fields, body = server.get("/")
        assert (status, body) == (200, b"<h1>index</h1>")
        assert fields["Content-Type"] == "text/html; charset=utf-8"
        assert fields["Cache-Control"] == "no-cache"
        assert server.get("/plain.txt")[2] == b"plain\n"
        assert server.get("/plain.txt", {"Accept-Encoding": "gzip"})[2] == b"\x1f\x8bzipped"
        status, fields, body = server.get("/sub/")
        assert status == 200 and b"leaf.css" in body
        assert server.get("/.secret")[0] == 404
        assert server.get("/absent")[0] == 404
    assert server.stdout.text.count("\n") == 2, "nothing but the greeting"
    assert server.stderr.text == ""


def test_the_working_directory_is_the_default(folder):
    with Server(["serve", *ANY_PORT], cwd=folder / "sub") as server:
        assert server.get("/leaf.css")[2] == b"a{}"


def test_listings_can_be_left_out_and_hidden_names_let_in(folder):
    with Server(["serve", "--no-listing", "--hidden", str(folder), *ANY_PORT]) as server:
        assert server.get("/sub/")[0] in (403, 404)
        assert server.get("/.secret")[2] == b"hidden\n"


def test_an_app_gets_its_index_for_every_path(folder):
    with Server(["serve", "--spa", str(folder), *ANY_PORT]) as server:
        status, _, body = server.get("/some/route/of/the/app")
        assert (status, body) == (200, b"<h1>index</h1>")
        assert server.get("/plain.txt")[2] == b"plain\n"


def test_a_log_line_for_each_exchange_when_asked(folder):
    with Server(["serve", "--log", str(folder), *ANY_PORT]) as server:
        server.get("/plain.txt")
        server.stdout.wait_for(r'^127\.0\.0\.1 - - \[[^\]]+\] "GET /plain\.txt HTTP/1\.1" 200 6 "-" "[^"]*"$')


def test_a_folder_that_is_none_is_refused(folder, tmp_path):
    absent = run("serve", str(tmp_path / "absent"))
    assert absent.returncode == 2 and "there is no directory" in absent.stderr
    file = run("serve", str(folder / "plain.txt"))
    assert file.returncode == 2 and "is not a directory" in file.stderr
    both = run("serve", "--listing", "--no-listing", str(folder))
    assert both.returncode == 2 and "exclude" in both.stderr


def test_a_taken_port_that_was_asked_for_is_an_error_that_names_the_holder(folder):
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        refused = run("serve", str(folder), "--listen", f"http://127.0.0.1:{port}")
        assert refused.returncode == 4
        assert f"127.0.0.1:{port}" in refused.stderr
        assert re.search(r"held by python3?\S* \(pid \d+\)", refused.stderr)


def test_the_usual_port_gives_way_when_it_is_taken(folder):
    # Somebody has 8080 during this test: we, unless another program was first.
    try:
        holder = socket.create_server(("127.0.0.1", 8080))
    except OSError:
        holder = None
    try:
        with Server(["serve", str(folder)]) as server:
            assert 8081 <= server.port <= 8100
            assert server.url == f"http://localhost:{server.port}"
            note = server.stderr.wait_for(r"^port 8080 is taken(?: by .*)?, using (\d+)$")
            assert int(note[1]) == server.port
            connection = http.client.HTTPConnection("localhost", server.port, timeout=10 * PATIENCE)
            connection.request("GET", "/plain.txt")
            assert connection.getresponse().read() == b"plain\n"
            connection.close()
    finally:
        if holder:
            holder.close()


def test_localhost_is_one_port_for_both_families(folder):
    with Server(["serve", str(folder), "--listen", "http://localhost:0"]) as server:
        assert server.urls == [f"http://localhost:{server.port}"]
        hosts = {info[4][0] for info in socket.getaddrinfo("localhost", server.port, type=socket.SOCK_STREAM)}
        for host in hosts:
            socket.create_connection((host, server.port), timeout=10 * PATIENCE).close()


def test_several_listeners_and_a_unix_socket(folder, tmp_path):
    with Server(["serve", str(folder), *ANY_PORT, "--listen", "http://unix:x.sock"], cwd=tmp_path) as server:
        path = tmp_path / "x.sock"
        assert server.urls == [f"http://127.0.0.1:{server.port}", f"http://unix:{path}"]
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(10 * PATIENCE)
            client.connect(str(path))
            client.sendall(b"GET /plain.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            answer = b""
            while piece := client.recv(65536):
                answer += piece
        assert answer.startswith(b"HTTP/1.1 200 ") and answer.endswith(b"plain\n")
    assert not path.exists()


def test_every_address_is_shown_as_localhost(folder):
    with Server(["serve", str(folder), "--listen", "http://:0"]) as server:
        assert server.url == f"http://localhost:{server.port}"
        assert "every other address" in server.stdout.text
        assert server.get("/plain.txt")[0] == 200


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_when_told_or_when_its_terminal_is_gone(folder, number):
    with Server(["serve", str(folder), *ANY_PORT]) as server:
        server.signal(number)
        assert server.wait() == 0


def test_started_with_nohup_it_outlives_its_terminal(folder):
    with Server(["serve", str(folder), *ANY_PORT], wrapper=["nohup"]) as server:
        server.signal(signal.SIGHUP)
        assert server.command("status").returncode == 0  # asked after the signal, on the loop that takes it
        assert server.get("/plain.txt")[0] == 200
        assert server.process.poll() is None


def test_servers_of_one_user_have_a_control_socket_each(folder):
    with Server(["serve", str(folder), *ANY_PORT]) as first:
        with Server(["serve", str(folder), *ANY_PORT], runtime_dir=first.runtime_dir) as second:
            assert first.port != second.port
            for one in (first, second):
                assert one.command("status", "--socket", f"{first.runtime_dir}/admin-{one.pid}.sock").returncode == 0
        assert os.listdir(first.runtime_dir) == [f"admin-{first.pid}.sock"]


def test_one_answer_to_everything():
    with Server(["respond", "Back at ten, maybe", "--status", "503", "--content-type", "text/x-test", *ANY_PORT]) as server:
        for method, target in (("GET", "/"), ("GET", "/a/b?c"), ("POST", "/")):
            status, fields, body = server.request(method, target)
            assert (status, body) == (503, b"Back at ten, maybe")
            assert fields["Content-Type"] == "text/x-test"
        assert server.stdout.text.startswith(f"Answering on http://127.0.0.1:{server.port}\n")


def test_an_answer_that_http_does_not_have_is_refused():
    for words in (["x", "--status", "99"], ["x", "--status", "600"], ["x", "--status", "abc"], ["x", "--status", "204"], ["x", "--content-type", "text"],
                  ["x", "--content-type", "text/x\r\nX-Evil: 1"]):
        refused = run("respond", *words)
        assert refused.returncode == 2, words
    with Server(["respond", "", "--status", "204", *ANY_PORT]) as server:
        assert server.get("/")[0] == 204


def test_it_answers_within_100_ms_of_being_started(folder):
    """Of twenty starts the best counts: the rest tells of the machine's other work."""
    best_s = 1e9
    for _ in range(20):
        with Server(["serve", str(folder), *ANY_PORT]) as server:
            assert server.get("/plain.txt")[0] == 200
            best_s = min(best_s, time.monotonic() - server.started_at)
        if best_s < 0.1:
            break
    crowd = os.getloadavg()[0] / len(os.sched_getaffinity(0))
    if best_s >= 0.1 and crowd > 2:
        pytest.skip(f"{crowd:.0f} programs want each CPU of this machine now; the best start took {best_s * 1000:.0f} ms")
    assert best_s < 0.1 * PATIENCE, f"the best start took {best_s * 1000:.0f} ms"
