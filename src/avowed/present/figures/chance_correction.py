"""Figure: bias of the omission under a perfect judge, with and without the chance correction."""

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
from avowed.present.figures.table import Rows, defined, distinct, pick, span

COLUMNS = (
    "hint_type",
    "truth",
    "bias_uncorrected",
    "bias_uncorrected_mc_error",
    "bias",
    "bias_mc_error",
    "repetitions",
    "n_undefined",
)
_SERIES = (("bias_uncorrected", "without the correction"), ("bias", "with the correction"))


def drawn(chance_correction: Rows) -> list[dict[str, Any]]:
    """All hint types."""
    return pick(chance_correction, COLUMNS)


def title_of(rows: Rows) -> str:
    """State both biases."""
    without, corrected = (defined(row[column] for row in rows) for column, _ in _SERIES)
    if not without or not corrected:
        return "Bias of the omission under a perfect judge, and of its chance correction"
    return (
        f"Chance moves bias the omission by {span(without, '{:+.3f}'.format)}; "
        f"corrected, the bias is {span(corrected, '{:+.3f}'.format)}"
    )


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """Two points per hint type; bars are two Monte-Carlo errors."""
    kinds = distinct(rows, "hint_type")
    with canvas(outputs, size=(max(6.8, 1.2 * len(kinds)), 4.2)) as (figure, (axis,)):
        for number, (column, label) in enumerate(_SERIES):
            colour, marker = look(number)
            points = [
                two_errors(
                    kinds.index(row["hint_type"]) + 0.16 * (2 * number - 1),
                    row[column],
                    row[f"{column}_mc_error"],
                )
                for row in rows
                if row["hint_type"] in kinds
            ]
            draw_points(axis, points, colour=colour, marker=marker, label=label, size=6)
            for point in points:
                if point.value is not None:
                    axis.annotate(
                        f"{point.value:+.3f}",
                        (point.at, point.value),
                        xytext=(7, 0),
                        textcoords="offset points",
                        va="center",
                        fontsize=8,
                    )
        axis.axhline(0, color=INK, linewidth=0.8, linestyle="--")
        axis.set_xticks(range(len(kinds)), [broken(kind) for kind in kinds])
        axis.set_xlim(-0.6, max(len(kinds), 1) - 0.4)
        axis.set_ylabel("bias of the omission among hint-driven moves,\n± 2 Monte-Carlo errors")
        grid(axis, "y")
        message(figure, title_of(rows))
        legend_below(figure, [axis])
