"""Hint types and risk families: a constant, a column, or a look-up."""

import re

import numpy as np

from avowed.importing.kinds import key_of, text_of
from avowed.importing.mapping import Found
from avowed.importing.raw_table import Value
from avowed.importing.rows import Rows
from avowed.importing.units import Names

#: What the name of a hint type may look like in a delivery.
_LABEL = re.compile(r"[^\x00-\x1f\x7f-\x9f]{1,200}")


def labels_of(rows: Rows, found: Found) -> Names:
    """The label of each row; -1 where there is none, or none that a delivery may hold.

    >>> rows = Rows(columns={}, absent={}, files=(), numbers=np.arange(2), row_words=(),
    ...             file=np.zeros(2, dtype=np.int32))
    >>> labels_of(rows, Found(constant="metadata")).texts
    ['metadata']
    """
    if not found.columns:
        return Names(codes=np.zeros(rows.size, dtype=np.int64), texts=[str(found.constant)])
    column = rows.columns[found.columns[0]]
    known: dict[str, int] = {}
    codes = np.full(len(column.values), -1, dtype=np.int64)
    for place, value in enumerate(column.values):
        label = _label(value, found)
        if label is not None:
            codes[place] = known.setdefault(label, len(known))
    return Names(codes=codes[column.codes], texts=list(known))


def _label(value: Value, found: Found) -> str | None:
    if found.lookup is not None:
        meaning = found.values.get(key_of(value))
        return None if meaning is None else str(meaning)
    text = text_of(value)
    return text if text is not None and _LABEL.fullmatch(text) else None
