"""Reload as a transaction: under load, with errors, with listeners that come and go."""

import http.client
import json
import signal
import socket
import threading

import pytest
from lib.server import Server
from lib.wait import PATIENCE, wait_until

CONNECTIONS = 64
RELOADS = 100

SITE = """
[server]
workers = 2
{server}
[log]
access = {{ to = "off" }}
[[site]]
name = "main"
listen = [{listen}]
  [[site.route]]
  path = "/fixed"
  respond = {{ body = "{body}" }}
  [[site.route]]
  path = "/*"
  files = {{ root = "{root}" }}
"""


def config(root, body="one", listen='"http://127.0.0.1:0"', server=""):
    return SITE.format(root=root, body=body, listen=listen, server=server)


class Client(threading.Thread):
    """One keep-alive connection that asks again and again and counts what goes wrong."""

    def __init__(self, address, content):
        super().__init__(daemon=True)
        self.address, self.content = address, content
        self.stop = threading.Event()
        self.requests, self.problems, self.generations = 0, [], set()

    def run(self):
        connection = http.client.HTTPConnection(*self.address, timeout=20 * PATIENCE)
        try:
            connection.connect()
            first = connection.sock
            while not self.stop.is_set():
                for target in ("/fixed", "/file.bin"):
                    connection.request("GET", target)
                    response = connection.getresponse()
                    body = response.read()
                    self.requests += 1
                    if response.status != 200:
                        self.problems.append(f"{target}: status {response.status}")
                    elif target == "/fixed":
                        self.generations.add(body.decode())
                    elif body != self.content:
                        self.problems.append(f"{target}: {len(body)} wrong bytes")
                if connection.sock is not first:
                    self.problems.append("the connection was closed between two requests")
                    first = connection.sock
        except (OSError, http.client.HTTPException) as error:
            self.problems.append(repr(error))
        finally:
            connection.close()


def test_a_hundred_reloads_under_load_lose_nothing(tmp_path):
    root = tmp_path / "root"
    root.mkdir()
    content = bytes(range(256)) * 300
    (root / "file.bin").write_bytes(content)
    with Server.from_config(tmp_path, config(root)) as server:
        clients = [Client(server.address, content) for _ in range(CONNECTIONS)]
        for client in clients:
            client.start()
        for number in range(RELOADS):
            server.config.write_text(config(root, body=f"body {number}"))
            done = server.command("reload", "--json")
            assert done.returncode == 0, done.stdout + done.stderr
            assert json.loads(done.stdout)["generation"] == number + 2
        status, _, body = server.get("/fixed")
        assert (status, body) == (200, f"body {RELOADS - 1}".encode())
        for client in clients:
            client.stop.set()
        for client in clients:
            client.join(30 * PATIENCE)
        assert [problem for client in clients for problem in client.problems] == []
        assert all(client.requests > 0 for client in clients)
        # Each connection lived through reloads: it saw more than one generation.
        assert all(len(client.generations) > 1 for client in clients)


def test_a_bad_file_leaves_everything_running(tmp_path):
    with Server.from_config(tmp_path, config(tmp_path)) as server, server.connect() as kept:
        server.config.write_text(config(tmp_path, body="two") + "\n[nonsense]\nx = 1\n")
        done = server.command("reload")
        assert done.returncode == 3
        assert "nonsense" in done.stdout + done.stderr and "tidegate.toml" in done.stdout + done.stderr
        kept.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\n\r\n")
        assert kept.recv(65536).endswith(b"\r\n\r\none")
        status = json.loads(server.command("status", "--json").stdout)
        assert status["config"]["generation"] == 1 and "nonsense" in status["config"]["last_reload_error"]
        server.config.write_text(config(tmp_path, body="three"))
        assert server.command("reload").returncode == 0
        assert server.get("/fixed")[2] == b"three"
        assert json.loads(server.command("status", "--json").stdout)["config"]["last_reload_error"] == ""


def test_a_hangup_reloads(tmp_path):
    with Server.from_config(tmp_path, config(tmp_path)) as server:
        server.config.write_text(config(tmp_path, body="after"))
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: server.get("/fixed")[2] == b"after", "the new generation answers")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_listeners_come_and_go(tmp_path):
    first, second = free_port(), free_port()
    one = config(tmp_path, listen=f'"http://127.0.0.1:{first}"')
    both = config(tmp_path, listen=f'"http://127.0.0.1:{first}", "http://127.0.0.1:{second}"')
    other = config(tmp_path, listen=f'"http://127.0.0.1:{second}"')
    with Server.from_config(tmp_path, one) as server, socket.create_connection(("127.0.0.1", first), 10) as kept:
        server.config.write_text(both)
        assert server.command("reload").returncode == 0
        with socket.create_connection(("127.0.0.1", second), 10) as fresh:
            fresh.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert fresh.recv(65536).endswith(b"one")
        kept.sendall(b"GET /fixed HTTP/1.1\r\nHost: x\r\n\r\n")  # its listener is still there
        assert kept.recv(65536).endswith(b"one")
        server.config.write_text(other)
        assert server.command("reload").returncode == 0
        kept.settimeout(10 * PATIENCE)
        assert kept.recv(65536) == b""  # idle, and its listener is gone
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", first), 10)


def test_an_address_that_is_taken_refuses_the_reload(tmp_path):
    with Server.from_config(tmp_path, config(tmp_path)) as server, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        server.config.write_text(config(tmp_path, body="two", listen=f'"http://127.0.0.1:0", "http://127.0.0.1:{port}"'))
        done = server.command("reload")
        assert done.returncode != 0
        text = done.stdout + done.stderr
        assert str(port) in text and "in use" in text and "pid" in text
        assert server.get("/fixed")[2] == b"one"
