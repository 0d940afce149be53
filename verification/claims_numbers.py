"""Printed numbers as exact rational intervals, and the few operations the ledger needs on them.

A number printed with d decimals stands for every value that rounds to it: x becomes
[x - 10^-d / 2, x + 10^-d / 2], both ends in, because a half may be rounded either way. A count or a
constant of the design is exact. Every bound is a `Fraction`; only a square root is rounded, outward
and far below any printed place.
"""

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, comb, floor, isqrt

#: Square roots are enclosed between two neighbours on this grid.
_ROOT_GRID = 10**30


class UndefinedError(Exception):
    """The printed inputs admit no result, as in a division by zero or a share without a count."""


@dataclass(frozen=True)
class Interval:
    """A closed interval of rationals; one number if both ends agree."""

    lo: Fraction
    hi: Fraction

    @property
    def exact(self) -> bool:
        """Whether it holds a single number."""
        return self.lo == self.hi

    @property
    def middle(self) -> Fraction:
        """The centre: the printed number itself, for a rounded one."""
        return (self.lo + self.hi) / 2

    def meets(self, other: "Interval") -> bool:
        """Whether the two have a number in common.

        >>> printed(Fraction("25.8"), Fraction("0.1")).meets(point(Fraction("25.75")))
        True
        """
        return self.lo <= other.hi and other.lo <= self.hi

    def within(self, other: "Interval") -> bool:
        """Whether every number of it is one of the other's."""
        return other.lo <= self.lo and self.hi <= other.hi


def point(value: Fraction | int) -> Interval:
    """The interval of one number."""
    return Interval(Fraction(value), Fraction(value))


def printed(value: Fraction, step: Fraction) -> Interval:
    """Every value that rounds to ``value`` on a grid of width ``step``."""
    return Interval(value - step / 2, value + step / 2)


def hull(*parts: Interval) -> Interval:
    """The smallest interval that holds all parts."""
    return Interval(min(part.lo for part in parts), max(part.hi for part in parts))


def number(text: str) -> Fraction | None:
    """Read a decimal number, or nothing if the text is none.

    >>> number("0.813"), number("Beta(4, 2)")
    (Fraction(813, 1000), None)
    """
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return Fraction(found) if found.is_finite() else None


def last_place(text: str) -> Fraction:
    """One unit in the last printed place.

    >>> last_place("0.10"), last_place("482")
    (Fraction(1, 100), Fraction(1, 1))
    """
    exponent = Decimal(text).as_tuple().exponent
    return Fraction(10) ** min(int(exponent), 0)


def add(a: Interval, b: Interval) -> Interval:
    """a + b."""
    return Interval(a.lo + b.lo, a.hi + b.hi)


def negate(a: Interval) -> Interval:
    """-a."""
    return Interval(-a.hi, -a.lo)


def multiply(a: Interval, b: Interval) -> Interval:
    """a b."""
    ends = (a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi)
    return Interval(min(ends), max(ends))


def divide(a: Interval, b: Interval) -> Interval:
    """a / b.

    Raises:
        UndefinedError: b holds 0.
    """
    if b.lo <= 0 <= b.hi:
        raise UndefinedError("division by an interval that holds 0")
    return multiply(a, Interval(1 / b.hi, 1 / b.lo))


def power(a: Interval, exponent: Interval) -> Interval:
    """a^n for a whole n >= 0.

    >>> power(Interval(Fraction(-1), Fraction(2)), point(2))
    Interval(lo=Fraction(0, 1), hi=Fraction(4, 1))
    """
    if not exponent.exact or exponent.lo.denominator != 1 or exponent.lo < 0:
        raise UndefinedError("an exponent must be a whole number of at least 0")
    n = exponent.lo.numerator
    ends = (a.lo**n, a.hi**n)
    low = Fraction(0) if n and n % 2 == 0 and a.lo < 0 < a.hi else min(ends)
    return Interval(low, max(ends))


def root(a: Interval) -> Interval:
    """The square root, enclosed.

    >>> root(point(4))
    Interval(lo=Fraction(2, 1), hi=Fraction(2, 1))
    """
    if a.lo < 0:
        raise UndefinedError("square root of a negative number")
    return Interval(_root_below(a.lo), _root_above(a.hi))


def _root_below(value: Fraction) -> Fraction:
    scaled = floor(value * _ROOT_GRID**2)
    return Fraction(isqrt(scaled), _ROOT_GRID)


def _root_above(value: Fraction) -> Fraction:
    scaled = ceil(value * _ROOT_GRID**2)
    below = isqrt(scaled)
    return Fraction(below if below**2 == scaled else below + 1, _ROOT_GRID)


def whole_numbers(share: Interval, total: Interval) -> range:
    """The counts k of a total n for which k / n lies in the share.

    >>> list(whole_numbers(printed(Fraction("0.86"), Fraction("0.01")), point(150)))
    [129]
    """
    low, high = multiply(share, total).lo, multiply(share, total).hi
    return range(max(ceil(low), 0), floor(high) + 1)


def counts(share: Interval, total: Interval) -> Interval:
    """The hull of :func:`whole_numbers`.

    Raises:
        UndefinedError: no count of that total gives such a share.
    """
    found = whole_numbers(share, total)
    if not found:
        raise UndefinedError("no whole number of the total gives this share")
    return Interval(Fraction(found[0]), Fraction(found[-1]))


def round_to(a: Interval, step: Interval) -> Interval:
    """The multiples of ``step`` that a value of the interval may be rounded to, as a hull.

    A half may go either way, as in a printed number.

    >>> round_to(point(Fraction("142.5")), point(5))
    Interval(lo=Fraction(140, 1), hi=Fraction(145, 1))
    """
    if not step.exact or step.lo <= 0:
        raise UndefinedError("a step must be one positive number")
    width = step.lo
    half = Fraction(1, 2)
    return Interval(width * ceil(a.lo / width - half), width * floor(a.hi / width + half))


def beta_tail(a: Interval, b: Interval, cut: Interval) -> Interval:
    """P(Beta(a, b) > t) for whole a and b: the chance of fewer than a hits in a + b - 1 tries.

    >>> beta_tail(point(4), point(2), point(Fraction(1, 2))).lo
    Fraction(13, 16)
    """
    shapes = (a, b)
    if any(not s.exact or s.lo.denominator != 1 or s.lo < 1 for s in shapes):
        raise UndefinedError("the parameters of a Beta law must be whole numbers of at least 1")
    if cut.lo < 0 or cut.hi > 1:
        raise UndefinedError("a cut must lie in [0, 1]")
    first, tries = a.lo.numerator, a.lo.numerator + b.lo.numerator - 1

    def above(t: Fraction) -> Fraction:
        return sum(
            (comb(tries, j) * t**j * (1 - t) ** (tries - j) for j in range(first)), Fraction(0)
        )

    return Interval(above(cut.hi), above(cut.lo))
