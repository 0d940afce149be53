"""Figure: corrected rates of single data sets, under one fixed and under new calibrations."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import (
    INK,
    broken,
    canvas,
    count_undefined,
    grid,
    legend_below,
    look,
    message,
)
from avowed.present.figures.table import Rows, defined, distinct, span, where

COLUMNS = ("shown", "hint_type", "calibration", "repetition", "estimate", "truth", "bias")
SINGLE, MEAN = "one data set", "mean of the data sets"
_ORDER = ("fresh", "fixed")


def drawn(calibration_estimates: Rows, calibration: Rows) -> list[dict[str, Any]]:
    """Single data sets, and their means and biases from the table of the study.

    Means are those of the fixed calibration's size.
    """
    rows = [{**row, "shown": SINGLE, "bias": None} for row in calibration_estimates]
    studied = where(calibration, interval="quadrature", truth_kind="population")
    sizes = {row["items_per_class"] for row in where(studied, calibration="fixed")}
    rows += [
        {
            **row,
            "shown": MEAN,
            "repetition": None,
            "estimate": row["mean_estimate"],
        }
        for row in studied
        if row["items_per_class"] in sizes
    ]
    return [{column: row[column] for column in COLUMNS} for row in rows]


def title_of(rows: Rows) -> str:
    """State the biases under both kinds of calibration."""
    texts = []
    for calibration, name in (("fixed", "one fixed calibration"), ("fresh", "new ones")):
        own = defined(row["bias"] for row in where(rows, shown=MEAN, calibration=calibration))
        if own:
            texts.append(f"{name} by {span(own, '{:+.3f}'.format)}")
    if not texts:
        return "Corrected omission of single data sets"
    return f"The corrected omission is shifted under {', under '.join(texts)}"


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """One point per data set, beside the mean and the truth of the hint type."""
    kinds = distinct(rows, "hint_type")
    with canvas(outputs, size=(max(7.0, 1.2 * len(kinds)), 4.8)) as (figure, (axis,)):
        for place, kind in enumerate(kinds):
            for number, calibration in enumerate(_ORDER):
                own = where(rows, hint_type=kind, calibration=calibration)
                if not own:
                    continue
                centre = place + 0.2 * (2 * number - 1)
                points = [row for row in own if row["shown"] == SINGLE]
                there = [row for row in points if row["estimate"] is not None]
                colour, marker = look(number + 1)
                axis.plot(
                    # Spread by repetition number, so that equal runs draw equal pictures.
                    [centre + 0.13 * (2 * (7 * row["repetition"] % 31) / 30 - 1) for row in there],
                    [row["estimate"] for row in there],
                    marker,
                    color=colour,
                    alpha=0.6,
                    markersize=2.5,
                    label=f"{calibration} calibration, one data set",
                )
                for row in own:
                    if row["shown"] == MEAN and row["estimate"] is not None:
                        ends = [centre - 0.17, centre + 0.17]
                        height = [row["estimate"], row["estimate"]]
                        axis.plot(ends, height, color="#111111", linewidth=2.2, label="mean")
                if missing := len(points) - len(there):
                    count_undefined(axis, centre, missing)
            truth = next(iter(defined(row["truth"] for row in where(rows, hint_type=kind))), None)
            if truth is not None:
                axis.plot(
                    [place - 0.42, place + 0.42],
                    [truth, truth],
                    "--",
                    color=INK,
                    linewidth=1,
                    label="true omission",
                )
        axis.set_xticks(range(len(kinds)), [broken(kind) for kind in kinds])
        axis.set_xlim(-0.6, max(len(kinds), 1) - 0.4)
        axis.set_ylim(*_limits(rows))
        axis.set_ylabel(f"corrected omission, not clipped\n(axis from {_said(_limits(rows))})")
        grid(axis, "y")
        message(figure, title_of(rows))
        legend_below(figure, [axis], columns=4)


def _limits(rows: Rows) -> tuple[float, float]:
    """Tenths around all values."""
    values = defined(value for row in rows for value in (row["estimate"], row["truth"]))
    if not values:
        return 0.0, 1.0
    return (int(10 * min(values) + 10) - 11) / 10, (int(10 * max(values)) + 1) / 10


def _said(limits: tuple[float, float]) -> str:
    return f"{limits[0]:g} to {limits[1]:g}"
