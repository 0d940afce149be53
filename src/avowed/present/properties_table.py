"""The table of printed properties as Markdown and LaTeX."""

from collections.abc import Mapping, Sequence
from typing import Literal

from tabulate import tabulate

from avowed.present.csvfile import Value

HEADERS = ("Property", "k / end", "Truth", "Printed", "Ours", "Error", "Repetitions", "Verdict")


def _decimal(value: Value, digits: int = 4) -> str:
    return "–" if value is None or value == "" else f"{float(value):+.{digits}f}"


def property_lines(rows: Sequence[Mapping[str, Value]]) -> list[list[str]]:
    """Arrange the rows in the table's columns; a lost figure has a dash for its printed value."""
    return [
        [
            str(row["property"]),
            str(row["k"] or row["end"] or "–"),
            str(row["truth_kind"] or "–"),
            _decimal(row["published"]),
            _decimal(row["ours"]),
            _decimal(row["mc_error"]).lstrip("+"),
            str(row["repetitions"] or "–"),
            str(row["verdict"]),
        ]
        for row in rows
    ]


def render(
    rows: Sequence[Mapping[str, Value]], *, form: Literal["github", "latex_booktabs"]
) -> str:
    """Render the rows in Markdown (``github``) or LaTeX (``latex_booktabs``)."""
    align = ("left", "left", "left", "right", "right", "right", "right", "left")
    text = tabulate(
        property_lines(rows), headers=HEADERS, tablefmt=form, disable_numparse=True, colalign=align
    )
    return f"{text}\n"
