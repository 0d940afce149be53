"""Figure: necessity of the cited features beside the noise floor (definitions NS 12)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import COLOURS, MARKERS, canvas, legend_below, message
from avowed.present.figures.table import Rows
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
    by_component,
    components,
    estimate,
    find,
    is_mean,
    kept,
    of_fewer,
    percent,
    single,
    titled,
)
from avowed.present.figures_factors.forest import Series, draw_forest, height_of, name_lines

COLUMNS = LONG
_ABOVE = "cited_necessity_above_floor"
_LEFT = {
    "noise_floor": "input unchanged: noise floor",
    "cited_necessity": "a cited feature changed: PN",
}


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Noise floor, necessity of the cited features, and the paired difference."""
    return kept(estimates, (*_LEFT, _ABOVE))


def title_of(rows: Rows) -> str:
    """State both means, and in how many components the difference is clear."""
    floor, cited = (percent(estimate(find(rows, ALL, name))) for name in _LEFT)
    there = single(by_component(rows, _ABOVE))
    fewer = of_fewer(find(rows, ALL, _ABOVE))
    clear = sum(row["lower"] is not None and row["lower"] > 0 for row in there)
    text = (
        f"the decision changes in {floor} of repeats of the same input and in {cited} of trials "
        f"that change a cited feature{fewer}"
    )
    if not there:
        return titled(rows, f"{text}; the difference is undefined")
    return titled(
        rows,
        f"{text}; the interval of the difference is above 0 in {clear} of {len(there)} "
        f"component{'s' if len(there) > 1 else ''}",
    )


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """Left both shares, right their difference paired by input."""
    names = components(rows)
    level = f"{100 * confidence:g} % interval"
    size = (10, height_of(len(names), series=2, around=2.1))
    with canvas(outputs, columns=2, size=size, sharey=True) as (figure, (left, right)):
        left.set_xlim(-0.03, 1.03)
        right.set(xlim=(-1.06, 1.06), xticks=(-1, -0.5, 0, 0.5, 1))
        draw_forest(
            left,
            names,
            [
                Series(
                    label, by_component(rows, quantity), COLOURS[place], MARKERS[place], not place
                )
                for place, (quantity, label) in enumerate(_LEFT.items())
            ],
        )
        difference = by_component(rows, _ABOVE)
        draw_forest(right, names, [Series("", difference, COLOURS[3], MARKERS[3])])
        for axis in (left, right):
            means = sum(is_mean(row) for row in difference.values())
            name_lines(axis, names, means=means, rows=rows)
        right.axvline(0, color="#888888", linewidth=0.8)
        left.set_xlabel(f"share of trials that change the decision,\n{level}")
        right.set_xlabel(f"PN of cited features minus the noise floor\nof the same input, {level}")
        message(figure, title_of(rows))
        legend_below(figure, [left])
