"""Facts about the machine that a reader needs to judge the numbers; nothing that names the machine or its owner."""

import os
import platform
import re
from pathlib import Path


def _first(pattern: str, path: str) -> str | None:
    """The first group of `pattern` in a file, or None when the file or the line is not there."""
    try:
        found = re.search(pattern, Path(path).read_text(), re.MULTILINE)
    except OSError:
        return None
    return found.group(1).strip() if found else None


def facts() -> dict:
    """CPU, kernel, memory, distribution, clock governor and the load before the run."""
    memory_kib = _first(r"^MemTotal:\s+(\d+) kB", "/proc/meminfo")
    return {
        "cpu": _first(r"^model name\s*:\s*(.+)$", "/proc/cpuinfo") or platform.machine(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "usable_cpus": sorted(os.sched_getaffinity(0)),
        "memory_mib": int(memory_kib) // 1024 if memory_kib else None,
        "kernel": f"{platform.system()} {platform.release()}",
        "distribution": _first(r'^PRETTY_NAME="?([^"\n]+)', "/etc/os-release"),
        "clock_governor": _first(r"^(\w+)", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
        "virtual_machine": _first(r"^flags\s*:.*\b(hypervisor)\b", "/proc/cpuinfo") is not None,
        "load_before": round(os.getloadavg()[0], 2),
    }
