"""How far the tendencies of two models on the same probes can correlate at all."""

import math
from functools import lru_cache

import numpy as np
from scipy.special import betaincinv

#: Points of the distribution at which a law is asked for its quantile.
_POINTS = 20_000

#: Correlations within probes beyond which tendencies count as 0 or 1, and below which as equal.
_SURE, _NONE = 1 - 1e-4, 1e-9


@lru_cache(maxsize=256)
def correlation_limits(first: float, second: float, icc: float) -> tuple[float, float]:
    """Least and greatest correlation of two tendencies with these means and one ICC.

    A tendency has the law Beta(q t, (1 - q) t) with t = (1 - rho) / rho, whose mean is q and whose
    variance is rho q (1 - q), as the beta-binomial law of verdicts has it. The covariance of two
    is greatest where one rises with the other, F1^-1(U) and F2^-1(U), and least with F2^-1(1 - U)
    (Frechet and Hoeffding). Unequal rates can reach 1 only as the ICC goes to 0; at an ICC of 1
    the tendencies are 0 or 1, and the greatest is sqrt(a / b) with the odds a <= b of the rates.
    Where the ICC is 0 there is nothing to correlate, and the limits are -1 and 1.

    Source: Hoeffding (1940); Joe (1997), Multivariate Models and Dependence Concepts, section 3.1.

    >>> [round(limit, 3) for limit in correlation_limits(0.5, 0.4, 1.0)]
    [-0.816, 0.816]
    >>> round(correlation_limits(0.3, 0.3, 0.2)[1], 6)
    1.0
    """
    if icc <= _NONE:
        return -1.0, 1.0
    low, high = sorted((first, second))
    scale = math.sqrt(low * (1 - low) * high * (1 - high))
    if icc > _SURE:
        both = max(0.0, low + high - 1)
        return (both - low * high) / scale, low * (1 - high) / scale
    spread = (1 - icc) / icc
    u = (np.arange(_POINTS) + 0.5) / _POINTS
    one, two = (betaincinv(rate * spread, (1 - rate) * spread, u) for rate in (low, high))
    least, greatest = (np.corrcoef(one, other)[0, 1] for other in (two[::-1], two))
    return float(least), float(greatest)
