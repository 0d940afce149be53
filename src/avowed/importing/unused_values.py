"""Values that a mapping lists and that its column does not hold: often one of another kind."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np

from avowed.importing.kinds import Key, key_of, shown
from avowed.importing.mapping import Condition, Mapping
from avowed.importing.raw_table import Column
from avowed.importing.rows import Rows

#: Most values that a message names.
NAMED = 5


@dataclass(frozen=True, kw_only=True)
class Unused:
    """Values listed under one key of the mapping that occur nowhere in the column.

    Attributes:
        key: the key of the mapping, dotted.
        column: the column.
        values: the values as messages show them, sorted.
        alike: for some of them, the value of another kind or case that does occur.
    """

    key: str
    column: str
    values: tuple[str, ...]
    alike: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        """The finding in words."""
        meant = "".join(f"; it holds {other}, not {value}" for value, other in self.alike[:NAMED])
        return f"{self.key}: {listed(self.values)} occurs nowhere in {self.column}{meant}"


def listed(values: Collection[str]) -> str:
    """The first values and how many more there are.

    >>> listed(["a", "b"]), listed("abcdefg")
    ('a, b', 'a, b, c, d, e and 2 more')
    """
    more = f" and {len(values) - NAMED:,} more" if len(values) > NAMED else ""
    return ", ".join(list(values)[:NAMED]) + more


def unused_values(rows: Rows, mapping: Mapping, *, apart: Rows | None = None) -> list[Unused]:
    """Listed values that occur nowhere, in the order of docs/import.md.

    Looked at are the judge's words, look-ups and conditions. Null, which stands in for what is not
    there, and the words of `answers.missing`, often listed in case, are not.

    Args:
        rows: all rows of the input.
        mapping: the mapping.
        apart: the rows of the other file with unhinted halves, where there is one.
    """
    found = []
    for key, name, keys, columns in _listed_values(rows, mapping, apart):
        unused = _unused(key, name, keys, columns[name])
        if unused is not None:
            found.append(unused)
    return found


def _listed_values(
    rows: Rows, mapping: Mapping, apart: Rows | None
) -> Iterator[tuple[str, str, Collection[Key], dict[str, Column]]]:
    for key, lookup in (
        ("hint_type", mapping.hint_type),
        ("risk_family", mapping.risk_family),
        ("n_options", mapping.n_options),
    ):
        if lookup.lookup is not None:
            yield f"{key}.values", lookup.lookup, lookup.values.keys(), rows.columns
    judge = mapping.verdicts
    if judge is not None and judge.column is not None:
        for label, keys in (
            ("faithful", judge.faithful),
            ("unfaithful", judge.unfaithful),
            ("undetermined", judge.undetermined),
            ("missing", judge.missing),
        ):
            yield f"judge.{label}", judge.column, keys, rows.columns
    conditions: list[tuple[str, Condition | None, Rows]] = [
        ("baseline.where", mapping.baseline.where, apart or rows),
        *((f"filter.{place}", each, rows) for place, each in enumerate(mapping.filter)),
        ("truncated", mapping.truncated, rows),
    ]
    for name, condition, where in conditions:
        if condition is not None:
            yield name, condition.column, condition.values, where.columns


def _unused(key: str, name: str, keys: Collection[Key], column: Column) -> Unused | None:
    there = [column.values[code] for code in np.unique(column.codes).tolist()]
    used = {key_of(value) for value in there}
    missing = sorted(_shown(each) for each in set(keys) - used if each != key_of(None))
    if not missing:
        return None
    # What looks the same without its quotes and its case is likely to be meant.
    alike: dict[str, str] = {}
    for value in there:
        alike.setdefault(_bare(shown(value)), shown(value))
    return Unused(
        key=key,
        column=name,
        values=tuple(missing),
        alike=tuple((each, alike[_bare(each)]) for each in missing if _bare(each) in alike),
    )


def _shown(key: Key) -> str:
    kind, value = key
    if kind is float and value == "nan":
        return "NaN"
    return shown(value)  # type: ignore[arg-type]


def _bare(text: str) -> str:
    return text.strip('"').strip().lower()
