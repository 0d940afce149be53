"""Figure: every printed property of the estimators beside ours, as a forest plot."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import (
    broken,
    canvas,
    draw_points,
    grid,
    legend_below,
    look,
    message,
    rate_axis,
    two_errors,
    write_columns,
)
from avowed.present.figures.table import Row, Rows, distinct, pick, where

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = (
    "property",
    "k",
    "end",
    "truth_kind",
    "hint_type",
    "published",
    "ours",
    "mc_error",
    "repetitions",
    "verdict",
)
#: Verdicts of a printed number that ours does not contradict, and of one that it does.
MET = ("matches", "within Monte-Carlo error")
DIFFERS = "differs"
#: Panel -> the word in a property's name that puts it there; the last takes the rest.
_PANELS = (("coverage", "coverage"), ("bias", "bias"), ("intra-cluster correlation", ""))


def drawn(estimator_properties: Rows) -> list[dict[str, Any]]:
    """All rows."""
    return pick(estimator_properties, COLUMNS)


def title_of(rows: Rows) -> str:
    """State how many printed numbers ours does not contradict, each counted once."""
    printed: dict[tuple[Any, ...], bool] = {}
    for row in rows:
        # What ours leaves undefined or did not run is not compared.
        if row["published"] is not None and row["verdict"] in (*MET, DIFFERS):
            key = (row["property"], row["k"], row["end"])
            printed[key] = printed.get(key, False) or row["verdict"] in MET
    if not printed:
        return "Properties of the estimators; none is compared"
    return (
        f"{sum(printed.values())} of {len(printed)} printed properties are within Monte-Carlo "
        "error of ours, under one of the truths at least"
    )


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """A line per row, grouped by property; coverages, biases and the rest on axes of their own."""
    panels = _panelled(rows)
    heights = [len(own) + len(distinct(own, "property")) + 1 for _, own in panels] or [1]
    with canvas(
        outputs,
        rows=max(1, len(panels)),
        size=(12.2, 1.8 + 0.19 * sum(heights) + 0.35 * len(heights)),
        height_ratios=heights,
    ) as (figure, axes):
        for axis, (name, own) in zip(axes, panels, strict=False):
            _forest(axis, own)
            if name == "coverage":
                ends = [value for row in own for value in _ends(row)]
                rate_axis(axis, ends, name, which="x")
            else:
                axis.axvline(0, color="#888888", linewidth=0.8)
                axis.set_xlabel(name)
                axis.locator_params(axis="x", nbins=8)
                if not any(_ends(row) for row in own):
                    axis.set_xlim(-1, 1)
            grid(axis, "x")
        message(figure, title_of(rows))
        legend_below(figure, axes)


def _panelled(rows: Rows) -> list[tuple[str, Rows]]:
    left = list(rows)
    panels: list[tuple[str, Rows]] = []
    for name, word in _PANELS:
        own = [row for row in left if word in row["property"]]
        left = [row for row in left if word not in row["property"]]
        panels += [(name, own)] if own else []
    return panels


def _ends(row: Row) -> list[float]:
    values = [row["published"]]
    if row["ours"] is not None:
        values.append(row["ours"] - 2 * (row["mc_error"] or 0))
    return [value for value in values if value is not None]


def _forest(axis: "Axes", rows: Rows) -> None:
    ticks: list[tuple[int, str, bool]] = []
    place = 0
    for name in distinct(rows, "property"):
        ticks.append((place, broken(name, width=62, lines=1), True))
        for row in where(rows, property=name):
            place += 1
            ticks.append((place, _label(row), False))
            _line(axis, place, row)
        place += 1
    axis.set_yticks([at for at, _, _ in ticks], [text for _, text, _ in ticks], fontsize=8)
    for tick, (_, _, heading) in zip(axis.get_yticklabels(), ticks, strict=True):
        tick.set_fontweight("bold" if heading else "normal")
    axis.tick_params(axis="y", length=0)
    axis.set_ylim(place - 0.3, -0.7)


def _label(row: Row) -> str:
    parts = [
        "" if row["k"] is None else f"k = {row['k']}",
        f"{row['end']} hint type" if row["end"] else "",
        f"{row['truth_kind']} truth" if row["truth_kind"] else "",
    ]
    return ", ".join(part for part in parts if part) or "all hint types"


def _line(axis: "Axes", place: int, row: Row) -> None:
    differs = row["verdict"] == DIFFERS
    colour, marker = (look(0)[0], "X") if differs else (look(1)[0], "o")
    bounds = {"low": 0.0, "high": 1.0} if "coverage" in row["property"] else {}
    draw_points(
        axis,
        [two_errors(place, row["ours"], row["mc_error"], **bounds)],
        colour=colour,
        marker=marker,
        label="ours ± 2 Monte-Carlo errors" + (", differs" if differs else ""),
        across=True,
    )
    if row["published"] is not None:
        axis.plot(
            row["published"],
            place,
            "D",
            color="#111111",
            markerfacecolor="none",
            markersize=7,
            label="printed",
        )
    sign = "+" if "bias" in row["property"] else ""
    printed = "–" if row["published"] is None else f"{row['published']:{sign}.4f}"
    ours = "undefined" if row["ours"] is None else f"{row['ours']:{sign}.4f}"
    ours += "" if row["mc_error"] is None else f" ± {2 * row['mc_error']:.4f}"
    write_columns(
        axis,
        place,
        {8: f"printed {printed}", 82: f"ours {ours}", 190: row["verdict"]},
        colour=colour if differs else "#111111",
    )
