"""How well an estimator does over repetitions of a study; each figure with its Monte-Carlo error.

Every measure returns the number of repetitions it used: a repetition without an estimate (NaN) is
left out of it and of the error.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

# How far a truth found by quadrature may be off; an end closer than this equals it.
ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Performance:
    """A measure over repetitions, its Monte-Carlo standard error, and the repetitions used."""

    value: float
    mc_error: float
    repetitions: int


def _used(values: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    array = np.asarray(values, dtype=np.float64).ravel()
    return array[~np.isnan(array)]


def mean_of(values: ArrayLike) -> Performance:
    """Mean over repetitions; its error is the standard deviation over sqrt(R).

    With fewer than two repetitions the error is NaN, and with none the mean is too.

    >>> found = mean_of([1.0, 3.0, float("nan")])
    >>> found.value, found.mc_error, found.repetitions
    (2.0, 1.0, 2)
    """
    used = _used(values)
    n = used.size
    return Performance(
        value=float(used.mean()) if n else math.nan,
        mc_error=float(used.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan,
        repetitions=n,
    )


def bias(estimates: ArrayLike, truth: ArrayLike) -> Performance:
    """Mean of estimate - truth over repetitions; the truth is one number or one per repetition.

    Source: Morris, White and Crowther (2019), table 6.

    >>> bias([0.5, 0.7], 0.5).value.__round__(6)
    0.1
    """
    return mean_of(np.asarray(estimates, dtype=np.float64) - np.asarray(truth, dtype=np.float64))


def proportion(happened: ArrayLike) -> Performance:
    """Share of repetitions in which something happened; its error is sqrt(p (1 - p) / R).

    At 0 or 1 that formula gives no error at all; there p is replaced in it by (x + 1) / (R + 2).

    >>> found = proportion([1, 1, 0, 0])
    >>> found.value, found.mc_error
    (0.5, 0.25)
    """
    used = _used(happened)
    n, hits = used.size, float(used.sum())
    if not n:
        return Performance(value=math.nan, mc_error=math.nan, repetitions=0)
    shown = hits / n
    working = shown if 0 < hits < n else (hits + 1) / (n + 2)
    return Performance(value=shown, mc_error=math.sqrt(working * (1 - working) / n), repetitions=n)


def coverage(lower: ArrayLike, upper: ArrayLike, truth: ArrayLike) -> Performance:
    """Share of repetitions whose interval holds the truth, both ends included.

    A repetition with an undefined end, or without a truth, is left out. An end that equals the
    truth holds it, also where quadrature left the truth a few last digits off: a rate of 7/10 is
    an end that small designs meet.

    Source: Morris, White and Crowther (2019), table 6.

    >>> coverage([0.1, 0.6], [0.4, 0.9], 0.3).value
    0.5
    >>> coverage([0.5], [0.7], 0.7000000000000313).value
    1.0
    """
    low, high = np.asarray(lower, dtype=np.float64), np.asarray(upper, dtype=np.float64)
    true = np.asarray(truth, dtype=np.float64)
    held = ((low <= true + ROUNDING) & (true - ROUNDING <= high)).astype(np.float64)
    undefined = np.isnan(low) | np.isnan(high) | np.isnan(true)
    return proportion(np.where(undefined, np.nan, held))


def in_errors(difference: float, mc_error: float) -> float:
    """Size of a difference in Monte-Carlo errors; NaN where there is no error to measure by.

    >>> in_errors(-0.03, 0.015)
    2.0
    """
    return abs(difference) / mc_error if mc_error > 0 else math.nan
