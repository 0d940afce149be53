"""The difference of two clustered rates against statsmodels, published numbers and closed forms."""

import math

import numpy as np
import pytest
import statsmodels.api as sm
from numpy.typing import NDArray
from scipy.stats import norm
from statsmodels.stats.proportion import confint_proportions_2indep

from avowed.stats.difference import (
    NEWCOMBE_METHOD,
    PAIRED_METHOD,
    UNPAIRED_METHOD,
    ClusteredDifference,
    clustered_difference,
    expanded_level,
    newcombe,
    newcombe_p_value,
)

Counts = tuple[NDArray[np.int64], NDArray[np.int64]]

# Newcombe (1998), table II, method 10.
PUBLISHED = [
    ((56, 70), (48, 80), (0.0524, 0.3339)),
    ((9, 10), (3, 10), (0.1705, 0.8090)),
    ((6, 7), (2, 7), (0.0582, 0.8062)),
    ((5, 56), (0, 29), (-0.0381, 0.1926)),
    ((0, 10), (0, 20), (-0.1611, 0.2775)),
    ((0, 10), (0, 10), (-0.2775, 0.2775)),
    ((10, 10), (0, 20), (0.6791, 1.0)),
    ((10, 10), (0, 10), (0.6075, 1.0)),
]


def data(seed: int, *, clusters: int = 60, size: int = 5, shift: float = 0.0) -> tuple[Counts, ...]:
    """Two sides over the same clusters, which share their probabilities up to a shift."""
    rng = np.random.default_rng([31, seed, 0, 0])
    share = rng.beta(1, 1, clusters)
    sides = []
    for less in (0.0, shift):
        n = rng.integers(0, size + 1, clusters)
        sides.append((rng.binomial(n, share * (1 - less)), n))
    return tuple(sides)


def difference(
    sides: tuple[Counts, ...], *, paired: bool, seed: int = 1, **more: float
) -> ClusteredDifference:
    return clustered_difference(*sides, np.random.default_rng(seed), paired=paired, **more)


@pytest.mark.parametrize(("one", "two", "ends"), PUBLISHED)
def test_newcombe_as_published(
    one: tuple[int, int], two: tuple[int, int], ends: tuple[float, float]
) -> None:
    found = newcombe(one[0] / one[1], one[1], two[0] / two[1], two[1])
    assert (found.lower, found.upper) == pytest.approx(ends, abs=5e-5)
    assert found.method == NEWCOMBE_METHOD


@pytest.mark.parametrize("seed", range(30))
def test_newcombe_against_statsmodels(seed: int) -> None:
    rng = np.random.default_rng([32, seed, 0, 0])
    n1, n2 = (int(n) for n in rng.integers(1, 80, 2))
    k1, k2 = int(rng.integers(0, n1 + 1)), int(rng.integers(0, n2 + 1))
    ends = confint_proportions_2indep(k1, n1, k2, n2, method="newcomb", compare="diff", alpha=0.1)
    found = newcombe(k1 / n1, n1, k2 / n2, n2, confidence=0.9)
    assert (found.lower, found.upper) == pytest.approx(ends, abs=1e-12)


def test_newcombe_of_impossible_input_is_refused() -> None:
    with pytest.raises(ValueError, match="n is 0"):
        newcombe(0.5, 0, 0.5, 3)
    with pytest.raises(ValueError, match=r"proportion is 1\.5"):
        newcombe(1.5, 3, 0.5, 3)


@pytest.mark.parametrize(("one", "two"), [((9, 10), (3, 10)), ((0, 30), (4, 30)), ((1, 9), (2, 9))])
def test_the_p_value_is_where_newcombe_touches_0(
    one: tuple[int, int], two: tuple[int, int]
) -> None:
    sides = (one[0] / one[1], one[1], two[0] / two[1], two[1])
    p = newcombe_p_value(*sides)
    found = newcombe(*sides, confidence=1 - p)
    assert min(abs(found.lower), abs(found.upper)) < 1e-9
    assert newcombe_p_value(*sides[2:], *sides[:2]) == pytest.approx(p, rel=1e-9)
    assert newcombe_p_value(0.5, 4, 0.5, 9) == 1
    assert newcombe_p_value(1, 10_000, 0, 10_000) == 1e-15


