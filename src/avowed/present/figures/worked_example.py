"""Figure: every printed number of the worked example, in spreads of single data sets."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import broken, canvas, grid, legend_below, look, message, write_columns
from avowed.present.figures.estimator_properties import DIFFERS, MET
from avowed.present.figures.table import Row, Rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    """State how many printed numbers could be those of one of our data sets."""
    printed = [row for row in rows if row["published_in_spreads"] is not None]
    if not printed:
        return "The worked example: no printed number can be placed among our data sets"
    met = sum(row["verdict"] in MET for row in printed)
    return (
        f"{met} of {len(printed)} printed numbers of the worked example "
        "could come from one of our data sets"
    )


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """A line per number: printed and ours, 0 being the mean of our data sets."""
    with canvas(outputs, size=(10, 1.6 + 0.2 * len(rows))) as (figure, (axis,)):
        axis.axvspan(-2, 2, color="#e4edf3", label="two spreads of single data sets")
        axis.axvline(0, color="#888888", linewidth=0.8)
        for place, row in enumerate(rows):
            _line(axis, place, row)
        axis.set_yticks(
            range(len(rows)), [broken(row["quantity"], width=46, lines=1) for row in rows]
        )
        axis.tick_params(axis="y", length=0, labelsize=8)
        axis.set_ylim(len(rows) - 0.4, -0.6)
        axis.set_xlabel(
            "distance from the mean of our data sets, in spreads (standard deviations of one)"
        )
        # The same room on both sides, whatever the numbers.
        reach = max([2.5, *(1.1 * abs(value) for row in rows for value in _places(row))])
        axis.set_xlim(-reach, reach)
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
    printed = "–" if row["published"] is None else f"{row['published']:g}"
    ours = "undefined" if row["ours"] is None else f"{row['ours']:.4g}"
    third = ""
    if row["mean_over_repetitions"] is not None and row["spread"] is not None:
        third = f"mean {row['mean_over_repetitions']:.4g} ± {row['spread']:.2g}"
    elif row["published"] is not None:
        third = f"no spread: {row['verdict']}"
    write_columns(
        axis,
        place,
        {8: f"printed {printed}", 78: f"ours {ours}", 140: third},
        colour=look(0)[0] if differs else "#111111",
    )
