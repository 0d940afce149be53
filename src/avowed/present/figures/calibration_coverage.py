"""Figure: coverage of the corrected rate, under one fixed and under new calibrations."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import (
    INK,
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
from avowed.present.figures.table import Rows, distinct, percent_span, pick, where

COLUMNS = (
    "hint_type",
    "calibration",
    "items_per_class",
    "interval",
    "truth_kind",
    "coverage",
    "coverage_mc_error",
    "repetitions",
    "n_undefined",
)
#: The paper's interval; the other one is drawn hollow.
_OWN = "quadrature"


def drawn(calibration: Rows) -> list[dict[str, Any]]:
    """All rows."""
    return pick(calibration, COLUMNS)


def title_of(rows: Rows) -> str:
    """State the coverage of the population rate by the paper's interval."""
    main = where(rows, interval=_OWN, truth_kind="population")
    fixed = where(main, calibration="fixed")
    sizes = {row["items_per_class"] for row in fixed}
    fresh = [row for row in where(main, calibration="fresh") if row["items_per_class"] in sizes]
    if not fixed:
        return "Coverage of the corrected rate"
    text = "One fixed calibration covers the population rate "
    text += f"{percent_span(row['coverage'] for row in fixed)} of the time"
    if fresh:
        text += f", new ones of its size {percent_span(row['coverage'] for row in fresh)}"
    return text


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """One panel per truth; bars are two Monte-Carlo errors."""
    truths = distinct(rows, "truth_kind")
    kinds = distinct(rows, "hint_type")
    intervals = sorted(distinct(rows, "interval"), key=lambda name: name != _OWN)
    series = sorted({(row["calibration"], row["items_per_class"]) for row in rows})
    steps = 1 + len(series) * len(intervals)
    width = max(8.6, 1.5 * len(kinds))
    panels = max(1, len(truths))
    with canvas(outputs, rows=panels, size=(width, 1.3 + 2.6 * panels), sharex=True) as (
        figure,
        axes,
    ):
        for axis, truth in zip(axes, truths, strict=False):
            shown = where(rows, truth_kind=truth)
            for number, (calibration, items) in enumerate(series):
                for index, interval in enumerate(intervals):
                    at = (number * len(intervals) + index + 1) / steps - 0.5
                    own = where(
                        shown, calibration=calibration, items_per_class=items, interval=interval
                    )
                    points = [
                        two_errors(
                            kinds.index(row["hint_type"]) + 0.9 * at,
                            row["coverage"],
                            row["coverage_mc_error"],
                            low=0,
                            high=1,
                        )
                        for row in own
                    ]
                    colour, marker = look(number)
                    draw_points(
                        axis,
                        points,
                        colour=colour,
                        marker=marker,
                        hollow=interval != _OWN,
                        label=f"{calibration}, {items:,} items per class; {interval}",
                    )
            axis.axhline(
                confidence, color=INK, linewidth=0.8, linestyle="--", label="nominal level"
            )
            ends = [
                row["coverage"] - 2 * (row["coverage_mc_error"] or 0)
                for row in rows
                if row["coverage"] is not None
            ]
            rate_axis(axis, ends, "coverage, ± 2 Monte-Carlo errors", which="y")
            axis.set_title(f"{100 * confidence:g} % interval of the {truth} rate", fontsize=9)
            axis.set_xticks(range(len(kinds)), [broken(kind) for kind in kinds])
            axis.set_xlim(-0.6, max(len(kinds), 1) - 0.4)
            for edge in range(1, len(kinds)):
                axis.axvline(edge - 0.5, color="#dddddd", linewidth=0.6)
            grid(axis, "y")
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=2)
