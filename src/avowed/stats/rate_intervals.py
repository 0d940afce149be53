"""Six intervals for a rate k / n from clustered counts, made from one set of resamples.

The percentile cluster bootstrap is the paper's; the independence Wilson interval its reference.
The others are what a reader would ask about: BCa, the studentised bootstrap, Wilson at the
effective sample size, and a linearised (cluster-robust) t interval. Where k is 0 or n, or an
interval collapses or does not exist, the boundary rule stands in, and the result says so.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, stdtrit

from avowed.stats.bootstrap import Profiles, resample_totals
from avowed.stats.clustering import Clustering, describe
from avowed.stats.intervals import UNDEFINED, Interval, percentile, wilson

METHODS = (
    "percentile",
    "bca",
    "studentised",
    "linearised t",
    "wilson at effective n",
    "wilson, pairs as independent",
)


@dataclass(frozen=True, kw_only=True)
class RateInterval:
    """An interval of one method; ``fallback`` marks the boundary rule, ``clipped`` an end at 0 or 1
    that the method put beyond, or at infinity."""

    interval: Interval
    fallback: bool
    clipped: bool


@dataclass(frozen=True, kw_only=True)
class RateIntervals:
    """A clustered rate with every interval of :data:`METHODS`, by name."""

    rate: float
    clustering: Clustering
    by_method: dict[str, RateInterval]


def linearised_variance(
    totals: NDArray[np.float64], clusters: int, rate: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Cluster-robust variance of k / n by linearisation; shape (...).

    C / (C - 1) sum (k_i - q n_i)^2 / N^2, from the totals (k, n, k^2, kn, n^2) on the last axis.
    """
    spread = totals[..., 2] - 2 * rate * totals[..., 3] + rate**2 * totals[..., 4]
    # Rounding can leave a spread that is exactly 0 a little below.
    return np.asarray(clusters / (clusters - 1) * np.maximum(spread, 0) / totals[..., 1] ** 2)


def rate_intervals(
    profiles: Profiles,
    rng: np.random.Generator,
    *,
    resamples: int = 2000,
    confidence: float = 0.95,
) -> RateIntervals:
    """Estimate k / n and all six intervals.

    ``profiles`` holds one row (k, n) per distinct cluster, every n at least 1.

    Studentised: t = (q* - q) / se*, with the linearised standard error of each resample; a
    resample without spread has t = +-infinity, and an infinite end is clipped. BCa: z0 counts ties
    half, the acceleration comes from deleting one cluster at a time. All ends are clipped to
    [0, 1].

    Raises:
        ValueError: there are no clusters.

    Source: HP section 7; Efron and Tibshirani (1993), chapters 12 to 14.

    >>> from avowed.stats.bootstrap import profiles_of
    >>> rows = profiles_of(np.array([2, 0, 1, 1]), np.array([2, 2, 2, 2]))
    >>> found = rate_intervals(rows, np.random.default_rng(1), resamples=500)
    >>> found.rate, len(found.by_method)
    (0.5, 6)
    """
    if profiles.clusters == 0:
        raise ValueError("there is no cluster, so no rate and no interval")
    k, n = profiles.values[:, 0].astype(np.float64), profiles.values[:, 1].astype(np.float64)
    clustering = describe(k, n, multiplicity=profiles.multiplicity)
    columns = np.stack([k, n, k * k, k * n, n * n], axis=1)
    observed = profiles.multiplicity @ columns
    rate = float(observed[0] / observed[1])
    boundary = wilson(rate, clustering.effective_n, confidence=confidence)
    plain: dict[str, Interval] = dict.fromkeys(METHODS, UNDEFINED)
    if 0 < observed[0] < observed[1] and clustering.clusters > 1:
        totals = resample_totals(profiles, rng, resamples=resamples, values=columns)
        drawn = totals[:, 0] / totals[:, 1]
        error = math.sqrt(
            float(linearised_variance(observed, clustering.clusters, np.asarray(rate)))
        )
        errors = np.sqrt(linearised_variance(totals, clustering.clusters, drawn))
        # (1 - 0.95) / 2 is a rounding error above 0.025, which would skip an order statistic.
        tail = round((1 - confidence) / 2, 12)
        plain = {
            "percentile": percentile(drawn, confidence=confidence),
            "bca": _bca(drawn, rate, profiles, observed, tail),
            "studentised": _studentised(drawn, rate, errors, error=error, tail=tail),
            "linearised t": _linearised(rate, error, clustering.clusters, tail),
            "wilson at effective n": boundary,
            "wilson, pairs as independent": wilson(rate, clustering.n, confidence=confidence),
        }
    found = {method: _settled(plain[method], method, boundary) for method in METHODS}
    return RateIntervals(rate=rate, clustering=clustering, by_method=found)


def _settled(plain: Interval, method: str, boundary: Interval) -> RateInterval:
    """Clip an interval, or let the boundary rule stand in for one that is none."""
    if not plain.defined or plain.collapsed:
        return RateInterval(interval=boundary, fallback=True, clipped=False)
    lower, upper = max(plain.lower, 0.0), min(plain.upper, 1.0)
    clipped = plain.lower < 0 or plain.upper > 1
    return RateInterval(interval=Interval(lower, upper, method), fallback=False, clipped=clipped)


def _bca(
    drawn: NDArray[np.float64],
    rate: float,
    profiles: Profiles,
    observed: NDArray[np.float64],
    tail: float,
) -> Interval:
    below = float((drawn < rate).mean() + 0.5 * (drawn == rate).mean())
    rest = observed[1] - profiles.values[:, 1]
    if not 0 < below < 1 or (rest <= 0).any():
        return UNDEFINED
    z0 = float(ndtri(below))
    without = (observed[0] - profiles.values[:, 0]) / rest
    weight = profiles.multiplicity / profiles.clusters
    away = float(weight @ without) - without
    spread = float(profiles.multiplicity @ away**2)
    if spread == 0:
        return UNDEFINED
    acceleration = float(profiles.multiplicity @ away**3) / (6 * spread**1.5)
    levels = []
    for level in (tail, 1 - tail):
        shifted = z0 + float(ndtri(level))
        scale = 1 - acceleration * shifted
        if scale <= 0:
            return UNDEFINED
        levels.append(float(ndtr(z0 + shifted / scale)))
    lower, upper = np.quantile(drawn, levels)
    return Interval(float(lower), float(upper), "bca")


def _studentised(
    drawn: NDArray[np.float64],
    rate: float,
    errors: NDArray[np.float64],
    *,
    error: float,
    tail: float,
) -> Interval:
    if error == 0:
        return UNDEFINED
    away = drawn - rate
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.where(away == 0, 0.0, away / errors)
    # Order statistics, not interpolation: between a number and infinity there is nothing.
    low, high = np.quantile(t, [tail, 1 - tail], method="inverted_cdf")
    return Interval(float(rate - high * error), float(rate - low * error), "studentised")


def _linearised(rate: float, error: float, clusters: int, tail: float) -> Interval:
    reach = float(stdtrit(clusters - 1, 1 - tail)) * error
    return Interval(rate - reach, rate + reach, "linearised t")
