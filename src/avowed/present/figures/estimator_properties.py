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
    """Count the comparisons by what they say; one that is held against two truths is two."""
    met = sum(row["published"] is not None and row["verdict"] in MET for row in rows)
    differ = sum(row["published"] is not None and row["verdict"] == DIFFERS for row in rows)
    # What ours leaves undefined, did not run, or has no printed number for is not compared.
    if not met + differ:
        return "Properties of the estimators; none is compared"
    return (
        f"{met} of {met + differ} comparisons with print match or lie within Monte-Carlo error; "
        f"{differ} {'differs' if differ == 1 else 'differ'}"
    )


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """A line per row, grouped by property; coverages, biases and the rest on axes of their own."""
    panels = _panelled(rows)
    heights = [len(own) + len(distinct(own, "property")) + 1 for _, own in panels] or [1]
    with canvas(
        outputs,
        rows=max(1, len(panels)),
        size=(8.2, 1.9 + 0.23 * sum(heights) + 0.4 * len(heights)),
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
    ticks: list[tuple[int, str]] = []
    place = 0
    for name in distinct(rows, "property"):
        # Inside the axis, where a name of any length has room and a heading no point.
        _write(axis, place, broken(_short(name), width=70, lines=1), fontweight="bold")
        for row in where(rows, property=name):
            place += 1
            ticks.append((place, _label(row)))
            _line(axis, place, row)
        place += 1
    axis.set_yticks([at for at, _ in ticks], [text for _, text in ticks], fontsize=9.5)
    axis.tick_params(axis="y", length=0)
    axis.set_ylim(place - 0.3, -0.7)


def _write(axis: "Axes", place: float, text: str, **style: Any) -> None:
    axis.annotate(
        text,
        (0, place),
        xycoords=axis.get_yaxis_transform(),
        xytext=(4, 0),
        textcoords="offset points",
        va="center",
        fontsize=9.5,
        **style,
    )


def _short(name: str) -> str:
    """A property in the words that the axis leaves to say: the panel names the kind of figure."""
    for word in (": bias", ": coverage", "bias of the ", "coverage of the "):
        name = name.removeprefix(word).removesuffix(word)
    return name


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
    if row["published"] is None:
        _write(axis, place, f"nothing printed: {row['verdict']}", style="italic")
