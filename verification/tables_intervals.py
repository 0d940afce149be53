"""What a table shows of an estimate: its interval and status, with the pipeline's bootstrap ends.

A bootstrap rests on random numbers, so a table's end must be the one of the pipeline's own
estimate, exactly; `verification.diff` holds that estimate against another bootstrap. Where the
pipeline keeps no estimate, the end is compared within the Monte-Carlo error of two bootstraps.
"""

from verification.bootstrap import tolerance
from verification.estimates import PERCENTILE, Estimate, Interval, status_of
from verification.tables_compare import Expected
from verification.tables_inputs import Row

RECORDS = "recomputed from the records"
STATED = "the pipeline's own estimate, a bootstrap end"
DRAWN = "another bootstrap, within the Monte-Carlo error of two"


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