@pytest.mark.parametrize(("k", "m", "other"), [(0, 12, 0), (12, 12, 12), (12, 12, 0), (0, 12, 5)])
def test_the_boundary_rule_at_design_effect_1_is_statsmodels(k: int, m: int, other: int) -> None:
    """One pair per cluster: deff is 1, and the effective n is the number of clusters."""
    ones = np.ones(m, dtype=np.int64)
    sides = tuple(((np.arange(m) < hits).astype(np.int64), ones) for hits in (k, other))
    for paired in (True, False):
        found = difference(sides, paired=paired)
        ends = confint_proportions_2indep(k, m, other, m, method="newcomb", compare="diff")
        assert found.interval.method == NEWCOMBE_METHOD
        assert (found.interval.lower, found.interval.upper) == pytest.approx(ends, abs=1e-12)


def test_the_boundary_rule_uses_the_effective_sizes() -> None:
    """40 of 40 in ten clusters counts as ten (definitions 6)."""
    sides = tuple((np.full(10, hits), np.full(10, 4)) for hits in (4, 0))
    found = difference(sides, paired=True)
    assert (found.interval.lower, found.interval.upper) == pytest.approx((0.6075, 1.0), abs=5e-5)
    assert found.p_value == newcombe_p_value(1, 10, 0, 10)


def robust(sides: tuple[Counts, ...], *, paired: bool) -> float:
    """statsmodels: pairs on a dummy for the side, least squares, errors clustered by probe."""
    outcome, side, group = [], [], []
    for which, (k, n) in enumerate(sides):
        for cluster, (hits, size) in enumerate(zip(k.tolist(), n.tolist(), strict=True)):
            outcome += [1] * hits + [0] * (size - hits)
            side += [which] * size
            group += [cluster if paired else cluster + which * 10_000] * size
    design = sm.add_constant(np.array(side, dtype=float))
    fit = sm.OLS(np.array(outcome, dtype=float), design).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(group), "use_correction": False}
    )
    return float(fit.bse[1])


@pytest.mark.parametrize("seed", range(6))
def test_the_standard_error_against_statsmodels(seed: int) -> None:
    sides = data(seed)
    found = difference(sides, paired=True)
    clusters = int(((sides[0][1] > 0) | (sides[1][1] > 0)).sum())
    factor = math.sqrt(clusters / (clusters - 1))
    assert found.standard_error == pytest.approx(factor * robust(sides, paired=True), rel=1e-9)
    # Unpaired with equally many clusters on both sides, so that one factor serves both.
    full = tuple((k, np.maximum(n, 1)) for k, n in sides)
    found = difference(full, paired=False)
    expected = math.sqrt(60 / 59) * robust(full, paired=False)
    assert found.standard_error == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("paired", [True, False])
def test_many_clusters_approach_the_robust_z_test(paired: bool) -> None:
    sides = data(3, clusters=3000, shift=0.06)
    found = difference(sides, paired=paired, resamples=20_000)
    z = found.value / found.standard_error
    half = 1.959964 * found.standard_error
    assert found.interval.method == (PAIRED_METHOD if paired else UNPAIRED_METHOD)
    ends = (found.value - half, found.value + half)
    assert (found.interval.lower, found.interval.upper) == pytest.approx(ends, abs=0.06 * half)
    p = 2 * norm.sf(abs(z))
    assert 0.0005 < p < 0.5
    assert found.p_value == pytest.approx(p, abs=0.1 * p + 0.001)


@pytest.mark.parametrize("seed", range(40))
def test_the_p_value_agrees_with_the_interval(seed: int) -> None:
    sides = data(seed, shift=0.3, clusters=25)
    for paired in (True, False):
        for confidence in (0.8, 0.95, 0.99):
            found = difference(sides, paired=paired, confidence=confidence, seed=seed)
            outside = found.interval.lower > 0 or found.interval.upper < 0
            if found.p_value <= 1 - confidence:
                assert outside
            # Between two neighbouring resamples the interval interpolates, and the test does not.
            if outside:
                assert found.p_value <= 1 - confidence + 0.003


def test_pairing_what_is_alike_narrows_the_interval() -> None:
    sides = data(5, clusters=200, size=30)
    together, apart = (difference(sides, paired=paired).interval for paired in (True, False))
    assert together.half_width < 0.65 * apart.half_width


