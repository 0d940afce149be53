"""A printed figure beside ours: a verdict from numbers alone."""

import math
from dataclasses import dataclass
from enum import StrEnum

from avowed.stats.performance import Performance


class Verdict(StrEnum):
    """How a printed figure stands to ours.

    Recovered: our copy of the paper has lost the figure, and ours stands there with nothing to
    compare it with. Not printed: the paper has no such figure at all. Under settings other than
    ours also: undefined, ours does not exist; not in this run, the settings leave it out.
    """

    MATCHES = "matches"
    WITHIN_ERROR = "within Monte-Carlo error"
    RECOVERED = "recovered"
    DIFFERS = "differs"
    NOT_PRINTED = "not printed"
    UNDEFINED = "undefined"
    NOT_RUN = "not in this run"


#: A difference of up to this many combined errors is put down to chance.
ERRORS = 2.0


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A verdict, the error of the difference, and its size in those errors.

    ``noticed`` is the smallest difference that would be called one; NaN where nothing is compared.
    """

    verdict: Verdict
    error: float
    in_errors: float
    noticed: float = math.nan


def compare(
    printed: float | None,
    ours: Performance,
    *,
    decimals: int,
    printed_repetitions: int | None = None,
) -> Comparison:
    """Compare a figure printed to ``decimals`` places with ours.

    It matches if ours rounds to it. Otherwise the difference, less half a unit of the last printed
    place, is measured in the error of the difference of two studies: ours, and theirs with
    ``printed_repetitions`` of the same spread, sqrt(e^2 + e^2 R / R'). Up to two errors it is
    within Monte-Carlo error, else it differs. A figure that is not printed in our copy (None) is
    recovered.

    >>> ours = Performance(value=0.948, mc_error=0.009, repetitions=600)
    >>> compare(0.95, ours, decimals=2).verdict.value
    'matches'
    >>> compare(0.97, ours, decimals=2, printed_repetitions=600).verdict.value
    'within Monte-Carlo error'
    """
    if printed is None:
        return Comparison(verdict=Verdict.RECOVERED, error=ours.mc_error, in_errors=math.nan)
    if math.isnan(ours.value):
        return Comparison(verdict=Verdict.UNDEFINED, error=ours.mc_error, in_errors=math.nan)
    theirs = printed_repetitions or ours.repetitions
    error = ours.mc_error * math.sqrt(1 + ours.repetitions / theirs)
    unit = 10.0**-decimals
    noticed = unit / 2 + ERRORS * error
    if round(ours.value, decimals) == round(printed, decimals):
        return Comparison(verdict=Verdict.MATCHES, error=error, in_errors=0.0, noticed=noticed)
    beyond = max(0.0, abs(ours.value - printed) - unit / 2)
    size = beyond / error if error > 0 else math.inf
    verdict = Verdict.WITHIN_ERROR if size <= ERRORS else Verdict.DIFFERS
    return Comparison(verdict=verdict, error=error, in_errors=size, noticed=noticed)
