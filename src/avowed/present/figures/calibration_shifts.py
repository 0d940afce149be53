"""Figure: how far one fixed calibration shifts every rate that is corrected with it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import INK, broken, canvas, grid, legend_below, look, message
from avowed.present.figures.table import Rows, defined, distinct, where

COLUMNS = ("shown", "hint_type", "set", "shift")
SET, OWN, PRINTED = "one drawn calibration", "the study's fixed calibration", "printed"
#: The row of the published table that holds the printed range.
_PRINTED_ROW = "corrected rate, one fixed calibration set: bias"
_BIN = 0.01


def drawn(shifts: Rows, calibration: Rows, published: Rows) -> list[dict[str, Any]]:
    """Drawn calibrations, the exact shift of the study's own, and the ends of the printed range."""
    rows = [{**row, "shown": SET} for row in shifts]
    own = where(calibration, calibration="fixed", interval="quadrature", truth_kind="population")
    rows += [{**row, "shown": OWN, "set": None, "shift": row["exact_shift"]} for row in own]
    rows += [
        {"shown": PRINTED, "hint_type": "all", "set": None, "shift": row["published"]}
        for row in where(published, property=_PRINTED_ROW)
    ]
    return [{column: row[column] for column in COLUMNS} for row in rows]


def title_of(rows: Rows) -> str:
    """State how many of the drawn calibrations shift as far as the printed range, or farther."""
    shifts = defined(row["shift"] for row in where(rows, shown=SET))
    printed = _printed(rows)
    if not shifts:
        return "The shift of a fixed calibration is undefined"
    if not printed:
        return (
            f"{len(shifts):,} fixed calibrations shift the corrected omission "
            f"by {min(shifts):+.3f} to {max(shifts):+.3f}"
        )
    least = min(abs(end) for end in printed)
    share = sum(abs(shift) >= least for shift in shifts) / len(shifts)
    return (
        f"{100 * share:.0f} % of {len(shifts):,} drawn calibrations shift the corrected omission "
        f"by {least:.3f} or more either way, the least printed shift"
    )


def _printed(rows: Rows) -> list[float]:
    return sorted(defined(row["shift"] for row in where(rows, shown=PRINTED)))


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """One histogram per hint type, with the printed range and the study's own shift."""
    kinds = distinct(where(rows, shown=SET), "hint_type")
    printed = _printed(rows)
    shifts = defined(row["shift"] for row in rows) or [0.0]
    first = int(min(shifts) / _BIN) - 2
    edges = [_BIN * number for number in range(first, int(max(shifts) / _BIN) + 3)]
    panels = max(1, len(kinds))
    with canvas(outputs, rows=panels, size=(7.6, 1.2 + 1.5 * panels), sharex=True, sharey=True) as (
        figure,
        axes,
    ):
        for axis, kind in zip(axes, kinds, strict=False):
            own = where(rows, hint_type=kind)
            sets = where(own, shown=SET)
            values = defined(row["shift"] for row in sets)
            axis.hist(
                values,
                bins=edges,
                color="#c8dcea",
                edgecolor=INK,
                linewidth=0.5,
                label="drawn calibrations",
            )
            if printed:
                axis.axvspan(
                    printed[0],
                    printed[-1],
                    facecolor="none",
                    edgecolor=look(2)[0],
                    hatch="////",
                    label=f"printed range, {printed[0]:+.3f} to {printed[-1]:+.3f}",
                )
            for row in where(own, shown=OWN):
                if row["shift"] is not None:
                    axis.axvline(row["shift"], color=look(0)[0], linewidth=2, label=f"{OWN}, exact")
            axis.axvline(0, color=INK, linewidth=0.8, linestyle="--", label="no shift")
            missing = len(sets) - len(values)
            axis.set_title(
                broken(kind, width=60) + (f" ({missing:,} undefined)" if missing else ""),
                fontsize=9,
                loc="left",
            )
            axis.set_ylabel("calibrations")
            grid(axis, "y")
        axes[-1].set_xlabel(f"shift of the corrected omission (bins of {_BIN:g})")
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=2)
