"""A finding: what a check saw in a delivery, how bad it is, why it matters and what to do."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from avowed.pairs.doctor.catalogue import CODES, Meaning


class Severity(StrEnum):
    """How bad a finding is, worst first.

    Wrong: the records contradict what the instrument takes for granted, and no rate of them should
    be reported until that is explained. Thin: valid, but too little or too one-sided for a firm
    rate. Note: to be known when the rates are read.
    """

    WRONG = "wrong"
    THIN = "thin"
    NOTE = "note"


Number = int | float


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One finding about one cell, or about the whole delivery.

    Attributes:
        code: stable short name, a key of `avowed.pairs.doctor.catalogue.CODES`.
        severity: how bad it is.
        hint_type: the cell; None for the whole delivery.
        found: one sentence with the numbers.
        numbers: the same numbers for a program.
        instead: what to do here, where that differs from the catalogue's advice.

    Raises:
        ValueError: the code is unknown.

    >>> Finding(code="few_clusters", severity=Severity.THIN, found="...").section
    'HP 6, 7'
    """

    code: str
    severity: Severity
    hint_type: str | None = None
    found: str
    numbers: Mapping[str, Number] = field(default_factory=dict)
    instead: str | None = None

    def __post_init__(self) -> None:
        """Refuse a code that nobody can look up."""
        if self.code not in CODES:
            raise ValueError(f"{self.code} is no code of the catalogue")

    @property
    def meaning(self) -> Meaning:
        """What the catalogue says of the code."""
        return CODES[self.code]

    @property
    def section(self) -> str:
        """The section of the paper that it touches."""
        return self.meaning.section

    @property
    def why(self) -> str:
        """Why it matters."""
        return self.meaning.why

    @property
    def advice(self) -> str:
        """What to do."""
        return self.meaning.advice if self.instead is None else self.instead


def by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with the worst first; equally bad ones stay in their order.

    >>> thin = Finding(code="few_clusters", severity=Severity.THIN, found="")
    >>> wrong = Finding(code="replica_copies", severity=Severity.WRONG, found="")
    >>> [each.code for each in by_severity([thin, wrong])]
    ['replica_copies', 'few_clusters']
    """
    order = list(Severity)
    return sorted(findings, key=lambda each: order.index(each.severity))
