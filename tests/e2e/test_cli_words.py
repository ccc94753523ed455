"""The command line itself: help, mistakes, exit codes, colour."""

import json
import os
import pty
import re
import select
import subprocess
import time

import pytest

from lib.server import binary, environment, run
from lib.wait import PATIENCE

COMMANDS = ["serve", "respond", "run", "check", "fmt", "config show", "config schema", "config reference", "status", "reload", "stop",
            "version", "completion", "help"]


def on_terminal(*args: str, env: dict[str, str | None]) -> str:
    """What the command writes when standard output and error are a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([binary(), *args], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(env), close_fds=True)
    os.close(theirs)
    data = b""
    deadline = time.monotonic() + 20 * PATIENCE
    while time.monotonic() < deadline:
        if not select.select([ours], [], [], 0.5)[0]:
            continue
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        data += piece
    os.close(ours)
    process.wait(10 * PATIENCE)
    return data.decode()


def test_no_command_is_a_mistake_and_help_is_not():
    nothing = run()
    assert nothing.returncode == 2
    assert nothing.stdout == ""
    assert "usage: tidegate COMMAND" in nothing.stderr
    for words in (["help"], ["--help"], ["-h"]):
        asked = run(*words)
        assert asked.returncode == 0 and asked.stderr == ""
        for command in COMMANDS:
            assert re.search(rf"^  {command}  ", asked.stdout, re.M), command


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    for words in ([*command.split(), "--help"], [*command.split(), "-h"], ["help", *command.split()]):
        asked = run(*words)
        assert asked.returncode == 0 and asked.stderr == ""
        assert f"usage: tidegate {command}" in asked.stdout
        assert re.search(r"^examples?:\n  ", asked.stdout, re.M)
        assert f"tidegate {command}" in asked.stdout.split("example", 1)[1]


def test_a_mistyped_command_gets_the_nearest():
    wrong = run("sevre")
    assert wrong.returncode == 2 and wrong.stdout == ""
    assert "no command 'sevre'" in wrong.stderr and "did you mean 'serve'?" in wrong.stderr and "usage:" in wrong.stderr
    wrong = run("config", "shwo")
    assert wrong.returncode == 2 and "did you mean 'config show'?" in wrong.stderr
    wrong = run("config")
    assert wrong.returncode == 2 and "config show" in wrong.stderr
    assert run("config", "--help").returncode == 0
    assert run("help", "nothing").returncode == 2


def test_a_mistyped_option_gets_the_nearest_and_the_usage():
    wrong = run("serve", "--lisen", "http://:0")
    assert wrong.returncode == 2 and wrong.stdout == ""
    assert "did you mean --listen?" in wrong.stderr
    assert "usage: tidegate serve [DIR] [options]" in wrong.stderr
    assert run("status", "there").returncode == 2
    assert run("run", "--config").returncode == 2
    assert run("completion", "tcsh").returncode == 2


def test_a_mistake_is_json_when_json_was_asked_for():
    wrong = run("status", "--json", "--sokcet", "x")
    assert wrong.returncode == 2
    answer = json.loads(wrong.stdout)
    assert answer["ok"] is False and answer["exit_code"] == 2 and "--sokcet" in answer["error"] and "--socket" in answer["hint"]


def test_version():
    text = run("version")
    assert text.returncode == 0
    assert re.fullmatch(r"tidegate \d+\.\d+\.\d+\n", text.stdout)
    answer = json.loads(run("version", "--json").stdout)
    assert text.stdout == f"tidegate {answer['version']}\n"
    assert run("--version").stdout == text.stdout


def test_https_is_refused_in_words():
    for words in (["serve", "--https"], ["serve", "--listen", "https://localhost:8443"], ["respond", "x", "--https"]):
        refused = run(*words)
        assert refused.returncode == 2
        assert "speaks http only" in refused.stderr


def test_colour_is_for_terminals_that_want_it():
    escape = "\x1b["
    wanted = on_terminal("help", env={"TERM": "xterm", "NO_COLOR": None})
    assert escape in wanted and "usage:" in wanted
    assert escape not in on_terminal("help", env={"TERM": "xterm", "NO_COLOR": "1"})
    assert escape in on_terminal("help", env={"TERM": "xterm", "NO_COLOR": ""})
    assert escape not in on_terminal("help", env={"TERM": "dumb", "NO_COLOR": None})
    assert escape in on_terminal("serve", "--nonsense", env={"TERM": "xterm", "NO_COLOR": None})
    assert escape not in run("help", env={"TERM": "xterm", "NO_COLOR": None}).stdout


def test_a_reader_that_goes_away_is_no_disaster():
    process = subprocess.Popen([binary(), "config", "reference"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(10 * PATIENCE) in (0, 1, -13)
    assert b"terminate" not in errors
