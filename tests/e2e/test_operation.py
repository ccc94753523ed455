"""What an operator relies on: logs, the control socket, service managers, shortages, a gentle end."""

import json
import os
import re

import signal
import socket
import stat
import subprocess
import tempfile
from pathlib import Path

from lib.server import Server, binary, environment
from lib.wait import PATIENCE, wait_until

SITE = """
[server]
workers = 1
{server}
[log]
{log}
[[site]]
name = "main"
listen = [{listen}]
  [[site.route]]
  name = "fixed"
  path = "/fixed"
  respond = {{ body = "fixed" }}
  [[site.route]]
  path = "/quiet"
  log = false
  respond = {{ body = "quiet" }}
  [[site.route]]
  path = "/*"
  files = {{ root = "{root}" }}
"""
OFF = 'access = { to = "off" }'


def config(root, listen='"http://127.0.0.1:0"', log=OFF, server=""):
    return SITE.format(root=root, listen=listen, log=log, server=server)


def status_of(server):
    return json.loads(server.command("status", "--json").stdout)


def test_json_lines(tmp_path):
    log = tmp_path / "access.log"
    with Server.from_config(tmp_path, config(tmp_path, log=f'access = {{ to = "{log}", format = "json" }}')) as server:
        server.get("/fixed?q=1", {"User-Agent": 'quote " and \\ back', "Referer": "http://x/\t"})
        server.get("/quiet")
        server.get("/missing")
        lines = wait_until(lambda: (text := log.read_text()).count("\n") >= 2 and [json.loads(line) for line in text.splitlines()],
                           "two lines in the access log")
    first, second = lines
    assert len(lines) == 2  # /quiet is not logged
    assert (first["method"], first["path"], first["status"], first["bytes_out"]) == ("GET", "/fixed?q=1", 200, 5)
    assert first["user_agent"] == 'quote " and \\ back' and first["client_ip"] == "127.0.0.1" and first["proto"] == "HTTP/1.1"
    assert first["site"] == "main" and first["route"] == "fixed" and first["gen"] == 1 and 0 <= first["dur_s"] < 60
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", first["ts"])
    assert second["status"] == 404 and second["reason"]


