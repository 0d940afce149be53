"""Figure: positional instability by component and prompt (NS figure 6, table 2)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import broken, canvas, legend_below, message
from avowed.present.figures.table import Rows
from avowed.present.figures_factors.by_prompt import lines, prompt_series
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
    cell_of,
    estimate,
    find,
    kept,
    listed,
    of_fewer,
    parts,
    said,
    titled,
)
from avowed.present.figures_factors.forest import draw_forest, height_of, name_lines

COLUMNS = LONG
_QUANTITY = "positional_instability"


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Instability of every component and prompt, and the means over components."""
    return kept(estimates, (_QUANTITY,), parts=True)


def title_of(rows: Rows) -> str:
    """State the mean instability under every prompt."""
    means = []
    for prompt in parts(rows):
        row = find(rows, cell_of(ALL, prompt), _QUANTITY)
        name = broken(prompt, width=60, lines=1)
        means.append(f"{said(estimate(row))}{of_fewer(row)} under {name}")
    return titled(rows, f"mean positional instability is {listed(means) if means else 'undefined'}")


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A line per component, a point per prompt; lower is more stable."""
    names, means = lines(rows)
    series = prompt_series(rows)
    size = (8.4, height_of(len(names), series=len(series), around=2))
    with canvas(outputs, size=size) as (figure, (axis,)):
        axis.set_xlim(-0.03, 1.03)
        draw_forest(axis, names, series)
        name_lines(axis, names, means=means, rows=rows)
        axis.set_xlabel(
            "positional instability, share of explanation positions that differ between repeats,\n"
            f"{100 * confidence:g} % interval"
        )
        message(figure, title_of(rows))
        legend_below(figure, [axis])
