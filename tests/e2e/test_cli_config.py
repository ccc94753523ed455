"""check, fmt and config: configurations as files."""

import difflib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lib.server import run

GOOD = """# what we serve
[[site]]
name = "main"
listen = ["http://127.0.0.1:8080"]

  [[site.route]]
  path = "/ping"
  respond = { body = "pong" }

  [[site.route]]
  path = "/*"
  redirect = { to = "https://example.com/" }
"""
UGLY = GOOD.replace("name = ", "name=").replace("\n\n", "\n\n\n\n").replace("  [[", "[[")


@pytest.fixture
def write(tmp_path):
    def to(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text)
        return path

    return to


# check


def test_a_good_file_is_counted(write):
    path = write("good.toml", GOOD)
    done = run("check", "--config", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "ok: 1 site, 2 routes\n", "")
    answer = json.loads(run("check", "--config", str(path), "--json").stdout)
    assert answer == {"ok": True, "exit_code": 0, "config": str(path), "sites": 1, "routes": 2, "errors": 0, "warnings": 0, "diagnostics": []}


def test_all_errors_are_told_with_their_places(write):
    path = write("bad.toml", GOOD.replace('body = "pong"', 'body = 5, statsu = 200').replace('"http://127.0.0.1:8080"', '"127.0.0.1:8080"'))
    done = run("check", "--config", str(path))
    assert done.returncode == 3 and done.stdout == ""
    places = re.findall(rf"^{re.escape(str(path))}:(\d+):\d+: error: ", done.stderr, re.M)
    assert places == ["4", "8", "8"]
    assert "did you mean" in done.stderr and "^~" in done.stderr
    assert f"not valid: 3 errors in {path}" in done.stderr
    as_json = run("check", "--config", str(path), "--json")
    answer = json.loads(as_json.stdout)
    assert as_json.returncode == 3 and as_json.stderr == ""
    assert answer["ok"] is False and answer["errors"] == 3
    assert [entry["line"] for entry in answer["diagnostics"]] == [4, 8, 8]


def test_warnings_do_not_fail(write):
    path = write("shadow.toml", GOOD.replace('path = "/ping"', 'path = "/*"'))
    done = run("check", "--config", str(path))
    assert done.returncode == 0
    assert done.stdout == "ok: 1 site, 2 routes, 1 warning\n"
    assert f"{path}:11:" in done.stderr and "warning:" in done.stderr


def test_a_password_file_must_be_readable(write, tmp_path):
    path = write("auth.toml", GOOD.replace('name = "main"', f'name = "main"\nbasic_auth = {{ file = "{tmp_path}/users" }}'))
    assert run("check", "--config", str(path)).returncode == 3
    (tmp_path / "users").write_text("ann:$5$abcdefgh$ZLdkj8mkc2XVSrPVjskDAgZPGjtj1VGVaa1aUkrMTU/\n")
    assert run("check", "--config", str(path)).returncode == 0


def test_what_this_version_cannot_run_is_not_valid(write):
    path = write("admin.toml", 'admin = { listen = ["http://127.0.0.1:2080"] }\n' + GOOD)
    done = run("check", "--config", str(path))
    assert done.returncode == 3 and "a control listener on TCP is not available" in done.stderr


def test_a_file_that_is_not_there(tmp_path):
    done = run("check", "--config", str(tmp_path / "absent.toml"))
    assert done.returncode == 3 and "absent.toml" in done.stderr


# fmt


def test_files_are_formatted_in_place_and_named(write):
    ugly, good = write("ugly.toml", UGLY), write("good.toml", GOOD)
    ugly.chmod(0o640)
    inode = ugly.stat().st_ino
    done = run("fmt", str(good), str(ugly))
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{ugly}\n", "")
    assert ugly.read_text() == GOOD == good.read_text()
    assert ugly.stat().st_mode & 0o777 == 0o640 and ugly.stat().st_ino == inode
    assert sorted(path.name for path in ugly.parent.iterdir()) == ["good.toml", "ugly.toml"]
    assert run("fmt", str(good), str(ugly)).stdout == ""


def test_check_names_what_would_change(write):
    ugly, good = write("ugly.toml", UGLY), write("good.toml", GOOD)
    done = run("fmt", "--check", str(ugly), str(good))
    assert (done.returncode, done.stdout) == (10, f"{ugly}\n")
    assert ugly.read_text() == UGLY
    assert run("fmt", "--check", str(good)).returncode == 0


