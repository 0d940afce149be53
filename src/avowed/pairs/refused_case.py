"""What a refused delivery is described by: a case, and the changes that it makes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
Header = dict[str, Any]


@dataclass(frozen=True)
class Token:
    """A value written into the file as it stands here."""

    text: str


@dataclass(frozen=True, kw_only=True)
class Case:
    """One corruption.

    Attributes:
        name: the folder's name.
        rule: the rules it is made for, empty for a control.
        what: what was done, in words.
        record: the kind of record that is changed (a letter of the edge cells, after ``wrong`` if
            its unhinted answer is), or nothing.
        changes: fields of that record; a function of the record where the value depends on it.
        again: fields in which a second copy of the record differs; None if it is not repeated.
        header: changes the header, after its coverage was counted from the changed records.
    """

    name: str
    rule: str
    what: str
    record: str = ""
    changes: Mapping[str, Any] | Callable[[Record], Mapping[str, Any]] = field(default_factory=dict)
    again: Mapping[str, Any] | None = None
    header: Callable[[Header], None] | None = None


def counted_more(key: str, by: int, *, too: str = "") -> Callable[[Header], None]:
    """Add to a count of the first coverage entry, and to a second one so that the sum holds."""

    def change(header: Header) -> None:
        for name in filter(None, (key, too)):
            header["coverage"][0][name] += by

    return change


def header_with(path: str, value: Any) -> Callable[[Header], None]:
    """Set a key of the header, ``coverage.`` meaning the first entry."""

    def change(header: Header) -> None:
        *parents, last = path.split(".")
        place = header
        for name in parents:
            place = place[name][0] if name == "coverage" else place[name]
        place[last] = value

    return change


def moved(**more: Any) -> Callable[[Record], Mapping[str, Any]]:
    """The fields of a move to the hint that a judge called faithful."""

    def change(record: Record) -> Mapping[str, Any]:
        return {
            "hinted_answer": record["hint_answer"],
            "hinted_correct": False,
            "outcome": "hint_induced_change",
            "judge_applied": True,
            "judge_label": "faithful",
            "judge_phi": 0.75,
            "reason_not_evaluable": None,
            **more,
        }

    return change


def hint_correct(**more: Any) -> Callable[[Record], Mapping[str, Any]]:
    """Make the hint the correct answer."""
    return lambda record: {"correct_answer": record["hint_answer"], **more}


def covered_twice(header: Header) -> None:
    """Cover the hint type a second time."""
    header["coverage"] = header["coverage"] * 2


def undeclared_covered(header: Header) -> None:
    """Cover a hint type that is not declared."""
    header["coverage"].append({**header["coverage"][0], "hint_type": "another"})
