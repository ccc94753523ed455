"""Measures what one idle keep-alive connection costs a server and writes build/bench/memory.md and memory.json.

Exit codes: 0 all rounds valid; 1 some round was not valid (the report says which); 2 usage, a limit, or a missing program.
"""

import argparse
import datetime
import sys
import tempfile
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
if str(REPOSITORY) not in sys.path:              # run as a script: make `bench` importable, and our folder not
    sys.path[0] = str(REPOSITORY)

from bench.macro import check, cli, fixtures, machine, measure, peers, rounds, scenarios  # noqa: E402
from bench.macro.process import MissingError, StartError, pinned  # noqa: E402
from bench.memory import clients, report  # noqa: E402

WARM_CONNECTIONS = 64                            # of all, opened before the first reading: first-use memory is no connection's
SETTLE_S, SETTLE_STEP_S = 3.0, 0.2               # the longest wait for memory to stop moving, and between two looks
ASK_AGAIN_EVERY = 10


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/memory/run.py", description="Bytes that an idle keep-alive connection costs.",
                                     epilog="example: bench/memory/run.py --peers nginx,tidegate --connections 5000")
    cli.add_common_arguments(parser)
    parser.add_argument("--connections", type=cli.positive, default=10_000, help="default %(default)s")
    parser.add_argument("--rounds", type=cli.positive, default=2, help="fresh servers, default %(default)s")
    options = parser.parse_args(arguments)
    if options.connections <= WARM_CONNECTIONS:
        parser.error(f"--connections must be more than the {WARM_CONNECTIONS} warm ones")
    return options


def settled_memory(pid: int) -> measure.Memory:
    """The memory once two looks in a row agree, or the last look when it keeps moving."""
    deadline, last = time.monotonic() + SETTLE_S, measure.tree_memory(pid)
    while time.monotonic() < deadline:
        time.sleep(SETTLE_STEP_S)
        now = measure.tree_memory(pid)
        if now == last:
            break
        last = now
    return last


def held(server: peers.Server, scenario: scenarios.Scenario, connections: int) -> dict:
    """Opens the connections, a few first, and reads the memory with few and with all. Raises AnswerError or OSError."""
    added = connections - WARM_CONNECTIONS
    with clients.Clients(scenario, server.port) as group:
        group.open(WARM_CONNECTIONS)
        before = settled_memory(server.pid)
        group.open(added)
        idle = settled_memory(server.pid)
        problems = [f"the server closed {closed} idle connections"] if (closed := group.closed_by_server()) else []
        asked = 0 if problems else group.ask_again(ASK_AGAIN_EVERY)
    return {"problems": problems, "before": vars(before), "idle": vars(idle), "asked_again": asked,
            "pss_per_connection": report.bytes_per_connection(before.pss, idle.pss, added),
            "rss_per_connection": report.bytes_per_connection(before.rss, idle.rss, added)}


def run_round(number: int, peer: peers.Peer, scenario: scenarios.Scenario, root: Path, options: argparse.Namespace) -> dict:
    """Never raises for what a server does wrong: that becomes a problem in the record, which makes it invalid."""
    record = {"round": number, "server": peer.name, "scenario": scenario.name, "connections": options.connections}
    server = None
    try:
        server = peers.start(peer, scenario, root, options.connections, options.server_cpu)
        with pinned(options.load_cpu):
            record |= held(server, scenario, options.connections)
    except (StartError, check.AnswerError, OSError) as error:
        record["problems"] = [str(error)]
    finally:
        if server:
            server.stop()
    record["valid"] = not record["problems"]
    return record


def progress(record: dict) -> None:
    result = f"{record['pss_per_connection']:,.0f} bytes a connection" if record["valid"] else "; ".join(record["problems"])
    print(f"round {record['round']} {record['server']}: {'' if record['valid'] else 'NOT VALID: '}{result}", flush=True)


def measure_all(options: argparse.Namespace, chosen: list[peers.Peer], root: Path) -> dict:
    facts, records = machine.facts(), []
    built = scenarios.build(fixtures.build(root))
    for number in range(1, options.rounds + 1):
        for peer in rounds.rotated(chosen, number - 1):
            scenario = built[next(name for name in scenarios.NAMES if peer.supports(name))]
            records.append(run_round(number, peer, scenario, root, options))
            progress(records[-1])
    now = datetime.datetime.now(datetime.timezone.utc)
    return {"format": 1, "kind": "memory", "measured_at": now.strftime("%Y-%m-%d %H:%M UTC"), "machine": facts,
            "settings": {"connections": options.connections, "rounds": options.rounds, "warm_connections": WARM_CONNECTIONS},
            "versions": {peer.name: peer.version() for peer in chosen}, "rounds": records}


def main(arguments: list[str]) -> int:
    options = parse_arguments(arguments)
    try:
        cli.check_cpus(options)
        chosen = cli.choose(options)
        clients.raise_descriptor_limit(options.connections, {"this program": 1} | {peer.name: peer.descriptors for peer in chosen})
    except (MissingError, clients.LimitError) as error:
        print(f"bench: {error}", file=sys.stderr)
        return cli.EXIT_USAGE
    with tempfile.TemporaryDirectory(prefix="bench-root-") as root:
        document = measure_all(options, chosen, Path(root))
    cli.write_report(options.output, "memory", document, report.markdown(document))
    return 0 if all(record["valid"] for record in document["rounds"]) else 1


if __name__ == "__main__":
    sys.exit(cli.run_program(main))
