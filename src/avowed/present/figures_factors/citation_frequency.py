"""Figure: citation frequency against mean necessity and sufficiency by feature (NS figure 1)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from avowed.present.canvas import broken, canvas, grid, look, message
from avowed.present.figures.table import Row, Rows, defined
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
    SCORES,
    basis,
    estimate,
    find,
    kept,
    listed,
    said,
    titled,
)
from avowed.present.figures_factors.features import (
    FREQUENCY,
    QUANTITIES,
    Feature,
    features_of,
    pooled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

COLUMNS = LONG
_CORRELATIONS = {name: f"pooled_citation_{name}_correlation" for name in SCORES}
_LINE, _BAR = "#c4c4c4", "#777777"
#: Inches of a name's line, and inches above and below the panels.
_NAME, _AROUND = 0.155, 1.5


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Means over components by feature, and the correlations over features."""
    rows = [row for row in kept(estimates, QUANTITIES, parts=True) if pooled(row)]
    found = kept(estimates, tuple(_CORRELATIONS.values()))
    return rows + [row for row in found if row["cell"] == ALL]


def title_of(rows: Rows) -> str:
    """State the correlations over features."""
    found = {name: find(rows, ALL, each) for name, each in _CORRELATIONS.items()}
    texts = [f"{said(estimate(row))}{_interval(row)} with {name}" for name, row in found.items()]
    return titled(
        rows, f"over features, citation frequency has a rank correlation of {' and '.join(texts)}"
    )


def _interval(row: Row | None) -> str:
    """The interval in brackets, if there is one."""
    if row is None or row["lower"] is None or row["upper"] is None:
        return ""
    return f" [{said(row['lower'])}, {said(row['upper'])}]"


