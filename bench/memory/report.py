"""The report of the memory benchmark: bytes a connection, from the growth of a server between few and many connections."""

import statistics
from collections.abc import Mapping

from bench.macro.report import markdown_table

HEADINGS = ("server", "PSS bytes/connection", "RSS bytes/connection", "smallest to largest PSS", "PSS before MiB",
            "PSS with connections MiB", "answer")


def bytes_per_connection(before: int, after: int, connections: int) -> float:
    """Growth a connection. May be negative when a server gave memory back meanwhile; then it says so as it is."""
    return (after - before) / connections


def row(name: str, records: list[Mapping]) -> list[str]:
    """One server's medians over its rounds."""
    pss = [record["pss_per_connection"] for record in records]
    return [name, f"{statistics.median(pss):,.0f}",
            f"{statistics.median(record['rss_per_connection'] for record in records):,.0f}",
            f"{min(pss):,.0f} to {max(pss):,.0f}" if len(pss) > 1 else "–",
            f"{statistics.median(record['before']['pss'] for record in records) / 2**20:.1f}",
            f"{statistics.median(record['idle']['pss'] for record in records) / 2**20:.1f}", records[0]["scenario"]]


def table(records: list[Mapping]) -> str:
    """All servers with a valid round, the leanest first."""
    grouped: dict[str, list[Mapping]] = {}
    for record in records:
        if record["valid"]:
            grouped.setdefault(record["server"], []).append(record)
    order = sorted(grouped, key=lambda name: statistics.median(record["pss_per_connection"] for record in grouped[name]))
    return markdown_table([row(name, grouped[name]) for name in order], HEADINGS) if order else "No valid round.\n"


def markdown(document: Mapping) -> str:
    """The whole page from the JSON document."""
    machine, settings, records = document["machine"], document["settings"], document["rounds"]
    failed = "".join(f"\n* not counted: {record['server']}, round {record['round']}: {'; '.join(record['problems'])}"
                     for record in records if not record["valid"])
    versions = "\n".join(f"* {name}: {version}" for name, version in document["versions"].items())
    return f"""# Memory of an idle connection

{machine['cpu']}, {machine['kernel']}, {machine['distribution']}. Measured {document['measured_at']}.

{settings['connections']:,} keep-alive connections, each of which made one request and then waits; growth of the server's process
tree from the first {settings['warm_connections']} of them to all, divided by the number added; medians of
{settings['rounds']} rounds with a fresh server each. Memory of the kernel (sockets, timers) is not in these figures.

{versions}

{table(records)}{failed}"""
