"""Statistics of cited factors with an own bootstrap over inputs (definitions NS 14), and rows.

All features and trials of an input are drawn together, and so are all components of a use case:
one list of drawn inputs serves everything. A statistic that is a ratio of sums over inputs is
resampled in whole numbers: every input is one long whole number that holds its part of each sum
in a field of its own, so that a resample is one sum.

How closely the ends of two bootstraps can agree is `verification.bootstrap`'s matter. Correlations
over features and selection baselines are not sums and take longer: they are resampled
``FEWER`` times. Their ends are then judged by the larger Monte-Carlo error of the fewer resamples.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from verification.bootstrap import count_tolerance, percentile, stream, tolerance
from verification.factors_facts import Readings
from verification.wilson import wilson

Number = Fraction | float | int
#: One value per resample, None where the resample holds no observation.
Draws = Sequence[float | None]
Row = dict[str, Any]

PERCENTILE, WILSON = "percentile", "wilson over inputs"
ROUNDING = 1e-12
#: Resamples of a statistic that is not a ratio of sums; enough lie beyond an end of a 95 % interval
#: to read its error off both sides (`verification.bootstrap`).
FEWER = 500
#: Bits of one field, and of a fraction of a value that has no small common denominator.
FIELD, BINARY = 64, 44
#: Largest common denominator that is used as it is.
COMMON = 10**6


@dataclass(frozen=True, kw_only=True)
class Stat:
    """An estimate with its resamples.

    Attributes:
        quantity, component, part, k: what it is of; ``part`` a feature or another component.
        estimate: the value; None where it is undefined.
        draws: the resamples.
        n: observations.
        used: inputs that hold one.
        low, high: range of the quantity.
        mean: whether it is a mean of values per input.
    """

    quantity: str
    component: str
    part: str = ""
    k: int | None = None
    estimate: Number | None
    draws: Draws
    n: int
    used: frozenset[int]
    low: int = 0
    high: int = 1
    mean: bool = True


@dataclass(frozen=True, kw_only=True)
class Ratio:
    """Sum over inputs of ``top`` over sum of ``bottom``; both hold one number per input."""

    quantity: str
    part: str = ""
    k: int | None = None
    top: Sequence[Number]
    bottom: Sequence[int]
    low: int = 0


def mean_of(
    quantity: str,
    values: Iterable[Iterable[Number | None]],
    *,
    part: str = "",
    k: int | None = None,
    low: int = 0,
) -> Ratio:
    """The mean of values, some per input; None is left out.

    >>> mean_of("q", [[1, None], [], [0, 1]]).top
    [1, 0, 1]
    """
    kept = [[value for value in some if value is not None] for some in values]
    tops = [_total(some) for some in kept]
    return Ratio(quantity=quantity, part=part, k=k, top=tops, bottom=[*map(len, kept)], low=low)


def _total(values: Sequence[Number]) -> Number:
    if any(isinstance(value, float) for value in values):
        return math.fsum(values)
    return sum(values, start=0)


class Resamples:
    """The inputs drawn in every resample of one use case."""

    def __init__(self, inputs: int, drawn: Sequence[Sequence[int]]) -> None:
        """Take the drawn inputs of every resample."""
        self.inputs, self.drawn = inputs, drawn

    @classmethod
    def of_study(cls, name: str, inputs: int, resamples: int) -> "Resamples":
        """Draw as many inputs as there are, with replacement, in every resample."""
        random = stream(name, "factors")
        drawn = [random.choices(range(inputs), k=inputs) for _ in range(resamples)]
        return cls(inputs, drawn)

    def fewer(self) -> "Resamples":
        """The first ``FEWER`` of them."""
        return Resamples(self.inputs, self.drawn[:FEWER])

    def totals(self, columns: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
        """Sums of whole numbers of at least 0 over the inputs drawn, one tuple per resample.

        ``columns`` hold one number per input each.
        """
        if not columns:
            return [()] * len(self.drawn)
        limit = 1 << FIELD
        if any(self.inputs * max(column) >= limit for column in columns):
            raise ValueError("a sum over inputs does not fit into its field")
        size = FIELD // 8 * len(columns)
        packed = [
            int.from_bytes(
                b"".join(value.to_bytes(FIELD // 8, "little") for value in row), "little"
            )
            for row in zip(*columns, strict=True)
        ]
        sums = (sum(map(packed.__getitem__, draw)) for draw in self.drawn)
        return [tuple(memoryview(total.to_bytes(size, "little")).cast("Q")) for total in sums]


def _whole(ratio: Ratio) -> tuple[list[int], int]:
    """The numerators as whole numbers of at least 0 in units of 1 / scale."""
    shifted = [
        top - ratio.low * bottom for top, bottom in zip(ratio.top, ratio.bottom, strict=True)
    ]
    scale = 1 << BINARY
    if not any(isinstance(value, float) for value in shifted):
        common = math.lcm(*(Fraction(value).denominator for value in shifted))
        scale = common if common <= COMMON else scale
    return [round(value * scale) for value in shifted], scale


def ratio_stats(component: str, ratios: Sequence[Ratio], resamples: Resamples) -> list[Stat]:
    """Every ratio with its resamples; undefined where a resample holds no observation."""
    columns: dict[tuple[int, ...], int] = {}

    def place(column: Sequence[int]) -> int:
        return columns.setdefault(tuple(column), len(columns))

    wholes = [_whole(ratio) for ratio in ratios]
    where = [
        (place(tops), place(ratio.bottom), scale)
        for ratio, (tops, scale) in zip(ratios, wholes, strict=True)
    ]
    sums = [*zip(*resamples.totals([*columns]), strict=True)]
    found: dict[tuple[int, int, int, int], list[float | None]] = {}
    result = []
    for ratio, (above, below, scale) in zip(ratios, where, strict=True):
        key = (above, below, scale, ratio.low)
        if key not in found:
            found[key] = [
                top / (bottom * scale) + ratio.low if bottom else None
                for top, bottom in zip(sums[above], sums[below], strict=True)
            ]
        total = sum(ratio.bottom)
        result.append(
            Stat(
                quantity=ratio.quantity,
                component=component,
                part=ratio.part,
                k=ratio.k,
                estimate=_divided(_total(ratio.top), total),
                draws=found[key],
                n=total,
                used=frozenset(at for at, many in enumerate(ratio.bottom) if many),
                low=ratio.low,
            )
        )
    return result


def _divided(top: Number, bottom: int) -> Number | None:
    if not bottom:
        return None
    return top / bottom if isinstance(top, float) else Fraction(top) / bottom


def combined(parts: Sequence[Stat], how: Callable[[Sequence[Any]], Any], **changes: Any) -> Stat:
    """A function of several statistics, estimate and resamples alike; all of them shared draws.

    ``how`` gets one value of each, None where undefined.
    """
    draws = [how(values) for values in zip(*(one.draws for one in parts), strict=False)]
    estimate = how([one.estimate for one in parts])
    return replace(parts[0], estimate=estimate, draws=draws, **changes)


def plain_mean(values: Sequence[Number | None]) -> Number | None:
    """Unweighted mean of what is defined.

    >>> plain_mean([0.5, None, 1.0])
    0.75
    """
    kept = [value for value in values if value is not None] if None in values else values
    return sum(kept) / len(kept) if kept else None  # type: ignore[arg-type]


def gap(values: Sequence[Any]) -> Any:
    """First minus second, None where either is undefined."""
    first, second = values
    return None if first is None or second is None else first - second


def row_of(stat: Stat, *, study: str, readings: Readings) -> Row:
    """The row of the long table, with what the comparison needs beside it.

    A percentile interval of zero width says that the inputs are alike: a mean then gets Wilson's
    interval at the number of inputs, anything else none. Where more than ``max_undefined_share``
    of the resamples are undefined there is none either. A row whose decision between these is
    within Monte-Carlo error carries the other one as its ``alternative``.

    Source: HP section 7 (definitions HP 7), NS 14.
    """
    clusters = len(stat.used)
    row: Row = {
        "study": study,
        "cell": f"{stat.component} · {stat.part}" if stat.part else stat.component,
        "quantity": stat.quantity,
        "k": stat.k,
        "estimate": None if stat.estimate is None else float(stat.estimate),
        "n": stat.n,
        "clusters": clusters,
        "target_half_width": readings.target_half_width,
        "resamples": len(stat.draws),
    }
    first, *others = _intervals(stat, readings)
    rows: list[Row] = []
    for interval in (first, *others):
        lower, upper = interval.get("lower"), interval.get("upper")
        status = "insufficient" if clusters < 2 or stat.n < 2 else "undefined"
        if status == "undefined" and lower is not None and upper is not None:
            wide = (upper - lower) / 2 > readings.target_half_width
            status = "undersampled" if wide else "converged"
        rows.append(row | {"status": status} | interval)
    rows[0]["alternative"] = rows[1] if len(rows) > 1 else None
    if len(stat.draws) == readings.resamples and stat.estimate is not None:
        missing = sum(1 for value in stat.draws if value is None)
        rows[0] |= {"facts": {}, "undefined_resamples": missing}
        for other in rows[1:]:
            other |= {"facts": {}, "undefined_resamples": missing}
    return rows[0]


def _intervals(stat: Stat, readings: Readings) -> list[Row]:
    """The interval, then the one that Monte-Carlo error may put in its place."""
    none: Row = {"method": None, "lower": None, "upper": None}
    if stat.estimate is None:
        return [none]
    kept = [value for value in stat.draws if value is not None]
    missing, drawn = len(stat.draws) - len(kept), len(stat.draws)
    limit = readings.max_undefined_share * drawn
    near = abs(missing - limit) <= count_tolerance(missing, drawn) and missing > 0
    if not kept:
        return [none]
    ends = percentile(kept, readings.confidence)
    drawn_ends = {
        "method": PERCENTILE,
        **{
            name: getattr(ends, name)
            for name in (
                *("lower", "upper", "lower_error", "upper_error"),
                *("lower_step", "upper_step"),
            )
        },
    }
    fixed = _wilson(stat, readings) if stat.mean else none
    width = ends.upper - ends.lower
    reach = tolerance(ends.lower_error, ends.lower_step) + tolerance(
        ends.upper_error, ends.upper_step
    )
    collapsed = width <= ROUNDING
    usual, other = (fixed, drawn_ends) if collapsed else (drawn_ends, fixed)
    if missing > limit:
        return [none, usual] if near else [none]
    if near:
        return [usual, none]
    doubtful = reach > ROUNDING and (collapsed or width <= reach)
    return [usual, other] if doubtful else [usual]


def _wilson(stat: Stat, readings: Readings) -> Row:
    width = stat.high - stat.low
    estimate = Fraction(0) if stat.estimate is None else Fraction(stat.estimate)
    placed = min(max((estimate - stat.low) / width, Fraction(0)), Fraction(1))
    lower, upper = wilson(placed, len(stat.used), readings.confidence)
    return {
        "method": WILSON,
        "lower": stat.low + width * lower,
        "upper": stat.low + width * upper,
    }


def count_row(
    quantity: str,
    value: Number | None,
    *,
    study: str,
    cell: str,
    n: int,
    k: int | None = None,
    method: str = "count",
    whole: bool = True,
) -> Row:
    """A row without an interval: a count, a p-value, a number that is needed."""
    shown = None if value is None else (int(value) if whole else float(value))
    return {
        "study": study,
        "cell": cell,
        "quantity": quantity,
        "k": k,
        "estimate": shown,
        "method": method,
        "status": "undefined" if value is None else "descriptive",
        "n": n,
        "clusters": n,
    }
