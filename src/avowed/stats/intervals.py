"""Intervals for a proportion in closed form, and the percentile reading of a resample.

Every interval carries the name of its method.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Interval:
    """A two-sided interval and the method that made it.

    An undefined interval has NaN ends; ``half_width`` is (upper - lower) / 2.

    >>> Interval(0.25, 0.75, "wilson").half_width
    0.25
    """

    lower: float
    upper: float
    method: str

    @property
    def half_width(self) -> float:
        """Half of the interval's width, also when the interval is not symmetric."""
        return (self.upper - self.lower) / 2

    @property
    def defined(self) -> bool:
        """Whether both ends are numbers."""
        return not (math.isnan(self.lower) or math.isnan(self.upper))

    @property
    def collapsed(self) -> bool:
        """Whether the interval has zero width, which is not an interval (HP section 7).

        Equal sums of unequal fractions differ by rounding, so a width of 1e-12 counts as zero.
        """
        return self.defined and self.upper - self.lower <= _ROUNDING


UNDEFINED = Interval(math.nan, math.nan, "undefined")


def normal_quantile(confidence: float) -> float:
    """Return z with P(|Z| < z) = confidence for a standard normal Z.

    Raises:
        ValueError: the confidence is not strictly between 0 and 1.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is {confidence}; it must be strictly between 0 and 1")
    return float(ndtri(0.5 + confidence / 2))


def wilson(proportion: float, n: float, *, confidence: float = 0.95) -> Interval:
    """Wilson score interval of a proportion observed on ``n`` (possibly effective) trials.

    (p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), clipped to [0, 1]; ``n`` need not
    be an integer, so that an effective sample size can stand in for it (HP section 7).

    Raises:
        ValueError: ``n`` is not positive, or the proportion is outside [0, 1].

    Source: Wilson (1927).

    >>> interval = wilson(1.0, 618)
    >>> round(interval.lower, 3), interval.upper
    (0.994, 1.0)
    """
    if not n > 0:
        raise ValueError(f"n is {n}; a Wilson interval needs n > 0")
    if not 0 <= proportion <= 1:
        raise ValueError(f"proportion is {proportion}; it must be in [0, 1]")
    z2 = normal_quantile(confidence) ** 2
    centre = proportion + z2 / (2 * n)
    spread = math.sqrt(z2 * (proportion * (1 - proportion) / n + z2 / (4 * n * n)))
    scale = 1 + z2 / n
    # At the boundary the closed form misses 0 or 1 by a rounding error on either side.
    lower = 0.0 if proportion == 0 else max(0.0, (centre - spread) / scale)
    upper = 1.0 if proportion == 1 else min(1.0, (centre + spread) / scale)
    return Interval(lower, upper, "wilson")


def percentile(resampled: NDArray[np.float64], *, confidence: float = 0.95) -> Interval:
    """Equal-tailed percentile interval of resampled statistics, shape (resamples,).

    Quantiles are linearly interpolated between order statistics.

    Raises:
        ValueError: there are no resampled statistics, or one of them is not a number.

    >>> interval = percentile(np.linspace(0, 1, 101), confidence=0.9)
    >>> round(interval.lower, 6), round(interval.upper, 6), interval.method
    (0.05, 0.95, 'percentile')
    """
    if resampled.size == 0 or np.isnan(resampled).any():
        raise ValueError("a percentile interval needs at least one resample and no NaN")
    tail = (1 - confidence) / 2
    lower, upper = np.quantile(resampled, [tail, 1 - tail])
    return Interval(float(lower), float(upper), "percentile")
