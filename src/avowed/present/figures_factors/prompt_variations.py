"""Figure: agreement of the stated order with necessity under several prompts (NS figure 7)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.present.canvas import canvas, legend_below, message
from avowed.present.figures.table import Rows
from avowed.present.figures_factors.by_prompt import lines, prompt_series, wins
from avowed.present.figures_factors.cells import LONG, kept, listed, titled
from avowed.present.figures_factors.forest import (
    correlation_axis,
    draw_forest,
    height_of,
    name_lines,
)

COLUMNS = LONG
_QUANTITY = "rank_agreement_necessity"


def drawn(estimates: Rows) -> list[dict[str, Any]]:
    """Rank agreement of every component and prompt, and the means over components."""
    return kept(estimates, (_QUANTITY,), parts=True)


def title_of(rows: Rows) -> str:
    """State which prompt alone agrees best in the most components."""
    found = wins(rows)
    compared = found.compared
    if not compared:
        return titled(rows, "agreement with necessity is undefined, so prompts are not compared")
    most = max(found.count.values())
    if not most:
        return titled(rows, f"no prompt alone agrees best in any of {compared} components")
    best = [prompt for prompt, times in found.count.items() if times == most]
    if most == compared:
        every = f"every one of {compared} components" if compared > 1 else "the one component"
        text = f"{best[0]} agrees best with necessity in {every}"
    else:
        does, each = ("does", "") if len(best) == 1 else ("do", " each")
        text = (
            f"no prompt agrees best with necessity in every component; {listed(best)} {does} so in "
            f"{most} of {compared}{each}"
        )
    return titled(
        rows, f"{text}; the best one's interval is above all others in {found.apart} of {compared}"
    )


def draw(rows: Rows, outputs: Sequence[Path], *, confidence: float) -> None:
    """A line per component, a point per prompt."""
    names, means = lines(rows)
    series = prompt_series(rows)
    size = (9, height_of(len(names), series=len(series), around=2.4))
    with canvas(outputs, size=size) as (figure, (axis,)):
        correlation_axis(
            axis,
            "Spearman rho of the stated order with necessity PN, mean over responses,\n"
            f"{100 * confidence:g} % interval",
        )
        draw_forest(axis, names, series)
        name_lines(axis, names, means=means, rows=rows)
        message(figure, title_of(rows))
        legend_below(figure, [axis])
