"""Measures over the repetitions of a study, each with its Monte-Carlo standard error."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, hypot, sqrt

from verification.tables_compare import ROUNDING, Expected
from verification.tables_inputs import Row

Number = float | None

TRUTH = "population value in closed form, exact fractions"
SHARE = "share of the exported repetitions, both ends of an interval counted in"
SHARE_ERROR = "sqrt(p (1 - p) / R); at p = 0 or 1 with (x + 1) / (R + 2) for p"
MEAN = "mean over the exported repetitions"
MEAN_ERROR = "standard deviation over the exported repetitions / sqrt(R)"
COUNT = "counted in the exported repetitions"
NAME = "names the row"


@dataclass(frozen=True)
class Figure:
    """A figure over repetitions, its Monte-Carlo standard error, the repetitions it rests on."""

    value: Number
    error: Number
    repetitions: int


def mean_of(values: Iterable[Number]) -> Figure:
    """Mean, and standard deviation / sqrt(R); what is undefined is left out.

    >>> mean_of([1.0, None, 3.0])
    Figure(value=2.0, error=1.0, repetitions=2)
    """
    known = [value for value in values if value is not None]
    n = len(known)
    if n == 0:
        return Figure(None, None, 0)
    mean = fsum(known) / n
    if n == 1:
        return Figure(mean, None, 1)
    spread = sqrt(fsum((value - mean) ** 2 for value in known) / (n - 1))
    return Figure(mean, spread / sqrt(n), n)


def share_of(happened: Iterable[bool]) -> Figure:
    """Share of repetitions, error sqrt(p (1 - p) / R), at 0 and 1 with p = (x + 1) / (R + 2).

    >>> share_of([True, True, False, False]).error
    0.25
    """
    known = list(happened)
    n, hits = len(known), sum(known)
    if n == 0:
        return Figure(None, None, 0)
    p = hits / n if 0 < hits < n else (hits + 1) / (n + 2)
    return Figure(hits / n, sqrt(p * (1 - p) / n), n)


def bias_of(rows: Sequence[Row], column: str, truth: Callable[[Row], Number]) -> Figure:
    """Mean of estimate - truth where both exist."""
    return mean_of(less(row[column], truth(row)) for row in rows)


def less(value: Number, other: Number) -> Number:
    """value - other, undefined where one of them is."""
    return None if value is None or other is None else value - other


def coverage_of(ends: Iterable[tuple[Number, Number, Number]]) -> Figure:
    """Share of intervals (lower, upper, truth) that hold their truth, both ends counted in.

    An end that misses the truth by rounding (1e-12) is on it.
    """
    return share_of(
        low - ROUNDING <= truth <= high + ROUNDING
        for low, high, truth in ends
        if low is not None and high is not None and truth is not None
    )


def named(**names: str | int | float) -> dict[str, Expected]:
    """Cells that name a row."""
    return {column: Expected(value, NAME) for column, value in names.items()}


def both(name: str, figure: Figure, how: str, error_how: str) -> dict[str, Expected]:
    """A figure and its error, as two cells."""
    return {
        name: Expected(figure.value, how),
        f"{name}_mc_error": Expected(figure.error, error_how),
    }


def mean_of_figures(each: Sequence[Mapping[str, Figure]]) -> dict[str, Figure]:
    """Mean of the figures of independent hint types; undefined where one of them is."""
    found = {}
    for name in each[0]:
        parts = [one[name] for one in each]
        values, errors = [part.value for part in parts], [part.error for part in parts]
        known = [value for value in values if value is not None]
        spread = [error for error in errors if error is not None]
        found[name] = Figure(
            fsum(known) / len(each) if len(known) == len(each) else None,
            hypot(*spread) / len(each) if len(spread) == len(each) else None,
            sum(part.repetitions for part in parts),
        )
    return found
