"""Figure: how far necessity and sufficiency order the cited features alike (NS figure 11)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import COLOURS, MARKERS, canvas, message
from avowed.present.figures.table import Rows
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
    by_component,
    component_span,
    components,
    estimate,
    find,
    is_mean,
    kept,
    of_fewer,
    said,
    titled,
)
from avowed.present.figures_factors.forest import (
    Series,
    correlation_axis,
    draw_forest,
    height_of,
    name_lines,
    write_counts,
)

COLUMNS = LONG
_QUANTITY = "criteria_agreement"


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Agreement of the two criteria for every component and for means over several."""
    return kept(estimates, (_QUANTITY,))


def title_of(rows: Rows) -> str:
    """State the mean agreement and how far components are apart."""
    mean = find(rows, ALL, _QUANTITY)
    text = (
        "necessity and sufficiency order the cited features alike at a mean rho of "
        f"{said(estimate(mean))}{of_fewer(mean)}"
    )
    return titled(rows, text + component_span(rows))


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A line per component; n counts the responses with unequal scores under both criteria."""
    names = components(rows)
    found = by_component(rows, _QUANTITY)
    means = sum(is_mean(row) for row in found.values())
    with canvas(outputs, size=(8, height_of(len(names)))) as (figure, (axis,)):
        correlation_axis(
            axis,
            f"Spearman rho of PN with PS over the cited features, {100 * confidence:g} % interval",
        )
        draw_forest(axis, names, [Series("", found, COLOURS[1], MARKERS[0])])
        name_lines(axis, names, means=means, rows=rows)
        write_counts(axis, names, found)
        message(figure, title_of(rows))
