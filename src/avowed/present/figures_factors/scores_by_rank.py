"""Figure: mean scores by cited rank and of the highest uncited feature (NS figure 3)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import canvas, draw_points, grid, legend_below, look, message
from avowed.present.figures.table import Row, Rows
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
    SCORES,
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


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Mean score at every cited rank, and of the highest uncited feature."""
    return kept(
        estimates,
        [each for name in SCORES for each in (f"{name}_by_rank", f"highest_uncited_{name}")],
    )


def title_of(rows: Rows) -> str:
    """State which cited ranks the highest uncited feature stands above."""
    return titled(rows, "; ".join(_message(rows, name) for name in SCORES))


def _message(rows: Rows, name: str) -> str:
    row = find(rows, ALL, f"highest_uncited_{name}")
    uncited = estimate(row)
    if uncited is None:
        return f"under {name} the mean of the highest uncited feature is undefined"
    by_rank = {k: estimate(find(rows, ALL, f"{name}_by_rank", k)) for k in ranks(rows)}
    below = [k for k, value in by_rank.items() if value is not None and value < uncited]
    where = (
        f"cited rank{'s' if len(below) > 1 else ''} {listed(below)}" if below else "no cited rank"
    )
    return (
        f"under {name} the highest uncited feature ({said(uncited)}){of_fewer(row)} is above "
        f"{where}"
    )


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A panel per criterion: the mean over components, and every component behind it."""
    with canvas(outputs, columns=2, size=(9, 4.6), sharey=True) as (figure, axes):
        for axis, (name, label) in zip(axes, SCORES.items(), strict=True):
            places = ranks(rows)
            alone = singles(rows)
            for cell in alone if len(alone) > 1 else ():
                _draw_single(axis, _line(rows, cell, name))
            _draw_mean(axis, _line(rows, ALL, name), mean_label(rows, _means(rows), confidence))
            names = [f"cited\nrank {k}" for k in places]
            axis.set_xticks(range(len(places) + 1), [*names, "highest\nuncited"])
            axis.set_xlim(-0.5, len(places) + 0.5)
            axis.set_ylim(-0.03, 1.03)
            axis.set_ylabel(f"mean {label}")
            axis.tick_params(labelleft=True)
            axis.axvline(len(places) - 0.5, color="#888888", linewidth=0.8, linestyle=":")
            grid(axis, "y")
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=3)


def _line(rows: Rows, cell: str, name: str) -> list[Row | None]:
    """The rows of the cited ranks, and behind them that of the highest uncited feature."""
    by_rank = [find(rows, cell, f"{name}_by_rank", k) for k in ranks(rows)]
    return [*by_rank, find(rows, cell, f"highest_uncited_{name}")]


def _means(rows: Rows) -> list[Row | None]:
    return [row for name in SCORES for row in _line(rows, ALL, name)]


def _draw_mean(axis: "Axes", found: Sequence[Row | None], label: str) -> None:
    """Ranks are joined, the highest uncited feature stands apart from them."""
    points = [point_of(row, at) for at, row in enumerate(found) if row is not None]
    colour, marker = look(0)
    draw_points(axis, points[:-1], colour=colour, marker=marker, line="-", size=6, label=label)
    draw_points(axis, points[-1:], colour=colour, marker=marker, size=6, hollow=True)


def _draw_single(axis: "Axes", found: Sequence[Row | None]) -> None:
    values = [float("nan") if (value := estimate(row)) is None else value for row in found]
    axis.plot(values[:-1], color=_GREY, linewidth=0.7, zorder=1, label="single component")
    axis.plot([len(values) - 1], values[-1:], color=_GREY, marker="_", markersize=9, zorder=1)
