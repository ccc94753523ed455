"""One round: start a server, check, warm up, measure, check again, read its memory, end it.

A server runs alone, freshly started: no peer shares its CPU, its memory is its own, and what chance gave it at start (address
layout, hash seeds) is drawn anew each round instead of being mistaken for its speed.
"""

import time
from dataclasses import dataclass
from pathlib import Path

from bench.macro import check, load, measure, peers
from bench.macro.peers import Peer, Server
from bench.macro.process import StartError
from bench.macro.scenarios import Scenario

DISTURBED_SHARE = 0.05                           # of a CPU taken by others: worth a remark


@dataclass(frozen=True)
class Settings:
    """How a round is run. Times in seconds."""

    wrk: str
    root: Path
    connections: int
    warmup_s: int
    duration_s: int
    server_cpu: int
    load_cpu: int


@dataclass(frozen=True)
class Cost:
    """What the measured load cost: CPU ticks of the server's tree; and, as shares of its CPU, what others took.

    `foreign_share` is time of other programs, `steal_share` what the hypervisor took. `softirq_share` is network work of the
    kernel that some kernels keep apart from the program which caused it; it is recorded, and counted for nobody.
    `load_ticks` are those of the load generator: with large bodies a server can leave TCP's work to the receiver's side, which
    makes it look cheap, and only the sum of both shows it. `load_foreign_share` is time of other programs on the load's CPU: it
    slows requests/s, not the cost of one.
    """

    ticks: int
    load_ticks: int
    foreign_share: float
    steal_share: float
    softirq_share: float
    load_foreign_share: float


def measured_load(server: Server, command: list[str], settings: Settings) -> tuple[load.LoadResult, Cost]:
    """Runs the load between two readings of the server's CPU time."""
    cpu, load_cpu = measure.cpu_ticks(settings.server_cpu), measure.cpu_ticks(settings.load_cpu)
    ticks, own, began = -measure.tree_ticks(server.pid), -measure.own_ticks(), time.monotonic()
    result = load.run_wrk(command, settings.load_cpu, settings.duration_s)
    ticks, own = ticks + measure.tree_ticks(server.pid), own + measure.own_ticks()
    used, load_used = measure.cpu_ticks(settings.server_cpu) - cpu, measure.cpu_ticks(settings.load_cpu) - load_cpu
    elapsed = (time.monotonic() - began) * measure.TICKS_PER_SECOND
    return result, Cost(ticks=ticks, load_ticks=own, foreign_share=max(0, used.programs - ticks) / elapsed,
                        steal_share=used.steal / elapsed, softirq_share=used.softirq / elapsed,
                        load_foreign_share=max(0, load_used.programs - own) / elapsed)


def us_per_request(ticks: int, requests: int) -> float | None:
    return ticks * 1e6 / measure.TICKS_PER_SECOND / requests if requests else None


def loaded(server: Server, scenario: Scenario, settings: Settings) -> dict:
    """The raw record of a running server's measurement, without names."""
    before = check.observe(scenario, server.port)
    record = {"before": before.as_json(), "problems": [f"before: {text}" for text in before.problems]}
    if before.problems:
        return record                            # there is no use in loading a wrong answer
    url = f"http://127.0.0.1:{server.port}"
    if settings.warmup_s:
        load.run_wrk(load.wrk_command(settings.wrk, url, scenario, settings.connections, settings.warmup_s),
                     settings.load_cpu, settings.warmup_s)
    command = load.wrk_command(settings.wrk, url, scenario, settings.connections, settings.duration_s)
    result, cost = measured_load(server, command, settings)
    after = check.observe(scenario, server.port)
    memory = measure.tree_memory(server.pid)
    problems = check.compare(before, after)
    problems += load.load_problems(result, before.body_bytes, before.wire_bytes, settings.connections)
    if cost.ticks == 0:
        problems.append("the server used no measurable CPU time")
    record |= {
        "after": after.as_json(), "problems": problems,
        "requests": result.requests, "duration_us": result.duration_us, "received_bytes": result.received_bytes,
        "requests_per_s": result.requests_per_s, "errors": result.errors,
        "p50_us": result.p50_us, "p99_us": result.p99_us, "max_us": result.max_us,
        "cpu_ticks": cost.ticks, "load_cpu_ticks": cost.load_ticks, "ticks_per_s": measure.TICKS_PER_SECOND,
        "cpu_us_per_request": us_per_request(cost.ticks, result.requests),
        "both_us_per_request": us_per_request(cost.ticks + cost.load_ticks, result.requests),
        "foreign_cpu_share": round(cost.foreign_share, 4), "steal_share": round(cost.steal_share, 4),
        "softirq_share": round(cost.softirq_share, 4), "load_foreign_cpu_share": round(cost.load_foreign_share, 4),
        "pss_bytes": memory.pss, "rss_bytes": memory.rss,
    }
    return record


def run_round(number: int, peer: Peer, scenario: Scenario, settings: Settings) -> dict:
    """Never raises for what a server or the load does wrong: that becomes a problem in the record, which makes it invalid."""
    record = {"round": number, "scenario": scenario.name, "server": peer.name}
    server = None
    try:
        server = peers.start(peer, scenario, settings.root, settings.connections, settings.server_cpu)
        record |= loaded(server, scenario, settings)
    except (StartError, load.LoadError) as error:
        record["problems"] = [str(error)]
    except (ProcessLookupError, FileNotFoundError) as error:
        record["problems"] = [f"the server ended during the measurement: {error}"]
    finally:
        if server:
            server.stop()
    record["valid"] = not record["problems"]
    return record


def rotated(items: list, by: int) -> list:
    """The same order begun at another place, so that no server always follows the same pause or neighbour."""
    start = by % len(items) if items else 0
    return items[start:] + items[:start]
