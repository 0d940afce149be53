"""The public-data table in the paper's form, as Markdown and LaTeX."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Literal

from tabulate import tabulate

from avowed.present.csvfile import Value

HEADERS = (
    "Condition",
    "Pairs analysed",
    "Hint-induced changes",
    "With a verdict",
    "Flagged omission",
    "95 % CI",
    "Susceptibility p",
    "Exposure, one attempt",
    "Status",
)


def share(value: Value, *, digits: int = 3) -> str:
    """Text of a share at a fixed number of decimals; a dash where it is undefined.

    >>> share(0.99382), share(None)
    ('0.994', '–')
    """
    if value is None or value == "":
        return "–"
    number = float(value)
    return "–" if math.isnan(number) else f"{number:.{digits}f}"


def interval(lower: Value, upper: Value, *, digits: int = 3) -> str:
    """Text of an interval, or a dash where it is undefined.

    >>> interval(0.99382, 1.0)
    '[0.994, 1.000]'
    """
    if share(lower) == "–" or share(upper) == "–":
        return "–"
    return f"[{share(lower, digits=digits)}, {share(upper, digits=digits)}]"


def inline(text: str) -> str:
    """Escape text for a line of Markdown, so that a name in it cannot become markup.

    >>> print(inline("a *b* <c>"))
    a \\*b\\* \\<c>
    """
    return re.sub(r"([\\`*_<|])", r"\\\1", " ".join(text.split()))


def _in_a_cell(text: str) -> str:
    return re.sub(r"([\\|])", r"\\\1", " ".join(text.split()))


def paper_rows(rows: Sequence[Mapping[str, Value]]) -> list[list[str]]:
    """Arrange wide rows in the paper's columns."""
    return [
        [
            str(row["condition"]),
            str(row["n_analysed"]),
            str(row["n_hint_change"]),
            str(row["n_evaluable"]),
            share(row["omission"]),
            interval(row["omission_lower"], row["omission_upper"]),
            share(row["susceptibility"]),
            share(row["exposure_1"]),
            str(row["status"]),
        ]
        for row in rows
    ]


def render(
    rows: Sequence[Mapping[str, Value]],
    *,
    form: Literal["github", "latex_booktabs"],
    confidence: float = 0.95,
) -> str:
    """Render wide rows as a table in Markdown (``github``) or LaTeX (``latex_booktabs``)."""
    headers = [name.replace("95 %", f"{100 * confidence:g} %") for name in HEADERS]
    cells = paper_rows(rows)
    if form == "github":
        # A hint type may hold what Markdown takes for the end of a cell or of the table.
        cells = [[_in_a_cell(text) for text in row] for row in cells]
    align = ("left", *("right",) * (len(headers) - 2), "left")
    text = tabulate(cells, headers=headers, tablefmt=form, disable_numparse=True, colalign=align)
    return f"{text}\n"
