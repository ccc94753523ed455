"""What the macro and the memory benchmark share on the command line: arguments, choice of servers, writing the report."""

import argparse
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from bench.macro import peers
from bench.macro.process import MissingError

REPOSITORY = Path(__file__).resolve().parents[2]
POLLERS = ("auto", "io_uring", "epoll", "libevent")
EXIT_USAGE = 2                                   # the same number that argparse uses
EXIT_INTERRUPTED = 130


def names_of(allowed: tuple[str, ...]) -> Callable[[str], list[str]]:
    """An argparse type: names separated by commas, each one of `allowed`, in the order given."""
    def parse(text: str) -> list[str]:
        chosen = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
        unknown = [name for name in chosen if name not in allowed]
        if unknown or not chosen:
            raise argparse.ArgumentTypeError(f"unknown: {', '.join(unknown) or 'nothing'}; choose from {', '.join(allowed)}")
        return chosen
    return parse


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return value


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Servers, CPUs and where the report goes."""
    build = REPOSITORY / "build"
    usable = sorted(os.sched_getaffinity(0))
    parser.add_argument("--tidegate", type=Path, default=build / "release" / "tidegate", metavar="PATH", help="the binary")
    parser.add_argument("--poller", type=names_of(POLLERS), default=["auto"], metavar="NAMES",
                        help=f"pollers of tidegate, one contestant each: {', '.join(POLLERS)} (default auto)")
    parser.add_argument("--peers", type=names_of(peers.NAMES), default=list(peers.NAMES), metavar="NAMES",
                        help=f"which servers, separated by commas (default {','.join(peers.NAMES)})")
    parser.add_argument("--output", type=Path, default=build / "bench", metavar="DIR", help="where the report goes")
    parser.add_argument("--server-cpu", type=int, default=usable[0], metavar="N", help="CPU of the server (default %(default)s)")
    parser.add_argument("--load-cpu", type=int, default=usable[-1], metavar="N", help="CPU of the load (default %(default)s)")


def choose(options: argparse.Namespace) -> list[peers.Peer]:
    """The contestants. Raises MissingError that names everything that is missing, not only the first."""
    chosen, missing = [], []
    makers = {"floor": lambda: [peers.floor(peers.build_floor(options.output))],
              "tidegate": lambda: [peers.tidegate(options.tidegate, poller) for poller in options.poller]}
    for name in options.peers:
        try:
            chosen += makers[name]() if name in makers else [peers.installed(name)]
        except MissingError as error:
            missing.append(str(error))
    if missing:
        raise MissingError("\n".join(missing))
    return chosen


def check_cpus(options: argparse.Namespace) -> None:
    """Raises MissingError for a CPU that we may not use; warns when server and load share one."""
    for cpu in (options.server_cpu, options.load_cpu):
        if cpu not in os.sched_getaffinity(0):
            raise MissingError(f"CPU {cpu} is not usable here; choose from {sorted(os.sched_getaffinity(0))}")
    if options.server_cpu == options.load_cpu:
        print("warning: server and load share a CPU; requests/s and latency then say little", file=sys.stderr)


def write_report(directory: Path, stem: str, document: dict, page: str) -> None:
    """Writes DIR/stem.json and DIR/stem.md and says where."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / f"{stem}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    (directory / f"{stem}.md").write_text(page, encoding="utf-8")
    print(f"\n{page}\nwritten: {directory / stem}.md and {stem}.json")


def run_program(main: Callable[[list[str]], int]) -> int:
    """Runs `main` with our arguments. SIGTERM unwinds like Ctrl-C, so that no server is left behind."""
    def interrupt(*_):
        raise KeyboardInterrupt
    signal.signal(signal.SIGTERM, interrupt)
    try:
        return main(sys.argv[1:])
    except KeyboardInterrupt:
        print("bench: interrupted; no report is written", file=sys.stderr)
        return EXIT_INTERRUPTED
