"""Student's t by its closed form for a whole number of degrees of freedom."""

from math import atan, cos, pi, sin, sqrt
from statistics import NormalDist


def t_within(t: float, freedom: int) -> float:
    """P(|T| <= t) for t >= 0, a finite sum of powers of the cosine of atan(t / sqrt(freedom)).

    Source: Abramowitz and Stegun (1964), 26.7.3 and 26.7.4.

    >>> round(t_within(12.706204736, 1), 9), round(t_within(2.228138852, 10), 9)
    (0.95, 0.95)
    """
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term, total = (cos(angle), 0.0) if odd else (1.0, 0.0)
    # From one power of the cosine to the next but one.
    for power in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cos(angle) ** 2 * (power - 1) / power
    if odd:
        return 2 / pi * (angle + sin(angle) * total)
    return sin(angle) * total


def t_quantile(confidence: float, freedom: int) -> float:
    """t with P(|T| < t) = confidence, by halving.

    >>> round(t_quantile(0.95, 255), 6)
    1.969311
    """
    low = NormalDist().inv_cdf(0.5 + confidence / 2)
    high = 2 * low + 1
    while t_within(high, freedom) < confidence:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if t_within(middle, freedom) < confidence else (low, middle)
    return (low + high) / 2
