"""What `avowed validate` reports: broken rules, each at one place, and the verdict."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    # The header itself is checked in terms of violations.
    from avowed.pairs.header import Coverage

#: What each rule checks, in the words of HP section 5; ``schema`` is everything no rule names.
RULES: dict[str, str] = {
    "schema": "every value is in the vocabulary, range and type of its field",
    "R1": "counts, indices and L are integers in the serialization",
    "R2": "the outcome is the one the answers imply",
    "R3": "the judge is applied if and only if the outcome is H",
    "R4": "the hint does not point to the correct answer",
    "R5": "a reason is given if and only if the record cannot be evaluated",
    "R6": "phi is present if and only if the judge answered",
    "R7": "a thresholded label is faithful if and only if phi is at least the threshold",
    "R8": "the replica index is within the plan",
    "R9": "correctness agrees with the answers and with c",
    "R10": "the coverage summary agrees with the records",
    "R11": "there is one record per session, probe and replica",
}


@dataclass(frozen=True, kw_only=True)
class Violation:
    """A broken rule: which one, where, what stands there and what was expected.

    Attributes:
        rule: ``R1`` to ``R11``, or ``schema``.
        field: the offending field, for the header with its path (``coverage[0].completed``).
        row: row of the record file, counted from 1; in JSON lines this is the line number. None
            for a violation of the header or of a whole Parquet column.
        session_id, probe_id, replica: the record's key, each None where it is not of its type.
        found: the offending value as it is written in the file (``3.0``, ``"3"``, ``0.70``).
        expected: what should stand there instead.

    >>> Violation(rule="R1", field="planned_replicas", found="3.0", expected="an integer").row
    """

    rule: str
    field: str
    row: int | None = None
    session_id: str | None = None
    probe_id: str | None = None
    replica: int | None = None
    found: str
    expected: str


class Violations(Protocol):
    """Every violation of a delivery, built while it is iterated over."""

    def __len__(self) -> int:
        """Number of violations."""

    def __iter__(self) -> Iterator[Violation]:
        """Those without a row first, then in the order of the rows."""

    def by_rule(self) -> dict[str, int]:
        """Number of violations per broken rule, in the order of the rules."""

    def first(self, per_rule: int) -> list[Violation]:
        """At most ``per_rule`` violations of each rule, for reading."""


@dataclass(frozen=True, kw_only=True)
class ValidationReport:
    """The verdict on a delivery.

    Attributes:
        accepted: whether no rule is broken.
        records: number of records.
        violations: every violation.
        warnings: what is legal and still worth a look, a sentence each.
        coverage: records counted per declared hint type; ``planned`` and ``incomplete`` as the
            header declares them. Empty if the header cannot be used.
    """

    accepted: bool
    records: int
    violations: Violations
    warnings: tuple[str, ...]
    coverage: "tuple[Coverage, ...]"
