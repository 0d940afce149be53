"""Figure: coverage of the intervals of the omission rate, by hint type and number of probes."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import (
    INK,
    broken,
    canvas,
    draw_points,
    grid,
    legend_below,
    look,
    message,
    panel_grid,
    rate_axis,
    two_errors,
)
from avowed.present.figures.table import Rows, distinct, percent_span, pick, where

COLUMNS = (
    "hint_type",
    "variant",
    "probes",
    "method",
    "coverage",
    "coverage_mc_error",
    "repetitions",
)
#: Variants of the design itself; every other one is a rate near an end.
_DESIGNS = ("main", "smaller")


def drawn(coverage: Rows) -> list[dict[str, Any]]:
    """The rows of single hint types: cells stand side by side and are never averaged."""
    return pick([row for row in coverage if row["hint_type"] != "all"], COLUMNS)


def title_of(rows: Rows) -> str:
    """State what the paper's interval covers at full and at the smallest size, and at worst."""
    full = where(rows, variant="main", method="percentile")
    if not full:
        return "Coverage of the intervals of the omission rate"
    text = f"The percentile bootstrap covers {percent_span(row['coverage'] for row in full)}"
    text += f" at {full[0]['probes']} probes"
    smaller = where(rows, variant="smaller", method="percentile")
    if smaller:
        least = min(row["probes"] for row in smaller)
        covered = percent_span(row["coverage"] for row in smaller if row["probes"] == least)
        text += f" and {covered} at {least}"
    # A rate near an end is part of the study; the least coverage there belongs to the message.
    near = [
        row
        for row in where(rows, method="percentile")
        if row["variant"] not in _DESIGNS and row["coverage"] is not None
    ]
    if near:
        worst = min(near, key=lambda row: float(row["coverage"]))
        text += f", but {percent_span([worst['coverage']])} at a rate {worst['variant']}"
        text = f"{text.replace('_', ' ')} and {worst['probes']} probes"
    return text


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """One panel per hint type and per rate near an end; bars are two Monte-Carlo errors."""
    methods = distinct(rows, "method")
    panels = _panels(rows)
    down, across = panel_grid(len(panels))
    size = (max(7.0, 3.5 * across), 0.9 + 3.1 * down)
    with canvas(outputs, rows=down, columns=across, size=size, sharey=True) as (figure, axes):
        for axis in axes[len(panels) :]:
            axis.set_visible(False)
        for number, (axis, (title, own)) in enumerate(zip(axes, panels, strict=False)):
            sizes = sorted({row["probes"] for row in own})
            for index, method in enumerate(methods):
                shift = 0.13 * (index - (len(methods) - 1) / 2)
                colour, marker = look(index)
                points = [
                    two_errors(
                        sizes.index(row["probes"]) + shift,
                        row["coverage"],
                        row["coverage_mc_error"],
                        low=0,
                        high=1,
                    )
                    for row in where(own, method=method)
                ]
                draw_points(axis, points, colour=colour, marker=marker, label=method)
            axis.axhline(
                confidence, color=INK, linewidth=0.8, linestyle="--", label="nominal level"
            )
            axis.set_xticks(range(len(sizes)), [f"{size:,}" for size in sizes])
            axis.set_xlim(-0.6, max(len(sizes), 1) - 0.4)
            axis.set_title(title, fontsize=9)
            axis.set_xlabel("probes")
            grid(axis, "y")
            if number % across == 0:
                name = f"coverage of the {100 * confidence:g} % interval,\n± 2 Monte-Carlo errors"
                rate_axis(axis, _low_ends(rows), name, which="y")
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=4)


def _panels(rows: Rows) -> list[tuple[str, Rows]]:
    panels: list[tuple[str, Rows]] = [
        (broken(kind, width=30), [row for row in own if row["variant"] in _DESIGNS])
        for kind in distinct(rows, "hint_type")
        if (own := where(rows, hint_type=kind))
    ]
    for kind in distinct(rows, "hint_type"):
        own = where(rows, hint_type=kind)
        panels += [
            (
                broken(f"{kind}, rate {variant}", width=30),
                where(own, variant=variant),
            )
            for variant in distinct(own, "variant")
            if variant not in _DESIGNS
        ]
    return [(title, own) for title, own in panels if own]


def _low_ends(rows: Rows) -> list[float]:
    return [
        row["coverage"] - 2 * (row["coverage_mc_error"] or 0)
        for row in rows
        if row["coverage"] is not None
    ]
