"""The load generator wrk: how it is called and how its result is read.

The numbers come from a Lua hook that prints exact values as one line of JSON, not from wrk's rounded summary.
"""

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bench.macro.process import MissingError, pinned
from bench.macro.scenarios import Scenario

MARK = "wrk-json "                               # starts the line that wrk.lua prints
SCRIPT = Path(__file__).with_name("wrk.lua")
GRACE_S = 20                                     # how long after its duration wrk may take to end


class LoadError(Exception):
    """wrk could not be run, or its output is not what was expected."""


@dataclass(frozen=True)
class LoadResult:
    """One run of wrk. `errors` counts by kind: connect, read, write, timeout, status (above 399)."""

    requests: int
    received_bytes: int
    duration_us: int
    p50_us: float
    p99_us: float
    max_us: float
    errors: dict[str, int]

    @property
    def requests_per_s(self) -> float:
        return self.requests * 1e6 / self.duration_us


def parse_wrk(text: str) -> LoadResult:
    """Finds the JSON line in wrk's output. Raises LoadError when there is not exactly one."""
    lines = [line for line in text.splitlines() if line.startswith(MARK)]
    if len(lines) != 1:
        raise LoadError(f"wrk printed {len(lines)} results instead of one: {text.strip()[-400:]}")
    try:
        result = LoadResult(**json.loads(lines[0][len(MARK):]))
    except (ValueError, TypeError) as error:
        raise LoadError(f"wrk's result cannot be read: {lines[0]}") from error
    if result.duration_us <= 0:
        raise LoadError("wrk reports no duration")
    return result


def load_problems(result: LoadResult, body_bytes: int, wire_bytes: int, connections: int) -> list[str]:
    """Why this run cannot count: errors, nothing done, or other bytes than the checked answer has.

    `body_bytes` and `wire_bytes` are one answer's body and whole length. The byte count catches what wrk does not call an error,
    such as redirects and short bodies. Answers still under way at the end explain at most one answer a connection; heads and
    chunk framing may vary a little.
    """
    problems = [f"{count} {kind} errors" for kind, count in sorted(result.errors.items()) if count]
    if result.requests == 0:
        return problems + ["no request was answered"]
    low = result.requests * body_bytes
    high = (result.requests + connections) * (wire_bytes + 64 + wire_bytes // 100)
    if not low <= result.received_bytes <= high:
        problems.append(f"{result.received_bytes} bytes received, {low} to {high} expected")
    return problems


def wrk_command(wrk: str, url: str, scenario: Scenario, connections: int, seconds: int) -> list[str]:
    """The argument list: one thread, keep-alive, exact numbers through the Lua hook."""
    fields = [word for name, value in scenario.request_fields.items() for word in ("-H", f"{name}: {value}")]
    return [wrk, "-t1", f"-c{connections}", f"-d{seconds}s", "-s", str(SCRIPT), *fields, url + scenario.path]


def find_wrk() -> str:
    """Raises MissingError."""
    found = shutil.which("wrk")
    if found is None:
        raise MissingError("wrk is not installed: apt-get install wrk")
    return found


def run_wrk(command: list[str], cpu: int, seconds: int) -> LoadResult:
    """Runs wrk on one CPU until it ends by itself; a wrk that hangs is killed and reported."""
    with pinned(cpu):
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        output, _ = child.communicate(timeout=seconds + GRACE_S)
    except subprocess.TimeoutExpired as error:
        raise LoadError(f"wrk did not end {GRACE_S} s after its time") from error
    finally:
        if child.poll() is None:
            child.kill()
            child.wait()
    if child.returncode != 0:
        raise LoadError(f"wrk ended with {child.returncode}: {output.strip()[-400:]}")
    return parse_wrk(output)
