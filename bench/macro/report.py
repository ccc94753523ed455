"""The report: a Markdown page for people and a JSON file with every raw round."""

from collections.abc import Mapping

from bench.macro import summary
from bench.macro.rounds import DISTURBED_SHARE
from bench.macro.summary import Comparison, Series

HEADINGS = ("server", "rank", "CPU µs/request", "against best peer", "against floor", "with client", "requests/s",
            "against fastest peer", "p99 ms", "PSS MiB", "CV CPU", "CV requests/s")


def collect(records: list[dict], scenario: str) -> dict[str, Series]:
    """The valid rounds of a scenario by server, in the order of first appearance."""
    grouped: dict[str, list[dict]] = {}
    for record in records:
        if record["scenario"] == scenario and record["valid"]:
            grouped.setdefault(record["server"], []).append(record)

    def by_round(group: list[dict], key: str) -> dict[int, float]:
        return {record["round"]: record[key] for record in group}

    return {name: Series(cpu_us=by_round(group, "cpu_us_per_request"), both_us=by_round(group, "both_us_per_request"),
                         requests_per_s=by_round(group, "requests_per_s"),
                         p99_us=by_round(group, "p99_us"), pss=by_round(group, "pss_bytes"),
                         resolution=max(1 / record["cpu_ticks"] for record in group))
            for name, group in grouped.items()}


def references(series: Mapping[str, Series], roles: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The cheapest and the fastest peer. Tidegate and the floor are measured against peers, they are none themselves."""
    others = {name: one for name, one in series.items() if roles[name] == "peer"}
    return summary.cheapest(others), summary.fastest(others)


def ratio_text(outcome: Comparison | None) -> str:
    if outcome is None:
        return "–"
    if outcome.decided:
        return f"{outcome.ratio:.2f}"
    return f"{outcome.ratio:.2f}, within the spread"


def percent(value: float | None) -> str:
    return "–" if value is None else f"{value * 100:.1f} %"


def _row(name: str, rank: str, series: Mapping[str, Series], best: str | None, quickest: str | None) -> list[str]:
    one = series[name]
    against_best = "best peer" if name == best else ratio_text(summary.compare_cpu(one, series[best]) if best else None)
    against_floor = ratio_text(summary.compare_cpu(one, series["floor"]) if "floor" in series and name != "floor" else None)
    against_fastest = ("fastest peer" if name == quickest
                       else ratio_text(summary.compare_speed(one, series[quickest]) if quickest else None))
    return [name, rank, f"{summary.median(one.cpu_us):.2f}", against_best, against_floor,
            f"{summary.median(one.both_us):.2f}", f"{summary.median(one.requests_per_s):,.0f}", against_fastest,
            f"{summary.median(one.p99_us) / 1000:.2f}", f"{summary.median(one.pss) / 2**20:.1f}",
            percent(summary.coefficient_of_variation(list(one.cpu_us.values()))),
            percent(summary.coefficient_of_variation(list(one.requests_per_s.values())))]


def markdown_table(rows: list[list[str]], headings: tuple[str, ...]) -> str:
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def scenario_section(scenario: Mapping[str, str], records: list[dict], roles: Mapping[str, str]) -> str:
    """One scenario's table, its order, and the rounds that did not count."""
    series = collect(records, scenario["name"])
    best, quickest = references(series, roles)
    ranked = {name: one for name, one in series.items() if roles[name] != "floor"}
    ranks = {name: str(rank) for rank, name in summary.ranking(ranked)}
    order = sorted(series, key=lambda name: summary.median(series[name].cpu_us))
    rows = [_row(name, ranks.get(name, "–"), series, best, quickest) for name in order]
    text = f"## {scenario['name']}: {scenario['title']}\n\n"
    text += markdown_table(rows, HEADINGS) if rows else "No valid round.\n"
    if len(ranked) > 1:
        text += f"\nBy CPU time a request (`<` cheaper, `~` within the spread, not ranked): {summary.ranking_text(ranked)}\n"
    for record in records:
        if record["scenario"] == scenario["name"] and not record["valid"]:
            text += f"\n* not counted: {record['server']}, round {record['round']}: {'; '.join(record['problems'])}"
    return text.rstrip("\n") + "\n"


def disturbance_text(records: list[dict]) -> str:
    """How many rounds had company. The numbers stand, but a reader must know."""
    measured = [record for record in records if "foreign_cpu_share" in record]
    server = [record["foreign_cpu_share"] + record["steal_share"] for record in measured]
    load = [record["load_foreign_cpu_share"] for record in measured]
    texts = [f"{sum(1 for share in shares if share > DISTURBED_SHARE)} of {len(shares)} rounds on the {whose} CPU "
             f"(at most {max(shares):.0%} of it)"
             for whose, shares in (("server's", server), ("load's", load)) if shares and max(shares) > DISTURBED_SHARE]
    if not texts:
        return f"No other program took more than {DISTURBED_SHARE:.0%} of either CPU in any round."
    return f"**Disturbed**: other programs took more than {DISTURBED_SHARE:.0%} in {' and in '.join(texts)}."


def machine_text(document: Mapping) -> str:
    machine, settings = document["machine"], document["settings"]
    virtual = ", virtual machine" if machine["virtual_machine"] else ""
    return (f"{machine['cpu']}, {machine['cores']} cores{virtual}, {machine['kernel']}, {machine['distribution']}; "
            f"load average before the run {machine['load_before']}. Server on CPU {settings['server_cpu']}, "
            f"load on CPU {settings['load_cpu']}. Measured {document['measured_at']}.")


def markdown(document: Mapping) -> str:
    """The whole page from the JSON document."""
    settings, records = document["settings"], document["rounds"]
    versions = "\n".join(f"* {name}: {version}" for name, version in document["versions"].items())
    sections = "\n".join(scenario_section(scenario, records, document["roles"]) for scenario in document["scenarios"])
    return f"""# Servers side by side

{machine_text(document)}

wrk, {settings['connections']} keep-alive connections, {settings['rounds']} interleaved rounds of {settings['duration_s']} s,
each after {settings['warmup_s']} s of warm-up. Values are medians.
Ratios are medians of the ratios of the same round: CPU below 1 is cheaper, requests/s above 1 is faster. "Within the spread"
means that the ratios of the rounds lie further apart than their median lies from 1, so no order is claimed. The floor parses
nothing and is no peer. "With client" is the CPU time of server and load generator together. CV is the coefficient of variation
between rounds.

{disturbance_text(records)}

{versions}

{sections}"""
