"""Figures of a study that has nothing for them: why, in the figure and in the report."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import wrap

from avowed.present.canvas import canvas, message

#: End of a figure's name -> why a study may have nothing to draw in it.
WHY = {
    "overlap": "it compares components, and there are not two of them",
    "control_blank": "no feature was both contrasted and removed; ask with the option controls",
    "control_similar": "no feature was both contrasted and replaced by a similar value; ask with "
    "the option controls",
}
_ELSE = "the study has no row for it"


def why_empty(name: str) -> str:
    """Why a figure without rows has none.

    >>> why_empty("loan_overlap")
    'it compares components, and there are not two of them'
    >>> why_empty("loan_noise_floor")
    'the study has no row for it'
    """
    return next((why for end, why in WHY.items() if name.endswith(end)), _ELSE)


def write_why(outputs: Sequence[Path], name: str) -> None:
    """Write a figure that says why it is empty."""
    with canvas(outputs, size=(8, 2)) as (figure, (axis,)):
        axis.set_axis_off()
        text = "\n".join(wrap(f"Nothing is drawn: {why_empty(name)}.", 80))
        axis.text(0.5, 0.5, text, ha="center", va="center")
        message(figure, "No figure")
