"""The six intervals of a clustered rate, each against another implementation or its definition."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from avowed.stats.bootstrap import profiles_of, resample_totals
from avowed.stats.clustering import describe
from avowed.stats.intervals import wilson
from avowed.stats.rate_intervals import METHODS, RateIntervals, linearised_variance, rate_intervals

Counts = NDArray[np.int64]
RESAMPLES = 999


def mixed(clusters: int, seed: int, *, size: int | None = None) -> tuple[Counts, Counts]:
    """Correlated counts; clusters of one size, or of one to seven."""
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 8, clusters) if size is None else np.full(clusters, size)
    return rng.binomial(n, rng.beta(2, 1, clusters)), n


def intervals(k: Counts, n: Counts, *, seed: int = 1, resamples: int = RESAMPLES) -> RateIntervals:
    rng = np.random.default_rng(seed)
    return rate_intervals(profiles_of(k, n), rng, resamples=resamples)


def ends(found: RateIntervals, method: str) -> tuple[float, float]:
    interval = found.by_method[method].interval
    return interval.lower, interval.upper


def drawn_rates(k: Counts, n: Counts, *, seed: int = 1) -> tuple[NDArray[np.float64], ...]:
    """The resampled totals k and n that these intervals are made from."""
    totals = resample_totals(profiles_of(k, n), np.random.default_rng(seed), resamples=RESAMPLES)
    return totals[:, 0], totals[:, 1]


@pytest.mark.parametrize("shape", [(30, 3, None), (60, 4, None), (25, 5, 6)])
def test_linearised_t_is_the_cluster_robust_interval_of_statsmodels(
    shape: tuple[int, int, int | None],
) -> None:
    k, n = mixed(shape[0], shape[1], size=shape[2])
    # One row per pair, regressed on a constant. The small-sample factor of statsmodels is
    # C / (C - 1) * (N - 1) / (N - 1), and its t has C - 1 degrees of freedom.
    outcome = np.concatenate(
        [np.r_[np.ones(hits), np.zeros(size - hits)] for hits, size in zip(k, n, strict=True)]
    )
    fit = sm.OLS(outcome, np.ones(outcome.size)).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(k.size), n)}, use_t=True
    )
    (reference,) = fit.conf_int(alpha=0.05)
    found = intervals(k, n)
    assert found.rate == pytest.approx(float(fit.params[0]), rel=1e-12)
    assert ends(found, "linearised t") == pytest.approx(tuple(reference), abs=1e-10)


def test_linearised_t_by_hand() -> None:
    # k = 3, 1, 1, 3 of n = 4 each: q = 1/2, residuals 1, -1, -1, 1,
    # variance 4/3 * 4 / 256 = 1/48; t(3) at .975 is 3.182446.
    k, n = np.array([3, 1, 1, 3]), np.array([4, 4, 4, 4])
    reach = 3.182446305284263 * math.sqrt(1 / 48)
    found = intervals(k, n)
    assert ends(found, "linearised t") == pytest.approx((0.5 - reach, 0.5 + reach), abs=1e-12)
    assert not found.by_method["linearised t"].clipped


def test_the_variance_from_totals_is_that_from_residuals() -> None:
    for seed in range(5):
        k, n = mixed(17, seed)
        rate = k.sum() / n.sum()
        totals = np.array([k.sum(), n.sum(), (k * k).sum(), (k * n).sum(), (n * n).sum()], float)
        direct = 17 / 16 * ((k - rate * n) ** 2).sum() / n.sum() ** 2
        assert float(linearised_variance(totals, 17, np.asarray(rate))) == pytest.approx(direct)


def test_percentile_is_the_quantile_of_the_resampled_rates() -> None:
    k, n = mixed(40, 6)
    hits, sizes = drawn_rates(k, n)
    expected = np.quantile(hits / sizes, [0.025, 0.975])
    assert ends(intervals(k, n), "percentile") == pytest.approx(tuple(expected), abs=1e-15)


@pytest.mark.parametrize("size", [5, None], ids=["equal clusters", "unequal clusters"])
@pytest.mark.parametrize("seed", [7, 8])
def test_bca_is_that_of_scipy_on_the_same_resamples(size: int | None, seed: int) -> None:
    k, n = mixed(40, seed, size=size)
    hits, sizes = drawn_rates(k, n)
    # scipy resumes from a given bootstrap distribution, here ours, and draws nothing itself.
    reference = stats.bootstrap(
        (k, n),
        lambda k, n, axis: k.sum(axis=axis) / n.sum(axis=axis),
        paired=True,
        vectorized=True,
        method="BCa",
        n_resamples=0,
        bootstrap_result=SimpleNamespace(bootstrap_distribution=hits / sizes),
    ).confidence_interval
    # Sums in another order: the share of ties with the estimate, and so z0, is the same only
    # because equal ratios of integers are equal floats.
    assert ends(intervals(k, n), "bca") == pytest.approx((reference.low, reference.high), abs=1e-9)


def test_bca_agrees_with_scipy_s_own_resamples() -> None:
    """Two independent sets of 20,000 resamples of 60 equal clusters.

    An end near the 2.5 % quantile of a normal law has the error sd * sqrt(.025 * .975 / B) / .058
    = .019 sd; z0 adds .0125 sd at each end (twice sqrt(1 / 4 B) / .399). Two ends that differ
    by less than 5 * sqrt(2) * .031 sd = .22 sd pass; the shift that BCa makes here is larger.
    """
    k, n = mixed(60, 9, size=6)
    found = intervals(k, n, resamples=20_000)
    reference = stats.bootstrap(
        (k / 6,),
        np.mean,
        method="BCa",
        n_resamples=20_000,
        rng=np.random.default_rng([1, 1, 0, 0]),
    )
    interval, sd = reference.confidence_interval, float(reference.standard_error)
    assert ends(found, "bca") == pytest.approx((interval.low, interval.high), abs=0.22 * sd)
    assert ends(found, "bca") != ends(found, "percentile")


def test_studentised_follows_its_definition() -> None:
    k, n = mixed(30, 10)
    found = intervals(k, n)
    # The definition on unrolled clusters: the profiles are sorted, and so is the unrolling.
    profiles = profiles_of(k, n)
    marks = np.eye(profiles.multiplicity.size)
    counts = resample_totals(profiles, np.random.default_rng(1), resamples=RESAMPLES, values=marks)
    rate = k.sum() / n.sum()
    t = []
    for row in counts:
        hits, sizes = (np.repeat(column, row.astype(int)) for column in profiles.values.T)
        own = hits.sum() / sizes.sum()
        error = math.sqrt(30 / 29 * ((hits - own * sizes) ** 2).sum()) / sizes.sum()
        t.append((own - rate) / error)
    error = math.sqrt(30 / 29 * ((k - rate * n) ** 2).sum()) / n.sum()
    # The order statistics of 999 values at 2.5 % and 97.5 %: the 25th and the 975th.
    ranked = sorted(t)
    expected = (rate - ranked[974] * error, rate - ranked[24] * error)
    assert expected[0] > 0 and expected[1] < 1
    assert ends(found, "studentised") == pytest.approx(expected, abs=1e-9)


def test_a_resample_without_spread_puts_an_end_at_infinity() -> None:
    # One of eight clusters differs: (7/8)^8 = 34 % of the resamples miss it, are all 4 of 4 and
    # have no spread, so t = +infinity and the lower end is clipped at 0.
    k, n = np.array([2] + [4] * 7), np.full(8, 4)
    found = intervals(k, n).by_method["studentised"]
    assert found.interval.lower == 0.0
    assert 30 / 32 < found.interval.upper <= 1
    assert found.clipped and not found.fallback
    # And mirrored.
    other = intervals(n - k, n).by_method["studentised"]
    assert other.interval.upper == 1.0 and other.clipped and not other.fallback


def test_wilson_at_both_sample_sizes() -> None:
    k, n = mixed(50, 11)
    found, clustering = intervals(k, n), describe(k, n)
    assert clustering.effective_n < clustering.n
    for method, size in (
        ("wilson at effective n", clustering.effective_n),
        ("wilson, pairs as independent", clustering.n),
    ):
        z, p = stats.norm.ppf(0.975), found.rate
        centre = (p + z * z / (2 * size)) / (1 + z * z / size)
        reach = z / (1 + z * z / size) * math.sqrt(p * (1 - p) / size + z * z / (4 * size**2))
        assert ends(found, method) == pytest.approx((centre - reach, centre + reach), abs=1e-12)


@pytest.mark.parametrize(
    ("k", "n"),
    [
        ([0] * 12, [4] * 12),
        ([4] * 12, [4] * 12),
        ([1], [3]),
        ([0], [3]),
    ],
    ids=["k = 0", "k = n", "one cluster", "one cluster, k = 0"],
)
def test_the_boundary_rule_stands_in_for_every_method(k: list[int], n: list[int]) -> None:
    found = intervals(np.array(k), np.array(n))
    # rho is 0/0 in each of them, so the effective sample size is the number of clusters.
    expected = wilson(sum(k) / sum(n), len(k))
    assert set(found.by_method) == set(METHODS)
    for method, one in found.by_method.items():
        assert one.fallback and not one.clipped
        assert ends(found, method) == pytest.approx((expected.lower, expected.upper), abs=1e-15)


def test_equal_clusters_collapse_the_methods_that_see_only_differences() -> None:
    # Ten clusters of 1/2 each: every resample gives 1/2, so these four have nothing to show.
    found = intervals(np.full(10, 1), np.full(10, 2))
    fallen = {method for method, one in found.by_method.items() if one.fallback}
    assert fallen == {"percentile", "bca", "studentised", "linearised t"}
    plain, design = wilson(0.5, 20), describe([1] * 10, [2] * 10)
    assert ends(found, "wilson, pairs as independent") == (plain.lower, plain.upper)
    boundary = wilson(0.5, design.effective_n)
    assert ends(found, "percentile") == (boundary.lower, boundary.upper)


def test_an_end_beyond_zero_or_one_is_clipped_and_flagged() -> None:
    k, n = np.array([0, 0, 0, 0, 3]), np.full(5, 4)
    rate, reach = 3 / 20, 2.7764451051977987 * math.sqrt(5 / 4 * (4 * 0.36 + 5.76) / 400)
    found = intervals(k, n).by_method["linearised t"]
    assert rate - reach < 0
    assert found.clipped and not found.fallback
    assert (found.interval.lower, found.interval.upper) == pytest.approx((0.0, rate + reach))
    # Mirrored, the upper end alone is beyond.
    mirrored = intervals(n - k, n).by_method["linearised t"]
    assert mirrored.clipped and mirrored.interval.upper == 1.0
    assert mirrored.interval.lower == pytest.approx(1 - rate - reach)
    assert not intervals(*mixed(80, 12)).by_method["linearised t"].clipped


def test_no_cluster_is_refused() -> None:
    nothing = np.zeros(0, np.int64)
    with pytest.raises(ValueError, match="no cluster"):
        intervals(nothing, nothing)


ROWS = st.lists(st.integers(1, 6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))


@given(rows=ROWS.filter(bool), seed=st.integers(0, 50))
@settings(max_examples=150, derandomize=True, deadline=None)
def test_ends_are_in_order_and_in_range_and_rows_may_come_in_any_order(
    rows: list[tuple[int, int]], seed: int
) -> None:
    k, n = np.array(rows, dtype=np.int64).T
    found = intervals(k, n, seed=seed, resamples=60)
    assert found.rate == k.sum() / n.sum()
    for one in found.by_method.values():
        assert 0 <= one.interval.lower <= one.interval.upper <= 1
        assert not (one.fallback and one.clipped)
    shuffled = np.random.default_rng(seed).permutation(len(rows))
    again = intervals(k[shuffled], n[shuffled], seed=seed, resamples=60)
    assert again.by_method == found.by_method


def test_the_confidence_moves_every_interval() -> None:
    profiles = profiles_of(*mixed(40, 13))
    wide, narrow = (
        rate_intervals(profiles, np.random.default_rng(1), resamples=RESAMPLES, confidence=level)
        for level in (0.95, 0.8)
    )
    for method in METHODS:
        (low, high), (inner_low, inner_high) = ends(wide, method), ends(narrow, method)
        assert low < inner_low < inner_high < high
