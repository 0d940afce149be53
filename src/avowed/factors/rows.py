"""Statistics and counts as rows of the long results table."""

import math
from typing import Any

import numpy as np

from avowed.factors.bootstrap import Statistic
from avowed.factors.settings import FactorSettings
from avowed.stats.intervals import UNDEFINED, Interval, percentile, wilson
from avowed.stats.status import Status, status_of

Row = dict[str, Any]

#: Between a component and a feature, or between two components, in the column ``cell``.
SEPARATOR = " · "


def cell_name(component: str, part: str = "") -> str:
    """The cell of a component, of one of its features, or of a pair of components.

    >>> cell_name("faithful", "age")
    'faithful · age'
    """
    return f"{component}{SEPARATOR}{part}" if part else component


def interval_of(statistic: Statistic, settings: FactorSettings) -> tuple[Interval, list[str]]:
    """Percentile interval over the resampled inputs, and what has to be said about it.

    Resamples without an observation are left out and counted; above ``max_undefined_share`` of
    them the interval is undefined. An interval of zero width says that the inputs do not differ,
    not that the value is certain. For a mean over inputs the Wilson interval at the number of
    inputs takes its place, on the quantity's range mapped to [0, 1]: a mean of values in [0, 1]
    varies at most as much as a proportion. For any other statistic it is undefined.

    Source: definitions NS 14; HP section 7 for the boundary.
    """
    estimate, resampled = statistic.draws[0], statistic.draws[1:]
    if np.isnan(estimate):
        return UNDEFINED, []
    kept = resampled[~np.isnan(resampled)]
    missing = resampled.size - kept.size
    notes = [f"{missing} of {resampled.size} resamples undefined"] if missing else []
    if missing > settings.max_undefined_share * resampled.size:
        return UNDEFINED, notes
    found = percentile(kept, confidence=settings.confidence)
    if not found.collapsed:
        return found, notes
    if not statistic.is_mean:
        return UNDEFINED, [*notes, "no interval: all resamples are equal"]
    low, width = statistic.lowest, statistic.highest - statistic.lowest
    share = min(max((float(estimate) - low) / width, 0.0), 1.0)
    unit = wilson(share, int(statistic.used.sum()), confidence=settings.confidence)
    mapped = Interval(low + width * unit.lower, low + width * unit.upper, "wilson over inputs")
    return mapped, [*notes, "percentile interval of zero width"]


def row_of(statistic: Statistic, *, use_case: str, settings: FactorSettings) -> Row:
    """One row of the long table; what is undefined is None."""
    estimate = float(statistic.draws[0])
    interval, notes = interval_of(statistic, settings)
    clusters = int(statistic.used.sum())
    status = status_of(
        interval,
        n=statistic.n,
        clusters=clusters,
        target_half_width=settings.target_half_width,
    )
    return _row(
        use_case,
        cell_name(statistic.component, statistic.part),
        statistic.quantity,
        k=statistic.k,
        estimate=estimate,
        interval=interval,
        method=interval.method if interval.defined else None,
        status=status,
        n=statistic.n,
        clusters=clusters,
        note="; ".join(part for part in (statistic.note, *notes) if part),
    )


def plain_row(
    quantity: str,
    value: float,
    *,
    use_case: str,
    component: str,
    n: int,
    clusters: int,
    k: int | None = None,
    method: str = "count",
    note: str = "",
) -> Row:
    """A row that describes the sample and claims no more: a count, a standard error."""
    return _row(
        use_case,
        component,
        quantity,
        k=k,
        estimate=value,
        interval=UNDEFINED,
        method=method,
        status=Status.UNDEFINED if math.isnan(value) else Status.DESCRIPTIVE,
        n=n,
        clusters=clusters,
        note=note,
    )


def _row(
    use_case: str,
    cell: str,
    quantity: str,
    *,
    k: int | None,
    estimate: float,
    interval: Interval,
    method: str | None,
    status: Status,
    n: int,
    clusters: int,
    note: str,
) -> Row:
    return {
        "study": use_case,
        "cell": cell,
        "quantity": quantity,
        "k": k,
        "estimate": _number(estimate),
        "lower": _number(interval.lower),
        "upper": _number(interval.upper),
        "method": method,
        "status": status.value,
        "n": n,
        "clusters": clusters,
        "icc": None,
        "deff": None,
        "effective_n": None,
        "mc_error": None,
        "repetitions": None,
        "note": note or None,
    }


def _number(value: float) -> float | None:
    return None if math.isnan(value) else value
