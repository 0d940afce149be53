"""Figure: every printed number of the worked example, in spreads of single data sets."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import broken, canvas, grid, legend_below, look, message
from avowed.present.figures.estimator_properties import DIFFERS, MET
from avowed.present.figures.table import Row, Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Verdicts of a printed number that ours was held against.
COMPARED = (*MET, DIFFERS)
COLUMNS = (
    "quantity",
    "published",
    "ours",
    "mean_over_repetitions",
    "spread",
    "repetitions",
    "published_in_spreads",
    "ours_in_spreads",
    "verdict",
)


def drawn(worked_example: Rows) -> list[dict[str, Any]]:
    """All rows, with both numbers as distances from the mean data set in spreads."""
    rows = [
        {
            **row,
            "published_in_spreads": _distance(row, "published"),
            "ours_in_spreads": _distance(row, "ours"),
        }
        for row in worked_example
    ]
    return [{column: row[column] for column in COLUMNS} for row in rows]


def _distance(row: Row, column: str) -> float | None:
    """Place on the axis; none for a population value, which no data set scatters around."""
    if row[column] is None or row["mean_over_repetitions"] is None or not row["spread"]:
        return None
    return float((row[column] - row["mean_over_repetitions"]) / row["spread"])


def title_of(rows: Rows) -> str:
    """Count the printed numbers that could be those of one of our data sets, and the others."""
    printed = [row for row in rows if row["published_in_spreads"] is not None]
    if not printed:
        return "The worked example: no printed number can be placed among our data sets"
    met = sum(row["verdict"] in MET for row in printed)
    text = (
        f"{met} of {len(printed)} printed numbers of the worked example could come from one of our "
        "data sets"
    )
    fixed = [
        row
        for row in rows
        if row["published"] is not None and row["spread"] is None and row["verdict"] in COMPARED
    ]
    if fixed:
        matching = sum(row["verdict"] in MET for row in fixed)
        text += f"; {matching} of {len(fixed)} without a spread match"
    return text


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """A line per number: printed and ours, 0 being the mean of our data sets."""
    with canvas(outputs, size=(8.2, 1.9 + 0.25 * len(rows))) as (figure, (axis,)):
        axis.axvspan(-2, 2, color="#e4edf3", label="two spreads of single data sets")
        axis.axvline(0, color="#888888", linewidth=0.8)
        # The same room on both sides, whatever the numbers.
        reach = max([2.5, *(1.1 * abs(value) for row in rows for value in _places(row))])
        axis.set_xlim(-reach, reach)
        for place, row in enumerate(rows):
            _line(axis, place, row)
        axis.set_yticks(
            range(len(rows)), [broken(row["quantity"], width=40, lines=1) for row in rows]
        )
        axis.tick_params(axis="y", length=0, labelsize=9.5)
        axis.set_ylim(len(rows) - 0.4, -0.6)
        axis.set_xlabel("distance from the mean of our data sets, in spreads of single ones")
        grid(axis, "x")
        message(figure, title_of(rows))
        legend_below(figure, [axis], columns=2)


def _places(row: Row) -> list[float]:
    both = (row["published_in_spreads"], row["ours_in_spreads"])
    return [value for value in both if value is not None]


def _line(axis: "Axes", place: int, row: Row) -> None:
    differs = row["verdict"] == DIFFERS
    if row["ours_in_spreads"] is not None:
        colour, marker = look(1)
        axis.plot(
            row["ours_in_spreads"],
            place,
            marker,
            color=colour,
            markersize=5,
            label="our data set",
        )
    if row["published_in_spreads"] is not None:
        axis.plot(
            row["published_in_spreads"],
            place,
            "X" if differs else "D",
            color=look(0)[0] if differs else "#111111",
            markerfacecolor=look(0)[0] if differs else "none",
            markersize=7,
            label="printed, differs" if differs else "printed",
        )
    if row["published_in_spreads"] is None:
        if row["published"] is None:
            text = str(row["verdict"])
        elif row["ours"] is None:
            text = "undefined"
        else:
            text = f"no spread: {row['verdict']}"
        axis.annotate(
            text,
            (1, place),
            xycoords=axis.get_yaxis_transform(),
            xytext=(-4, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            fontsize=9,
            style="italic",
            color=look(0)[0] if differs else "#111111",
        )
