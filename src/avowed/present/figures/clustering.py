"""Figure: intra-cluster correlation and design effect of single data sets."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import COLOURS, broken, canvas, count_undefined, grid, message
from avowed.present.figures.table import Rows, defined, distinct, pick, span, where

COLUMNS = ("hint_type", "repetition", "icc", "design_effect")
_PANELS = (
    ("icc", "intra-cluster correlation"),
    ("design_effect", "design effect (1: pairs as independent)"),
)


def drawn(clustering: Rows) -> list[dict[str, Any]]:
    """All data sets."""
    return pick(clustering, COLUMNS)


def title_of(rows: Rows) -> str:
    """State how far apart the design effects of single data sets fall."""
    effects = defined(row["design_effect"] for row in rows)
    if not effects:
        return "The design effect is undefined in every data set"
    sets = f"{len(effects):,} data set{'s' if len(effects) > 1 else ''}"
    return f"Replicas of a probe give a design effect of {span(effects, '{:.2f}'.format)} in {sets}"


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """Boxes over all data sets of a hint type (quartiles, whiskers of 1.5 box heights)."""
    kinds = distinct(rows, "hint_type")
    with canvas(outputs, columns=2, size=(max(8.4, 1.9 * len(kinds)), 4)) as (figure, axes):
        for axis, (column, label) in zip(axes, _PANELS, strict=True):
            for place, kind in enumerate(kinds):
                own = where(rows, hint_type=kind)
                values = defined(row[column] for row in own)
                if values:
                    axis.boxplot(
                        [values],
                        positions=[place],
                        widths=0.5,
                        manage_ticks=False,
                        medianprops={"color": COLOURS[0], "linewidth": 2},
                        flierprops={"marker": ".", "markersize": 3},
                    )
                if missing := len(own) - len(values):
                    count_undefined(axis, place, missing)
            axis.set_xticks(range(len(kinds)), [broken(kind, width=11) for kind in kinds])
            axis.set_xlim(-0.6, max(len(kinds), 1) - 0.4)
            axis.set_ylabel(f"{label},\none value per data set")
            axis.set_xlabel("box: quartiles; whiskers: up to 1.5 box heights")
            grid(axis, "y")
        axes[0].axhline(0, color="#888888", linewidth=0.8)
        axes[1].axhline(1, color="#888888", linewidth=0.8)
        message(figure, title_of(rows))
