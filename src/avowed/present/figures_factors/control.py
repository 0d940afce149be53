"""Figure: necessity by cited rank under contrast and under another change (NS figures 8 and 9)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import (
    COLOURS,
    INK,
    MARKERS,
    canvas,
    draw_points,
    grid,
    legend_below,
    message,
)
from avowed.present.figures.table import Rows, defined
from avowed.present.figures_factors.cells import (
    ALL,
    LONG,
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
from avowed.present.figures_factors.empty import write_why
from avowed.present.figures_factors.forest import point_of

COLUMNS = LONG
_GREY = "#9a9a9a"
_WORDS = {
    "contrast": "contrast substitution",
    "blank": "blank removal",
    "similar": "similar-value substitution",
}


def drawn(estimates: Rows, *, other: str) -> list[dict[str, Any]]:
    """Means by cited rank under contrast and ``other``, paired, and their difference."""
    return kept(
        estimates, [f"control_{other}_{side}" for side in ("contrast", other, "difference")]
    )


def title_of(rows: Rows, *, other: str) -> str:
    """State at which ranks contrast changes the decision more often, at which less, by how much."""
    gaps = {k: estimate(find(rows, ALL, f"control_{other}_difference", k)) for k in ranks(rows)}
    if not defined(gaps.values()):
        return titled(rows, f"contrast against {_WORDS[other]} is undefined")
    signs = (
        ("more often", "than", [k for k, gap in gaps.items() if gap is not None and gap > 0]),
        ("less often", "than", [k for k, gap in gaps.items() if gap is not None and gap < 0]),
        ("as often", "as", [k for k, gap in gaps.items() if gap == 0]),
    )
    parts: list[str] = []
    for words, link, there in signs:
        if there:
            against = "" if parts else f" {link} {_WORDS[other]}"
            parts.append(f"{words}{against} at {_ranks(there, len(gaps))}")
    each = listed(said(gap, "{:+.2f}") for gap in gaps.values())
    fewer = of_fewer(find(rows, ALL, f"control_{other}_difference", next(iter(gaps))))
    return titled(
        rows,
        f"contrast changes the decision {', '.join(parts)} (difference {each}){fewer}",
    )


def _ranks(there: Sequence[int], every: int) -> str:
    if len(there) == every:
        return "every cited rank"
    return f"rank{'s' if len(there) > 1 else ''} {listed(there)}"


def draw(rows: Rows, outputs: Sequence[Path], *, other: str, confidence: float) -> None:
    """Left both means by rank, right their paired difference with every component behind."""
    if not rows:
        write_why(outputs, f"control_{other}")
        return
    places = ranks(rows)
    with canvas(outputs, columns=2, size=(9.4, 4.8)) as (figure, (left, right)):
        for number, side in enumerate(("contrast", other)):
            found = [(find(rows, ALL, f"control_{other}_{side}", k), k) for k in places]
            draw_points(
                left,
                [point_of(row, k + 0.12 * (number - 0.5)) for row, k in found if row is not None],
                colour=COLOURS[number],
                marker=MARKERS[number],
                label=_WORDS[side],
                line=("-", "--")[number],
                size=6,
            )
        name = f"control_{other}_difference"
        alone = singles(rows)
        for cell in alone if len(alone) > 1 else ():
            gaps = [(estimate(find(rows, cell, name, k)), k) for k in places]
            if any(gap is not None for gap, _ in gaps):
                right.plot(
                    [k for _, k in gaps],
                    [float("nan") if gap is None else gap for gap, _ in gaps],
                    color=_GREY,
                    linewidth=0.7,
                    marker=".",
                    markersize=4,
                    label="difference, single component",
                )
        pooled = [(find(rows, ALL, name, k), k) for k in places]
        means = [row for row, _ in pooled]
        draw_points(
            right,
            [point_of(row, k) for row, k in pooled if row is not None],
            colour=COLOURS[3],
            marker=MARKERS[3],
            label=f"difference, {mean_label(rows, means, confidence)}",
            line="-",
            size=6,
        )
        left.set_ylim(-0.03, 1.03)
        level = f"{100 * confidence:g} % interval"
        left.set_ylabel(f"mean necessity PN, share of trials\nthat change the decision,\n{level}")
        # Behind the lines of components whose difference is 0.
        right.axhline(0, color=INK, linewidth=0.8, linestyle=":", zorder=0.5)
        right.set_ylabel(f"PN under contrast minus\nPN under {_WORDS[other]},\n{level}")
        for axis in (left, right):
            axis.set_xticks(places, [f"rank {k}" for k in places])
            axis.set_xlim(min(places, default=1) - 0.5, max(places, default=1) + 0.5)
            axis.set_xlabel("cited rank")
            grid(axis, "y")
        message(figure, title_of(rows, other=other))
        legend_below(figure, (left, right), columns=2)
