"""Figure: mean scores by stated rank when all features are ranked (NS 4.5, figure 5)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import (
    COLOURS,
    INK,
    MARKERS,
    Point,
    broken,
    canvas,
    draw_points,
    grid,
    legend_below,
    message,
    panel_grid,
)
from avowed.present.figures.table import Row, Rows
from avowed.present.figures_factors.cells import (
    LONG,
    components,
    estimate,
    find,
    kept,
    percent,
    ranks,
    said,
    titled,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = LONG
_CRITERIA = {"necessity": "necessity PN", "sufficiency": "sufficiency PS"}
_DRAWN = ("by_rank", "standard_error", "cited", "lower_above_minimum")


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Mean and standard error by rank, the cited ranks, and what lies above their minimum."""
    return kept(estimates, [f"pilot_{name}_{each}" for name in _CRITERIA for each in _DRAWN])


def boundary(rows: Rows, cell: str) -> int | None:
    """How many ranks are cited ones: those whose observations are the ones of the cited set."""
    cited = find(rows, cell, "pilot_necessity_cited")
    total = 0
    for k in ranks(rows):
        row = find(rows, cell, "pilot_necessity_by_rank", k)
        total += row["n"] if row is not None else 0
        if cited is not None and total == cited["n"] > 0:
            return k
    return None


def title_of(rows: Rows) -> str:
    """State what happens at the boundary, in the first component."""
    for cell in components(rows)[:1]:
        last = boundary(rows, cell)
        if last is None or last + 1 not in ranks(rows):
            continue
        means = [find(rows, cell, "pilot_necessity_by_rank", k) for k in (last, last + 1)]
        share = find(rows, cell, "pilot_necessity_lower_above_minimum")
        name = f"for {cell} " if len(components(rows)) > 1 else ""
        link = "to" if _n(means[0]) == _n(means[1]) else "and, over other responses, to"
        before, after = (
            f"{said(estimate(row))} at rank {k} (n = {_n(row)})"
            for k, row in zip((last, last + 1), means, strict=True)
        )
        beaten = f"{percent(estimate(share))} of {_n(share)} responses"
        return titled(
            rows,
            f"{name}mean PN goes from {before} {link} {after}; a later rank beats the weakest "
            f"cited one in {beaten}",
        )
    return titled(rows, "scores around the boundary of the cited ranks are undefined")


def _n(row: Row | None) -> int:
    """The responses behind a row."""
    return 0 if row is None else int(row["n"])


def scored_ranks(rows: Rows) -> list[int]:
    """The ranks up to the last one at which a response has a score."""
    there = [row["k"] for row in rows if row["k"] is not None and row["n"]]
    return [k for k in ranks(rows) if k <= max(there, default=0)]


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """A panel per component; the shaded bands reach one standard error either way."""
    names, shown = components(rows), scored_ranks(rows)
    down, across = panel_grid(len(names), columns=2)
    size = (max(7.5, 5 * across), 1 + 3.9 * down)
    with canvas(outputs, rows=down, columns=across, size=size, sharey=True) as (figure, axes):
        for axis, cell in zip(axes, names, strict=False):
            for name in _CRITERIA:
                _draw_criterion(axis, rows, cell, name, shown)
            if (last := boundary(rows, cell)) is not None:
                axis.axvline(
                    last + 0.5,
                    color=INK,
                    linestyle="--",
                    linewidth=1,
                    label="end of the cited ranks",
                )
            axis.set_title(broken(cell, width=60, lines=2), fontsize=9)
            axis.set_xticks(shown, [_tick(rows, cell, k) for k in shown])
        for axis in axes[: max(1, len(names))]:
            axis.set_xlim(0.4, max(shown, default=1) + 0.6)
            axis.set_ylim(-0.03, 1.03)
            axis.set_xlabel(_about_ranks(rows, shown))
            axis.set_ylabel("mean score, share of trials;\nband: one standard error")
            grid(axis, "y")
        for axis in axes[max(1, len(names)) :]:
            axis.set_visible(False)
        message(figure, title_of(rows))
        legend_below(figure, axes[: len(names)])


def _tick(rows: Rows, cell: str, k: int) -> str:
    """A rank, and below it the responses with a score there, necessity first."""
    counts = [_n(find(rows, cell, f"pilot_{name}_by_rank", k)) for name in _CRITERIA]
    return "\n".join(map(str, (k, *counts)))


def _about_ranks(rows: Rows, shown: Sequence[int]) -> str:
    text = "stated rank, and the responses with a score at it under PN and under PS"
    left = [k for k in ranks(rows) if k not in shown]
    if not left:
        return text
    where = f"rank {left[0]}" if len(left) == 1 else f"ranks {left[0]} to {left[-1]}"
    return f"{text}\nno response has a feature with a score at {where}"


def _draw_criterion(axis: "Axes", rows: Rows, cell: str, name: str, shown: Sequence[int]) -> None:
    number = list(_CRITERIA).index(name)
    there = [
        row for k in shown if (row := find(rows, cell, f"pilot_{name}_by_rank", k)) is not None
    ]
    # Where neither is defined, the two words stand side by side.
    aside = 0.3 * (number - 0.5)
    points = [
        Point(row["k"] + (aside if row["estimate"] is None else 0.0), row["estimate"])
        for row in there
    ]
    colour = COLOURS[number]
    draw_points(
        axis,
        points,
        colour=colour,
        marker=MARKERS[number],
        label=_CRITERIA[name],
        line=("-", "-.")[number],
    )
    banded = [
        (row["k"], row["estimate"], error)
        for row in there
        if row["estimate"] is not None
        and (error := estimate(find(rows, cell, f"pilot_{name}_standard_error", row["k"])))
        is not None
    ]
    axis.fill_between(
        [k for k, _, _ in banded],
        [max(0.0, value - error) for _, value, error in banded],
        [min(1.0, value + error) for _, value, error in banded],
        color=colour,
        alpha=0.2,
        linewidth=0,
    )
