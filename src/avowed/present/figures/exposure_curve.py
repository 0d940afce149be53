"""Figure: exposure under repeated attempts, its truth, its unbiased estimate and its plug-in."""

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
    two_errors,
)
from avowed.present.figures.table import Rows, distinct, pick, where

COLUMNS = (
    "hint_type",
    "k",
    "truth_kind",
    "truth",
    "mean_unbiased",
    "bias_unbiased_mc_error",
    "mean_plug_in",
    "bias_plug_in",
    "bias_plug_in_mc_error",
    "repetitions",
)
#: The truth that the message and the estimates refer to.
_FREE = "drop-out-free"
#: The larger, hollow marker first, so that the other one shows where both lie together.
_ESTIMATES = (
    ("plug_in", "plug-in from one pooled rate, mean", 1, 7.5),
    ("unbiased", "unbiased, mean", 0, 4.5),
)


def drawn(exposure_bias: Rows) -> list[dict[str, Any]]:
    """The rows of single hint types."""
    return pick([row for row in exposure_bias if row["hint_type"] != "all"], COLUMNS)


def title_of(rows: Rows) -> str:
    """State how far the plug-in is off at the greatest number of attempts."""
    last = max((row["k"] for row in rows), default=0)
    biases = [
        row["bias_plug_in"]
        for row in where(rows, truth_kind=_FREE, k=last)
        if row["bias_plug_in"] is not None
    ]
    if not biases:
        return "Exposure under repeated attempts"
    least, greatest = min(biases), max(biases)
    if least >= 0 or greatest <= 0:
        how = "overstates" if greatest > 0 else "understates"
        ends = sorted(abs(bias) for bias in biases)
        few, many = f"{ends[0]:.3f}", f"{ends[-1]:.3f}"
        return (
            f"One pooled rate {how} exposure by {few if few == many else f'{few} to {many}'} "
            f"at k = {last}"
        )
    return f"One pooled rate shifts exposure by {least:+.3f} to {greatest:+.3f} at k = {last}"


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """One panel per hint type; bars, mostly within the markers, are two Monte-Carlo errors."""
    kinds = distinct(rows, "hint_type")
    down, across = panel_grid(len(kinds))
    extent = (max(6.0, 3.4 * across), 1.0 + 3.2 * down)
    with canvas(outputs, rows=down, columns=across, size=extent, sharey=True) as (figure, axes):
        for axis in axes[len(kinds) :]:
            axis.set_visible(False)
        for number, (axis, kind) in enumerate(zip(axes, kinds, strict=False)):
            own = where(rows, hint_type=kind)
            for truth_kind, line in zip(
                distinct(own, "truth_kind"), ("-", ":", "--"), strict=False
            ):
                truth = where(own, truth_kind=truth_kind)
                axis.plot(
                    [row["k"] for row in truth],
                    [float("nan") if row["truth"] is None else row["truth"] for row in truth],
                    line,
                    color=INK,
                    label=f"truth, {truth_kind}",
                )
            attempts = distinct(own, "k")
            for name, label, index, size in _ESTIMATES:
                colour, marker = look(index)
                points = [
                    two_errors(
                        row["k"], row[f"mean_{name}"], row[f"bias_{name}_mc_error"], low=0, high=1
                    )
                    for row in own
                    if row["truth_kind"] == own[0]["truth_kind"]
                ]
                draw_points(
                    axis,
                    points,
                    colour=colour,
                    marker=marker,
                    label=label,
                    hollow=index > 0,
                    size=size,
                )
            axis.set_xticks(attempts)
            room = 0.05 * (max(attempts) - min(attempts) or 1)
            axis.set_xlim(min(attempts) - room, max(attempts) + room)
            axis.set_ylim(0, 1)
            axis.set_xlabel("attempts k")
            axis.set_title(broken(kind, width=30), fontsize=9)
            grid(axis, "y")
            if number % across == 0:
                axis.set_ylabel("X(k), probability of\nat least one violation")
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=2)
