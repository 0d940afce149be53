"""Both ways of drawing have the law of a cluster bootstrap.

A resampled total is the sum of C independent draws of a cluster, so its law is known exactly: its
moments in closed form, its distribution function as a C-fold convolution. Criteria, on 40,000
seeded resamples per method: a mean or a variance may be off by 4.5 of its exact standard errors
(probability 7e-6 each), a count of resamples below a fixed value must not be rejected by a
two-sided exact binomial test at 1e-5. About 100 comparisons: a correct engine fails for one seed
in a thousand.
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest, chi2

from avowed.stats.bootstrap import Profiles, profiles_of, resample_totals
from avowed.stats.intervals import percentile, wilson

pytestmark = pytest.mark.slow

B, LIMIT, REJECT = 40_000, 4.5, 1e-5
METHODS = ["gather", "multinomial"]


def clusters(count: int, seed: int) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 7, size=count)
    return np.stack([rng.binomial(sizes, rng.beta(2, 1, size=count)), sizes])


SETS = {
    "7 clusters": clusters(7, 1),
    "60 clusters": clusters(60, 2),
    "400 clusters": clusters(400, 3),
}


def drawn(name: str, method: str) -> NDArray[np.float64]:
    profiles = profiles_of(*SETS[name])
    seed = [20, sorted(SETS).index(name), METHODS.index(method), 0]
    return resample_totals(profiles, np.random.default_rng(seed), resamples=B, method=method)


def law(column: NDArray[np.int64]) -> NDArray[np.float64]:
    """Distribution function of the total of len(column) draws with replacement, exactly."""
    single = np.bincount(column) / column.size
    total = np.ones(1)
    for _ in range(column.size):
        total = np.convolve(total, single)
    return np.cumsum(total)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SETS)
def test_mean_variance_and_covariance(name: str, method: str) -> None:
    counts, totals = SETS[name], drawn(name, method)
    c = counts.shape[1]
    for column, found in zip(counts, totals.T, strict=True):
        centred = column - column.mean()
        variance = c * (centred**2).mean()
        fourth = 3 * variance**2 + c * ((centred**4).mean() - 3 * (centred**2).mean() ** 2)
        assert abs(found.mean() - column.sum()) < LIMIT * math.sqrt(variance / B)
        error = math.sqrt((fourth - variance**2) / B)
        assert abs(((found - column.sum()) ** 2).mean() - variance) < LIMIT * error
    centred = counts - counts.mean(axis=1, keepdims=True)
    products = np.prod(totals - counts.sum(axis=1), axis=1)
    expected = c * (centred[0] * centred[1]).mean()
    assert abs(products.mean() - expected) < LIMIT * products.std() / math.sqrt(B)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SETS)
def test_quantiles_against_the_exact_distribution(name: str, method: str) -> None:
    totals = drawn(name, method)
    for column, found in zip(SETS[name], totals.T, strict=True):
        distribution = law(column)
        for level in (0.025, 0.25, 0.5, 0.75, 0.975):
            value = int(np.searchsorted(distribution, level))
            below = int((found <= value).sum())
            share = min(float(distribution[value]), 1.0)
            assert binomtest(below, B, share).pvalue > REJECT, (level, value)


@pytest.mark.parametrize("method", METHODS)
def test_every_profile_is_drawn_as_often_as_it_occurs(method: str) -> None:
    profiles = profiles_of(*SETS["60 clusters"])
    marks = np.eye(profiles.multiplicity.size)
    totals = resample_totals(
        profiles, np.random.default_rng(9), resamples=2000, values=marks, method=method
    )
    assert (totals.sum(axis=1) == 60).all()
    # 120,000 draws in all; Pearson's statistic against the multiplicities.
    observed, expected = totals.sum(axis=0), 2000.0 * profiles.multiplicity
    statistic = float(((observed - expected) ** 2 / expected).sum())
    assert chi2.sf(statistic, profiles.multiplicity.size - 1) > REJECT


@pytest.mark.parametrize("method", METHODS)
def test_the_rate_s_interval_covers_as_often_as_it_says(method: str) -> None:
    """Coverage of the cluster bootstrap under correlation, and of Wilson, which ignores it.

    Beta-binomial clusters with correlation 1/(2 + 1 + 1) = 1/4 and eight pairs each: deff = 2.75,
    so a nominal 95 % interval for independent pairs covers about 2 Phi(1.96 / 2.75^.5) - 1 = .763.
    The percentile bootstrap of 100 clusters is some .005 short of nominal. Criterion: exact
    binomial tests at 1e-5 over 1,000 repetitions.
    """
    rng = np.random.default_rng([30, METHODS.index(method), 0, 0])
    repetitions, size, truth = 1000, 8, 2 / 3
    bootstrap = independent = 0
    for _ in range(repetitions):
        hits = rng.binomial(size, rng.beta(2, 1, size=100))
        profiles: Profiles = profiles_of(hits, np.full(100, size))
        totals = resample_totals(profiles, rng, resamples=500, method=method)
        interval = percentile(totals[:, 0] / totals[:, 1])
        plain = wilson(hits.sum() / (100 * size), 100 * size)
        bootstrap += interval.lower <= truth <= interval.upper
        independent += plain.lower <= truth <= plain.upper
    assert binomtest(bootstrap, repetitions, 0.945).pvalue > REJECT
    assert binomtest(independent, repetitions, 0.763).pvalue > REJECT
    assert binomtest(independent, repetitions, 0.95).pvalue < REJECT
