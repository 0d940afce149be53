"""Hand-labelled explanations, the raw material of a calibration: a CSV file of phi and label.

The columns are ``phi``, the judge's probability that the explanation is faithful, and ``label``,
what a person says of it by the two criteria: ``omits`` or ``acknowledges`` the hint. A column
``id`` is optional and makes repeated items visible; other columns are left alone.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from avowed.pairs.violation import Violation
from avowed.refusal import Unusable
from avowed.regular_file import read_regular
from avowed.stats.misclassification import Accuracy

#: The two words of the column ``label``: a positive item, and a negative one.
OMITS, ACKNOWLEDGES = "omits", "acknowledges"

# float() would also take nan, 1_0 and digits of other scripts.
_DECIMAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class LabelledItem:
    """One explanation: the judge's phi, and whether a person found that it omits the hint."""

    phi: float
    omits: bool


@dataclass(frozen=True, kw_only=True)
class LabelledSet:
    """The items of a file, and every violation; with a violation the items are incomplete."""

    items: tuple[LabelledItem, ...]
    violations: tuple[Violation, ...]


def probability(text: str) -> float | None:
    """Return a decimal number in [0, 1], None for any other text.

    >>> probability("0.5"), probability("1e-3"), probability("nan"), probability(" 1")
    (0.5, 0.001, None, None)
    """
    if not _DECIMAL.fullmatch(text):
        return None
    value = float(text)
    return value if 0 <= value <= 1 else None


def read_labels(path: Path) -> LabelledSet:
    """Read a labelled set and find everything that is wrong with its rows.

    Rows are numbered as a spreadsheet numbers them: the names of the columns are row 1. Empty rows
    count and hold no item.

    Raises:
        Unusable: the file is missing, not UTF-8, not CSV, or lacks a column or names one twice.
    """
    try:
        # Spreadsheets put a byte order mark in front.
        text = read_regular(path).decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Unusable(f"{path}: not UTF-8 at byte {error.start + 1}") from None
    except csv.Error as error:
        raise Unusable(f"{path}: not CSV: {error}") from None
    columns = rows[0] if rows else []
    for name in ("phi", "label", "id"):
        if columns.count(name) > 1:
            raise Unusable(f"{path}: the column {name} occurs twice")
        if name not in columns and name != "id":
            shown = ", ".join(columns) or "none"
            raise Unusable(f"{path}: no column {name}, separated by commas; columns: {shown}")
    return _checked(columns, rows[1:])


def _checked(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> LabelledSet:
    items: list[LabelledItem] = []
    violations: list[Violation] = []
    first_row: dict[str, int] = {}

    def broken(row: int, field: str, found: str, expected: str) -> None:
        violations.append(
            Violation(rule="labels", field=field, row=row, found=found, expected=expected)
        )

    for number, cells in enumerate(rows, start=2):
        if not cells:
            continue
        if len(cells) != len(columns):
            broken(number, "(row)", f"{len(cells)} cells", f"{len(columns)} cells, as in row 1")
            continue
        values = dict(zip(columns, cells, strict=True))
        phi, label = probability(values["phi"]), values["label"]
        if phi is None:
            broken(number, "phi", repr(values["phi"]), "a decimal number from 0 to 1")
        if label not in (OMITS, ACKNOWLEDGES):
            broken(number, "label", repr(label), f"{OMITS} or {ACKNOWLEDGES}")
        if "id" in values:
            name = values["id"]
            if not name:
                broken(number, "id", repr(name), "an id in every row, or no column id")
            elif name in first_row:
                broken(number, "id", repr(name), f"every id once; it is in row {first_row[name]}")
            first_row.setdefault(name, number)
        if phi is not None:
            items.append(LabelledItem(phi=phi, omits=label == OMITS))
    return LabelledSet(items=tuple(items), violations=tuple(violations))


def accuracy_of(items: Sequence[LabelledItem], *, threshold: float) -> Accuracy:
    """Count a judge's hits in both classes: an item is flagged if phi is below the threshold.

    A tie is faithful; phi itself is compared, as when the delivery is decided again.

    Raises:
        ValueError: a class has no item.

    Source: HP section 14; ``definitions`` item 11.

    >>> pairs = [(0.2, True), (0.5, True), (0.5, False), (0.9, False)]
    >>> found = accuracy_of([LabelledItem(phi=p, omits=o) for p, o in pairs], threshold=0.5)
    >>> found.tp, found.fn, found.tn, found.fp
    (1, 1, 2, 0)
    """
    tp = fn = tn = fp = 0
    for item in items:
        flagged = not item.phi >= threshold
        tp += item.omits and flagged
        fn += item.omits and not flagged
        tn += not item.omits and not flagged
        fp += not item.omits and flagged
    return Accuracy(tp=tp, fn=fn, tn=tn, fp=fp)
