"""Ratios, spread and the refusal to rank."""

import math

import pytest

from bench.macro import summary
from bench.macro.summary import Series


def numbered(values):
    return dict(enumerate(values, 1))


def series(cpu, speed=(1000.0, 1000.0, 1000.0), resolution=0.0):
    return Series(cpu_us=numbered(cpu), both_us=numbered(cpu), requests_per_s=numbered(speed), p99_us=numbered(cpu),
                  pss=numbered(cpu), resolution=resolution)


def test_the_ratio_is_the_median_of_round_ratios_not_the_ratio_of_medians():
    a, b = numbered([10.0, 40.0, 33.0]), numbered([20.0, 20.0, 30.0])
    outcome = summary.compare(a, b)                       # ratios 0.5, 2, 1.1; the ratio of the medians is 33/20
    assert outcome.ratio == pytest.approx(1.1)
    assert outcome.spread == pytest.approx(2.0 / 0.5 - 1)
    assert not outcome.decided


def test_a_common_slow_round_does_not_hide_a_difference():
    a, b = numbered([10.0, 20.0, 11.0]), numbered([12.0, 24.0, 13.2])     # the machine was slow in round 2
    outcome = summary.compare(a, b)
    assert outcome.ratio == pytest.approx(10 / 12)
    assert outcome.lower and not outcome.higher
    assert summary.coefficient_of_variation(list(a.values())) > 0.3


def test_swapping_the_sides_inverts_the_ratio_and_keeps_the_verdict():
    a, b = numbered([10.0, 10.4]), numbered([12.0, 12.1])
    one, other = summary.compare(a, b), summary.compare(b, a)
    assert one.ratio == pytest.approx(1 / other.ratio)
    assert one.spread == pytest.approx(other.spread)
    assert one.lower and other.higher


@pytest.mark.parametrize(("last", "decided"), [(1.1**3 * 0.999, True), (1.1**3 * 1.001, False)])
def test_the_difference_must_be_larger_than_the_spread(last, decided):
    # As logarithms the rounds are x and 3x: their middle is 2x from equality and they lie 2x apart, which is the limit.
    outcome = summary.compare(numbered([1.1, last]), numbered([1.0, 1.0]))
    assert outcome.decided is decided


def test_one_round_decides_nothing():
    outcome = summary.compare({1: 1.0}, {1: 9.0})
    assert outcome.ratio == pytest.approx(1 / 9) and not outcome.decided


def test_rounds_of_only_one_side_are_left_out():
    outcome = summary.compare({1: 2.0, 2: 100.0, 3: 2.0}, {1: 1.0, 3: 1.0, 4: 50.0})
    assert outcome.rounds == 2 and outcome.ratio == pytest.approx(2.0)
    assert summary.compare({1: 1.0}, {2: 1.0}) is None


@pytest.mark.parametrize(("resolution", "decided"), [(0.09, True), (0.11, False)])
def test_the_clock_tick_is_the_least_spread(resolution, decided):
    outcome = summary.compare(numbered([1.1, 1.1]), numbered([1.0, 1.0]), resolution)
    assert outcome.decided is decided
    assert outcome.spread == pytest.approx(resolution)


def test_coefficient_of_variation():
    assert summary.coefficient_of_variation([2.0, 4.0]) == pytest.approx(math.sqrt(2) / 3)
    assert summary.coefficient_of_variation([5.0, 5.0, 5.0]) == 0
    assert summary.coefficient_of_variation([5.0]) is None


def test_ranking_shares_a_rank_inside_the_spread():
    contestants = {"slow": series([30, 30.2, 30.1]), "b": series([11, 10, 10.6]), "a": series([10, 10.5, 10.4])}
    assert summary.ranking(contestants) == [(1, "a"), (1, "b"), (3, "slow")]
    assert summary.ranking_text(contestants) == "a ~ b < slow"


def test_cheapest_and_fastest_are_medians():
    contestants = {"a": series([10, 11, 50], (100, 300, 310)), "b": series([12, 12, 12], (200, 200, 900))}
    assert summary.cheapest(contestants) == "a"
    assert summary.fastest(contestants) == "a"
    assert summary.cheapest({}) is None and summary.fastest({}) is None
    assert summary.ranking_text({}) == ""


def test_speed_is_compared_by_requests_and_not_by_cpu():
    quick, slow = series([10, 10], (220, 221)), series([10, 10], (100, 101))
    assert summary.compare_speed(quick, slow).higher
    assert not summary.compare_cpu(quick, slow).decided
