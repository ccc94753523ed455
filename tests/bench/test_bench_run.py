"""The plan, the report and the command lines, without any load."""

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from bench.macro import cli, configs, peers, report, rounds, run, scenarios
from bench.memory import clients
from bench.memory import report as memory_report

ROOT = Path(__file__).resolve().parents[2]


def contestant(name, supported=scenarios.STATIC | scenarios.RESPOND, role="peer"):
    return peers.Peer(name, role, Path("/bin/true"), supported, lambda *_: [], ())


def test_rounds_are_interleaved_and_rotated():
    chosen = [contestant("a"), contestant("b", scenarios.RESPOND), contestant("c")]
    steps = [(number, scenario, peer.name) for number, scenario, peer in run.plan(chosen, ["respond", "static-js"], 2)]
    assert steps == [(1, "respond", "a"), (1, "respond", "b"), (1, "respond", "c"), (1, "static-js", "c"), (1, "static-js", "a"),
                     (2, "respond", "b"), (2, "respond", "c"), (2, "respond", "a"), (2, "static-js", "a"), (2, "static-js", "c")]
    assert rounds.rotated([], 3) == []


def record(number, server, cpu, speed, valid=True, foreign=0.0):
    return {"round": number, "scenario": "respond", "server": server, "valid": valid,
            "problems": [] if valid else ["7 read errors"],
            "cpu_us_per_request": cpu, "both_us_per_request": 2 * cpu, "requests_per_s": speed, "p99_us": 1000.0,
            "pss_bytes": 2**20, "cpu_ticks": 300, "foreign_cpu_share": foreign, "steal_share": 0.0, "load_foreign_cpu_share": 0.0}


def document(records):
    names = dict.fromkeys(one["server"] for one in records)
    return {"machine": {"cpu": "A CPU", "cores": 2, "virtual_machine": True, "kernel": "Linux 6", "distribution": "D",
                        "load_before": 0},
            "settings": {"server_cpu": 0, "load_cpu": 1, "connections": 64, "rounds": 2, "duration_s": 3, "warmup_s": 1},
            "measured_at": "now", "versions": {name: "1" for name in names},
            "roles": {name: {"floor": "floor", "tidegate": "subject"}.get(name, "peer") for name in names},
            "scenarios": [{"name": "respond", "title": "fixed"}], "rounds": records}


def cells(page, server):
    line = next(line for line in page.splitlines() if line.startswith(f"| {server} |"))
    return dict(zip(report.HEADINGS, [cell.strip() for cell in line.strip("|").split("|")], strict=True))


def test_the_report_compares_with_the_best_peer_and_the_floor():
    records = [record(1, "floor", 5.0, 90.0), record(2, "floor", 5.1, 91.0), record(1, "tidegate", 8.0, 80.0),
               record(2, "tidegate", 8.1, 81.0), record(1, "nginx", 10.0, 79.9), record(2, "nginx", 10.1, 81.2),
               record(1, "caddy", 30.0, 20.0), record(2, "caddy", 30.5, 20.0), record(3, "caddy", 1.0, 1.0, valid=False)]
    page = report.markdown(document(records))
    assert cells(page, "tidegate")["against best peer"] == "0.80" and cells(page, "tidegate")["rank"] == "1"
    assert cells(page, "tidegate")["against floor"] == "1.59"
    assert cells(page, "tidegate")["against fastest peer"] == "1.00, within the spread"
    assert cells(page, "nginx")["against best peer"] == "best peer" and cells(page, "nginx")["rank"] == "2"
    assert cells(page, "floor")["rank"] == "–" and cells(page, "floor")["against floor"] == "–"
    assert cells(page, "caddy")["CPU µs/request"] == "30.25"
    assert "tidegate < nginx < caddy" in page
    assert "not counted: caddy, round 3: 7 read errors" in page
    assert "No other program" in page


def test_the_report_refuses_to_rank_inside_the_spread_and_names_disturbances():
    records = [record(1, "h2o", 10.0, 80.0, foreign=0.3), record(2, "h2o", 11.0, 80.0), record(1, "nginx", 10.5, 80.0),
               record(2, "nginx", 10.6, 80.0)]
    page = report.markdown(document(records))
    assert cells(page, "h2o")["against best peer"] == "best peer"
    assert cells(page, "nginx")["against best peer"] == "1.01, within the spread"
    assert cells(page, "h2o")["rank"] == cells(page, "nginx")["rank"] == "1"
    assert " ~ " in page and "1 of 4 rounds on the server's CPU (at most 30% of it)" in page


def test_a_scenario_without_a_valid_round_says_so():
    page = report.markdown(document([record(1, "nginx", 1.0, 1.0, valid=False)]))
    assert "No valid round." in page and "not counted: nginx" in page


def test_names_are_checked_and_kept_in_order():
    parse = cli.names_of(("a", "b", "c"))
    assert parse("c, a,c") == ["c", "a"]
    for text in ("", ",", "a,x"):
        with pytest.raises(argparse.ArgumentTypeError):
            parse(text)


@pytest.mark.parametrize("script", ["bench/macro/run.py", "bench/memory/run.py"])
def test_a_missing_tidegate_is_said_and_is_a_failure(script, tmp_path):
    arguments = ["--peers", "tidegate", "--tidegate", tmp_path / "no", "--output", tmp_path]
    done = subprocess.run([sys.executable, ROOT / script, *arguments],
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert f"tidegate is not built at {tmp_path / 'no'}" in done.stderr and "--peers" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_paths_are_quoted_in_every_configuration():
    site = configs.Site(root=Path('/a b/"c"'), work=Path("/w x"), port=4711, connections=64, as_root=True)
    texts = [configs.nginx(site), configs.h2o(site), configs.lighttpd(site, True), configs.caddy(site),
             configs.tidegate(site, "epoll")]
    for text in texts:
        assert '"/a b/\\"c\\""' in text and "4711" in text
    assert "user root" in texts[0] and "user root" not in configs.nginx(configs.Site(site.root, site.work, 1, 64, False))


@pytest.mark.parametrize(("index", "address"), [(0, "127.0.0.1"), (9999, "127.0.0.1"), (10000, "127.0.0.2"), (25000, "127.0.0.3")])
def test_connections_spread_over_source_addresses(index, address):
    assert clients.source_address(index, 10000) == address


def test_the_last_source_address():
    assert clients.source_address(253, 1) == "127.0.0.254"
    with pytest.raises(clients.LimitError):
        clients.source_address(254, 1)
    assert clients.ports_per_address("32768\t60999\n") == 14116


def test_bytes_per_connection():
    assert memory_report.bytes_per_connection(1000, 21000, 10) == 2000
    assert memory_report.bytes_per_connection(1000, 0, 10) == -100
