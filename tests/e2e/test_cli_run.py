"""run: the server with a configuration file, and without one."""

import json
import signal
import socket

import pytest

from lib.server import Server, run

PONG = """
[[site]]
listen = ["http://127.0.0.1:0"]
[[site.route]]
path = "/ping"
respond = { body = "pong\\n" }
"""


@pytest.fixture
def nowhere(tmp_path):
    """An environment in which no configuration is found."""
    home = tmp_path / "home"
    home.mkdir()
    return {"HOME": str(home), "XDG_CONFIG_HOME": None}


def no_system_file():
    from pathlib import Path
    return not Path("/etc/tidegate/tidegate.toml").exists()


without_system_file = pytest.mark.skipif("not no_system_file()", reason="this machine has a configuration of its own")


def test_a_configuration_is_run_and_its_addresses_are_told(tmp_path):
    with Server.from_config(tmp_path, PONG) as server:
        assert server.get("/ping")[2] == b"pong\n"
        assert server.get("/else")[0] == 404
        # The access log has standard output for itself.
        text = server.stderr.wait_for(r"^Tidegate \S+ runs (\S+)\n  (http://127\.0\.0\.1:\d+)$")
        assert text[1] == str(tmp_path / "tidegate.toml")
        server.stdout.wait_for("/else")
    lines = server.stdout.text.splitlines()
    # Each worker has a queue of its own: lines of two connections may change places.
    assert sorted(json.loads(line)["path"] for line in lines) == ["/else", "/ping"]


def test_addresses_go_to_standard_output_when_the_log_goes_elsewhere(tmp_path):
    config = f'log = {{ access = {{ to = "{tmp_path}/access.log" }} }}\n' + PONG
    with Server.from_config(tmp_path, config) as server:
        server.stdout.wait_for(rf"^  {server.url}$")
        server.get("/ping")
    assert "/ping" in (tmp_path / "access.log").read_text()


def test_a_relative_file_is_found_from_the_working_directory(tmp_path):
    (tmp_path / "site.toml").write_text(PONG)
    with Server(["run", "-c", "site.toml"], cwd=tmp_path) as server:
        assert server.get("/ping")[0] == 200
        assert json.loads(server.command("status", "--json").stdout)["config"]["path"] == str(tmp_path / "site.toml")


@without_system_file
def test_the_users_file_is_run_when_none_is_named(tmp_path, nowhere):
    directory = tmp_path / "home" / ".config" / "tidegate"
    directory.mkdir(parents=True)
    (directory / "tidegate.toml").write_text(PONG)
    with Server(["run"], env=nowhere) as server:
        assert server.get("/ping")[2] == b"pong\n"


@without_system_file
def test_the_welcome_page_when_there_is_no_configuration(nowhere):
    with Server(["run"], env=nowhere) as server:
        # The port is 8080, or the next free one.
        assert server.address[0] == "127.0.0.1" and 8080 <= server.port <= 8100
        text = server.stdout.text
        assert "No configuration was found" in text and f"\nhttp://127.0.0.1:{server.port}\n" in text
        status, fields, body = server.get("/")
        assert status == 200 and b"Tidegate is running" in body
        assert fields["Content-Type"].startswith("text/html")
        assert "default-src 'none'" in fields["Content-Security-Policy"]
        assert server.get("/favicon.ico")[0] == 404


@pytest.mark.parametrize("text, place", [
    ('[[site]]\nlisten = ["http://127.0.0.1:0"]\nroots = "x"\n', ":3:1: error:"),
    ('[server\n', ":1:8: error:"),
    ('admin = { listen = ["http://127.0.0.1:0"] }\n', ":1:21: error:"),
])
def test_a_configuration_with_errors_is_not_run(tmp_path, text, place):
    path = tmp_path / "bad.toml"
    path.write_text(text)
    refused = run("run", "--config", str(path), env={"TIDEGATE_RUNTIME_DIR": str(tmp_path / "r")})
    assert refused.returncode == 3
    assert f"{path}{place}" in refused.stderr


