"""Figure: estimates against the known truth of simulated components, with Monte-Carlo errors."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from avowed.present.canvas import (
    COLOURS,
    MARKERS,
    canvas,
    draw_points,
    legend_below,
    message,
    two_errors,
)
from avowed.present.figures.table import Row, Rows, defined, distinct, pick, where
from avowed.present.figures_factors.cells import titled
from avowed.present.figures_factors.forest import height_of, name_lines

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = (
    "use_case",
    "component",
    "quantity",
    "inputs",
    "truth",
    "mean_estimate",
    "bias",
    "bias_mc_error",
    "repetitions",
)
_QUANTITIES = {
    "necessity": "necessity PN,\nall features",
    "sufficiency": "sufficiency PS,\nall features",
    "noise_floor": "noise floor",
    "rank_agreement_necessity": "rank agreement\nwith PN",
    "rank_agreement_sufficiency": "rank agreement\nwith PS",
    "rank_agreement_mean": "rank agreement\nwith the mean of both",
    "uncited_rate_necessity": "uncited rate\nunder PN",
    "uncited_rate_sufficiency": "uncited rate\nunder PS",
}
_DESIGNS = {
    "fixed": "the same inputs in every repetition",
    "drawn": "inputs drawn anew in every repetition",
}
#: What floating point may leave of a bias that is exactly 0.
_ROUNDING = 1e-9
#: Half the range of a panel at least.
_LEAST = 0.01


def drawn(known_truth: Rows) -> list[dict[str, Any]]:
    """Bias of every component, quantity and design; ranks are left to the table."""
    return pick(
        [row for row in known_truth if row["quantity"] in _QUANTITIES and row["k"] is None], COLUMNS
    )


def title_of(rows: Rows) -> str:
    """State how many mean estimates lie within two Monte-Carlo errors of the truth."""
    judged = [row for row in rows if row["bias"] is not None and row["bias_mc_error"] is not None]
    named = [{"study": row["use_case"]} for row in rows]
    if not judged:
        return titled(named, "no bias is defined")
    near = sum(abs(row["bias"]) <= 2 * row["bias_mc_error"] + _ROUNDING for row in judged)
    largest = max(abs(row["bias"]) for row in judged)
    return titled(
        named,
        f"{near} of {len(judged)} mean estimates lie within two Monte-Carlo errors of the truth; "
        f"the largest bias is {largest:.3f}",
    )


def draw(rows: Rows, outputs: Sequence[Path]) -> None:
    """A panel per quantity, a line per component; bars are two Monte-Carlo errors either way."""
    names = [str(name) for name in distinct(rows, "component")]
    down, across = 2, 4
    size = (11.5, 0.9 + down * height_of(len(names), series=2, around=1.3))
    with canvas(outputs, rows=down, columns=across, size=size, sharey=True) as (figure, axes):
        for axis, (quantity, label) in zip(axes, _QUANTITIES.items(), strict=True):
            _draw_panel(axis, names, where(rows, quantity=quantity))
            axis.set_title(label, fontsize=9)
            axis.set_xlabel("mean estimate minus truth")
        message(figure, title_of(rows))
        legend_below(figure, axes, columns=2)


def _draw_panel(axis: "Axes", names: Sequence[str], rows: Rows) -> None:
    """One quantity on its own range, which is symmetric about 0."""
    from matplotlib.ticker import MaxNLocator

    reach = max((abs(value) for row in rows for value in _ends(row)), default=0.0)
    limit = max(1.15 * reach, _LEAST)
    axis.set_xlim(-limit, limit)
    axis.xaxis.set_major_locator(MaxNLocator(nbins=3, symmetric=True, min_n_ticks=3))
    for number, (design, words) in enumerate(_DESIGNS.items()):
        points = [
            two_errors(
                names.index(str(row["component"])) + 0.36 * (number - 0.5),
                row["bias"],
                row["bias_mc_error"],
            )
            for row in where(rows, inputs=design)
        ]
        draw_points(
            axis,
            points,
            colour=COLOURS[number],
            marker=MARKERS[number],
            label=words,
            across=True,
            hollow=bool(number),
        )
    name_lines(axis, names)
    axis.axvline(0, color="#555555", linewidth=0.8)


def _ends(row: Row) -> list[float]:
    point = two_errors(0, row["bias"], row["bias_mc_error"])
    return defined((point.value, point.lower, point.upper))
