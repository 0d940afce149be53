"""Figure: the half-width that a study reaches, against its number of pairs, by replicas."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from avowed.present.canvas import INK, canvas, grid, legend_below, look, message
from avowed.present.figures.table import Rows, distinct, where

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CURVE, PLAN = "curve", "planned size"
_DASHES = ("-", "--", "-.", ":")


def _replicas(number: int) -> str:
    return f"{number} replica{'' if number == 1 else 's'}"


def title_of(rows: Rows, *, assurance: float | None) -> str:
    """State the least and the greatest planned size.

    >>> one = {"shown": PLAN, "replicas": 1, "pairs": 300, "half_width": 0.1}
    >>> title_of([one], assurance=None)
    'A half-width of 0.1, as section 16.3 plans it, takes 300 pairs with 1 replica'
    """
    planned = sorted(where(rows, shown=PLAN), key=lambda row: (row["pairs"], row["replicas"]))
    least, most = planned[0], planned[-1]
    how = ", as section 16.3 plans it," if assurance is None else f" (assurance {assurance:g})"
    text = f"A half-width of {least['half_width']:g}{how} takes {least['pairs']:,} pairs"
    if most["replicas"] == least["replicas"]:
        return f"{text} with {_replicas(least['replicas'])}"
    return f"{text} ({_replicas(least['replicas'])}) to {most['pairs']:,} ({most['replicas']})"


def draw(
    rows: Rows,
    outputs: Sequence[Path],
    *,
    assurance: float | None,
    floor: float | None = None,
    rate: str = "flagged omission",
) -> None:
    """One line per number of replicas, the planned sizes on the target, and the calibration's h_c.

    Args:
        rows: columns shown, replicas, pairs, half_width.
        outputs: files to write, SVG or PNG.
        assurance: probability with which a half-width is reached; None for section 16.3.
        floor: h_c, below which no study comes; None without a calibration.
        rate: which rate the half-width is of.
    """
    with canvas(outputs, size=(8, 4.8)) as (figure, (axis,)):
        for number, replicas in enumerate(distinct(where(rows, shown=CURVE), "replicas")):
            colour, marker = look(number)
            there = [
                row
                for row in where(rows, shown=CURVE, replicas=replicas)
                if row["half_width"] is not None
            ]
            axis.plot(
                [row["pairs"] for row in there],
                [row["half_width"] for row in there],
                _DASHES[number % len(_DASHES)],
                color=colour,
                linewidth=1.4,
                marker=marker,
                markersize=4.5,
                markevery=(2 * number, 8),
                label=_replicas(replicas),
            )
            for row in where(rows, shown=PLAN, replicas=replicas):
                axis.plot(
                    row["pairs"],
                    row["half_width"],
                    marker,
                    color=colour,
                    markersize=9,
                    markerfacecolor="white",
                    markeredgewidth=1.6,
                    zorder=3,
                )
        target = where(rows, shown=PLAN)[0]["half_width"]
        axis.axhline(target, color=INK, linewidth=0.8)
        _say(axis, target, f"planned: {target:g} (hollow: sizes that reach it)")
        if floor is not None:
            axis.axhline(floor, color=INK, linewidth=0.8, linestyle=(0, (1, 2)))
            _say(axis, floor, f"the calibration alone: {floor:.3f}")
        axis.set_xscale("log")
        low, high = axis.get_xlim()
        ticks = [base * 10**power for power in range(11) for base in (1, 2, 5)]
        shown = [tick for tick in ticks if low <= tick <= high]
        while len(shown) > 9:
            shown = shown[::2]
        axis.set_xticks(shown, [f"{tick:,}" for tick in shown])
        axis.set_xlim(low, high)
        axis.minorticks_off()
        axis.set_ylim(0, None)
        axis.set_xlabel("planned pairs: probes × replicas per probe (log scale)")
        how = (
            "as section 16.3 plans it"
            if assurance is None
            else f"with probability {assurance:g} or more"
        )
        axis.set_ylabel(f"half-width of the {rate} rate,\nreached {how}")
        grid(axis, "y")
        message(figure, title_of(rows, assurance=assurance))
        legend_below(figure, [axis], columns=8)


def _say(axis: "Axes", height: float, text: str) -> None:
    axis.text(
        0.995,
        height,
        text,
        transform=axis.get_yaxis_transform(),
        ha="right",
        va="bottom",
        fontsize=8,
        color=INK,
    )
