"""Figure: completed pairs that a study needs, against the share that moves to the hint."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import INK, broken, canvas, grid, legend_below, look, message
from avowed.present.figures.table import Rows, defined, distinct, span, where

COLUMNS = (
    "shown",
    "condition",
    "share_basis",
    "share_moved",
    "completed_pairs",
    "completed_pairs_rounded",
    "completed_pairs_clustered",
    "completed_pairs_clustered_rounded",
)
CURVE, CONDITION = "planning curve", "condition"
#: The basis from which the paper's range follows; the other one is drawn hollow.
_OWN = "all completed"


def drawn(sample_size: Rows, curve: Rows) -> list[dict[str, Any]]:
    """The conditions under both readings of the share, and the curve they lie on."""
    nothing = dict.fromkeys(COLUMNS)
    rows = [{**nothing, **row, "shown": CURVE} for row in curve]
    rows += [{**row, "shown": CONDITION} for row in sample_size]
    return [{column: row[column] for column in COLUMNS} for row in rows]


def title_of(rows: Rows, *, half_width: float, rate: float, design_effect: float) -> str:
    """State the planning numbers of the conditions, rounded as the table rounds them."""
    own = where(rows, shown=CONDITION, share_basis=_OWN)
    aim = f"A half-width of {half_width:g} around {rate:g}"
    if not any(row["completed_pairs_rounded"] for row in own):
        return f"{aim} cannot be planned: no pair moved to the hint"
    plain = span((row["completed_pairs_rounded"] for row in own), "{:,}".format)
    clustered = span((row["completed_pairs_clustered_rounded"] for row in own), "{:,}".format)
    return (
        f"{aim} takes about {plain} completed pairs, {clustered} with a design effect "
        f"of {design_effect:g}"
    )


def draw(
    rows: Rows, outputs: Sequence[Path], *, half_width: float, rate: float, design_effect: float
) -> None:
    """Curves without and with the design effect, and the conditions on them."""
    curve = [row for row in where(rows, shown=CURVE) if row["share_moved"] is not None]
    conditions = where(rows, shown=CONDITION)
    lines = (
        ("completed_pairs", "-", "pairs as independent"),
        ("completed_pairs_clustered", "--", f"design effect {design_effect:g}"),
    )
    height = 4.2 + 0.14 * len(conditions)
    with canvas(outputs, size=(8.2, height)) as (figure, (axis,)):
        for column, style, label in lines:
            axis.plot(
                [row["share_moved"] for row in curve],
                [row[column] for row in curve],
                style,
                color=INK,
                linewidth=1,
                label=label,
            )
        for number, name in enumerate(distinct(conditions, "condition")):
            colour, marker = look(number)
            for row in where(conditions, condition=name):
                basis = f"{broken(name, width=30, lines=1)}, {row['share_basis']}"
                there = defined(row[column] for column, _, _ in lines)
                there = there if row["share_moved"] is not None else []
                axis.plot(
                    [row["share_moved"]] * len(there) if there else [],
                    there,
                    marker,
                    color=colour,
                    markersize=6.5,
                    markerfacecolor=colour if row["share_basis"] == _OWN else "white",
                    label=basis if there else f"{basis}: undefined",
                )
        axis.set_yscale("log")
        axis.set_xlim(0, 1.02)
        axis.set_xlabel("share of all completed, or of eligible, pairs that moved to the hint")
        axis.set_ylabel(f"completed pairs for a\nhalf-width of {half_width:g} (log scale)")
        ticks = [base * 10**power for power in range(7) for base in (1, 2, 5)]
        low, high = axis.get_ylim()
        axis.set_yticks(ticks, [f"{tick:,}" for tick in ticks])
        axis.set_ylim(low, high)
        axis.minorticks_off()
        grid(axis, "y")
        message(
            figure,
            title_of(rows, half_width=half_width, rate=rate, design_effect=design_effect),
        )
        legend_below(figure, [axis], columns=2)
