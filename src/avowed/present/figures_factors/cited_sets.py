"""Figure: the first k cited features against the k highest uncited ones (NS figure 4, table 4)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import canvas, draw_points, grid, legend_below, look, message
from avowed.present.figures.table import Row, Rows
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
    SCORES,
    UNDEFINED,
    estimate,
    find,
    kept,
    listed,
    mean_label,
    of_fewer,
    ranks,
    said,
    singles,
    titled,
)
from avowed.present.figures_factors.forest import point_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = LONG
_GREY = "#9a9a9a"
_SIDES = {"cited": "first k cited", "uncited": "k highest uncited"}
_SHIFT = 0.2


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Mean scores of both sets and their difference, for every k."""
    sides = [*_SIDES, "difference"]
    return kept(estimates, [f"set_{side}_{name}" for name in SCORES for side in sides])


def title_of(rows: Rows) -> str:
    """State the mean difference of the sets under both criteria."""
    texts = []
    for name in SCORES:
        gaps = [
            f"{said(estimate(row), '{:+.2f}')} (k = {k}{_fewer(row)})"
            for k in ranks(rows)
            for row in [find(rows, ALL, f"set_difference_{name}", k)]
        ]
        texts.append(f"{listed(gaps) if gaps else UNDEFINED} under {name}")
    return titled(rows, f"the cited set minus the best uncited one is {', '.join(texts)}")


def _fewer(row: Row | None) -> str:
    return of_fewer(row).replace(" (", ", ").replace(")", "") if estimate(row) is not None else ""


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A panel per criterion: for every k the two means, joined, and every component behind."""
    sizes = ranks(rows)
    means = [find(rows, ALL, f"set_cited_{name}", k) for name in SCORES for k in sizes]
    label = mean_label(rows, [row for row in means if estimate(row) is not None], confidence)
    with canvas(outputs, columns=2, size=(9.4, 4.8), sharey=True) as (figure, axes):
        for axis, (name, score) in zip(axes, SCORES.items(), strict=True):
            for place, k in enumerate(sizes):
                _draw_size(axis, [_pair(rows, cell, name, k) for cell in singles(rows)], place)
                _draw_mean(axis, _pair(rows, ALL, name, k), place, label)
            ticks = [place + shift for place in range(len(sizes)) for shift in (-_SHIFT, _SHIFT)]
            axis.set_xticks(ticks, [f"{side}\nk = {k}" for k in sizes for side in _SIDES])
            axis.set_xlim(-0.5, max(1, len(sizes)) - 0.5)
            axis.set_ylim(-0.03, 1.03)
            axis.set_ylabel(f"mean {score}")
            axis.set_xlabel(f"components with enough uncited features:\n{_counts(rows, name)}")
            axis.tick_params(labelleft=True)
            grid(axis, "y")
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=3)


def _pair(rows: Rows, cell: str, name: str, k: int) -> list[Row | None]:
    return [find(rows, cell, f"set_{side}_{name}", k) for side in _SIDES]


def _counts(rows: Rows, name: str) -> str:
    """How many components have both sets, for every k."""
    single = singles(rows)
    there = {
        k: sum(None not in map(estimate, _pair(rows, cell, name, k)) for cell in single)
        for k in ranks(rows)
    }
    return listed(f"{count} of {len(single)} at k = {k}" for k, count in there.items())


def _draw_size(axis: "Axes", pairs: Sequence[Sequence[Row | None]], place: int) -> None:
    """A thin line per component that has both sets; one alone is the mean."""
    there = [values for pair in pairs if None not in (values := [estimate(row) for row in pair])]
    if len(there) > 1:
        for values in there:
            axis.plot(
                [place - _SHIFT, place + _SHIFT],
                values,  # type: ignore[arg-type]
                color=_GREY,
                linewidth=0.7,
                zorder=1,
                label="single component",
            )


def _draw_mean(axis: "Axes", pair: Sequence[Row | None], place: int, label: str) -> None:
    colour, marker = look(0)
    points = [
        point_of(row, place + shift)
        for row, shift in zip(pair, (-_SHIFT, _SHIFT), strict=True)
        if row is not None
    ]
    draw_points(axis, points, colour=colour, marker=marker, label=label, line="-", size=6)
