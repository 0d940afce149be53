"""What a table shows of an estimate: its interval and status, with the pipeline's bootstrap ends.

A bootstrap rests on random numbers, so a table's end must be the one of the pipeline's own
estimate, exactly; `verification.diff` holds that estimate against another bootstrap. Where the
pipeline keeps no estimate, the end is compared within the Monte-Carlo error of two bootstraps.
"""

from verification.bootstrap import tolerance
from verification.estimates import PERCENTILE, Estimate, Interval, status_of
from verification.tables_compare import Expected, number_of
from verification.tables_inputs import Row

RECORDS = "recomputed from the records"
STATED = "the pipeline's own estimate, a bootstrap end"
DRAWN = "another bootstrap, within the Monte-Carlo error of two"


def as_stated(found: Estimate, stated: Row | None) -> Estimate:
    """The estimate, or the alternative to it that has the method of the pipeline's own estimate."""
    other: Estimate | None = found
    while other is not None and stated is not None:
        if (other.interval.method if other.interval else None) == stated["method"]:
            return other
        other = other.alternative
    return found


def as_printed(found: Estimate, lower: str, upper: str) -> Estimate:
    """The estimate, or the alternative to it whose ends are the printed ones.

    For tables whose estimates stand nowhere else: where Monte-Carlo error decides whether the
    boundary rule holds, either interval will do, and the printed ends say which it was.
    """
    printed = tuple(number_of(text) for text in (lower, upper))
    candidates = [found]
    while candidates[-1].alternative is not None:
        candidates.append(candidates[-1].alternative)
    # A closed form first: the tolerance of a bootstrap may hold its ends as well.
    candidates.sort(key=lambda one: one.interval is not None and one.interval.ends is not None)
    return next((one for one in candidates if _fits(one.interval, *printed)), found)


def _fits(interval: Interval | None, *printed: object) -> bool:
    if interval is None:
        return printed == (None, None)
    e = interval.ends
    slack = (
        (tolerance(e.lower_error, e.lower_step), tolerance(e.upper_error, e.upper_step))
        if e
        else (0.0, 0.0)
    )
    return all(
        isinstance(text, int | float) and abs(text - end) <= within + 1e-9
        for text, end, within in zip(printed, (interval.lower, interval.upper), slack, strict=True)
    )


def _rests_on_draws(found: Estimate) -> bool:
    """Whether the interval is a bootstrap's, or was refused because of undefined resamples."""
    if found.interval is None:
        return found.value is not None
    return found.interval.method == PERCENTILE


def shown_interval(found: Estimate, stated: Row | None) -> Interval | None:
    """The recomputed interval; where that rests on draws, the one that the pipeline states."""
    if stated is None or not _rests_on_draws(found):
        return found.interval
    if stated["lower"] is None or stated["upper"] is None:
        return None
    return Interval(stated["lower"], stated["upper"], PERCENTILE)


def shown_status(found: Estimate, stated: Row | None, target: float) -> str:
    """The status that goes with the interval that is shown."""
    if not _rests_on_draws(found):
        return found.status
    return status_of(shown_interval(found, stated), found.n, found.clusters, target)


def shown_ends(found: Estimate, stated: Row | None) -> tuple[Expected, Expected]:
    """The two ends of the interval that is shown."""
    interval = shown_interval(found, stated)
    drawn = interval.ends if interval else None
    if stated is not None and _rests_on_draws(found):
        how, below, above = STATED, 0.0, 0.0
    elif drawn is not None and _rests_on_draws(found):
        below = tolerance(drawn.lower_error, drawn.lower_step)
        above = tolerance(drawn.upper_error, drawn.upper_step)
        how = DRAWN
    else:
        how, below, above = RECORDS, 0.0, 0.0
    lower, upper = (interval.lower, interval.upper) if interval else (None, None)
    return Expected(lower, how, below), Expected(upper, how, above)


def shown_method(found: Estimate, stated: Row | None) -> Expected:
    """The name of the method of the interval that is shown."""
    interval = shown_interval(found, stated)
    return Expected(interval.method if interval else None, RECORDS)
