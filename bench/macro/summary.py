"""What the rounds say: medians, spread, ratios round by round, and when to refuse a ranking. Pure functions.

Two servers are compared by the ratios of their values in the same rounds, because a machine drifts: a ratio of neighbours in time
survives a slow minute, a ratio of two medians does not. All ratios are handled as logarithms, so that "a against b" and
"b against a" say the same.
"""

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Comparison:
    """`ratio` is the median of the round-by-round ratios a/b.

    `spread` is how far these ratios lie apart (largest over smallest, minus one), at least the resolution of the clock.
    `decided` is true only when the ratio differs from one by more than the spread; one round alone decides nothing.
    """

    ratio: float
    spread: float
    rounds: int
    decided: bool

    @property
    def lower(self) -> bool:
        return self.decided and self.ratio < 1

    @property
    def higher(self) -> bool:
        return self.decided and self.ratio > 1


def coefficient_of_variation(values: list[float]) -> float | None:
    """Sample standard deviation over mean; None for fewer than two values."""
    if len(values) < 2:
        return None
    return statistics.stdev(values) / statistics.fmean(values)


def compare(a: Mapping[int, float], b: Mapping[int, float], resolution: float = 0.0) -> Comparison | None:
    """Compares positive values by round number; rounds that only one side has are left out. None without a common round.

    `resolution` is the smallest relative difference that the measurement can show.
    """
    logs = [math.log(a[number] / b[number]) for number in sorted(a.keys() & b.keys())]
    if not logs:
        return None
    middle = statistics.median(logs)
    spread = max(max(logs) - min(logs), math.log1p(resolution))
    return Comparison(ratio=math.exp(middle), spread=math.expm1(spread), rounds=len(logs),
                      decided=len(logs) > 1 and abs(middle) > spread)


@dataclass(frozen=True)
class Series:
    """The valid rounds of one server in one scenario, each metric by round number.

    `both_us` is the CPU time of server and load generator together. `resolution` is the relative size of one clock tick in the
    shortest CPU reading.
    """

    cpu_us: dict[int, float]
    both_us: dict[int, float]
    requests_per_s: dict[int, float]
    p99_us: dict[int, float]
    pss: dict[int, float]
    resolution: float


def median(values: Mapping[int, float]) -> float:
    return statistics.median(values.values())


def compare_cpu(a: Series, b: Series) -> Comparison | None:
    return compare(a.cpu_us, b.cpu_us, max(a.resolution, b.resolution))


def compare_speed(a: Series, b: Series) -> Comparison | None:
    return compare(a.requests_per_s, b.requests_per_s)


def cheapest(series: Mapping[str, Series]) -> str | None:
    """The name with the lowest median CPU time a request."""
    return min(series, key=lambda name: median(series[name].cpu_us), default=None)


def fastest(series: Mapping[str, Series]) -> str | None:
    """The name with the highest median of requests a second."""
    return max(series, key=lambda name: median(series[name].requests_per_s), default=None)


def ranking(series: Mapping[str, Series]) -> list[tuple[int, str]]:
    """(rank, name) by CPU time a request. The rank is one more than the number of servers that are decidedly cheaper.

    Servers inside each other's spread thus share a rank, or leave the order between them open.
    """
    ranked = []
    for name in sorted(series, key=lambda one: median(series[one].cpu_us)):
        outcomes = [compare_cpu(series[other], series[name]) for other in series if other != name]
        ranked.append((1 + sum(1 for outcome in outcomes if outcome and outcome.lower), name))
    return ranked


def ranking_text(series: Mapping[str, Series]) -> str:
    """The order in one line: "a < b ~ c" means that a is cheaper than b, and that b and c are within the spread."""
    names = [name for _, name in ranking(series)]
    text = names[0] if names else ""
    for before, name in zip(names, names[1:], strict=False):
        outcome = compare_cpu(series[before], series[name])
        text += f" {'<' if outcome and outcome.lower else '~'} {name}"
    return text
