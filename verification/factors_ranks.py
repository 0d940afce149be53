"""Rank correlation, from whole numbers and one square root (NS 3.5, D.2)."""

import math
from collections.abc import Sequence
from functools import cache
from typing import Any


def double_ranks(values: Sequence[Any]) -> tuple[int, ...]:
    """Twice the midranks, which are whole numbers: 1 + (number below) + (number not above).

    >>> double_ranks([0.5, 0.0, 0.5])
    (5, 2, 5)
    """
    below: dict[Any, int] = {}
    ordered = sorted(values)
    for place, value in enumerate(ordered):
        below.setdefault(value, place)
    alike = {value: ordered.count(value) for value in below}
    return tuple(2 * below[value] + alike[value] + 1 for value in values)


@cache
def _correlation(first: tuple[int, ...], second: tuple[int, ...]) -> float | None:
    size = len(first)
    centre = size + 1  # twice the mean rank
    a, b = [one - centre for one in first], [one - centre for one in second]
    spread = sum(one * one for one in a) * sum(one * one for one in b)
    if not spread:
        return None
    product = sum(one * other for one, other in zip(a, b, strict=True))
    root = math.isqrt(spread)
    return product / root if root * root == spread else product / math.sqrt(spread)


def spearman(first: Sequence[Any], second: Sequence[Any]) -> float | None:
    """Pearson's correlation of midranks; None where a side is constant or has fewer than two.

    >>> spearman([3, 2, 1], [1, 0, 0]), spearman([3, 2, 1], [1, 1, 1])
    (0.8660254037844387, None)
    """
    return _correlation(double_ranks(first), double_ranks(second)) if len(first) > 1 else None


def spearman_where_known(first: Sequence[Any], second: Sequence[Any]) -> float | None:
    """The same over the places at which both have a value."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    return spearman([a for a, _ in pairs], [b for _, b in pairs])
