"""What is read from /proc, on texts of our own and on live processes."""

import os
import subprocess
import sys

import pytest

from bench.macro import measure
from bench.macro.measure import ProcStat

STAT = "{pid} ({name}) S {parent} 7 7 0 -1 4194304 118 91 0 0 {utime} {stime} {cutime} {cstime} 20 0 3 0 8812 5005312 233 99 1 2"


def stat(pid, parent, name="x", utime=0, stime=0, cutime=0, cstime=0):
    return STAT.format(pid=pid, parent=parent, name=name, utime=utime, stime=stime, cutime=cutime, cstime=cstime)


@pytest.mark.parametrize("name", ["nginx", "a b", "a) S 1 (b", "((", "x) R 9 9 9 9 9 9 9 9 9 9 9"])
def test_stat_of_any_name(name):
    parsed = measure.parse_stat(stat(4711, 42, name, utime=100, stime=20, cutime=3, cstime=4))
    assert parsed == ProcStat(pid=4711, parent=42, ticks=127, start_time=8812)


@pytest.mark.parametrize("text", ["", "12 nginx S 1", "12 (nginx) S 1 2"])
def test_a_broken_stat_is_an_error(text):
    with pytest.raises((ValueError, IndexError)):
        measure.parse_stat(text)


def test_a_tree_holds_descendants_and_nobody_else():
    parents = {1: 0, 10: 1, 11: 10, 12: 11, 13: 10, 20: 1, 21: 20}
    stats = [measure.parse_stat(stat(pid, parent)) for pid, parent in sorted(parents.items(), reverse=True)]
    assert sorted(one.pid for one in measure.select_tree(stats, 10)) == [10, 11, 12, 13]
    assert [one.pid for one in measure.select_tree(stats, 21)] == [21]
    assert measure.select_tree(stats, 99) == []


def test_smaps_rollup():
    text = "5606-7ffc ---p 00000000 00:00 0    [rollup]\nRss:    1764 kB\nPss:     441 kB\nPss_Dirty:  0 kB\n"
    assert measure.parse_smaps_rollup(text) == {"Rss": 1764 * 1024, "Pss": 441 * 1024, "Pss_Dirty": 0}
    with pytest.raises(ValueError):
        measure.parse_smaps_rollup("header\nRss: 3 MB\n")


def test_cpu_line():
    text = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\ncpu10 100 2 30 4000 50 6 7 8 9 0\nintr 5\n"
    assert measure.parse_cpu(text, 10) == measure.CpuTicks(programs=132, softirq=7, steal=8)
    assert measure.parse_cpu(text, 10) - measure.parse_cpu(text, 1) == measure.CpuTicks(129, 6, 7)
    with pytest.raises(ValueError):
        measure.parse_cpu(text, 2)


def test_a_child_that_worked_is_counted_alive_and_after_it_was_waited_for():
    # A child makes a grandchild burn CPU time and waits for it; then it holds still until its input ends.
    burn = "import time\nend = time.process_time() + 0.3\nwhile time.process_time() < end: pass"
    program = (f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {burn!r}])\n"
               "print('done', flush=True)\nsys.stdin.read()")
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "done\n"
        ticks, own = measure.tree_ticks(child.pid), measure.tree_memory(child.pid)
        assert [one.pid for one in measure.tree(child.pid)] == [child.pid]
        child.stdin.close()
        child.wait(10)
    assert ticks >= 0.28 * measure.TICKS_PER_SECOND
    assert 0 < own.pss <= own.rss
    with pytest.raises(ProcessLookupError):
        measure.tree_ticks(child.pid)


def test_our_own_tree_holds_our_child():
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        assert child.pid in [one.pid for one in measure.tree(os.getpid())]
        child.stdin.close()
        child.wait(10)