def test_diff_shows_what_would_change(write):
    ugly = write("ugly.toml", UGLY)
    done = run("fmt", "--diff", str(ugly))
    assert done.returncode == 0 and ugly.read_text() == UGLY
    added = [line[1:] for line in done.stdout.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert 'name = "main"' in added
    assert done.stdout.startswith(f"--- {ugly}\n+++ {ugly}\n@@ ")
    assert run("fmt", "--diff", "--check", str(ugly)).returncode == 10
    if shutil.which("patch"):
        patched = subprocess.run(["patch", "-s", "-o", "-", str(ugly)], input=done.stdout, capture_output=True, text=True, timeout=20, check=True)
        assert patched.stdout == GOOD


def test_standard_input(write):
    for words in (["fmt"], ["fmt", "-"]):
        done = run(*words, stdin=UGLY)
        assert (done.returncode, done.stdout) == (0, GOOD)
    assert run("fmt", "--check", "-", stdin=UGLY).returncode == 10
    assert run("fmt", "--check", "-", stdin=GOOD).returncode == 0
    assert list(difflib.unified_diff([], [])) == [] and run("fmt", "--diff", "-", stdin=GOOD).stdout == ""


def test_what_is_no_toml_stays_as_it_is(write):
    broken, ugly = write("broken.toml", "a = = 1\n"), write("ugly.toml", UGLY)
    done = run("fmt", str(broken), str(ugly))
    assert done.returncode == 3
    assert f"{broken}:1:5: error:" in done.stderr
    assert broken.read_text() == "a = = 1\n"
    assert ugly.read_text() == GOOD, "the others are formatted all the same"


def test_files_that_cannot_be_read_or_written(write, tmp_path):
    assert run("fmt", str(tmp_path / "absent.toml")).returncode == 1
    assert run("fmt", str(tmp_path)).returncode == 2
    ugly = write("ugly.toml", UGLY)
    write("ugly.toml.tidegate-fmt", "left by somebody")
    done = run("fmt", str(ugly))
    assert done.returncode == 5 and "is in the way" in done.stderr
    assert ugly.read_text() == UGLY


# config


def test_the_files_as_they_are_written(write, tmp_path):
    (tmp_path / "conf.d").mkdir()
    write("conf.d/a.toml", "# the other\n[[site]]\nname = \"other\"\nlisten = [\"http://127.0.0.1:8081\"]\n")
    path = write("main.toml", 'include = ["conf.d/*.toml"]\n' + GOOD)
    done = run("config", "show", "--config", str(path))
    assert done.returncode == 0
    assert done.stdout.startswith(f"# file: {path}\ninclude")
    assert f"\n# file: {tmp_path}/conf.d/a.toml\n# the other\n" in done.stdout
    files = json.loads(run("config", "show", "--config", str(path), "--json").stdout)["files"]
    assert [entry["path"] for entry in files] == [str(path), f"{tmp_path}/conf.d/a.toml"]
    assert files[0]["text"] == path.read_text()


def test_the_effective_configuration_is_a_configuration(write, tmp_path):
    (tmp_path / "conf.d").mkdir()
    write("conf.d/a.toml", '[[site]]\nlisten = ["http://127.0.0.1:8081"]\n[[site.route]]\npath = "/*"\nfiles = { root = "../www" }\n')
    path = write("main.toml", 'include = ["conf.d/*.toml"]\nlimits = { body_size = "1m" }\n' + GOOD)
    asked = run("config", "show", "--effective", "--config", str(path))
    assert asked.returncode == 0 and asked.stderr == ""
    assert f'root = "{tmp_path}/www"' in asked.stdout
    as_json = run("config", "show", "--effective", "--config", str(path), "--json").stdout
    assert json.loads(as_json)["limits"] == {"body_size": "1m"}
    again = write("again.toml", asked.stdout)
    assert run("config", "show", "--effective", "--config", str(again), "--json").stdout == as_json
    assert run("fmt", "--check", str(again)).returncode == 0
    full = run("config", "show", "--with-defaults", "--config", str(path)).stdout
    assert 'idle_timeout = "75s"' in full and "idle_timeout" not in asked.stdout
    write("full.toml", full)
    assert run("config", "show", "--effective", "--config", str(tmp_path / "full.toml"), "--json").stdout == as_json


def test_secrets_are_shown_as_they_are_written(write, tmp_path):
    write("secret", "hunter2")
    path = write("main.toml", GOOD.replace('"pong"', f'"${{env:TEST_SECRET}} ${{file:{tmp_path}/secret}}"'))
    for words in (["--effective"], ["--with-defaults", "--json"], []):
        shown = run("config", "show", *words, "--config", str(path), env={"TEST_SECRET": "swordfish"})
        assert shown.returncode == 0
        assert "swordfish" not in shown.stdout and "hunter2" not in shown.stdout
        assert "${env:TEST_SECRET}" in shown.stdout


def test_a_configuration_with_errors_is_not_shown(write):
    path = write("bad.toml", GOOD + "\nunknown = 1\n")
    done = run("config", "show", "--effective", "--config", str(path))
    assert done.returncode == 3 and done.stdout == "" and f"{path}:14:1: error:" in done.stderr
    answer = json.loads(run("config", "show", "--effective", "--config", str(path), "--json").stdout)
    assert answer["exit_code"] == 3 and ":14:1: error:" in answer["error"]


def test_schema_and_reference_are_printed():
    schema = json.loads(run("config", "schema").stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    reference = run("config", "reference")
    assert reference.returncode == 0 and reference.stdout.startswith("# ") and "`idle_timeout`" in reference.stdout


def test_the_reference_in_the_guide_is_that_of_the_program():
    page = Path(__file__).resolve().parents[2] / "docs" / "guide" / "configuration-reference.md"
    assert page.read_text() == run("config", "reference").stdout, "write it anew: tidegate config reference > docs/guide/configuration-reference.md"
