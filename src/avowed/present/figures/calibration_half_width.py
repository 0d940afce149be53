"""Figure: the half-width that the calibration adds, against its size."""

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
    two_errors,
)
from avowed.present.figures.table import Rows, distinct, pick, where

COLUMNS = ("hint_type", "items_per_class", "mean_h_c", "mean_h_c_mc_error", "repetitions")


def drawn(calibration: Rows) -> list[dict[str, Any]]:
    """New calibrations in each repetition; h_c is the same for either interval and truth."""
    fresh = where(calibration, calibration="fresh", interval="quadrature", truth_kind="population")
    return pick(fresh, COLUMNS)


def title_of(rows: Rows, *, target_half_width: float) -> str:
    """State from which size on the calibration alone stays within the target."""
    sizes = sorted({row["items_per_class"] for row in rows})
    # Every larger size must do as well.
    enough: list[int] = []
    for size in reversed(sizes):
        widths = [row["mean_h_c"] for row in where(rows, items_per_class=size)]
        if any(width is None or width > target_half_width for width in widths):
            break
        enough.append(size)
    if not enough:
        return f"No calibration size tried stays within the target {target_half_width:g}"
    return (
        f"The calibration alone stays within the target {target_half_width:g} "
        f"from {enough[-1]:,} items per class on"
    )


def draw(rows: Rows, outputs: Sequence[Path], *, target_half_width: float) -> None:
    """One line per hint type; bars are two Monte-Carlo errors."""
    sizes = sorted({row["items_per_class"] for row in rows})
    kinds = distinct(rows, "hint_type")
    with canvas(outputs, size=(7.6, 4.4 + 0.05 * len(kinds))) as (figure, (axis,)):
        for number, kind in enumerate(kinds):
            colour, marker = look(number)
            shift = 1 + 0.03 * (number - (len(kinds) - 1) / 2)  # a factor: the axis is logarithmic
            own = sorted(where(rows, hint_type=kind), key=lambda row: row["items_per_class"])
            points = [
                two_errors(
                    row["items_per_class"] * shift,
                    row["mean_h_c"],
                    row["mean_h_c_mc_error"],
                    low=0,
                )
                for row in own
            ]
            draw_points(
                axis,
                points,
                colour=colour,
                marker=marker,
                label=broken(kind, width=30, lines=2),
                line="-",
            )
        axis.axhline(
            target_half_width, color=INK, linewidth=0.8, linestyle="--", label="target half-width"
        )
        axis.set_xscale("log")
        axis.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axis.minorticks_off()
        if sizes:
            axis.set_xlim(sizes[0] / 1.3, sizes[-1] * 1.3)
        axis.set_ylim(bottom=0)
        axis.set_xlabel("calibration items per class (log scale)")
        axis.set_ylabel("mean half-width from the calibration, h_c\n± 2 Monte-Carlo errors")
        grid(axis, "y")
        message(figure, title_of(rows, target_half_width=target_half_width))
        legend_below(figure, [axis], columns=4)