def apart(values: Sequence[float], gap: float, *, low: float, high: float) -> list[float]:
    """Rising values moved as little as keeps them a gap apart, between two ends.

    Least squares under order: pooled neighbours share the mean of their distances from an even
    spacing.

    >>> apart([0.0, 0.0, 5.0], 1.0, low=0, high=6), apart([1.0, 1.0], 1.0, low=0, high=6)
    ([0.0, 1.0, 5.0], [0.5, 1.5])
    """
    pools: list[tuple[float, int]] = []
    for place, value in enumerate(values):
        total, count = value - place * gap, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / count:
            more, members = pools.pop()
            total, count = total + more, count + members
        pools.append((total, count))
    even = [total / count for total, count in pools for _ in range(count)]
    last = max(low, high - (len(values) - 1) * gap)
    return [min(max(value, low), last) + place * gap for place, value in enumerate(even)]


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A panel per criterion, a point per feature; the names stand between, with a line to each."""
    features = features_of(rows)
    named = sorted(
        (one for one in features if one.value(FREQUENCY) is not None),
        key=lambda one: one.value(FREQUENCY) or 0.0,
    )
    height = max(4.9, _AROUND + 0.9 + _NAME * len(named))
    level = f"{100 * confidence:g} % interval"
    scale = _scale_of(named)
    low, high = scale.to(scale.low), scale.to(scale.high)
    gap = _NAME * 1.07 * (high - low) / (height - _AROUND)
    places = apart(
        [scale.to(one.value(FREQUENCY) or 0.0) for one in named],
        gap,
        low=low + gap / 2,
        high=high - gap / 2,
    )
    levels = [scale.back(place) for place in places]
    over = basis(one.rows[name] for one in features for name in SCORES if name in one.rows)
    with canvas(outputs, columns=3, size=(11, height), width_ratios=(3, 1.6, 3), sharey=True) as (
        figure,
        (left, middle, right),
    ):
        middle.set_axis_off()
        for axis in (left, middle, right):
            if scale.root:
                axis.set_yscale("function", functions=(scale.to_all, scale.back_all))
            axis.set_ylim(scale.low, scale.high)
        for level_, one in zip(levels, named, strict=True):
            text = broken(one.key, width=36, lines=1)
            middle.text(0.5, level_, text, ha="center", va="center", fontsize=7.5)
        reach = _top(named, tuple(SCORES))
        for number, (axis, (name, label)) in enumerate(
            zip((left, right), SCORES.items(), strict=True)
        ):
            axis.set_xlim(-0.03 * reach, reach)
            edge = 0.0 if number else 1.0
            _draw_panel(axis, [*zip(named, levels, strict=True)], name, edge)
            axis.set_xlabel(
                f"mean {label}, {level}" + (f",\nover {over} components" if over else "")
            )
            axis.set_ylabel(
                "citation frequency, share of the responses\n"
                f"in which the feature is active, {level}{scale.words}"
            )
            grid(axis, "both")
            missing = [
                one.key for one in features if None in (one.value(name), one.value(FREQUENCY))
            ]
            if missing:
                words = broken(f"undefined: {listed(missing)}", width=70, lines=3)
                axis.set_title(words, fontsize=7, style="italic")
        left.set_yticks(scale.ticks())
        right.yaxis.tick_right()
        right.yaxis.set_label_position("right")
        right.tick_params(labelright=True)
        message(figure, title_of(rows))


@dataclass(frozen=True)
class _Scale:
    """The axis of frequencies: what is in view, and whether small ones are drawn out."""

    low: float
    high: float
    root: bool

    def to(self, value: float) -> float:
        """Where a frequency stands."""
        return math.sqrt(max(0.0, value)) if self.root else value

    def back(self, place: float) -> float:
        """The frequency at a place."""
        return place**2 if self.root else place

    def to_all(self, values: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """Where frequencies stand, for the axis."""
        return np.sqrt(np.maximum(values, 0.0))

    def back_all(self, places: "NDArray[np.float64]") -> "NDArray[np.float64]":
        """The frequencies at places, for the axis."""
        return np.square(places)

    @property
    def words(self) -> str:
        """What the label of the axis has to say."""
        return "\n(square-root scale)" if self.root else ""

    def ticks(self) -> list[float]:
        """Round frequencies in view."""
        step = 0.1 if self.high - self.low > 0.35 else 0.05
        steps = [round(number * step, 2) for number in range(round(1 / step) + 1)]
        extra = [0.02, 0.05] if self.root else []
        return sorted(tick for tick in {*steps, *extra} if self.low <= tick <= self.high)


def _scale_of(named: Sequence[Feature]) -> _Scale:
    """What the frequencies and their intervals fill, up to 1; many small ones are drawn out."""
    ends = [
        value
        for one in named
        for value in defined(one.rows[FREQUENCY][end] for end in ("estimate", "lower", "upper"))
    ]
    least, greatest = min(ends, default=0.0), max(ends, default=1.0)
    if ends and least < greatest / 5:
        return _Scale(0.0, 1.06 * greatest or 1.0, root=True)
    room = max(0.08 * (greatest - least), 0.01)
    return _Scale(max(0.0, least - room), greatest + room, root=False)


def _top(features: Sequence[Feature], quantities: Sequence[str]) -> float:
    """A little more than the highest value with its interval."""
    ends = [
        value
        for one in features
        for quantity in quantities
        if quantity in one.rows
        for value in defined((one.value(quantity), one.rows[quantity]["upper"]))
    ]
    return 1.06 * max(ends, default=1.0) or 1.0


def _draw_panel(
    axis: "Axes", named: Sequence[tuple[Feature, float]], name: str, edge: float
) -> None:
    """Points with both intervals, and lines to the names at the panel's edge (0 left, 1 right)."""
    colour, marker = look(int(edge == 0.0))
    for one, level in named:
        x, y = one.value(name), one.value(FREQUENCY)
        if x is None or y is None:
            continue
        side = axis.get_xlim()[int(edge)]
        axis.plot([x, side], [y, level], color=_LINE, linewidth=0.6, zorder=1)
        across, up = one.rows[name], one.rows[FREQUENCY]
        if across["lower"] is not None and across["upper"] is not None:
            axis.plot(
                [across["lower"], across["upper"]], [y, y], color=_BAR, linewidth=0.9, zorder=2
            )
        if up["lower"] is not None and up["upper"] is not None:
            axis.plot([x, x], [up["lower"], up["upper"]], color=_BAR, linewidth=0.9, zorder=2)
        axis.plot([x], [y], color=colour, marker=marker, markersize=5, linestyle="none", zorder=3)
