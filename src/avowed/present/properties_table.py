"""The table of printed properties as Markdown and LaTeX."""

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from tabulate import tabulate

from avowed.present.csvfile import Value
from avowed.present.paper_table import share

HEADERS = (
    "Property",
    "k / end",
    "Truth",
    "Printed",
    "Ours",
    "Error",
    "Repetitions",
    "Noticed from",
    "Verdict",
)

DIGITS = 4


def _figure(value: Value, of_property: str) -> str:
    """Text of a figure: a bias has its sign, a share or a correlation none but a minus."""
    text = share(value, digits=DIGITS)
    signed = re.search(r"\bbias\b", of_property) and text[0].isdigit()
    return f"+{text}" if signed else text


def property_lines(rows: Sequence[Mapping[str, Value]]) -> list[list[str]]:
    """Arrange the rows in the table's columns; a lost figure has a dash for its printed value."""
    return [
        [
            str(row["property"]),
            str(row["k"] or row["end"] or "–"),
            str(row["truth_kind"] or "–"),
            _figure(row["published"], str(row["property"])),
            _figure(row["ours"], str(row["property"])),
            share(row["mc_error"], digits=DIGITS),
            str(row["repetitions"] or "–"),
            share(row["noticed_from"], digits=DIGITS),
            str(row["verdict"]),
        ]
        for row in rows
    ]


def render(
    rows: Sequence[Mapping[str, Value]], *, form: Literal["github", "latex_booktabs"]
) -> str:
    """Render the rows in Markdown (``github``) or LaTeX (``latex_booktabs``)."""
    align = ("left", "left", "left", "right", "right", "right", "right", "right", "left")
    text = tabulate(
        property_lines(rows), headers=HEADERS, tablefmt=form, disable_numparse=True, colalign=align
    )
    return f"{text}\n"
