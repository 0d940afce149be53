"""Places of a first mapping that a person has not filled in yet."""

from collections.abc import Iterator
from typing import Any

from avowed.datafile import Document
from avowed.refusal import Refused
from avowed.strict_json import dotted

#: Stands where a column has to be named.
CHOOSE = "CHOOSE"

#: Keys under which values of the data stand, null and any word among them.
_VALUES_OF_DATA = frozenset(
    {"missing", "faithful", "unfaithful", "undetermined", "in", "not_in", "equals"}
)

_Place = tuple[str | int, ...]


def refuse_unfilled(document: Document) -> None:
    """Refuse a mapping in which something is left to fill in, naming every such place at once.

    That is `CHOOSE`, a key without a value, and a judge with neither a faithful nor an unfaithful
    value: which way its words point is never guessed.

    Raises:
        Refused: a place is left; each is told with its line and key.
    """
    left = list(_unfilled(document.data, ()))
    judge = document.data.get("judge")
    if isinstance(judge, dict) and "column" in judge:
        empty = [name for name in ("faithful", "unfaithful") if judge.get(name) == []]
        if len(empty) == 2:
            left += [(("judge", name), "the values") for name in empty]
    if left:
        told = [
            f"line {document.line(place)}, field {dotted(place)}: fill in {what}"
            for place, what in sorted(left, key=lambda one: document.line(one[0]))
        ]
        raise Refused(f"{document.path}, {'; '.join(told)}; docs/import.md explains the keys")


def _unfilled(value: Any, place: _Place) -> Iterator[tuple[_Place, str]]:
    if place and place[-1] in _VALUES_OF_DATA:
        return
    if value == CHOOSE:
        yield place, CHOOSE
    elif value is None and place and isinstance(place[-1], str):
        yield place, "a value"
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _unfilled(inner, (*place, str(key)))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _unfilled(inner, (*place, position))
