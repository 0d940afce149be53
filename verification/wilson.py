"""Wilson's score interval in closed form, and Newcombe's combination of two (HP sections 7, 14)."""

from fractions import Fraction
from math import sqrt
from statistics import NormalDist


def normal_quantile(confidence: float) -> float:
    """z with P(|Z| < z) = confidence.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    """
    return NormalDist().inv_cdf(0.5 + confidence / 2)


def wilson(p: Fraction, n: Fraction | int, confidence: float) -> tuple[float, float]:
    """Wilson's score interval of a share ``p`` seen in ``n`` (possibly effective) trials.

    (2 n p + z^2 -+ z sqrt(z^2 + 4 n p (1 - p))) / (2 (n + z^2)); at p = 0 and p = 1 the outer end
    is 0 or 1 itself, whatever rounding says.

    Raises:
        ValueError: n is not positive, or p is outside [0, 1].

    Source: Wilson (1927); HP section 7.

    >>> [round(end, 3) for end in wilson(Fraction(40, 40), 10, 0.95)]
    [0.722, 1.0]
    """
    if n <= 0 or not 0 <= p <= 1:
        raise ValueError(f"no Wilson interval for a share of {p} in {n} trials")
    z = normal_quantile(confidence)
    middle = 2 * float(n * p) + z * z
    spread = z * sqrt(z * z + 4 * float(n * p * (1 - p)))
    scale = 2 * (float(n) + z * z)
    lower = 0.0 if p == 0 else max(0.0, (middle - spread) / scale)
    upper = 1.0 if p == 1 else min(1.0, (middle + spread) / scale)
    return lower, upper


def newcombe_sum(
    p1: Fraction, n1: int, p2: Fraction, n2: int, confidence: float
) -> tuple[float, float]:
    """Interval of p1 + p2 from the Wilson intervals of both, in quadrature.

    p1 + p2 - sqrt((p1 - l1)^2 + (p2 - l2)^2) to p1 + p2 + sqrt((u1 - p1)^2 + (u2 - p2)^2).

    Source: Newcombe (1998), method 10; HP section 14.

    >>> low, high = newcombe_sum(Fraction(129, 150), 150, Fraction(122, 150), 150, 0.95)
    >>> round(low - 1, 3), round(high - 1, 3)
    (0.578, 0.745)
    """
    (l1, u1), (l2, u2) = wilson(p1, n1, confidence), wilson(p2, n2, confidence)
    both = float(p1 + p2)
    below = sqrt((float(p1) - l1) ** 2 + (float(p2) - l2) ** 2)
    above = sqrt((u1 - float(p1)) ** 2 + (u2 - float(p2)) ** 2)
    return both - below, both + above
