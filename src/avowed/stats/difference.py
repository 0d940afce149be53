"""The difference of two clustered rates: its interval, and a p-value that agrees with it."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from avowed.stats.bootstrap import profiles_of, resample_totals
from avowed.stats.clustering import Clustering, describe
from avowed.stats.intervals import UNDEFINED, Interval, percentile, wilson
from avowed.stats.rate_intervals import linearised_variance

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

PAIRED_METHOD = "expanded percentile cluster bootstrap, paired"
UNPAIRED_METHOD = "expanded percentile cluster bootstrap, unpaired"
NEWCOMBE_METHOD = "newcombe, wilson at effective n"

#: Smallest p-value that the inversion of Newcombe's interval looks for.
_LEAST_P = 1e-15


@dataclass(frozen=True, kw_only=True)
class ClusteredDifference:
    """A difference of two rates, first minus second.

    ``standard_error`` is linearised and cluster-robust; ``p_value`` is two-sided. Both are NaN
    where they do not exist; ``p_is_bound`` says that the p-value is at most that: no resample lies
    beyond 0, or the inversion of Newcombe's interval ended. ``dropped`` of ``resamples`` had no
    trial on one side.
    """

    value: float
    interval: Interval
    p_value: float
    p_is_bound: bool
    standard_error: float
    first: Clustering
    second: Clustering
    resamples: int
    dropped: int


def newcombe(
    first: float, n_first: float, second: float, n_second: float, *, confidence: float = 0.95
) -> Interval:
    """Newcombe's hybrid score interval of the difference of two independent proportions.

    With d = p1 - p2 and Wilson intervals [l1, u1], [l2, u2]:
    d - sqrt((p1 - l1)^2 + (u2 - p2)^2) to d + sqrt((u1 - p1)^2 + (p2 - l2)^2). The sample sizes
    need not be integers, so that effective ones can stand in; where the two proportions are
    positively correlated, the interval is conservative.

    Raises:
        ValueError: a sample size is not positive, or a proportion is outside [0, 1].

    Source: Newcombe (1998), Statistics in Medicine 17, 873-890, method 10.

    >>> found = newcombe(56 / 70, 70, 48 / 80, 80)
    >>> round(found.lower, 4), round(found.upper, 4)
    (0.0524, 0.3339)
    """
    one = wilson(first, n_first, confidence=confidence)
    two = wilson(second, n_second, confidence=confidence)
    gap = first - second
    lower = gap - math.hypot(first - one.lower, two.upper - second)
    upper = gap + math.hypot(one.upper - first, second - two.lower)
    return Interval(max(lower, -1.0), min(upper, 1.0), NEWCOMBE_METHOD)


def newcombe_p_value(first: float, n_first: float, second: float, n_second: float) -> float:
    """The least alpha at which Newcombe's interval of level 1 - alpha leaves out 0.

    It is 1 for equal proportions, and not looked for below 1e-15.

    >>> p = newcombe_p_value(56 / 70, 70, 48 / 80, 80)
    >>> newcombe(56 / 70, 70, 48 / 80, 80, confidence=1 - p).lower.__abs__() < 1e-9
    True
    """
    if first == second:
        return 1.0
    from scipy.optimize import brentq

    def nearest_end(exponent: float) -> float:
        found = newcombe(first, n_first, second, n_second, confidence=1 - 10**exponent)
        return found.lower if first > second else -found.upper

    least = math.log10(_LEAST_P)
    if nearest_end(least) > 0:
        return _LEAST_P
    # At alpha = 1 the interval would be a point, which is no interval that could be asked for.
    return float(10 ** brentq(nearest_end, least, -1e-12, xtol=1e-12))


def _rates(totals: Floats, hits: int, sizes: int) -> Floats:
    with np.errstate(invalid="ignore"):
        return np.asarray(totals[:, hits] / totals[:, sizes])


def _resampled(
    columns: tuple[Counts, Counts, Counts, Counts],
    rng: np.random.Generator,
    *,
    paired: bool,
    resamples: int,
) -> Floats:
    """Resampled differences, shape (resamples,); NaN where a side has no trial."""
    k1, n1, k2, n2 = columns
    if paired:
        totals = resample_totals(profiles_of(k1, n1, k2, n2), rng, resamples=resamples)
        return _rates(totals, 0, 1) - _rates(totals, 2, 3)
    one, two = (
        resample_totals(profiles_of(k[n > 0], n[n > 0]), rng, resamples=resamples)
        for k, n in ((k1, n1), (k2, n2))
    )
    return _rates(one, 0, 1) - _rates(two, 0, 1)


def _variance(k: Counts, n: Counts, rate: float) -> float:
    """Linearised variance of one rate over its clusters with a trial."""
    totals = np.array([k.sum(), n.sum(), (k * k).sum(), (k * n).sum(), (n * n).sum()], dtype=float)
    return float(linearised_variance(totals, int((n > 0).sum()), np.asarray(rate)))


def _error_and_freedom(
    columns: tuple[Counts, Counts, Counts, Counts], q1: float, q2: float, *, paired: bool
) -> tuple[float, float]:
    """Linearised standard error of the difference, and degrees of freedom.

    Welch's; if paired, no more than the clusters less one, which is what counts where both sides
    have the same ones.
    """
    k1, n1, k2, n2 = columns
    one, two = _variance(k1, n1, q1), _variance(k2, n2, q2)
    c1, c2 = int((n1 > 0).sum()), int((n2 > 0).sum())
    apart = one + two
    freedom = float(min(c1, c2) - 1)
    if apart > 0:
        freedom = apart**2 / (one**2 / (c1 - 1) + two**2 / (c2 - 1))
    if paired:
        clusters = k1.size
        influence = (k1 - q1 * n1) / n1.sum() - (k2 - q2 * n2) / n2.sum()
        variance = clusters / (clusters - 1) * float((influence**2).sum())
        return math.sqrt(variance), min(freedom, float(clusters - 1))
    return math.sqrt(apart), freedom


def expanded_level(confidence: float, *, clusters: int, freedom: float) -> float:
    """Level of the plain percentile interval that makes up for few clusters.

    Resampling C clusters has (C - 1)/C of the variance it should have, and the normal quantile
    knows nothing of the degrees of freedom: 1 - 2 Phi(-sqrt(C/(C - 1)) t), where t is the quantile
    of Student's distribution. It tends to the confidence itself as C grows.

    Source: Hesterberg (2015), What teachers should know about the bootstrap, The American
    Statistician 69, 371-386: the expanded percentile interval.

    >>> round(expanded_level(0.95, clusters=20, freedom=19), 4)
    0.9682
    """
    quantile = float(stdtrit(freedom, 0.5 + confidence / 2))
    return float(1 - 2 * ndtr(-math.sqrt(clusters / (clusters - 1)) * quantile))


def _beyond(drawn: Floats) -> int:
    """Resamples on the rarer side of 0, those at 0 included."""
    return min(int((drawn <= 0).sum()), int((drawn >= 0).sum()))


def _bootstrap_p_value(drawn: Floats, *, clusters: int, freedom: float) -> float:
    """The p-value that the expanded percentile interval implies, from the same resamples."""
    plain = min(1.0, 2 * (_beyond(drawn) + 1) / (drawn.size + 1))
    quantile = -float(ndtri(plain / 2)) / math.sqrt(clusters / (clusters - 1))
    return float(2 * stdtr(freedom, -quantile))


def clustered_difference(
    first: tuple[ArrayLike, ArrayLike],
    second: tuple[ArrayLike, ArrayLike],
    rng: np.random.Generator,
    *,
    paired: bool,
    resamples: int = 2000,
    confidence: float = 0.95,
    max_undefined_share: float = 0.05,
) -> ClusteredDifference:
    """Difference k1/n1 - k2/n2 of two rates from per-cluster counts, with interval and p-value.

    ``first`` and ``second`` are (hits, trials), integers of shape (C,), one entry per cluster of
    either side in the same order; a side without trials in a cluster has 0 there.

    Paired: clusters are resampled once, with the counts of both sides. Unpaired: the clusters that
    have trials are resampled per side, independently. The interval is the expanded percentile one
    (:func:`expanded_level`; C is the smaller number of clusters, degrees of freedom are Welch's,
    if paired no more than the clusters of the union less one). The p-value is read from the same
    resamples and at or below alpha only if the interval of level 1 - alpha leaves out 0:
    2 (b + 1) / (B + 1), where b of B resamples lie on the rarer side of 0, and the same expansion.

    Boundary rule: where a rate is 0 or 1 its resamples do not vary, and where the interval has no
    width it is none. There Newcombe's hybrid score interval from Wilson's at the effective sample
    sizes stands in, which takes the sides for independent, and the p-value inverts that.

    Resamples without a trial on a side are dropped and counted; above ``max_undefined_share`` the
    interval is undefined.

    Raises:
        ValueError: arrays of different lengths, or hits outside [0, trials].

    Source: HP section 7; Field and Welsh (2007); Hesterberg (2015); Newcombe (1998).

    >>> k, n = np.array([2, 1, 0, 2, 1, 2]), np.full(6, 2)
    >>> same = clustered_difference((k, n), (k, n), np.random.default_rng(1), paired=True)
    >>> same.value, same.p_value, same.interval.method
    (0.0, 1.0, 'newcombe, wilson at effective n')
    """
    whole = [np.asarray(column, dtype=np.int64) for column in (*first, *second)]
    if any(column.shape != whole[0].shape for column in whole):
        raise ValueError("both sides need one entry per cluster, in the same order")
    there = (whole[1] > 0) | (whole[3] > 0)
    k1, n1, k2, n2 = (column[there] for column in whole)
    of1, of2 = describe(k1[n1 > 0], n1[n1 > 0]), describe(k2[n2 > 0], n2[n2 > 0])
    value = error = p_value = math.nan
    interval, drawn_from, dropped, bound = UNDEFINED, 0, 0, False
    if of1.n and of2.n:
        q1, q2 = float(k1.sum() / of1.n), float(k2.sum() / of2.n)
        value = q1 - q2
        inner = 0 < k1.sum() < of1.n and 0 < k2.sum() < of2.n
        stand_in = True
        if min(of1.clusters, of2.clusters) > 1:
            error, freedom = _error_and_freedom((k1, n1, k2, n2), q1, q2, paired=paired)
            if inner:
                drawn = _resampled((k1, n1, k2, n2), rng, paired=paired, resamples=resamples)
                kept = drawn[~np.isnan(drawn)]
                drawn_from, dropped = drawn.size, drawn.size - kept.size
                stand_in = False
                if dropped <= max_undefined_share * drawn.size:
                    least = min(of1.clusters, of2.clusters)
                    level = expanded_level(confidence, clusters=least, freedom=freedom)
                    ends = percentile(kept, confidence=level)
                    method = PAIRED_METHOD if paired else UNPAIRED_METHOD
                    interval = Interval(ends.lower, ends.upper, method)
                    p_value = _bootstrap_p_value(kept, clusters=least, freedom=freedom)
                    stand_in, bound = interval.collapsed, _beyond(kept) == 0
        if stand_in:
            sides = (q1, of1.effective_n, q2, of2.effective_n)
            interval = newcombe(*sides, confidence=confidence)
            p_value = newcombe_p_value(*sides)
            bound = p_value <= _LEAST_P
    return ClusteredDifference(
        value=value,
        interval=interval,
        p_value=p_value,
        p_is_bound=bound,
        standard_error=error,
        first=of1,
        second=of2,
        resamples=drawn_from,
        dropped=dropped,
    )
