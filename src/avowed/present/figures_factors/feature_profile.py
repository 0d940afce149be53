"""Figure: necessity, sufficiency, their mean and citation frequency by feature (NS figure 10)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import COLOURS, MARKERS, canvas, legend_below, message
from avowed.present.figures.table import Rows
from avowed.present.figures_factors.cells import LONG, basis, kept, percent, said, titled
from avowed.present.figures_factors.features import (
    FREQUENCY,
    QUANTITIES,
    Feature,
    features_of,
    pooled,
    top,
)
from avowed.present.figures_factors.forest import Series, draw_forest, height_of, name_lines

COLUMNS = LONG
_MEAN = "mean_of_both"
_SCORES = {
    "necessity": "necessity PN",
    "sufficiency": "sufficiency PS",
    _MEAN: "mean of PN and PS (descriptive)",
}


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Means over components by feature, and the mean of PN and PS without an interval."""
    rows = [row for row in kept(estimates, QUANTITIES, parts=True) if pooled(row)]
    both = []
    for one in features_of(rows):
        necessity, sufficiency = one.value("necessity"), one.value("sufficiency")
        if necessity is None or sufficiency is None:
            continue
        both.append(
            {
                **one.rows["necessity"],
                "quantity": _MEAN,
                "estimate": (necessity + sufficiency) / 2,
                "lower": None,
                "upper": None,
                "method": "mean of both",
                "status": "descriptive",
            }
        )
    return rows + both


def title_of(rows: Rows) -> str:
    """State which feature scores highest and which is cited most often."""
    features = features_of(rows)
    shares = [value for one in features if (value := one.value(FREQUENCY)) is not None]
    scores = [value for one in features if (value := one.value("necessity")) is not None]
    most = percent(max(shares)) if shares else "undefined"
    highest = said(max(scores)) if scores else "undefined"
    first, cited = top(features, "necessity"), top(features, FREQUENCY)
    often = f"cited most often ({most} of the responses where it is active)"
    link = f"and is {often}" if first == cited else f"but {cited} is {often}"
    return titled(rows, f"{first} has the highest mean PN ({highest}) {link}")


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """Left the scores, right the citation frequency; features by decreasing mean PN."""
    features = features_of(rows)
    names = [one.key for one in features]
    size = (10, height_of(len(names), series=2, around=2.2))
    with canvas(outputs, columns=2, size=size, sharey=True) as (figure, axes):
        for axis, shown in zip(axes, (_SCORES, {FREQUENCY: ""}), strict=True):
            axis.set_xlim(-0.03, 1.03)
            draw_forest(axis, names, [_series(features, *one) for one in shown.items()])
            name_lines(axis, names, width=30)
        over = basis(row for one in features for row in one.rows.values())
        axes[0].set_xlabel(
            f"mean score, share of trials, {100 * confidence:g} % interval"
            + (f",\nover {over} components" if over else "")
        )
        axes[1].set_xlabel(
            "citation frequency, share of the responses in which\n"
            f"the feature is active, {100 * confidence:g} % interval"
        )
        message(figure, title_of(rows))
        legend_below(figure, axes[:1])


def _series(features: Sequence[Feature], quantity: str, label: str) -> Series:
    place = [*_SCORES, FREQUENCY].index(quantity)
    rows = {one.key: one.rows[quantity] for one in features if quantity in one.rows}
    return Series(label, rows, COLOURS[place], MARKERS[place], hollow=quantity == _MEAN)
