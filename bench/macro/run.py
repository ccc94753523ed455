"""Measures servers side by side and writes build/bench/macro.md and macro.json. See bench/README.md.

Exit codes: 0 all rounds valid; 1 some round was not valid (the report says which); 2 usage or a missing program.
"""

import argparse
import datetime
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
if str(REPOSITORY) not in sys.path:              # run as a script: make `bench` importable, and our folder not
    sys.path[0] = str(REPOSITORY)

from bench.macro import cli, fixtures, load, machine, peers, report, rounds, scenarios  # noqa: E402
from bench.macro.process import MissingError  # noqa: E402

OVERHEAD_S = 0.4                                 # start, checks and end of a server, measured
LIMIT_S = 600


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/macro/run.py", description="Requests/s and CPU time a request, side by side.",
                                     epilog="example: bench/macro/run.py --peers nginx,h2o,floor --scenarios static-js --quick")
    cli.add_common_arguments(parser)
    parser.add_argument("--scenarios", type=cli.names_of(scenarios.NAMES), default=list(scenarios.NAMES), metavar="NAMES",
                        help=f"separated by commas (default {','.join(scenarios.NAMES)})")
    parser.add_argument("--rounds", type=cli.positive, default=3, help="default %(default)s; one round alone ranks nothing")
    parser.add_argument("--seconds", type=cli.positive, default=3, help="length of a measurement (default %(default)s)")
    parser.add_argument("--connections", type=cli.positive, default=64, help="keep-alive connections (default %(default)s)")
    parser.add_argument("--quick", action="store_true", help="1 s a measurement: to see that all works, not to publish")
    return parser.parse_args(arguments)


def plan(chosen: list[peers.Peer], wanted: list[str], count: int) -> list[tuple[int, str, peers.Peer]]:
    """The order of all measurements: round by round, in each scenario the servers in a rotated order."""
    return [(number, scenario, peer)
            for number in range(1, count + 1)
            for position, scenario in enumerate(wanted)
            for peer in rounds.rotated([peer for peer in chosen if peer.supports(scenario)], number - 1 + position)]


def document_of(options: argparse.Namespace, settings: rounds.Settings, chosen: list[peers.Peer], wanted: list,
                records: list[dict], facts: dict) -> dict:
    now = datetime.datetime.now(datetime.timezone.utc)
    return {
        "format": 1, "kind": "macro", "measured_at": now.strftime("%Y-%m-%d %H:%M UTC"), "machine": facts,
        "settings": {"rounds": options.rounds, "connections": settings.connections, "warmup_s": settings.warmup_s,
                     "duration_s": settings.duration_s, "server_cpu": settings.server_cpu, "load_cpu": settings.load_cpu},
        "versions": {peer.name: peer.version() for peer in chosen}, "roles": {peer.name: peer.role for peer in chosen},
        "scenarios": [{"name": one.name, "title": one.title} for one in wanted], "rounds": records,
    }


def progress(done: int, total: int, record: dict) -> None:
    head = f"[{done}/{total}] round {record['round']} {record['scenario']} {record['server']}: "
    if record["valid"]:
        print(head + f"{record['requests_per_s']:,.0f} req/s, {record['cpu_us_per_request']:.2f} us CPU", flush=True)
    else:
        print(head + "NOT VALID: " + "; ".join(record["problems"]), flush=True)


def measure_all(options: argparse.Namespace, chosen: list[peers.Peer], wrk: str, root: Path) -> dict:
    facts, steps = machine.facts(), plan(chosen, options.scenarios, options.rounds)
    all_scenarios = scenarios.build(fixtures.build(root))
    settings = rounds.Settings(wrk=wrk, root=root, connections=options.connections, warmup_s=1,
                               duration_s=1 if options.quick else options.seconds,
                               server_cpu=options.server_cpu, load_cpu=options.load_cpu)
    estimate = len(steps) * (settings.warmup_s + settings.duration_s + OVERHEAD_S)
    print(f"{len(steps)} measurements, about {estimate / 60:.1f} minutes"
          + (": fewer --rounds, --scenarios or --peers take less" if estimate > LIMIT_S else ""), flush=True)
    records = []
    for number, name, peer in steps:
        records.append(rounds.run_round(number, peer, all_scenarios[name], settings))
        progress(len(records), len(steps), records[-1])
    return document_of(options, settings, chosen, [all_scenarios[name] for name in options.scenarios], records, facts)


def main(arguments: list[str]) -> int:
    options = parse_arguments(arguments)
    try:
        cli.check_cpus(options)
        chosen = cli.choose(options)
        wrk = load.find_wrk()
    except MissingError as error:
        print(f"bench: {error}", file=sys.stderr)
        return cli.EXIT_USAGE
    with tempfile.TemporaryDirectory(prefix="bench-root-") as root:
        document = measure_all(options, chosen, wrk, Path(root))
    cli.write_report(options.output, "macro", document, report.markdown(document))
    return 0 if all(record["valid"] for record in document["rounds"]) else 1


if __name__ == "__main__":
    sys.exit(cli.run_program(main))
