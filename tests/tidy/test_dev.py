"""./dev itself, in a copy whose path has a space, with a PATH that holds only what the test puts there.

apt-get, sudo, cmake and the server are small scripts that record how they were called; nothing is installed or built.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tidy import tree

ROOT = tree.repository()
TOOLS = """awk bash cat chmod cksum cp cut dirname env flock git grep head id mkdir mktemp nproc rm sed setsid sh sleep sort tail
tee timeout touch tr wc xargs""".split()
PACKAGES = [
    line.split("#")[0].strip()
    for name in ("build", "test")
    for line in (ROOT / f"tools/packages/{name}.txt").read_text().splitlines()
    if line.split("#")[0].strip()
]

# A server that is good enough for ./dev: prints its address, answers, ends at TERM.
SERVER = f"""#!{sys.executable}
import http.server, os, signal, sys
mode = os.environ.get("STUB_SERVER", "")
if mode == "dies":
    sys.exit("cannot bind")
class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
print("runtime", os.environ["TIDEGATE_RUNTIME_DIR"], "arguments", *sys.argv[1:], flush=True)
if mode != "silent":
    print(f"serving http://127.0.0.1:{{server.server_address[1]}}", flush=True)
server.serve_forever()
"""


class House:
    """A copy of ./dev and its pieces, and the commands it finds."""

    def __init__(self, base: Path):
        self.root = base / "my clone"
        self.bin = base / "bin"
        self.calls = base / "calls"
        self.system = base / "system"
        self.root.mkdir(parents=True)
        self.bin.mkdir()
        for place in ("usr/sbin", "run"):
            (self.system / place).mkdir(parents=True)
        shutil.copy(ROOT / "dev", self.root / "dev")
        shutil.copytree(ROOT / "tools", self.root / "tools")
        for name in TOOLS:
            if real := shutil.which(name, path="/usr/sbin:/usr/bin:/sbin:/bin"):
                (self.bin / name).symlink_to(real)
        self.tool("id", 'echo "${STUB_UID:-0}"')
        self.tool("dpkg-query", 'for p in "$@"; do case " $STUB_INSTALLED " in *" $p "*) echo "installed $p";; esac; done')

    @property
    def policy(self) -> Path:
        return self.system / "usr/sbin/policy-rc.d"

    def tool(self, name: str, script: str):
        """A command in PATH that records its arguments and does what the script says."""
        path = self.bin / name
        path.unlink(missing_ok=True)
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.calls}"\n{script}\n')
        path.chmod(0o755)

    def remove_tool(self, name: str):
        (self.bin / name).unlink(missing_ok=True)

    def called(self, name: str) -> list[str]:
        lines = self.calls.read_text().splitlines() if self.calls.exists() else []
        return [line for line in lines if line.startswith(name + " ")]

    def environment(self, more: dict) -> dict:
        base = {"PATH": str(self.bin), "HOME": str(self.root), "LANG": "C.UTF-8", "DEV_INSTALL_ROOT": str(self.system)}
        return base | more

    def dev(self, *arguments: str, **more: str) -> subprocess.CompletedProcess:
        """Runs ./dev with nothing on its standard input."""
        return subprocess.run(
            [str(self.root / "dev"), *arguments], env=self.environment(more), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=60, check=False, cwd="/",
        )

    def bash(self, script: str) -> subprocess.CompletedProcess:
        """Runs a script after the pieces of ./dev, as ./dev would."""
        pieces = "".join(f"source tools/dev/{name}.sh\n" for name in ("common", "packages", "build", "server", "test", "style"))
        return subprocess.run(
            ["bash", "-c", f"set -euo pipefail\nroot=$PWD\n{pieces}{script}"], env=self.environment({}), cwd=self.root,
            capture_output=True, text=True, timeout=60, check=False,
        )


@pytest.fixture
def house(tmp_path):
    return House(tmp_path)


@pytest.fixture
def built(house):
    """A house with all packages, where cmake "builds" the stub server."""
    (house.bin / "stub").write_text(SERVER)
    house.tool(
        "cmake",
        f'if [ "$1" = --build ]; then mkdir -p build/release; cp "{house.bin}/stub" build/release/tidegate; chmod +x build/release/tidegate; fi',
    )
    yield house
    pid_file = house.root / "build/run/tidegate.pid"
    if pid_file.exists():
        os.kill(int(pid_file.read_text()), signal.SIGKILL)


ALL = {"STUB_INSTALLED": " ".join(PACKAGES)}


def test_help_lists_every_command(house):
    printed = house.dev("help")
    assert printed.returncode == 0
    commands = re.findall(r"^  ([a-z]+)(?:(?:\)| \|) )?", (ROOT / "dev").read_text().split("case", 1)[1], re.M)
    for command in {*commands, "asan", "tsan"}:
        assert re.search(rf"^  .*\b{command}\b", printed.stdout, re.M), command


@pytest.mark.parametrize("arguments", [("nonsense",), ("build", "x"), ("up", "x"), ("fuzz", "-1"), ("fuzz", "1", "2"), ("fmt", "x"), ("install", "x")])
def test_wrong_use_is_said_and_exits_with_2(house, arguments):
    printed = house.dev(*arguments, **ALL)
    assert printed.returncode == 2
    assert printed.stderr.splitlines()[-1].startswith("./dev: ") and arguments[0] in printed.stderr.splitlines()[-1]


def test_nothing_missing_installs_nothing(house):
    house.tool("apt-get", "")
    printed = house.dev("install", **ALL)
    assert printed.returncode == 0 and house.called("apt-get") == []


def test_only_what_is_missing_is_installed_after_one_update(house):
    house.tool("apt-get", f'echo "$DEBIAN_FRONTEND" >>"{house.root}/frontend"')
    some = " ".join(one for one in PACKAGES if one not in ("cmake", "python3"))
    printed = house.dev("install", STUB_INSTALLED=some)
    assert printed.returncode == 0, printed.stderr
    calls = house.called("apt-get")
    assert len(calls) == 2 and calls[0].endswith(" update") and "--no-install-recommends -- cmake python3" in calls[1]
    assert (house.root / "frontend").read_text() == "noninteractive\n" * 2


def test_a_user_installs_with_sudo(house):
    house.tool("apt-get", "")
    house.tool("sudo", 'if [ "$1" = -n ]; then shift; fi; "$@"')
    assert house.dev("install", STUB_UID="1000").returncode == 0
    assert len(house.called("sudo")) == 2 and len(house.called("apt-get")) == 2


@pytest.mark.parametrize(
    ("tools", "uid", "reason"),
    [
        ({}, "0", "there is no apt-get on this system"),
        ({"apt-get": ""}, "1000", "you are not root and there is no sudo"),
        ({"apt-get": "", "sudo": "exit 1"}, "1000", "sudo asks for a password and there is no terminal to ask on"),
    ],
)
@pytest.mark.parametrize("command", ["build", "up", "test"])
def test_where_it_cannot_install_it_says_what_and_why(house, tools, uid, reason, command):
    for name, script in tools.items():
        house.tool(name, script)
    some = " ".join(one for one in PACKAGES if one not in ("cmake", "g++"))
    printed = house.dev(command, STUB_UID=uid, STUB_INSTALLED=some)
    assert printed.returncode == 1
    assert "missing packages: cmake g++\n" in printed.stderr
    assert reason in printed.stderr
    assert "apt-get install --no-install-recommends cmake g++" in printed.stderr
    assert house.called("apt-get") == []


def test_a_failed_installation_shows_the_errors_and_the_packages(house):
    house.tool("apt-get", 'echo "Reading lists"; echo "E: Unable to fetch some archives"; exit 100')
    printed = house.dev("build")
    assert printed.returncode == 1
    assert "E: Unable to fetch some archives" in printed.stderr and "Reading lists" not in printed.stderr
    assert "missing packages: " in printed.stderr and "check the network" in printed.stderr
    assert not house.policy.exists()


def test_a_system_without_debian_packages_is_told_what_is_needed(house):
    house.remove_tool("dpkg-query")
    printed = house.dev("install", "build")
    assert printed.returncode == 1 and "libevent-dev" in printed.stderr and "TIDEGATE_SKIP_INSTALL=1" in printed.stderr
    assert house.dev("install", TIDEGATE_SKIP_INSTALL="1").returncode == 0


LOOK_AT_POLICY = 'case "$*" in *install*) cp "$DEV_INSTALL_ROOT/usr/sbin/policy-rc.d" "$DEV_INSTALL_ROOT/seen"; "$DEV_INSTALL_ROOT/seen" || echo "$?" >"$DEV_INSTALL_ROOT/answer";; esac'


def test_no_service_starts_during_an_installation(house):
    house.tool("apt-get", LOOK_AT_POLICY)
    assert house.dev("install").returncode == 0
    assert (house.system / "answer").read_text() == "101\n"
    assert not house.policy.exists()


def test_a_policy_of_the_machine_stays(house):
    house.policy.write_text("#!/bin/sh\nexit 104\n")
    house.policy.chmod(0o755)
    house.tool("apt-get", LOOK_AT_POLICY)
    assert house.dev("install").returncode == 0
    assert (house.system / "answer").read_text() == "104\n"
    assert house.policy.read_text() == "#!/bin/sh\nexit 104\n"


def test_a_policy_that_a_killed_run_left_is_cleaned_up(house):
    house.tool("apt-get", 'case "$*" in *install*) kill -KILL "$PPID";; esac')
    assert house.dev("install").returncode == 1
    assert house.policy.exists()
    house.tool("apt-get", LOOK_AT_POLICY)
    assert house.dev("install").returncode == 0
    assert (house.system / "answer").read_text() == "101\n" and not house.policy.exists()


def test_units_that_came_with_packages_do_not_start_with_the_machine(house):
    house.tool("apt-get", "")
    house.tool("systemctl", "")
    house.tool(
        "dpkg-query",
        'if [ "$1" = --listfiles ]; then echo "/lib/systemd/system/$2.service"; echo "/usr/lib/systemd/system/$2@.service"; fi',
    )
    assert house.dev("install", "test").returncode == 0
    assert "systemctl --quiet disable -- curl.service" in house.called("systemctl")
    assert not any("@" in call for call in house.called("systemctl"))


def test_every_package_is_explained():
    text = (ROOT / "docs/dependencies.md").read_text()
    lists = [ROOT / "bench/macro/packages.txt", *sorted((ROOT / "tools/packages").glob("*.txt"))]
    for file in lists:
        for line in file.read_text().splitlines():
            package = line.split("#")[0].strip()
            assert not package or f"`{package}`" in text, f"{file.name}: {package} has no line in docs/dependencies.md"


def address_in(printed: subprocess.CompletedProcess) -> str:
    match = re.fullmatch(r"(http://127\.0\.0\.1:\d+)\n", printed.stdout)
    assert match, printed.stdout + printed.stderr
    return match[1]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_up_detached_answers_and_down_stops(built):
    first = built.dev("up", "--detach", **ALL)
    assert first.returncode == 0, first.stderr
    pid = int((built.root / "build/run/tidegate.pid").read_text())
    assert alive(pid)
    log = (built.root / "build/run/tidegate.log").read_text()
    assert "arguments run\n" in log and f"runtime {built.root}/build/run " in log
    second = built.dev("up", "--detach", **ALL)
    assert second.returncode == 0 and address_in(second) == address_in(first) and f"already running, pid {pid}" in second.stderr
    down = built.dev("down")
    assert down.returncode == 0 and f"stopped, pid {pid}" in down.stderr and not alive(pid)
    again = built.dev("down")
    assert again.returncode == 0 and "no server of this checkout is running" in again.stderr


def test_up_forgets_a_pid_that_belongs_to_somebody_else(built):
    (built.root / "build/run").mkdir(parents=True)
    (built.root / "build/run/tidegate.pid").write_text(f"{os.getpid()}\n")
    first = built.dev("up", "--detach", **ALL)
    assert first.returncode == 0 and "already running" not in first.stderr
    assert built.dev("down").returncode == 0


def test_up_says_when_the_server_ends(built):
    printed = built.dev("up", "--detach", STUB_SERVER="dies", **ALL)
    assert printed.returncode == 1 and "cannot bind" in printed.stderr and "ended at once" in printed.stderr
    assert not (built.root / "build/run/tidegate.pid").exists()


def test_up_does_not_wait_for_ever(built):
    printed = built.dev("up", "--detach", STUB_SERVER="silent", DEV_START_S="1", **ALL)
    assert printed.returncode == 1 and "did not answer within 1 s" in printed.stderr
    assert not (built.root / "build/run/tidegate.pid").exists()


def test_up_in_the_foreground_becomes_the_server(built):
    started = subprocess.Popen(
        [str(built.root / "dev"), "up"], env=built.environment(ALL), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    try:
        assert "arguments run" in started.stdout.readline()
        assert int((built.root / "build/run/tidegate.pid").read_text()) == started.pid
        assert built.dev("down").returncode == 0
        assert started.wait(timeout=10) == 0
    finally:
        started.kill()
        started.stdout.close()


def test_the_control_socket_of_a_deep_checkout_gets_a_short_private_place(tmp_path):
    house = House(tmp_path / ("deep" * 20))
    short = tmp_path / "short"
    short.mkdir()
    printed = house.bash(f'XDG_RUNTIME_DIR="{short}" server_runtime_dir')
    place = Path(printed.stdout)
    assert place.parent == short and place.stat().st_mode & 0o777 == 0o700


def test_a_failed_build_shows_what_cmake_said(house):
    house.tool("cmake", 'echo "CMake Error: no such thing" >&2; exit 1')
    printed = house.dev("build", **ALL)
    assert printed.returncode == 1 and "CMake Error: no such thing" in printed.stderr


def test_a_moved_checkout_is_configured_afresh(built):
    (built.root / "build/release").mkdir(parents=True)
    cache = built.root / "build/release/CMakeCache.txt"
    cache.write_text("CMAKE_HOME_DIRECTORY:INTERNAL=/elsewhere\n")
    assert built.dev("build", **ALL).returncode == 0
    cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={built.root}\n")
    assert built.dev("build", **ALL).returncode == 0
    assert [call for call in built.called("cmake") if "--preset" in call] == ["cmake --fresh --preset release", "cmake --preset release"]


def test_a_failed_suite_fails_the_run_and_the_others_still_run(house):
    printed = house.bash("suite one false\nsuite two touch second-ran\nconclude all")
    assert printed.returncode == 1 and "all: FAILED in: one" in printed.stderr and (house.root / "second-ran").exists()
    assert house.bash("suite one true\nconclude all").returncode == 0


def test_tests_are_counted(house):
    place = house.root / "build/x/Testing/Temporary"
    place.mkdir(parents=True)
    (house.root / "build/x/ctest.log").write_text("67% tests passed, 1 tests failed out of 3\n")
    (place / "LastTest.log").write_text(
        "[doctest] test cases:  12 |  12 passed | 0 failed | 0 skipped\n[doctest] assertions: 100 | 100 passed | 0 failed |\n"
        "[doctest] test cases: 3 | 2 passed | 1 failed | 0 skipped\n[doctest] assertions: 11 | 10 passed | 1 failed |\n"
    )
    assert house.bash("count_ctest build/x").stdout == "ctest 3 programs, 1 failed; doctest 15 cases, 111 assertions\n"


def test_pytest_failures_and_counts_reach_the_end(house):
    (house.root / "build/x").mkdir(parents=True)
    (house.root / "test_sample.py").write_text("def test_a(): pass\ndef test_b(): assert False\n")
    printed = house.bash("suite py run_pytest build/x test_sample.py\nconclude all")
    assert printed.returncode == 1 and "1 failed, 1 passed" in printed.stdout
    assert re.search(r"all: pytest 1 failed, 1 passed in .*s\n", printed.stderr) and "FAILED in: py" in printed.stderr


def test_a_sanitizer_report_fails_the_run_and_is_shown(house):
    reports = house.root / "build/asan reports"
    reports.mkdir(parents=True)
    assert house.bash('no_reports "build/asan reports"').returncode == 0
    (reports / "report.12").write_text("ERROR: AddressSanitizer: heap-use-after-free\n")
    printed = house.bash('no_reports "build/asan reports"')
    assert printed.returncode == 1 and "heap-use-after-free" in printed.stderr


@pytest.mark.parametrize(("arguments", "options"), [(("fmt",), "-i"), (("fmt", "--check"), "--dry-run -Werror")])
def test_fmt_takes_our_files_and_only_those(house, arguments, options):
    house.tool("clang-format-19", "")
    for name in ("core/a b.h", "core/x.cpp", "core/x.txt", "build/made.cpp"):
        (house.root / name).parent.mkdir(exist_ok=True)
        (house.root / name).touch()
    (house.root / ".gitignore").write_text("/build/\n")
    subprocess.run(["git", "init", "-q"], cwd=house.root, check=True)
    printed = house.dev(*arguments, TIDEGATE_SKIP_INSTALL="1")
    assert printed.returncode == 0 and "2 files" in printed.stderr, printed.stderr
    assert house.called("clang-format-19") == [f"clang-format-19 {options} -- core/a b.h core/x.cpp"]


def test_fmt_check_fails_when_a_layout_differs(house):
    house.tool("clang-format-19", "exit 1")
    (house.root / "x.h").touch()
    subprocess.run(["git", "init", "-q"], cwd=house.root, check=True)
    printed = house.dev("fmt", "--check", TIDEGATE_SKIP_INSTALL="1")
    assert printed.returncode == 1 and "./dev fmt changes it" in printed.stderr


def fuzz_house(house: House, targets: dict[str, str]):
    """Targets whose source is the script that "cmake" makes of it."""
    for name, script in targets.items():
        source = house.root / f"tests/fuzz/fuzz_{name}.cpp"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(f"#!/bin/bash\n{script}\n")
    house.tool(
        "cmake",
        'if [ "$1" = --build ]; then mkdir -p build/fuzz; for s in tests/fuzz/fuzz_*.cpp; do b=${s##*/}; b=build/fuzz/${b%.cpp}; cp "$s" "$b"; chmod +x "$b"; done; fi',
    )


FUZZ_TOOLS = {"STUB_INSTALLED": " ".join([*PACKAGES, "clang-19", "libclang-rt-19-dev", "lld-19", "llvm-19"])}


def test_fuzz_runs_every_target_with_its_corpus(house):
    script = 'printf "#9 DONE cov: 77 ft: 1\\nstat::number_of_executed_units: 123\\n%s\\n" "$*"'
    fuzz_house(house, {"one": script, "two": script, "three": script})
    (house.root / "tests/fuzz/corpus/two").mkdir(parents=True)
    printed = house.dev("fuzz", "3", **FUZZ_TOOLS)
    assert printed.returncode == 0, printed.stderr
    assert "fuzz: 3 targets, no report" in printed.stderr
    assert re.search(r"fuzz_one +ok +123 runs, +77 edges", printed.stderr)
    log = (house.root / "build/fuzz/logs/fuzz_two.log").read_text()
    assert "-max_total_time=3 " in log and log.strip().endswith("build/fuzz/corpus/fuzz_two tests/fuzz/corpus/two")


def test_a_crash_in_one_target_fails_and_is_shown(house):
    fuzz_house(house, {"good": "exit 0", "bad": "echo 'heap-buffer-overflow in parse'; exit 77"})
    printed = house.dev("fuzz", "1", **FUZZ_TOOLS)
    assert printed.returncode == 1
    assert "heap-buffer-overflow in parse" in printed.stderr and "fuzz: FAILED in 1 of 2 targets" in printed.stderr


def test_no_fuzz_targets_is_a_failure(house):
    assert house.dev("fuzz", "1", **FUZZ_TOOLS).returncode == 1
