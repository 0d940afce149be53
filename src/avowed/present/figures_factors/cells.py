"""Rows of the long table of a use case as its figures need them: cells taken apart, and words."""

import math
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from avowed.present.canvas import broken
from avowed.present.factors_csv import SEPARATOR
from avowed.present.figures.table import Row, Rows, pick, span

#: What is kept of the long table beside a picture.
LONG = (
    "study",
    "cell",
    "quantity",
    "k",
    "estimate",
    "lower",
    "upper",
    "method",
    "status",
    "n",
    "clusters",
    "note",
)

#: The cell of a mean over all components, as in the long table.
ALL = "all components"

#: Criterion -> what its score is, as an axis names it.
SCORES = {
    "necessity": "necessity PN, share of trials\nthat change the decision",
    "sufficiency": "sufficiency PS, share of trials\nthat keep the decision",
}
UNDEFINED = "undefined"

#: A component with fewer responses than this does not set the range that a title states.
LEAST_N = 10


def kept(rows: Rows, quantities: Collection[str], *, parts: bool = False) -> list[dict[str, Any]]:
    """The rows of some quantities: of whole components, or of their parts."""
    wanted = [
        row
        for row in rows
        if row["quantity"] in quantities and (SEPARATOR in str(row["cell"])) == parts
    ]
    return pick(wanted, LONG)


def split(cell: object) -> tuple[str, str]:
    """Component and part of a cell; the part is the last name in it.

    >>> split("faithful · age"), split("faithful")
    (('faithful', 'age'), ('faithful', ''))
    """
    before, _, last = str(cell).rpartition(SEPARATOR)
    return (before, last) if before else (last, "")


def cell_of(component: str, part: str) -> str:
    """The cell of a part of a component.

    >>> cell_of("faithful", "age")
    'faithful · age'
    """
    return f"{component}{SEPARATOR}{part}"


def components(rows: Rows) -> list[str]:
    """The components in the order of the table, and after them the means over several.

    Of one component alone there is no mean: it would be the same number again.
    """
    names = dict.fromkeys(split(row["cell"])[0] for row in rows)
    alone = singles(rows)
    if len(alone) == 1:
        return alone
    return sorted(names, key=lambda name: name not in alone)


def singles(rows: Rows) -> list[str]:
    """The components without the means over several, in the order of the table."""
    names = dict.fromkeys(split(row["cell"])[0] for row in rows)
    means = {split(row["cell"])[0] for row in rows if is_mean(row)}
    return [name for name in names if name not in means]


def parts(rows: Rows) -> list[str]:
    """The features, or the prompts, in the order of the table."""
    return [name for name in dict.fromkeys(split(row["cell"])[1] for row in rows) if name]


def is_mean(row: Row) -> bool:
    """Whether a row is a mean over several components, as its note says."""
    return split(row["cell"])[0] == ALL or str(row["note"] or "").startswith("mean over ")


def basis(rows: Iterable[Row | None]) -> str:
    """How many components some means rest on, as their notes say; empty where none says it.

    >>> basis([{"note": "mean over 1 of 8 components"}, {"note": None}])
    '1 of 8'
    >>> basis([{"note": f"mean over {k} of 8 components; left out"} for k in (8, 7)])
    '7 to 8 of 8'
    """
    notes = [str(row["note"] or "") for row in rows if row is not None]
    found = [re.match(r"mean over (\d+) of (\d+) components", note) for note in notes]
    there = [(int(one[1]), int(one[2])) for one in found if one]
    if not there:
        return ""
    low, high = min(k for k, _ in there), max(k for k, _ in there)
    return f"{low} of {there[0][1]}" if low == high else f"{low} to {high} of {there[0][1]}"


def of_fewer(row: Row | None) -> str:
    """A remark in brackets where a mean does not rest on all components.

    >>> of_fewer({"note": "mean over 1 of 8 components"})
    ' (1 of 8 components)'
    >>> of_fewer({"note": "mean over 2 of 2 components"})
    ''
    """
    words = basis([row])
    first, _, last = words.partition(" of ")
    return "" if first == last else f" ({words} components)"


