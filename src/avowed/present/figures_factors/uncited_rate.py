"""Figure: how often an uncited feature scores above a cited one, beside selection alone (NS 2)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import COLOURS, INK, canvas, legend_below, message
from avowed.present.figures.table import Row, Rows
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
    by_component,
    components,
    estimate,
    find,
    is_mean,
    kept,
    percent,
    titled,
)
from avowed.present.figures_factors.forest import Series, draw_forest, height_of, name_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = LONG
_CRITERIA = {"necessity": "necessity PN", "sufficiency": "sufficiency PS"}
_BASELINES = {"independent": ("independent trials", "|"), "agreeing": ("agreeing trials", "x")}
_BAND = "#c9c9c9"


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Uncited rates, the rates by selection alone, and the differences on held-out trials."""
    quantities = [f"uncited_rate_{name}" for name in _CRITERIA]
    quantities += [f"selection_{baseline}_{name}" for name in _CRITERIA for baseline in _BASELINES]
    quantities += [f"split_difference_{name}" for name in _CRITERIA]
    return kept(estimates, quantities)


def title_of(rows: Rows) -> str:
    """State the mean rates, and how often the best uncited feature leads on held-out trials."""
    rates, leading, compared = [], 0, 0
    for name, words in _CRITERIA.items():
        found = by_component(rows, f"uncited_rate_{name}")
        rates.append(f"{percent(estimate(found.get(ALL)))} of responses under {words.split()[0]}")
        held = by_component(rows, f"split_difference_{name}").values()
        known = [row for row in held if row["lower"] is not None and not is_mean(row)]
        leading += sum(row["lower"] > 0 for row in known)
        compared += len(known)
    text = f"an uncited feature outscores a cited one in {' and '.join(rates)}"
    if not compared:
        return titled(rows, f"{text}; nothing can be said on held-out trials")
    return titled(
        rows, f"{text}; on held-out trials it clearly leads in {leading} of {compared} comparisons"
    )


def _baselines(rows: Rows, cell: str, name: str) -> list[Row]:
    """The rates by selection alone that are defined."""
    found = [find(rows, cell, f"selection_{each}_{name}") for each in _BASELINES]
    return [row for row in found if row is not None and row["estimate"] is not None]


def _leads(rows: Rows, cell: str, name: str) -> bool:
    """Whether the interval of the difference on held-out trials lies above 0."""
    row = find(rows, cell, f"split_difference_{name}")
    return row is not None and row["lower"] is not None and row["lower"] > 0


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A panel per criterion, a line per component: the rate over the range of both baselines."""
    names = components(rows)
    size = (10, height_of(len(names), around=2.3))
    with canvas(outputs, columns=2, size=size, sharey=True) as (figure, axes):
        for axis, (name, words) in zip(axes, _CRITERIA.items(), strict=True):
            found = by_component(rows, f"uncited_rate_{name}")
            axis.set_xlim(-0.03, 1.03)
            _draw_selection(axis, rows, names, name)
            leading = {cell: row for cell, row in found.items() if _leads(rows, cell, name)}
            others = {cell: row for cell, row in found.items() if cell not in leading}
            for own, filled in ((leading, True), (others, False)):
                said = "also leads on held-out trials" if filled else "does not, or not compared"
                one = Series(f"observed; {said}", own, COLOURS[0], "o", hollow=not filled)
                draw_forest(axis, names, [one])
            name_lines(axis, names, means=sum(is_mean(row) for row in found.values()), rows=rows)
            axis.set_xlabel(
                f"responses with an uncited feature above the\nlowest cited one under {words},\n"
                f"share with {100 * confidence:g} % interval"
            )
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=3)


def _draw_selection(axis: "Axes", rows: Rows, names: Sequence[str], name: str) -> None:
    """The range between the two baselines, each with its marker."""
    for place, cell in enumerate(names):
        values = [row["estimate"] for row in _baselines(rows, cell, name)]
        if values:
            axis.plot(
                [min(values), max(values)],
                [place, place],
                color=_BAND,
                linewidth=9,
                solid_capstyle="butt",
                zorder=1,
            )
    for each, (words, marker) in _BASELINES.items():
        found = by_component(rows, f"selection_{each}_{name}")
        there = [
            (place, found[cell]["estimate"])
            for place, cell in enumerate(names)
            if cell in found and found[cell]["estimate"] is not None
        ]
        axis.plot(
            [value for _, value in there],
            [place for place, _ in there],
            marker=marker,
            color=INK,
            linestyle="none",
            markersize=8 if marker == "|" else 5,
            label=f"selection alone, {words}",
            zorder=2,
        )
