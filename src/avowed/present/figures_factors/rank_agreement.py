"""Figure: agreement of the stated order with the scores, by component (NS figure 12, table 3)."""

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
_PANELS = {
    "rank_agreement_necessity": "with necessity PN",
    "rank_agreement_sufficiency": "with sufficiency PS",
    "rank_agreement_mean": "with the mean of both",
}


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Rank agreement of every component and of means over several."""
    return kept(estimates, _PANELS)


def title_of(rows: Rows) -> str:
    """State the mean agreement with each criterion and how far components are apart."""
    means = [find(rows, ALL, quantity) for quantity in _PANELS]
    necessity, sufficiency, _ = (f"{said(estimate(row))}{of_fewer(row)}" for row in means)
    text = (
        f"the stated order agrees with necessity at a mean rho of {necessity}, with sufficiency "
        f"at {sufficiency}"
    )
    both = [row for row in rows if row["quantity"] != "rank_agreement_mean"]
    return titled(rows, text + component_span(both, " over both"))


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A panel per criterion, a line per component; n counts the responses with unequal scores."""
    names = components(rows)
    means = sum(any(is_mean(row) for row in rows if row["cell"] == name) for name in names)
    size = (11, height_of(len(names)))
    with canvas(outputs, columns=3, size=size, sharey=True) as (figure, axes):
        for number, (axis, (quantity, label)) in enumerate(zip(axes, _PANELS.items(), strict=True)):
            found = by_component(rows, quantity)
            correlation_axis(axis, f"Spearman rho {label},\n{100 * confidence:g} % interval")
            draw_forest(axis, names, [Series(label, found, COLOURS[number], MARKERS[number])])
            name_lines(axis, names, means=means, rows=rows)
            write_counts(axis, names, found)
        message(figure, title_of(rows))