def test_combined_lines(tmp_path):
    log = tmp_path / "access.log"
    with Server.from_config(tmp_path, config(tmp_path, log=f'access = {{ to = "{log}", format = "combined" }}')) as server:
        server.get("/fixed", {"User-Agent": 'a "b"'})
        line = wait_until(lambda: log.read_text(), "a line in the access log")
    assert re.fullmatch(r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET /fixed HTTP/1\.1" 200 5 "-" "a \\"b\\""\n', line)


def test_a_renamed_log_is_opened_again(tmp_path):
    log, old = tmp_path / "access.log", tmp_path / "access.old"
    with Server.from_config(tmp_path, config(tmp_path, log=f'access = {{ to = "{log}" }}')) as server:
        server.get("/fixed?before")
        wait_until(lambda: "before" in log.read_text(), "the first line")
        log.rename(old)
        server.signal(signal.SIGUSR1)
        wait_until(log.exists, "a new log file")
        server.get("/fixed?after")
        wait_until(lambda: "after" in log.read_text(), "the second line")
        assert "after" not in old.read_text()


def test_rotation_keeps_what_it_says(tmp_path):
    log = tmp_path / "access.log"
    target = f'access = {{ to = {{ path = "{log}", rotate = {{ size = "4k", keep = 2 }} }}, format = "combined" }}'
    with Server.from_config(tmp_path, config(tmp_path, log=target)) as server, server.connect() as sock:
        for number in range(400):
            sock.sendall(f"GET /fixed?{number:080d} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            while not (data := sock.recv(65536)).endswith(b"fixed"):
                assert data
        wait_until(lambda: f"{399:080d}" in log.read_text(), "the last line")
    assert sorted(path.name for path in tmp_path.glob("access.log*")) == ["access.log", "access.log.1", "access.log.2"]
    files = [path.read_text() for path in sorted(tmp_path.glob("access.log*"))]
    assert all(0 < len(text) <= 4096 and text.endswith("\n") for text in files)
    numbers = [int(number) for text in reversed(files) for number in re.findall(r"\?(\d{80}) ", text)]
    assert numbers == list(range(400 - len(numbers), 400))  # in order, none lost between two files


def test_the_control_socket_is_for_its_group_only(tmp_path):
    with Server.from_config(tmp_path, config(tmp_path)) as server:
        mode = (Path(server.runtime_dir) / "admin.sock").stat().st_mode
        assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o660
    assert not (Path(server.runtime_dir) / "admin.sock").exists()


def test_status_says_what_runs(tmp_path):
    with Server.from_config(tmp_path, config(tmp_path, server='poller = "epoll"')) as server, server.connect() as sock:
        for _ in range(3):
            sock.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\n\r\n")
            assert sock.recv(65536).endswith(b"fixed")
        status = wait_until(lambda: (now := status_of(server))["connections"] == 1 and now, "one open connection in status")
    assert status["pid"] == server.pid and status["state"] == "serving"
    assert status["poller"]["name"] == "epoll" and status["poller"]["reason"]
    assert status["requests"] == 3 and len(status["workers"]) == 1 and status["workers"][0]["responses"]["2xx"] == 3
    assert status["config"]["generation"] == 1 and status["config"]["sites"] == 1
    assert status["listeners"][0]["addresses"] == [f"127.0.0.1:{server.port}"]


def test_a_port_in_use_says_who_has_it(tmp_path):
    with Server.from_config(tmp_path, config(tmp_path)) as server:
        with tempfile.TemporaryDirectory(prefix="tg-") as other:
            second = tmp_path / "second.toml"
            second.write_text(config(tmp_path, listen=f'"http://127.0.0.1:{server.port}"'))
            done = subprocess.run([binary(), "run", "--config", str(second)], capture_output=True, text=True, check=False,
                                  timeout=20 * PATIENCE, env=environment({"TIDEGATE_RUNTIME_DIR": other}))
    assert done.returncode == 4
    assert f"127.0.0.1:{server.port}" in done.stderr and f"pid {server.pid}" in done.stderr


def test_a_unix_listener(tmp_path):
    with tempfile.TemporaryDirectory(prefix="tg-") as short:
        path = f"{short}/site.sock"
        with Server.from_config(tmp_path, config(tmp_path, listen=f'"http://unix:{path}"')), socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(10 * PATIENCE)
            sock.connect(path)
            sock.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert b"fixed" in sock.recv(65536)
        assert not os.path.exists(path)


def test_an_inherited_descriptor(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.fileno()
        os.set_inheritable(number, True)
        with Server.from_config(tmp_path, config(tmp_path, listen=f'"fd:{number}"'), pass_fds=(number,)) as server:
            with socket.create_connection(listener.getsockname(), 10 * PATIENCE) as sock:
                sock.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                assert b"fixed" in sock.recv(65536)
            assert server.command("reload").returncode == 0


def test_the_service_manager_is_told(tmp_path):
    with tempfile.TemporaryDirectory(prefix="tg-") as short, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.settimeout(10 * PATIENCE)
        manager.bind(f"{short}/notify")

        def next_message(wanted):
            while not (message := manager.recv(4096).decode()).startswith(wanted):
                pass
            return message

        with Server.from_config(tmp_path, config(tmp_path), env={"NOTIFY_SOCKET": f"{short}/notify"}) as server:
            next_message("READY=1")
            assert server.command("reload").returncode == 0
            assert "MONOTONIC_USEC=" in next_message("RELOADING=1")
            next_message("READY=1")
        next_message("STOPPING=1")


def test_a_stop_lets_a_download_end(tmp_path):
    content = os.urandom(1 << 20) * 24
    (tmp_path / "big.bin").write_bytes(content)
    with Server.from_config(tmp_path, config(tmp_path)) as server, server.connect(30) as sock:
        sock.sendall(b"GET /big.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        got = sock.recv(65536)
        server.signal(signal.SIGTERM)
        wait_until(lambda: "stopping" in server.stderr.text, "the server to say that it stops")
        while data := sock.recv(1 << 20):
            got += data
        assert got.partition(b"\r\n\r\n")[2] == content
        assert server.wait() == 0


def test_without_descriptors_accepting_pauses_and_resumes(tmp_path):
    limit = 96

    # A wrapper lowers the limit, then becomes the server.
    wrapper = tmp_path / "few.py"
    wrapper.write_text("import os,resource,sys\n"
                       f"resource.setrlimit(resource.RLIMIT_NOFILE, ({limit}, {limit}))\n"
                       "os.execv(sys.argv[1], sys.argv[1:])\n")
    path = tmp_path / "tidegate.toml"
    path.write_text(config(tmp_path, server="") + "\n[limits]\nconnections = 1000\n")
    with tempfile.TemporaryDirectory(prefix="tg-") as runtime:
        process = subprocess.Popen(["/usr/bin/python3", str(wrapper), binary(), "run", "--config", str(path)],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=environment({"TIDEGATE_RUNTIME_DIR": runtime}))
        try:
            line = ""
            while not (match := re.search(r"http://127\.0\.0\.1:(\d+)", line)):
                line = process.stdout.readline()
                assert line, "the server ended"
            address = ("127.0.0.1", int(match[1]))
            open_sockets = [socket.create_connection(address, 10 * PATIENCE) for _ in range(limit + 40)]
            first = open_sockets[0]
            for _ in range(3):  # established connections go on
                first.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\n\r\n")
                assert first.recv(65536).endswith(b"fixed")
            for sock in open_sockets[1:]:
                sock.close()
            with socket.create_connection(address, 10 * PATIENCE) as fresh:  # and accepting resumes
                fresh.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                assert fresh.recv(65536).endswith(b"fixed")
            first.close()
        finally:
            process.terminate()
            rest = process.communicate(timeout=20 * PATIENCE)[0]
    assert process.returncode == 0, rest
    assert rest.count("accepting pauses") == 1
