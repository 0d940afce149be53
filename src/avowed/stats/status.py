"""How far an estimate can be relied on: its status, read from its sample and its interval."""

from enum import StrEnum

from avowed.stats.intervals import Interval


class Status(StrEnum):
    """How far an estimate can be relied on (HP section 7).

    The paper's three, and two that it leaves unsaid: undefined, where no value or no interval
    exists, and descriptive, a count or a share that describes the sample and claims no more.
    """

    INSUFFICIENT = "insufficient"
    UNDERSAMPLED = "undersampled"
    CONVERGED = "converged"
    UNDEFINED = "undefined"
    DESCRIPTIVE = "descriptive"


def status_of(interval: Interval, *, n: int, clusters: int, target_half_width: float) -> Status:
    """Status of a rate: insufficient below two clusters or two pairs, then by half-width.

    Undersampled when (upper - lower) / 2 exceeds the target precision, converged otherwise; an
    undefined interval of a sufficient cell is undersampled's stronger form, undefined.

    Source: HP section 7.

    >>> status_of(Interval(0.4, 0.7, "percentile"), n=40, clusters=10, target_half_width=0.1)
    <Status.UNDERSAMPLED: 'undersampled'>
    """
    if clusters < 2 or n < 2:
        return Status.INSUFFICIENT
    if not interval.defined:
        return Status.UNDEFINED
    return Status.UNDERSAMPLED if interval.half_width > target_half_width else Status.CONVERGED
