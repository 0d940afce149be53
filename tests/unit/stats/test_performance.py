"""Measures over repetitions, against hand computations and the sampling law of their errors."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from avowed.stats.performance import bias, coverage, in_errors, mean_of, proportion

NAN = math.nan


def test_mean_and_its_error_by_hand() -> None:
    # 1, 2, 6: mean 3, variance (4 + 1 + 9) / 2 = 7, error sqrt(7 / 3).
    found = mean_of([1, 2, 6])
    assert found.value == 3
    assert found.mc_error == pytest.approx(math.sqrt(7 / 3), rel=1e-14)
    assert found.repetitions == 3


def test_a_repetition_without_an_estimate_counts_nowhere() -> None:
    assert mean_of([1, NAN, 2, 6, NAN]) == mean_of([1, 2, 6])
    assert bias([0.5, NAN, 0.7], [0.5, 0.5, 0.5]) == bias([0.5, 0.7], 0.5)
    assert proportion([1, NAN, 0]) == proportion([1, 0])


@pytest.mark.parametrize("values", [[], [NAN], [NAN, NAN]])
def test_nothing_is_not_a_number(values: list[float]) -> None:
    for found in (mean_of(values), proportion(values), coverage(values, values, 0.5)):
        assert math.isnan(found.value) and math.isnan(found.mc_error)
        assert found.repetitions == 0


def test_one_repetition_has_a_mean_but_no_error() -> None:
    found = mean_of([0.25])
    assert found.value == 0.25 and found.repetitions == 1
    assert math.isnan(found.mc_error)


def test_bias_with_one_truth_per_repetition() -> None:
    # Differences 0.1, -0.1, 0.3: mean 0.1, variance (0 + .04 + .04) / 2 = .04.
    found = bias([0.6, 0.4, 0.9], [0.5, 0.5, 0.6])
    assert found.value == pytest.approx(0.1, abs=1e-15)
    assert found.mc_error == pytest.approx(math.sqrt(0.04 / 3), rel=1e-12)


def test_a_truth_that_is_known_only_in_some_repetitions_is_used_there() -> None:
    assert bias([0.6, 0.4], [0.5, NAN]).repetitions == 1


@given(hits=st.integers(0, 40), more=st.integers(0, 40))
@settings(max_examples=100, derandomize=True, deadline=None)
def test_proportion_is_exact_and_its_error_never_vanishes(hits: int, more: int) -> None:
    n = hits + more
    assume(n > 0)
    found = proportion([1] * hits + [0] * more)
    assert found.value == float(Fraction(hits, n))
    assert 0 < found.mc_error <= 0.5 / math.sqrt(n) * (1 + 1e-12)
    if 0 < hits < n:
        assert found.mc_error == pytest.approx(
            math.sqrt(Fraction(hits * more, n**2) / n), rel=1e-12
        )


def test_the_error_at_the_boundary_is_that_of_one_more_of_each() -> None:
    # 0 of 8: p becomes 1/10, and .1 * .9 / 8 is the square of the error; 8 of 8 mirrors it.
    none, all_of_them = proportion([0] * 8), proportion([1] * 8)
    assert (none.value, all_of_them.value) == (0, 1)
    assert none.mc_error == pytest.approx(math.sqrt(0.09 / 8), rel=1e-12)
    assert all_of_them.mc_error == pytest.approx(none.mc_error, rel=1e-12)


def test_both_ends_belong_to_the_interval() -> None:
    lower, upper = [0.2, 0.5, 0.5 + 1e-9, 0.1], [0.5, 0.8, 0.9, 0.5 - 1e-9]
    assert coverage(lower, upper, 0.5).value == 0.5


@pytest.mark.parametrize("ends", [(NAN, 0.9), (0.1, NAN), (NAN, NAN)])
def test_an_interval_with_an_undefined_end_covers_nothing_and_misses_nothing(
    ends: tuple[float, float],
) -> None:
    found = coverage([0.1, ends[0]], [0.9, ends[1]], 0.5)
    assert (found.value, found.repetitions) == (1, 1)


def test_coverage_of_a_truth_that_moves() -> None:
    assert coverage([0, 0, 0], [0.5, 0.5, 0.5], [0.4, 0.6, 0.5]).value == pytest.approx(2 / 3)


def test_where_there_is_no_truth_nothing_is_covered_or_missed() -> None:
    # The truth realised in a data set without an evaluable pair does not exist.
    found = coverage([0.1, 0.1], [0.9, 0.9], [0.5, NAN])
    assert (found.value, found.repetitions) == (1, 1)


def test_in_errors() -> None:
    assert in_errors(-0.03, 0.015) == pytest.approx(2)
    assert in_errors(0, 0.1) == 0
    assert math.isnan(in_errors(1, 0)) and math.isnan(in_errors(1, NAN))


def test_the_errors_are_those_of_the_sampling_law() -> None:
    """Each error, averaged over 4,000 studies, is the standard deviation between the studies.

    A standard deviation from 4,000 values is good to 1 / sqrt(8,000) = 1.1 %; 5 % is 4.5 of its
    errors, and leaves room for the small downward bias of an error from 50 repetitions (.5 % for
    a normal mean, 1.3 % for a share of .8).
    """
    rng = np.random.default_rng([1, 0, 0, 0])
    means = [mean_of(each) for each in rng.normal(size=(4000, 50))]
    shares = [proportion(each) for each in rng.random((4000, 50)) < 0.8]
    for found in (means, shares):
        between = np.std([one.value for one in found], ddof=1)
        assert np.mean([one.mc_error for one in found]) == pytest.approx(between, rel=0.05)
