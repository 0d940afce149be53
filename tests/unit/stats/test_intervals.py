"""Closed-form intervals: bounds, edges, and what an undefined interval is."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from avowed.stats.intervals import UNDEFINED, Interval, normal_quantile, percentile, wilson

SIZE = st.one_of(st.integers(1, 10**7).map(float), st.floats(1e-3, 1e12))
SHARE = st.floats(0, 1)


@given(proportion=SHARE, n=SIZE, confidence=st.floats(0.01, 0.999))
@example(proportion=1.0, n=618.0, confidence=0.95)
@example(proportion=0.0, n=1.0, confidence=0.999)
@example(proportion=math.nextafter(1, 0), n=1e12, confidence=0.95)
@settings(max_examples=400, derandomize=True, deadline=None)
def test_wilson_bounds_stay_in_the_unit_interval_and_hold_the_proportion(
    proportion: float, n: float, confidence: float
) -> None:
    interval = wilson(proportion, n, confidence=confidence)
    assert 0 <= interval.lower <= interval.upper <= 1
    # Each bound is a quotient of sums of numbers near 1: a few units in the last place.
    assert interval.lower - 1e-15 <= proportion <= interval.upper + 1e-15
    # The narrowest one here, at p = 0 and 1 % confidence, is z^2 / n = 1.6e-11 wide at 10^7.
    assert n > 1e7 or not interval.collapsed


@given(proportion=SHARE, n=SIZE)
@settings(max_examples=200, derandomize=True, deadline=None)
def test_wilson_of_the_complement_is_the_mirror_image(proportion: float, n: float) -> None:
    there, back = wilson(proportion, n), wilson(1 - proportion, n)
    # 1 - p rounds by at most 2^-54. Next to 0 and 1 that moves a bound by up to
    # z sqrt(2^-54 / n) / (1 + z^2 / n), which is largest at n = z^2: below 4e-9.
    assert there.lower == pytest.approx(1 - back.upper, abs=4e-9)
    assert there.upper == pytest.approx(1 - back.lower, abs=4e-9)


@pytest.mark.parametrize("n", [1, 2, 10, 618, 10**6])
def test_wilson_at_the_boundary_is_exact_there_and_open_on_the_other_side(n: int) -> None:
    z2 = normal_quantile(0.95) ** 2
    nothing, everything = wilson(0.0, n), wilson(1.0, n)
    assert nothing.lower == 0.0
    assert everything.upper == 1.0
    # The score equation at p = 0 solves to z^2 / (n + z^2).
    assert nothing.upper == pytest.approx(z2 / (n + z2), rel=1e-9)
    assert everything.lower == pytest.approx(n / (n + z2), rel=1e-12)


def test_a_wilson_bound_solves_the_score_equation() -> None:
    interval = wilson(0.3, 57.25)
    for bound in (interval.lower, interval.upper):
        score = abs(0.3 - bound) / math.sqrt(bound * (1 - bound) / 57.25)
        assert score == pytest.approx(normal_quantile(0.95), rel=1e-12)


@pytest.mark.parametrize("n", [0, -3, math.nan])
def test_wilson_needs_trials(n: float) -> None:
    with pytest.raises(ValueError, match="n > 0"):
        wilson(0.5, n)


@pytest.mark.parametrize("proportion", [-0.1, 1.0000000000000002, math.nan])
def test_wilson_refuses_what_is_no_proportion(proportion: float) -> None:
    with pytest.raises(ValueError, match=r"in \[0, 1\]"):
        wilson(proportion, 10)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5, math.nan])
def test_a_confidence_is_strictly_between_0_and_1(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        normal_quantile(confidence)


def test_normal_quantile_against_printed_tables() -> None:
    # Standard normal tables: 1.6449, 1.9600, 2.5758 for 90, 95 and 99 per cent.
    assert [round(normal_quantile(c), 4) for c in (0.90, 0.95, 0.99)] == [1.6449, 1.96, 2.5758]


def test_an_undefined_interval_has_no_ends_and_is_not_collapsed() -> None:
    assert math.isnan(UNDEFINED.lower) and math.isnan(UNDEFINED.upper)
    assert math.isnan(UNDEFINED.half_width)
    assert not UNDEFINED.defined
    assert not UNDEFINED.collapsed
    assert not Interval(0.2, math.nan, "half").defined


def test_half_width_is_half_of_the_width_also_when_lopsided() -> None:
    assert Interval(0.5, 1.0, "wilson").half_width == 0.25


@pytest.mark.parametrize(
    ("width", "collapsed"), [(0.0, True), (2e-16, True), (1e-9, False), (0.1, False)]
)
def test_zero_width_means_zero_up_to_rounding(width: float, collapsed: bool) -> None:
    assert Interval(0.5, 0.5 + width, "percentile").collapsed is collapsed


def test_percentile_interpolates_between_order_statistics() -> None:
    # Positions 0.025 * 4 = 0.1 and 0.975 * 4 = 3.9 between the five ordered values.
    interval = percentile(np.array([4.0, 0.0, 1.0, 3.0, 2.0]))
    assert interval.lower == pytest.approx(0.1, abs=1e-14)
    assert interval.upper == pytest.approx(3.9, abs=1e-14)
    assert interval.method == "percentile"


def test_percentile_of_a_constant_is_that_constant_exactly() -> None:
    assert percentile(np.full(2000, 0.1)) == Interval(0.1, 0.1, "percentile")


@pytest.mark.parametrize("resampled", [[], [0.5, math.nan]])
def test_percentile_refuses_nothing_and_undefined_resamples(resampled: list[float]) -> None:
    with pytest.raises(ValueError, match="NaN"):
        percentile(np.array(resampled))