def test_without_a_shared_cluster_pairing_changes_little() -> None:
    (k1, n1), (k2, n2) = data(6, clusters=400)
    nothing = np.zeros_like(k1)
    sides = (
        (np.concatenate([k1, nothing]), np.concatenate([n1, nothing])),
        (np.concatenate([nothing, k2]), np.concatenate([nothing, n2])),
    )
    together, apart = (difference(sides, paired=p, resamples=8000) for p in (True, False))
    assert together.value == apart.value
    ends = (apart.interval.lower, apart.interval.upper)
    assert (together.interval.lower, together.interval.upper) == pytest.approx(ends, abs=0.005)


def test_the_sign_turns_with_the_order() -> None:
    sides = data(7, shift=0.4)
    one, two = difference(sides, paired=True), difference(sides[::-1], paired=True)
    assert one.value == -two.value
    assert one.standard_error == pytest.approx(two.standard_error, rel=1e-12)
    assert one.interval.lower == pytest.approx(-two.interval.upper, abs=0.02)


def test_a_p_value_at_the_end_of_the_search_is_a_bound() -> None:
    """Newcombe's inversion ends at 1e-15; above that it is exact, however small."""
    ones, none = np.ones(400, dtype=np.int64), np.zeros(400, dtype=np.int64)
    rng = np.random.default_rng(1)
    end = clustered_difference((ones, ones), (none, ones), rng, paired=False)
    assert (end.p_value, end.p_is_bound) == (1e-15, True)
    few = [column[:12] for column in (ones, none)]
    exact = clustered_difference((few[0], few[0]), (few[1], few[0]), rng, paired=False)
    assert exact.interval.method == end.interval.method == NEWCOMBE_METHOD
    assert 1e-15 < exact.p_value < 0.001 and not exact.p_is_bound


def test_a_side_without_trials_has_no_difference() -> None:
    k, n = np.array([1, 2]), np.array([2, 2])
    nothing = np.zeros(2, dtype=np.int64)
    found = difference(((k, n), (nothing, nothing)), paired=False)
    assert math.isnan(found.value) and math.isnan(found.p_value) and not found.interval.defined
    assert (found.first.n, found.second.n) == (4, 0)


def test_resamples_without_a_trial_are_dropped_and_too_many_make_it_undefined() -> None:
    # The second side has trials in 2 of 12 clusters: (10/12)^12 of the resamples have none.
    n1, n2 = np.full(12, 2), np.array([2, 2, *([0] * 10)])
    k1, k2 = np.tile([0, 1, 2], 4), np.array([1, 2, *([0] * 10)])
    found = difference(((k1, n1), (k2, n2)), paired=True)
    assert found.dropped / found.resamples == pytest.approx((10 / 12) ** 12, abs=0.02)
    assert not found.interval.defined and math.isnan(found.p_value)
    assert not math.isnan(found.value)
    lenient = difference(((k1, n1), (k2, n2)), paired=True, max_undefined_share=0.5)
    assert lenient.interval.defined


def test_equal_counts_in_every_cluster_are_no_difference_and_no_point() -> None:
    k, n = np.tile([1, 2, 0], 10), np.full(30, 3)
    found = difference(((k, n), (k, n)), paired=True)
    assert found.value == 0 and found.p_value == 1
    assert found.interval.method == NEWCOMBE_METHOD and found.interval.half_width > 0.05


def test_columns_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry per cluster"):
        difference(
            ((np.ones(2, int), np.ones(2, int)), (np.ones(3, int), np.ones(3, int))), paired=True
        )


def test_the_expanded_level_is_students_and_tends_to_the_confidence() -> None:
    # One mean of C normal values: the percentile bootstrap is normal with variance (C - 1)/C s^2/C.
    level = expanded_level(0.95, clusters=10, freedom=9)
    reach = float(norm.ppf(0.5 + level / 2)) * math.sqrt(9 / 10)
    assert reach == pytest.approx(2.262157, abs=1e-6)  # t, 9 degrees of freedom, printed tables
    assert expanded_level(0.95, clusters=10**6, freedom=10**6) == pytest.approx(0.95, abs=1e-5)