def mean_label(rows: Rows, means: Iterable[Row | None], confidence: float) -> str:
    """Legend of the headline: the mean and what it rests on, or the one component there is."""
    level = f"{100 * confidence:g} % interval"
    alone = singles(rows)
    if len(alone) == 1:
        return f"{broken(alone[0], width=40, lines=1)}, {level}"
    words = basis(means)
    return f"mean over {words} components, {level}" if words else f"mean over components, {level}"


def component_span(rows: Rows, more: str = "") -> str:
    """How far components are apart, for a title; those that rest on few responses do not count."""
    there = [row for row in rows if not is_mean(row) and row["estimate"] is not None]
    told = [row for row in there if row["n"] >= LEAST_N and row["status"] != "insufficient"]
    if len({row["cell"] for row in told}) < 2:
        return ""
    which = "components" if len(told) == len(there) else f"components with n of {LEAST_N} or more"
    return f"; {which} run from {span([row['estimate'] for row in told], said)}{more}"


def read_estimates(path: Path) -> list[dict[str, Any]]:
    """The rows of a long table."""
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def of_study(rows: Rows, study: str) -> list[dict[str, Any]]:
    """Rows under the name of their study, which is not the use case's for recorded responses.

    >>> of_study([{"study": "ticket", "n": 3}], "mine")
    [{'study': 'mine', 'n': 3}]
    """
    return [{**row, "study": study} for row in rows]


def find(rows: Rows, cell: str, quantity: str, k: int | None = None) -> Row | None:
    """The row of a cell and a quantity, if there is one."""
    for row in rows:
        if row["cell"] == cell and row["quantity"] == quantity and row["k"] == k:
            return row
    return None


def by_component(rows: Rows, quantity: str, k: int | None = None) -> dict[str, Row]:
    """Cell -> its row of a quantity."""
    return {str(row["cell"]): row for row in rows if row["quantity"] == quantity and row["k"] == k}


def single(found: dict[str, Row]) -> list[Row]:
    """The rows of single components that have an estimate."""
    return [row for row in found.values() if not is_mean(row) and row["estimate"] is not None]


def ranks(rows: Rows) -> list[int]:
    """Every k of the rows, in order."""
    return sorted({row["k"] for row in rows if row["k"] is not None})


def estimate(row: Row | None) -> float | None:
    """The estimate of a row that may be missing."""
    return None if row is None else row["estimate"]


def said(value: float | None, form: str = "{:.2f}") -> str:
    """A number in words.

    >>> said(0.25), said(None), said(-0.001), said(0.5, "{:+.2f}")
    ('0.25', 'undefined', '0.00', '+0.50')
    """
    if value is None:
        return UNDEFINED
    text = form.format(value)
    return text.lstrip("+-") if not any(digit in text for digit in "123456789") else text


def percent(value: float | None) -> str:
    """A share in percent, a half rounded up.

    >>> percent(0.256), percent(0.325), percent(None)
    ('26 %', '33 %', 'undefined')
    """
    # 0.285 is a little less in floating point, and is a half all the same.
    return UNDEFINED if value is None else f"{math.floor(round(100 * value, 9) + 0.5)} %"


def listed(words: Iterable[object]) -> str:
    """Words as a list.

    >>> listed([1]), listed([1, 2, 3]), listed([])
    ('1', '1, 2 and 3', 'none')
    """
    texts = [str(word) for word in words]
    if not texts:
        return "none"
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def titled(rows: Rows, text: str) -> str:
    """A message with the study in front.

    >>> titled([{"study": "loan"}], "nothing moves")
    'Loan: nothing moves'
    """
    names = list(dict.fromkeys(str(row["study"]) for row in rows))
    name = broken(", ".join(names), width=40, lines=1)
    return f"{name[:1].upper()}{name[1:]}: {text}" if name else text[:1].upper() + text[1:]
