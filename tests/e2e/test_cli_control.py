"""status, reload and stop: a running server, asked and told."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading

import pytest

from lib.server import Server, binary, environment, run
from lib.wait import PATIENCE, wait_until

SITE = """
[server]
shutdown_timeout = "60s"
[[site]]
name = "main"
listen = ["http://127.0.0.1:0"]
[[site.route]]
path = "/ping"
respond = {{ body = "{body}" }}
[[site.route]]
path = "/*"
files = {{ root = "{root}" }}
"""


@pytest.fixture
def server(tmp_path):
    (tmp_path / "big").write_bytes(b"")
    os.truncate(tmp_path / "big", 64 << 20)
    with Server.from_config(tmp_path, SITE.format(body="one", root=tmp_path)) as running:
        yield running


class Download:
    """A client that has begun a large answer and does not read on."""

    def __init__(self, server: Server):
        self.socket = server.connect(30)
        self.socket.sendall(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
        assert self.socket.recv(1024).startswith(b"HTTP/1.1 200 ")

    def read_to_end(self) -> int:
        size = 0
        while piece := self.socket.recv(1 << 20):
            size += len(piece)
        return size

    def close(self):
        self.socket.close()


def test_status_says_what_a_tired_person_wants_to_know(server):
    for _ in range(3):
        server.get("/ping")
    asked = server.command("status")
    assert asked.returncode == 0 and asked.stderr == ""
    text = asked.stdout
    assert re.match(rf"Tidegate \S+ is serving, up \d+ s, pid {server.pid}\n", text)
    assert f"{server.config}, generation 1, 1 site" in text
    assert f"http://127.0.0.1:0  (127.0.0.1:{server.port})" in text
    assert re.search(r"^  poller +(io_uring|epoll|libevent): \S", text, re.M)
    assert re.search(r"^  requests +3$", text, re.M)
    assert re.search(r"^  worker +open +accepted +requests ", text, re.M)
    assert re.search(r"^  access log +no line dropped$", text, re.M)
    assert "needs attention" not in text


def test_status_as_json_is_what_the_server_says(server):
    server.get("/ping")
    asked = server.command("status", "--json")
    assert asked.returncode == 0
    status = json.loads(asked.stdout)
    assert status["pid"] == server.pid and status["state"] == "serving" and status["requests"] == 1
    assert status["config"] == {"path": str(server.config), "generation": 1, "sites": 1, "reloads": 0, "last_reload_error": ""}
    assert len(status["workers"]) >= 1 and status["poller"]["name"]


def test_reload_puts_the_new_configuration_in_force(server, tmp_path):
    connection = server.connect()
    connection.sendall(b"GET /ping HTTP/1.1\r\nHost: x\r\n\r\n")
    assert connection.recv(4096).endswith(b"one")
    server.config.write_text(SITE.format(body="two", root=tmp_path))
    done = server.command("reload")
    assert (done.returncode, done.stdout, done.stderr) == (0, "generation 2 is in force\n", "")
    connection.sendall(b"GET /ping HTTP/1.1\r\nHost: x\r\n\r\n")  # the connection lives on
    assert connection.recv(4096).endswith(b"two")
    connection.close()
    answer = json.loads(server.command("reload", "--json").stdout)
    assert answer["ok"] is True and answer["generation"] == 3


def test_a_refused_reload_changes_nothing_and_says_why(server, tmp_path):
    server.config.write_text(SITE.format(body="two", root=tmp_path) + '\nunknown = 1\npathh = "/x"\n')
    refused = server.command("reload")
    assert refused.returncode == 3 and refused.stdout == ""
    assert "reload refused, generation 1 stays in force" in refused.stderr
    assert len(re.findall(r"tidegate\.toml:\d+:\d+: error: ", refused.stderr)) >= 2
    assert server.get("/ping")[2] == b"one"
    as_json = server.command("reload", "--json")
    assert as_json.returncode == 3
    answer = json.loads(as_json.stdout)
    assert answer["ok"] is False and answer["generation"] == 1 and "unknown" in answer["errors"]
    status = server.command("status").stdout
    assert "needs attention" in status and "the last reload was refused" in status and "unknown" in status
    server.config.write_text(SITE.format(body="three", root=tmp_path))
    assert server.command("reload").returncode == 0
    assert "needs attention" not in server.command("status").stdout


def test_a_reload_that_cannot_listen_is_exit_code_4(server, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as holder:
        taken = f"127.0.0.1:{holder.getsockname()[1]}"
        server.config.write_text(SITE.format(body="two", root=tmp_path).replace('["http://127.0.0.1:0"]', f'["http://127.0.0.1:0", "http://{taken}"]'))
        refused = server.command("reload")
    assert refused.returncode == 4
    assert taken in refused.stderr
    assert server.get("/ping")[2] == b"one"


def test_a_changed_control_socket_waits_for_the_next_start(server, tmp_path):
    server.config.write_text(f'admin = {{ listen = ["unix:{tmp_path}/new.sock"] }}\n' + SITE.format(body="two", root=tmp_path))
    done = server.command("reload")
    assert done.returncode == 0
    assert "warning: the control socket stays where it is" in done.stderr


def test_stop_returns_when_the_process_is_gone(server):
    done = server.command("stop")
    assert done.returncode == 0
    assert re.fullmatch(rf"stopped \(pid {server.pid}, after \d+\.\d s\)\n", done.stdout)
    assert server.process.poll() == 0, "it was gone before the command returned"
    assert server.command("status").returncode == 6


def test_stop_as_json(server):
    answer = json.loads(server.command("stop", "--json").stdout)
    assert answer["ok"] is True and answer["pid"] == server.pid and answer["waited_ms"] >= 0
    assert server.wait() == 0


def test_stop_lets_a_download_finish(server):
    download = Download(server)
    command = subprocess.Popen([binary(), "stop"], env=environment({"TIDEGATE_RUNTIME_DIR": server.runtime_dir}), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: json.loads(server.command("status", "--json").stdout)["state"] == "stopping", "the server to stop")
    assert command.poll() is None, "the command waits"
    with pytest.raises(OSError):
        server.connect().close()  # no new connections
    size: list[int] = []
    reader = threading.Thread(target=lambda: size.append(download.read_to_end()), daemon=True)
    reader.start()
    out, _ = command.communicate(timeout=30 * PATIENCE)
    assert command.returncode == 0 and out.startswith(b"stopped")
    reader.join(10 * PATIENCE)
    assert size and size[0] > 63 << 20
    download.close()
    assert server.wait() == 0


def test_stop_gives_up_waiting_and_now_ends_all(server):
    download = Download(server)
    tired = server.command("stop", "--timeout", "300ms")
    assert tired.returncode == 1
    assert "still there after 300ms" in tired.stderr and "--now" in tired.stderr
    assert server.process.poll() is None
    assert server.command("stop", "--now").returncode == 0
    assert server.process.poll() == 0
    download.close()


def test_a_wrong_timeout_is_a_mistake(server):
    assert server.command("stop", "--timeout", "10").returncode == 2
    assert server.process.poll() is None


def test_no_server_is_exit_code_6(tmp_path):
    env = {"TIDEGATE_RUNTIME_DIR": str(tmp_path)}
    for command in ("status", "reload", "stop"):
        missing = run(command, env=env)
        assert missing.returncode == 6 and missing.stdout == ""
        assert f"no running server at {tmp_path}/admin.sock: there is no such socket" in missing.stderr
        answer = json.loads(run(command, "--json", env=env).stdout)
        assert answer["exit_code"] == 6 and "no running server" in answer["error"]
    assert run("status", "--socket", str(tmp_path / "x.sock")).returncode == 6


def test_a_socket_that_nobody_listens_on_any_more(tmp_path):
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "admin.sock"))
    dead = run("status", env={"TIDEGATE_RUNTIME_DIR": str(tmp_path)})
    assert dead.returncode == 6 and "nobody listens there any more" in dead.stderr


def test_another_program_at_the_socket(tmp_path):
    path = tmp_path / "admin.sock"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen()
        other.settimeout(20 * PATIENCE)

        def answer():
            for reply in (b"220 mail.example ESMTP\r\n", b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", b""):
                with other.accept()[0] as client:
                    client.recv(4096)
                    client.sendall(reply)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        no_http = run("status", "--socket", str(path))
        assert no_http.returncode == 6 and "does not speak HTTP" in no_http.stderr
        odd = run("status", "--socket", str(path))
        assert odd.returncode == 1 and "answered with status 404" in odd.stderr
        silent = run("status", "--socket", str(path))
        assert silent.returncode == 6
        thread.join(10)


@pytest.mark.skipif("os.geteuid() == 0", reason="root may open every socket")
def test_a_forbidden_socket_is_exit_code_5(server):
    os.chmod(f"{server.runtime_dir}/admin.sock", 0)
    refused = server.command("status")
    assert refused.returncode == 5 and "permission denied" in refused.stderr


@pytest.mark.skipif("os.geteuid() != 0", reason="only root can become another user")
def test_another_user_is_refused_with_exit_code_5(server):
    os.chmod(server.runtime_dir, 0o755)
    # The other user may not be able to reach the build, which can lie in a home directory.
    reachable = shutil.copy(binary(), f"{server.runtime_dir}/tidegate")
    done = subprocess.run([reachable, "status"], env=server.env, user=65534, group=65534, extra_groups=[], capture_output=True,
                          timeout=20 * PATIENCE, check=False, cwd="/")
    assert done.returncode == 5, done.stderr
    assert b"permission denied" in done.stderr


def test_the_only_other_server_is_found_and_several_are_listed(tmp_path):
    serve = ["serve", str(tmp_path), "--listen", "http://127.0.0.1:0"]
    with Server.from_config(tmp_path, SITE.format(body="one", root=tmp_path)) as first:
        with Server(serve, runtime_dir=first.runtime_dir) as second, Server(serve, runtime_dir=first.runtime_dir) as third:
            assert json.loads(first.command("status", "--json").stdout)["pid"] == first.pid, "the one with the usual socket"
            assert first.command("stop").returncode == 0
            several = second.command("status")
            assert several.returncode == 2
            for one in (second, third):
                assert f"--socket {first.runtime_dir}/admin-{one.pid}.sock   pid {one.pid}, 127.0.0.1:{one.port}" in several.stderr
            third.signal(signal.SIGTERM)
            assert third.wait() == 0
            assert json.loads(second.command("status", "--json").stdout)["pid"] == second.pid
