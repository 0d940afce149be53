"""Six intervals of a clustered rate k / n, a second time (HP sections 7 and 16.2).

The linearised t and the two Wilson intervals are closed forms. The percentile, BCa and studentised
ones rest on random numbers of this program, so that their ends carry a tolerance: the Monte-Carlo
error of two bootstraps, in BCa also that of the bias correction z0. Standard library only.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, inf, sqrt
from random import Random
from statistics import NormalDist

from verification.bootstrap import (
    ERRORS_APART,
    count_tolerance,
    percentile,
    quantile,
    resampled_totals,
    tolerance,
)
from verification.clustering import Clustering, clustering
from verification.student import t_quantile
from verification.wilson import wilson

METHODS = (
    "percentile",
    "bca",
    "studentised",
    "linearised t",
    "wilson at effective n",
    "wilson, pairs as independent",
)
_NORMAL = NormalDist()
Pair = tuple[float, float]
#: With fewer resamples beyond an end, how far off it may be cannot be read off them.
FEW = 20


@dataclass(frozen=True)
class Found:
    """An interval, how far another program's ends may lie from it, and how it came about.

    A distance of None says that this cannot be told: too few resamples lie beyond the end.
    ``fallback`` says that the boundary rule stands in for it, ``clipped`` that an end was beyond 0
    or 1. ``other`` holds where Monte-Carlo error may decide which of the two stands there;
    ``clips_either_way`` says the same of ``clipped``.
    """

    ends: Pair
    within: tuple[float | None, float | None] = (0.0, 0.0)
    fallback: bool = False
    clipped: bool = False
    clips_either_way: bool = False
    other: "Found | None" = None


@dataclass(frozen=True)
class Rate:
    """A clustered rate and its intervals by method; the totals of the resamples with it."""

    value: Fraction
    how: Clustering
    by_method: dict[str, Found]


def rate_intervals(
    hits: Sequence[int], sizes: Sequence[int], *, resamples: int, confidence: float, random: Random
) -> Rate:
    """The rate of clusters with ``hits`` of ``sizes``, every size at least 1, and all intervals.

    Source: HP section 7; Efron and Tibshirani (1993), chapters 12 to 14.

    >>> found = rate_intervals(
    ...     [2, 0, 1, 1], [2, 2, 2, 2], resamples=200, confidence=0.95, random=Random(1)
    ... )
    >>> found.value, len(found.by_method)
    (Fraction(1, 2), 6)
    """
    how, k, n = clustering(hits, sizes), sum(hits), sum(sizes)
    rate = Fraction(k, n)
    if how.effective_n is None:
        raise ValueError("there is no cluster, so no rate and no interval")
    boundary = Found(wilson(rate, how.effective_n, confidence), fallback=True)
    if not 0 < k < n or how.clusters < 2:
        return Rate(rate, how, dict.fromkeys(METHODS, boundary))
    rows = [(a, b, a * a, a * b, b * b) for a, b in zip(hits, sizes, strict=True)]
    totals = resampled_totals(rows, resamples, random)
    drawn = [a / b for a, b, *_ in totals]
    error = _error([sum(column) for column in zip(*rows, strict=True)], how.clusters)
    reach = t_quantile(confidence, how.clusters - 1) * error
    ends = percentile(drawn, confidence)
    plain = Found(
        (ends.lower, ends.upper),
        (
            tolerance(ends.lower_error, ends.lower_step),
            tolerance(ends.upper_error, ends.upper_step),
        ),
    )
    found = {
        "percentile": _point_or_not(plain, boundary, ends.may_differ_in_that),
        "bca": _bca(drawn, totals, hits, sizes, boundary, confidence),
        "studentised": _studentised(totals, float(rate), error, how.clusters, boundary, confidence),
        "linearised t": _point_or_not(
            _clipped(Found((float(rate) - reach, float(rate) + reach), (1e-12, 1e-12))),
            boundary,
            False,
        ),
        "wilson at effective n": replace(boundary, fallback=False),
        "wilson, pairs as independent": Found(wilson(rate, n, confidence)),
    }
    return Rate(rate, how, found)


def _error(totals: Sequence[int], clusters: int) -> float:
    """Cluster-robust standard error of k / n: C / (C - 1) sum (k_i - q n_i)^2 / N^2, its root.

    The sum in whole numbers over N^2, so that a spread of nothing is exactly 0.
    """
    k, n, kk, kn, nn = totals
    spread = kk * n * n - 2 * k * n * kn + k * k * nn
    return sqrt(clusters / (clusters - 1) * spread / n**4)


def _clipped(found: Found) -> Found:
    lower, upper = found.ends
    inside = (max(lower, 0.0), min(upper, 1.0))
    return replace(found, ends=inside, clipped=lower < 0 or upper > 1)


def _point_or_not(found: Found, boundary: Found, either: bool) -> Found:
    """The boundary rule for an interval of no width; the other one where chance decides."""
    point = found.ends[1] - found.ends[0] <= 1e-12
    chosen, other = (boundary, found) if point else (found, boundary)
    return replace(chosen, other=other) if either else chosen


def _bca(  # noqa: PLR0917 - the pieces of one formula
    drawn: Sequence[float],
    totals: Sequence[Sequence[int]],
    hits: Sequence[int],
    sizes: Sequence[int],
    boundary: Found,
    confidence: float,
) -> Found:
    k, n, size = sum(hits), sum(sizes), len(drawn)
    below = sum(t[0] * n < k * t[1] for t in totals) + sum(t[0] * n == k * t[1] for t in totals) / 2
    if not 0 < below < size or any(n == one for one in sizes):
        return boundary
    without = [(k - a) / (n - b) for a, b in zip(hits, sizes, strict=True)]
    mean = sum(without) / len(without)
    spread = sum((mean - one) ** 2 for one in without)
    if spread == 0:
        return boundary
    acceleration = sum((mean - one) ** 3 for one in without) / (6 * spread**1.5)
    z0 = _NORMAL.inv_cdf(below / size)
    # Both programs draw: each z0 is off by its own error, and shifts both levels.
    off = sqrt(below * (size - below) / size) / size / _NORMAL.pdf(z0)
    off *= ERRORS_APART * sqrt(2)
    ordered, ends = sorted(drawn), []
    within: list[float | None] = []
    for level in ((1 - confidence) / 2, (1 + confidence) / 2):
        levels = [_bca_level(z0 + shift, level, acceleration) for shift in (0.0, -off, off)]
        known = [one for one in levels if one is not None]
        if levels[0] is None or len(known) < 3:
            return replace(boundary, other=Found(boundary.ends, (None, None)))
        (end, error, step), *others = (quantile(ordered, one) for one in known)
        shifted = max(abs(one[0] - end) for one in others)
        ends.append(end)
        beyond, *furthest = (min(one, 1 - one) * size for one in known)
        few = beyond < FEW or min(furthest) < FEW / 4
        within.append(None if few else tolerance(error, step) + shifted)
    found = Found((ends[0], ends[1]), (within[0], within[1]))
    return _point_or_not(found, boundary, percentile(drawn, confidence).may_differ_in_that)


def _bca_level(z0: float, level: float, acceleration: float) -> float | None:
    shifted = z0 + _NORMAL.inv_cdf(level)
    scale = 1 - acceleration * shifted
    return None if scale <= 0 else _NORMAL.cdf(z0 + shifted / scale)


def _studentised(  # noqa: PLR0917 - the pieces of one formula
    totals: Sequence[Sequence[int]],
    rate: float,
    error: float,
    clusters: int,
    boundary: Found,
    confidence: float,
) -> Found:
    """q - t* se over the resamples, t* = (q* - q) / se*; without spread t* is infinite.

    The ends are order statistics: the upper tail of t* gives the lower end. They are read off the
    ends that each t* would give, clipped to [0, 1], which keeps the order and is finite.
    """
    if error == 0:
        return boundary
    given = []
    for one in totals:
        away, own = one[0] / one[1] - rate, _error(one, clusters)
        t = 0.0 if abs(away) <= 1e-15 else away / own if own > 0 else inf if away > 0 else -inf
        given.append(rate - t * error)
    given.sort()
    size, tail = len(given), round((1 - confidence) / 2, 12)
    ranks = (size - ceil((1 - tail) * size), size - max(1, ceil(tail * size)))
    inside = [min(max(one, 0.0), 1.0) for one in given]
    within: list[float | None] = []
    for rank, level in zip(ranks, (tail, 1 - tail), strict=True):
        _, off, step = quantile(inside, level)
        beside = inside[min(rank + 1, size - 1)] - inside[max(rank - 1, 0)]
        within.append(None if tail * size < FEW else tolerance(off, max(step, beside)))
    lower, upper = (given[rank] for rank in ranks)
    found = _clipped(Found((lower, upper), (within[0], within[1])))
    reach = ERRORS_APART * sqrt(2 * size * tail * (1 - tail))
    most, fewest = (min(ceil(ranks[1] + reach), size - 1), max(floor(ranks[0] - reach), 0))
    low_band = given[fewest], given[min(ceil(ranks[0] + reach), size - 1)]
    high_band = given[max(floor(ranks[1] - reach), 0)], given[most]
    either = tail * size < FEW
    either |= low_band[0] < 0 <= low_band[1] or high_band[0] <= 1 < high_band[1]
    held = max(inside.count(0.0), inside.count(1.0))
    point = held + count_tolerance(held, size) >= confidence * size
    return _point_or_not(replace(found, clips_either_way=either), boundary, point)
