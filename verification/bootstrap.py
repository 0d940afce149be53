"""A percentile cluster bootstrap of its own, and how closely two of them can agree (HP section 7).

Every statistic here is a function of a few whole numbers summed over probes, so a resample is a
sum of the rows of the probes drawn. The rows are packed into one whole number each, which Python
adds exactly, whatever its size; all statistics of a cell that rest on the same probes share their
resamples.

Agreement of two bootstraps
    The other program draws other random numbers, so interval ends agree up to Monte-Carlo error
    only. The standard error of an end is estimated from the order statistics, which needs no
    assumption on the distribution: of B resampled values, the number below the true p-quantile has
    standard deviation s = sqrt(B p (1 - p)), so that one standard error of the end is the distance
    that s ranks make. It is read off the order statistics at rank B p -+ 3 s, divided by 6; a
    single s would rest on some fourteen values at B = 2,000 and be too unsteady. Two ends agree
    within 6 sqrt(2) standard errors (no false alarm in twelve thousand simulated ends) plus one
    lattice step of a discrete statistic, that is one of which fewer than half of the values at the
    ranks B p -+ 6 sqrt(2) s differ: the largest gap between neighbouring ones,
    because the two ends can lie on either side of it. With one value only they must be equal.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, sqrt
from random import Random

#: Root of the random numbers of this program; the pipeline's seed has no part in it.
SEED = 271828

#: How many standard errors of a difference two ends may lie apart.
ERRORS_APART = 6
#: Half the band of ranks, in standard deviations, from which a standard error is read.
BAND = 3
#: What a standard error and a step are multiplied by where too few resamples lie beyond an end to
#: read it off both sides; by simulation this keeps false alarms away down to 100 resamples.
SCARCE = 3
#: How far apart the same value may come out that was summed in another order.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Ends:
    """Ends of a percentile interval, their standard errors and lattice steps."""

    lower: float
    upper: float
    lower_error: float
    upper_error: float
    lower_step: float
    upper_step: float
    nearly_one_value: bool = False

    @property
    def collapsed(self) -> bool:
        """Whether the ends differ by rounding only: a point, which is not an interval."""
        return self.upper - self.lower <= ROUNDING

    @property
    def may_differ_in_that(self) -> bool:
        """Whether another bootstrap may collapse where this one does not, or the other way round.

        A point stays one where no other value is within reach of its ends. An interval becomes one
        where a single value holds nearly as many resamples as lie between its ends.
        """
        if not self.collapsed:
            return self.nearly_one_value
        reach = (self.lower_error, self.lower_step, self.upper_error, self.upper_step)
        return max(reach) > ROUNDING


def stream(*names: str) -> Random:
    """The random numbers of one use; every use has its own.

    >>> stream("a", "omission").random() == stream("a", "omission").random()
    True
    """
    return Random("/".join((str(SEED), *names)))


def resampled_totals(
    rows: Sequence[Sequence[int]], resamples: int, random: Random
) -> list[tuple[int, ...]]:
    """Totals of each column over as many rows as there are, drawn with replacement.

    Args:
        rows: whole numbers of at least 0, shape (probes, columns), at least one probe.
        resamples: number of resamples.
        random: where the random numbers come from.

    Returns:
        One tuple of column totals per resample.

    >>> resampled_totals([(1, 2), (1, 2)], 2, Random(1))
    [(2, 4), (2, 4)]
    """
    size = len(rows)
    # Each column gets as many bits as its largest possible total needs.
    widths = [(size * max(column)).bit_length() + 1 for column in zip(*rows, strict=True)]
    offsets = [sum(widths[:position]) for position in range(len(widths))]
    packed = [sum(v << o for v, o in zip(row, offsets, strict=True)) for row in rows]
    fields = [(offset, (1 << width) - 1) for offset, width in zip(offsets, widths, strict=True)]
    drawn = (sum(random.choices(packed, k=size)) for _ in range(resamples))
    return [tuple((total >> offset) & mask for offset, mask in fields) for total in drawn]


def percentile(values: Sequence[float], confidence: float) -> Ends:
    """Equal-tailed percentile interval, linear between order statistics, with its errors.

    See the head of this module for what the errors and steps are.

    Raises:
        ValueError: there are no values.

    Source: HP section 7.

    >>> found = percentile([i / 100 for i in range(101)], 0.9)
    >>> round(found.lower, 6), round(found.upper, 6)
    (0.05, 0.95)
    """
    if not values:
        raise ValueError("a percentile interval needs at least one resample")
    ordered = sorted(values)
    tail = (1 - confidence) / 2
    lower, lower_error, lower_step = _end(ordered, tail)
    upper, upper_error, upper_step = _end(ordered, 1 - tail)
    one = _nearly_one_value(ordered, confidence)
    return Ends(lower, upper, lower_error, upper_error, lower_step, upper_step, one)


def quantile(ordered: Sequence[float], p: float) -> tuple[float, float, float]:
    """The p-quantile of sorted values, its standard error and its lattice step.

    >>> quantile([0.0, 0.5, 1.0], 0.5)[0]
    0.5
    """
    return _end(ordered, p)


def _nearly_one_value(ordered: Sequence[float], confidence: float) -> bool:
    """Whether one value may hold every rank between the two ends, by Monte-Carlo error.

    >>> _nearly_one_value([0.0] * 30 + [0.5] * 55 + [1.0] * 15, 0.5)
    True
    >>> _nearly_one_value([i / 100 for i in range(100)], 0.5)
    False
    """
    size = len(ordered)
    value = ordered[size // 2]
    held = bisect_right(ordered, value + ROUNDING) - bisect_left(ordered, value - ROUNDING)
    # A value that does not hold the middle rank holds half of the ranks at most.
    if max(held, size // 2) + count_tolerance(size // 2, size) < confidence * size:
        return False
    # Summed in another order, one value may come out one rounding apart.
    counts = Counter(round(value, 12) for value in ordered)
    value, held = counts.most_common(1)[0]
    below = bisect_left(ordered, value - ROUNDING)
    above = size - below - held
    tail = (1 - confidence) / 2 * size
    return held + count_tolerance(held, size) >= confidence * size and all(
        beyond <= tail + count_tolerance(beyond, size) for beyond in (below, above)
    )


def _end(ordered: Sequence[float], p: float) -> tuple[float, float, float]:
    """The p-quantile, its standard error and its lattice step."""
    last = len(ordered) - 1
    rank = p * last
    below = ordered[floor(rank)]
    above = ordered[min(floor(rank) + 1, last)]
    end = below + (rank - floor(rank)) * (above - below)
    spread = sqrt(len(ordered) * p * (1 - p))

    def around(distance: float) -> tuple[int, int]:
        return max(0, floor(rank - distance)), min(last, ceil(rank + distance))

    low, high = around(BAND * spread)
    error = (ordered[high] - ordered[low]) / (2 * BAND)
    scarce = min(rank, last - rank) < BAND * spread
    if scarce:
        error = _error_at_the_edge(ordered, rank, end, spread)
    low, high = around(ERRORS_APART * sqrt(2) * spread)
    reachable = ordered[low : high + 1]
    # Summed in another order, one value may come out one rounding apart; that is no step.
    gaps = [after - before for before, after in pairwise(reachable) if after - before > ROUNDING]
    discrete = 2 * (len(gaps) + 1) < len(reachable)
    step = (SCARCE if scarce else 1) * max(gaps, default=0.0) if discrete else 0.0
    return end, error, step


def _error_at_the_edge(ordered: Sequence[float], rank: float, end: float, spread: float) -> float:
    """The standard error of an end with too few resamples beyond it to read off both sides."""
    last = len(ordered) - 1
    inner, outer = (last - rank, rank) if rank < last - rank else (rank, last - rank)
    toward, beyond = (ordered[-1], ordered[0]) if outer == rank else (ordered[0], ordered[-1])
    within = min(BAND * spread, inner)
    turn = floor(rank + within) if outer == rank else ceil(rank - within)
    toward = ordered[min(max(turn, 0), last)]
    sides = [abs(end - beyond) * spread / outer] if outer > 0 else []
    sides += [abs(toward - end) * spread / within] if within > 0 else []
    return SCARCE * max(sides, default=0.0)


def count_tolerance(count: int, resamples: int) -> float:
    """How far apart the numbers of undefined resamples of two bootstraps may lie.

    6 sqrt(2) binomial standard deviations, and one: a count of 0 shows a small share, not none.

    >>> round(count_tolerance(100, 2000), 1)
    83.7
    """
    share = max(count, 1) / resamples
    return ERRORS_APART * sqrt(2 * resamples * share * max(1 - share, 0.0)) + 1


def tolerance(error: float, step: float) -> float:
    """How far apart the same end of two bootstraps may lie.

    >>> round(tolerance(0.001, 0.0), 6)
    0.008485
    """
    return ERRORS_APART * sqrt(2) * error + step
