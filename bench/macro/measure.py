"""Readings from /proc: CPU time and memory of a process tree, and who else used a CPU.

CPU time comes in clock ticks (10 ms on Linux). A tree's time is user and system time of every process in it, threads
included, plus that of children which were already waited for, so a helper that ends in between is not lost.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
PROC = Path("/proc")


@dataclass(frozen=True)
class ProcStat:
    """The fields of /proc/PID/stat that are needed; times in ticks, start time in ticks since boot."""

    pid: int
    parent: int
    ticks: int
    start_time: int


def parse_stat(text: str) -> ProcStat:
    """Reads one line of /proc/PID/stat. The command name may hold spaces and brackets, so it is cut at the last one."""
    head, _, tail = text.rpartition(")")
    if not head:
        raise ValueError("not a line of /proc/PID/stat")
    fields = tail.split()                       # fields[0] is field 3 of proc(5), the state
    user, system, child_user, child_system = (int(field) for field in fields[11:15])
    return ProcStat(pid=int(head.split(" ", 1)[0]), parent=int(fields[1]),
                    ticks=user + system + child_user + child_system, start_time=int(fields[19]))


def read_stats() -> dict[int, ProcStat]:
    """Every process that can be read now, by pid."""
    found = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                found[int(entry.name)] = parse_stat((entry / "stat").read_text())
            except (FileNotFoundError, ProcessLookupError):
                continue                        # it ended while we were reading
    return found


def select_tree(stats: Iterable[ProcStat], root: int) -> list[ProcStat]:
    """`root` and all its descendants, parents before children. Empty when `root` is not there."""
    children: dict[int, list[ProcStat]] = {}
    top = None
    for stat in stats:
        children.setdefault(stat.parent, []).append(stat)
        if stat.pid == root:
            top = stat
    tree = [top] if top else []
    for stat in tree:                           # grows while it is walked
        tree.extend(children.get(stat.pid, ()))
    return tree


def tree(root: int) -> list[ProcStat]:
    return select_tree(read_stats().values(), root)


def tree_ticks(root: int) -> int:
    """CPU ticks that the tree has used so far. Raises ProcessLookupError when `root` is gone."""
    members = tree(root)
    if not members:
        raise ProcessLookupError(f"process {root} has ended")
    return sum(stat.ticks for stat in members)


def parse_smaps_rollup(text: str) -> dict[str, int]:
    """Name to bytes of the lines "Pss:  12 kB" of /proc/PID/smaps_rollup."""
    values = {}
    for line in text.splitlines()[1:]:
        name, _, rest = line.partition(":")
        number, unit = rest.split()
        if unit != "kB":
            raise ValueError(f"unexpected unit in smaps_rollup: {line}")
        values[name] = int(number) * 1024
    return values


@dataclass(frozen=True)
class Memory:
    """Bytes of a process tree: proportional share and resident."""

    pss: int
    rss: int


def tree_memory(root: int) -> Memory:
    """Sums over the tree. A process without memory of its own (one that is ending) counts as nothing."""
    pss = rss = 0
    members = tree(root)
    if not members:
        raise ProcessLookupError(f"process {root} has ended")
    for stat in members:
        try:
            values = parse_smaps_rollup((PROC / str(stat.pid) / "smaps_rollup").read_text())
        except (FileNotFoundError, ProcessLookupError):
            if stat.pid == root:
                raise
            continue
        pss += values["Pss"]
        rss += values["Rss"]
    return Memory(pss=pss, rss=rss)


@dataclass(frozen=True)
class CpuTicks:
    """Of one CPU: ticks of programs (user, nice, system), of the kernel's network and other soft interrupts, and stolen ones."""

    programs: int
    softirq: int
    steal: int

    def __sub__(self, earlier: "CpuTicks") -> "CpuTicks":
        return CpuTicks(self.programs - earlier.programs, self.softirq - earlier.softirq, self.steal - earlier.steal)


def parse_cpu(text: str, cpu: int) -> CpuTicks:
    """Reads the line "cpuN user nice system idle iowait irq softirq steal ..." of /proc/stat."""
    for line in text.splitlines():
        name, *fields = line.split()
        if name == f"cpu{cpu}":
            user, nice, system, _idle, _iowait, _irq, softirq, steal = (int(field) for field in fields[:8])
            return CpuTicks(programs=user + nice + system, softirq=softirq, steal=steal)
    raise ValueError(f"/proc/stat has no line for cpu{cpu}")


def cpu_ticks(cpu: int) -> CpuTicks:
    return parse_cpu((PROC / "stat").read_text(), cpu)


def own_ticks() -> int:
    """CPU ticks of this program and of the children that it has waited for, such as the load generator."""
    times = os.times()
    return round((times.user + times.system + times.children_user + times.children_system) * TICKS_PER_SECOND)