def test_a_file_that_is_not_there_is_named(tmp_path):
    refused = run("run", "--config", str(tmp_path / "absent.toml"), env={"TIDEGATE_RUNTIME_DIR": str(tmp_path / "r")})
    assert refused.returncode == 3
    assert "absent.toml" in refused.stderr


def test_a_taken_address_is_exit_code_4(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        path = tmp_path / "taken.toml"
        path.write_text(PONG.replace("127.0.0.1:0", f"127.0.0.1:{port}"))
        refused = run("run", "--config", str(path), env={"TIDEGATE_RUNTIME_DIR": str(tmp_path / "r")})
    assert refused.returncode == 4
    assert f"127.0.0.1:{port}" in refused.stderr and "python3" in refused.stderr


def test_a_control_socket_that_cannot_be_made_is_exit_code_5(tmp_path):
    path = tmp_path / "site.toml"
    path.write_text(PONG)
    (tmp_path / "file").write_text("")
    for words, env in ((["--socket", str(tmp_path / "absent" / "x.sock")], {}), ([], {"TIDEGATE_RUNTIME_DIR": str(tmp_path / "file")})):
        refused = run("run", "--config", str(path), *words, env=env)
        assert refused.returncode == 5, refused.stderr
        assert "control socket" in refused.stderr or "runtime directory" in refused.stderr


def test_serve_is_not_in_the_way(tmp_path):
    with Server(["serve", str(tmp_path), "--listen", "http://127.0.0.1:0"]) as dev:
        with Server.from_config(tmp_path, PONG, runtime_dir=dev.runtime_dir) as server:
            assert json.loads(server.command("status", "--json").stdout)["pid"] == server.pid
        assert json.loads(dev.command("status", "--json").stdout)["pid"] == dev.pid


def test_two_servers_do_not_share_a_control_socket(tmp_path):
    with Server.from_config(tmp_path, PONG) as first:
        second = run("run", "--config", str(first.config), env={"TIDEGATE_RUNTIME_DIR": first.runtime_dir})
        assert second.returncode == 4
        assert "another server is running" in second.stderr
        other = f"{first.runtime_dir}/other.sock"
        with Server(["run", "--config", str(first.config), "--socket", other], runtime_dir=first.runtime_dir) as third:
            assert json.loads(run("status", "--json", "--socket", other).stdout)["pid"] == third.pid
            assert json.loads(first.command("status", "--json").stdout)["pid"] == first.pid


def test_the_configuration_may_name_the_control_socket(tmp_path):
    with Server.from_config(tmp_path, 'admin = { listen = ["unix:control.sock"] }\n' + PONG) as server:
        path = tmp_path / "control.sock"
        assert json.loads(run("status", "--json", "--socket", str(path)).stdout)["pid"] == server.pid
        assert path.stat().st_mode & 0o777 == 0o660
    assert not path.exists()


def test_hangup_reloads(tmp_path):
    with Server.from_config(tmp_path, PONG) as server:
        server.config.write_text(PONG.replace("pong", "PONG"))
        server.signal(signal.SIGHUP)
        server.stderr.wait_for("generation 2 is in force")
        assert server.get("/ping")[2] == b"PONG\n"


def test_an_inherited_socket_is_listened_on(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as inherited:
        number = inherited.fileno()
        with Server.from_config(tmp_path, PONG.replace("http://127.0.0.1:0", f"fd:{number}"), pass_fds=[number]) as server:
            assert server.address == inherited.getsockname()
            assert server.get("/ping")[0] == 200


def test_a_site_on_several_addresses_tells_them_all(tmp_path):
    config = PONG.replace('["http://127.0.0.1:0"]', f'["http://127.0.0.1:0", "http://[::1]:0", "http://unix:{tmp_path}/s.sock"]')
    with Server.from_config(tmp_path, config) as server:
        server.stderr.wait_for(rf"^  http://unix:{tmp_path}/s\.sock$")
        assert sorted(url.split(":")[1] for url in server.urls) == ["//127.0.0.1", "//[", "//unix"]
