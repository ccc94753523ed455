"""Completion scripts, asked as the shells ask them."""

import os
import shlex
import pty
import re
import select
import shutil
import subprocess
import time

import pytest

from lib.server import binary, environment, run
from lib.wait import PATIENCE


@pytest.fixture
def scripts(tmp_path):
    for shell in ("bash", "zsh", "fish"):
        done = run("completion", shell)
        assert done.returncode == 0 and done.stderr == ""
        (tmp_path / shell).write_text(done.stdout)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "a folder").mkdir()
    (tmp_path / "here" / "site.toml").write_text("")
    return tmp_path


def bash(scripts, *words: str) -> list[str]:
    """What bash offers for the last word."""
    quoted = " ".join("'" + word.replace("'", "'\\''") + "'" for word in words)
    program = f"source ../bash; COMP_WORDS=(tidegate {quoted}); COMP_CWORD={len(words)}; _tidegate; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", program], cwd=scripts / "here", capture_output=True, text=True, timeout=20 * PATIENCE, check=True)
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if line]


def test_bash(scripts):
    commands = bash(scripts, "")
    assert {"serve", "run", "config", "completion"} <= set(commands) and "show" not in commands
    assert bash(scripts, "st") == ["status", "stop"]
    assert bash(scripts, "config", "") == ["show", "schema", "reference"]
    assert bash(scripts, "config", "show", "--eff") == ["--effective"]
    assert "--listen" in bash(scripts, "serve", "--")
    assert "--https" not in bash(scripts, "serve", "--")
    assert bash(scripts, "serve", "") == ["a folder"]
    assert bash(scripts, "serve", "--spa", "a") == ["a folder"]
    assert bash(scripts, "serve", "--listen", "") == []
    assert sorted(bash(scripts, "run", "--config", "")) == ["a folder", "site.toml"]
    assert bash(scripts, "run", "-c", "si") == ["site.toml"]
    assert bash(scripts, "run", "--config", "=", "si") == ["site.toml"]
    assert sorted(bash(scripts, "run", "--config", "=")) == ["a folder", "site.toml"]
    assert bash(scripts, "completion", "") == ["bash", "zsh", "fish"]
    assert "serve" in bash(scripts, "help", "")


def zsh(scripts, line: str) -> str:
    """What zsh writes on its terminal after the line and a tab."""
    ours, theirs = pty.openpty()
    # Spelled in halves, so that the echo of the line is not taken for the prompt.
    setup = f"PS1='RE''ADY> '; unsetopt beep; autoload -U compinit; compinit -u -D; source {scripts}/zsh; zstyle ':completion:*' list-prompt ''\n"
    process = subprocess.Popen(["zsh", "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=scripts / "here", close_fds=True,
                               env=environment({"TERM": "dumb", "HOME": str(scripts), "COLUMNS": "200", "LINES": "200"}), start_new_session=True)
    os.close(theirs)
    seen = ""

    def read_until(pattern: str) -> None:
        nonlocal seen
        deadline = time.monotonic() + 20 * PATIENCE
        while not re.search(pattern, seen):
            assert time.monotonic() < deadline, f"no {pattern!r} in {seen!r}"
            if select.select([ours], [], [], 0.2)[0]:
                seen += os.read(ours, 65536).decode(errors="replace")

    try:
        os.write(ours, setup.encode())
        read_until(r"READY> [^\n]*$")
        seen = ""
        os.write(ours, line.encode() + b"\t")
        # A mark at the end: everything that the tab brought comes before it.
        os.write(ours, b"\x15echo EN\"\"D\n")
        read_until(r"END")
        return seen
    finally:
        process.kill()
        process.wait(10)
        os.close(ours)


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh(scripts):
    subprocess.run(["zsh", "-n", str(scripts / "zsh")], check=True, timeout=20 * PATIENCE)
    assert "share a folder over HTTP" in zsh(scripts, "tidegate ")
    options = zsh(scripts, "tidegate serve --")
    assert "--listen" in options and "--spa" in options
    assert "effective" in zsh(scripts, "tidegate config show --e")
    assert "site.toml" in zsh(scripts, "tidegate run --config s")


def fish(scripts, line: str) -> list[str]:
    program = f"source {scripts}/fish; complete -C '{line}'"
    done = subprocess.run(["fish", "--no-config", "-c", program], cwd=scripts / "here", capture_output=True, text=True, timeout=20 * PATIENCE, check=True,
                          env=environment({"HOME": str(scripts)}))
    assert done.stderr == ""
    return [entry.split("\t")[0] for entry in done.stdout.splitlines()]


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
def test_fish(scripts):
    assert set(fish(scripts, "tidegate st")) == {"status", "stop"}
    assert set(fish(scripts, "tidegate config ")) >= {"show", "schema", "reference"}
    assert "--effective" in fish(scripts, "tidegate config show --")
    assert {"--listen", "--spa"} <= set(fish(scripts, "tidegate serve --"))
    assert "--https" not in fish(scripts, "tidegate serve --")
    assert fish(scripts, "tidegate serve a") == ["a folder/"]
    assert fish(scripts, "tidegate run --config si") == ["site.toml"]
    assert set(fish(scripts, "tidegate completion ")) == {"bash", "zsh", "fish"}


def test_bash_takes_the_script_as_the_help_says():
    done = subprocess.run(["bash", "--norc", "-c", f"PATH={shlex.quote(os.path.dirname(binary()))}:$PATH; source <(tidegate completion bash) && complete -p tidegate"],
                          capture_output=True, text=True, timeout=20 * PATIENCE, check=True, env=environment())
    assert done.stdout == "complete -F _tidegate tidegate\n"
