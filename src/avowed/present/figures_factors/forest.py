"""One line per component, a point with its interval per series, undefined values as a word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from avowed.present.canvas import INK, Point, broken, draw_points, grid
from avowed.present.factors_tables import NO_INTERVAL
from avowed.present.figures.table import Row
from avowed.present.figures_factors.cells import basis, split

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Series:
    """What is drawn alike on every line.

    Attributes:
        label: its name in the legend.
        rows: name of the line -> its row of the long table; a line without one stays empty.
        colour, marker, hollow: how it is drawn.
    """

    label: str
    rows: Mapping[str, Row]
    colour: str
    marker: str
    hollow: bool = False


def height_of(lines: int, *, series: int = 1, around: float = 1.9) -> float:
    """Inches that a forest of so many lines takes, with so many around it."""
    return around + max(1, lines) * max(0.36, 0.17 * series)


def point_of(row: Row, at: float) -> Point:
    """A row as a point with its interval; without an estimate its status stands there."""
    return Point(at, row["estimate"], row["lower"], row["upper"], str(row["status"]))


def remark(row: Row) -> str:
    """What is said beside an estimate that has no interval; its status, as in the report."""
    if row["estimate"] is None or row["lower"] is not None:
        return ""
    return NO_INTERVAL.get(str(row["status"]), "")


def draw_forest(axis: "Axes", names: Sequence[str], series: Sequence[Series]) -> None:
    """Draw every series; those of a line stand one below the other."""
    step = 0.72 / max(1, len(series))
    for number, one in enumerate(series):
        shift = step * (number - (len(series) - 1) / 2)
        there = [
            (place + shift, one.rows[name]) for place, name in enumerate(names) if name in one.rows
        ]
        draw_points(
            axis,
            [point_of(row, at) for at, row in there],
            colour=one.colour,
            marker=one.marker,
            hollow=one.hollow,
            label=one.label,
            across=True,
        )
        for at, row in there:
            if word := remark(row):
                write_word(axis, at, row["estimate"], word, one.colour)


def write_word(axis: "Axes", at: float, value: float, word: str, colour: str) -> None:
    """A word beside a point, towards the middle of the axis."""
    low, high = axis.get_xlim()
    left = value > (low + high) / 2
    axis.annotate(
        word,
        (value, at),
        xytext=(-5 if left else 5, 0),
        textcoords="offset points",
        ha="right" if left else "left",
        va="center",
        fontsize=7,
        style="italic",
        color=colour,
    )


def name_lines(
    axis: "Axes",
    names: Sequence[str],
    *,
    means: int = 0,
    width: int = 24,
    rows: Iterable[Row] = (),
) -> None:
    """Name the lines, first above; a rule parts the last ``means`` of them, means over several.

    The rows drawn tell on how many components a mean rests.
    """
    drawn = list(rows)
    rests = {name: basis(row for row in drawn if split(row["cell"])[0] == name) for name in names}
    labels = [f"{name} ({rests[name]})" if rests[name] else name for name in names]
    axis.set_yticks(range(len(names)), [broken(label, width=width, lines=2) for label in labels])
    axis.set_ylim(max(len(names), 1) - 0.5, -0.5)
    axis.tick_params(axis="y", length=0)
    for place in range(1, len(names)):
        bold = place == len(names) - means
        axis.axhline(place - 0.5, color=INK if bold else "#eeeeee", linewidth=0.8 if bold else 0.6)
    grid(axis, "x")


def write_counts(axis: "Axes", names: Sequence[str], rows: Mapping[str, Row]) -> None:
    """Write the number of responses behind every line right of it."""
    for place, name in enumerate(names):
        if name in rows:
            _write_beside(axis, place, f"n {rows[name]['n']:,}")


def correlation_axis(axis: "Axes", name: str) -> None:
    """The whole range of a correlation, with a line at 0."""
    axis.axvline(0, color="#888888", linewidth=0.8)
    axis.set(xlim=(-1.06, 1.06), xlabel=name, xticks=(-1, -0.5, 0, 0.5, 1))


def _write_beside(axis: "Axes", place: float, text: str) -> None:
    """Write a number right of a line.

    In points from the edge, not in shares of the width: a text that moves with the width has no
    settled layout.
    """
    axis.annotate(
        text,
        (1, place),
        xycoords=axis.get_yaxis_transform(),
        xytext=(3, 0),
        textcoords="offset points",
        annotation_clip=False,
        va="center",
        fontsize=7.5,
        color=INK,
    )
