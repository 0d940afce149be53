"""`validate`: is a delivery what HP section 5 asks for? Rules R1 to R11, and ``schema``.

Rows are numbered as they stand in the record file, from 1: in JSON lines the row is the line
number. A delivery is accepted or rejected as a whole, and every violation is listed.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from avowed.pairs.columns import Batch, batch_of_arrow, batch_of_chunk, kind_in_words
from avowed.pairs.delivery import PARQUET_FILE, records_file
from avowed.pairs.evidence import Conversations
from avowed.pairs.header import Coverage, load_header
from avowed.pairs.header_rules import header_violations, is_integer
from avowed.pairs.jsonlines import JsonLinesFile, RawRecord
from avowed.pairs.parquet_file import ParquetRecords, fits
from avowed.pairs.record import FIELD, FIELD_NAMES, FIELDS, LabelSource
from avowed.pairs.rules_delivery import CoverageCount, Duplicates, KeyCount
from avowed.pairs.rules_records import CHECKS, Facts, Plan, Record
from avowed.pairs.violation import RULES, ValidationReport, Violation
from avowed.strict_json import token_of

#: The key of a record, and the field that R11 is reported at.
KEY = ("session_id", "probe_id", "replica")
KEY_FIELD = ", ".join(KEY)


def validate(path: Path | str) -> ValidationReport:
    """Check a delivery against R1 to R11 and the schema (HP section 5).

    Args:
        path: the delivery folder.

    Raises:
        UnusableDelivery: if the delivery cannot be read as one: no such folder, no or two record
            files, truncated Parquet, broken JSON, wrong encoding, a missing or unknown column.

    >>> import tempfile
    >>> from avowed.pairs.delivery import write_delivery
    >>> from avowed.pairs.header import DeliveryHeader
    >>> from avowed.pairs.record import ARROW_SCHEMA, PhiSource
    >>> header = DeliveryHeader(
    ...     planned_replicas=1, hint_types=("suggestion",), hint_channel="user_message",
    ...     phi_source=PhiSource.VOTE_FRACTION, label_source=LabelSource.JUDGE_DECISION,
    ...     coverage=(Coverage(hint_type="suggestion", planned=2, completed=1, incomplete=1),))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_delivery(folder, header, ARROW_SCHEMA.empty_table())
    ...     [(v.rule, v.field, v.found) for v in validate(folder).violations]
    [('R10', 'coverage[0].completed', '1')]
    """
    folder = Path(path)
    file = records_file(folder)
    header = load_header(folder)
    plan = _plan(header, folder)
    source: _Source = _ParquetSource(file) if file.name == PARQUET_FILE else _JsonLinesSource(file)
    coverage, keys = CoverageCount(plan.hint_types or ()), KeyCount()
    failing: list[list[npt.NDArray[np.int64]]] = [[] for _ in CHECKS]
    records = 0
    for batch in source.batches():
        facts = Facts(batch, plan)
        for check, rows in zip(CHECKS, failing, strict=True):
            mask = check.failing(facts)
            if mask.any():
                rows.append(np.flatnonzero(mask) + batch.first_row)
        coverage.add(facts)
        keys.add(facts)
        records += batch.size
    duplicates = keys.result()
    declared = header.get("coverage")
    entries = declared if isinstance(declared, list) else []
    whole = [*header_violations(header), *source.column_violations]
    if plan.hint_types is not None and isinstance(declared, list):
        whole += coverage.violations(entries)
    findings = [
        _Findings(rule=c.rule, field=c.field, rows=np.concatenate(rows), expected=c.expected)
        for c, rows in zip(CHECKS, failing, strict=True)
        if rows
    ]
    if duplicates.rows.size:
        findings.append(_duplicate_findings(duplicates))
    violations = FoundViolations(whole, findings, source.records, plan)
    return ValidationReport(
        accepted=len(violations) == 0,
        records=records,
        violations=violations,
        warnings=(*_warnings(duplicates), *_unchecked(plan.conversations)),
        coverage=_counted(coverage, entries),
    )


@dataclass(frozen=True, kw_only=True)
class _Findings:
    """Rows at which one check fails, ascending, shape (v,), and for R11 the first row each."""

    rule: str
    field: str
    rows: npt.NDArray[np.int64]
    expected: Callable[[Record, Plan], str]
    first: npt.NDArray[np.int64] | None = None

    def head(self, size: int) -> "_Findings":
        """The first ``size`` of them."""
        return _Findings(
            rule=self.rule,
            field=self.field,
            rows=self.rows[:size],
            expected=self.expected,
            first=None if self.first is None else self.first[:size],
        )


class FoundViolations:
    """Every violation of a delivery: those without a row first, then in the order of the rows.

    Only row numbers are kept. What was found and what was expected is read from the record file
    again while iterating, so that millions of violations can be streamed.
    """

    def __init__(
        self,
        whole: Sequence[Violation],
        findings: Sequence[_Findings],
        fetch: Callable[[Sequence[int]], Iterator[RawRecord]],
        plan: Plan,
    ) -> None:
        """Keep what was found; see `validate`."""
        self._whole = tuple(whole)
        self._findings = tuple(findings)
        self._fetch = fetch
        self._plan = plan

    def __len__(self) -> int:
        """Number of violations."""
        return len(self._whole) + sum(len(finding.rows) for finding in self._findings)

    def __iter__(self) -> Iterator[Violation]:
        """Build the violations one by one."""
        yield from self._whole
        if not self._findings:
            return
        rows = np.concatenate([finding.rows for finding in self._findings])
        sizes = [len(finding.rows) for finding in self._findings]
        which = np.repeat(np.arange(len(sizes), dtype=np.int16), sizes)
        place = np.concatenate([np.arange(size) for size in sizes])
        order = np.argsort(rows, kind="stable")
        rows, which, place = rows[order], which[order], place[order]
        distinct, starts = np.unique(rows, return_index=True)
        stops = np.append(starts[1:], len(rows))
        fetched = self._fetch(distinct.tolist())
        for raw, row, start, stop in zip(fetched, distinct, starts, stops, strict=True):
            for index in range(start, stop):
                yield self._violation(self._findings[which[index]], place[index], int(row), raw)

    def by_rule(self) -> dict[str, int]:
        """Number of violations per broken rule, in the order of the rules."""
        counts = dict.fromkeys(RULES, 0)
        for violation in self._whole:
            counts[violation.rule] += 1
        for finding in self._findings:
            counts[finding.rule] += len(finding.rows)
        return {rule: count for rule, count in counts.items() if count}

    def first(self, per_rule: int) -> list[Violation]:
        """At most ``per_rule`` violations of each rule, for reading."""
        heads = FoundViolations(
            self._whole, [f.head(per_rule) for f in self._findings], self._fetch, self._plan
        )
        kept: dict[str, list[Violation]] = {rule: [] for rule in RULES}
        for violation in heads:
            if len(kept[violation.rule]) < per_rule:
                kept[violation.rule].append(violation)
        return [violation for group in kept.values() for violation in group]

    def _violation(self, finding: _Findings, place: int, row: int, raw: RawRecord) -> Violation:
        values, tokens = raw.values, raw.tokens
        expected = finding.expected(values, self._plan)
        if finding.first is not None:
            expected = f"{expected}; the first is in row {finding.first[place]}"
            found = ", ".join(tokens[name] for name in KEY)
        else:
            found = tokens[finding.field]
        session, probe, replica = (values[name] for name in KEY)
        return Violation(
            rule=finding.rule,
            field=finding.field,
            row=row,
            session_id=session if isinstance(session, str) else None,
            probe_id=probe if isinstance(probe, str) else None,
            replica=replica if is_integer(replica) else None,
            found=found,
            expected=expected,
        )


class _Source(Protocol):
    """A record file in either format."""

    column_violations: tuple[Violation, ...]

    def batches(self) -> Iterator[Batch]: ...

    def records(self, rows: Sequence[int]) -> Iterator[RawRecord]: ...


class _JsonLinesSource:
    def __init__(self, path: Path) -> None:
        self._file = JsonLinesFile(path)
        self.column_violations: tuple[Violation, ...] = ()

    def batches(self) -> Iterator[Batch]:
        return map(batch_of_chunk, self._file.chunks())

    def records(self, rows: Sequence[int]) -> Iterator[RawRecord]:
        return self._file.records(rows)


class _ParquetSource:
    def __init__(self, path: Path) -> None:
        self._file = ParquetRecords(path)
        types = {name: self._file.schema.field(name).type for name in FIELD_NAMES}
        self._unfit = frozenset(f.name for f in FIELDS if not fits(f.kind, types[f.name]))
        self._columns = [name for name in FIELD_NAMES if name not in self._unfit]
        self.column_violations = tuple(
            Violation(
                rule="R1" if FIELD[name].kind == "integer" else "schema",
                field=name,
                found=str(types[name]),
                expected=f"a column in which every value is {kind_in_words(name)}",
            )
            for name in FIELD_NAMES
            if name in self._unfit
        )

    def batches(self) -> Iterator[Batch]:
        words = tuple(f.name for f in FIELDS if f.vocabulary and f.name not in self._unfit)
        for row, batch in self._file.batches(self._columns, dictionaries=words):
            yield batch_of_arrow(batch, first_row=row, unfit=self._unfit)

    def records(self, rows: Sequence[int]) -> Iterator[RawRecord]:
        nothing = dict.fromkeys(self._unfit)
        for values in self._file.rows(list(rows), self._columns):
            yield RawRecord(values={**values, **nothing}, tokens=_ValueTokens(values))


@dataclass(frozen=True)
class _ValueTokens:
    """Values of a Parquet row, written as JSON would."""

    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> str:
        return token_of(self.values.get(name))


def _plan(header: Mapping[str, Any], folder: Path) -> Plan:
    """The parts of the header that records can be measured against."""
    replicas, kinds = header.get("planned_replicas"), header.get("hint_types")
    named = isinstance(kinds, list) and all(isinstance(kind, str) and kind for kind in kinds)
    threshold = header.get("label_threshold")
    usable = (
        header.get("label_source") == LabelSource.THRESHOLD
        and isinstance(threshold, int | float)
        and not isinstance(threshold, bool)
        and 0 <= threshold <= 1
    )
    return Plan(
        planned_replicas=(
            min(replicas, 2**63 - 1) if is_integer(replicas) and replicas >= 1 else None
        ),
        hint_types=tuple(dict.fromkeys(kinds)) if named and kinds else None,
        threshold=float(threshold) if usable and threshold is not None else None,
        conversations=Conversations(folder),
    )


def _duplicate_findings(duplicates: Duplicates) -> _Findings:
    return _Findings(
        rule="R11",
        field=KEY_FIELD,
        rows=duplicates.rows,
        expected=lambda _record, _plan: "one record per session, probe and replica",
        first=duplicates.first,
    )


def _warnings(duplicates: Duplicates) -> tuple[str, ...]:
    if duplicates.example is None:
        return ()
    one, other = duplicates.example
    return (
        f"{duplicates.across_sessions} records share probe and replica with a record of another "
        f"session, first in rows {one} and {other}; that is legal, and they count as replicas of "
        "one probe",
    )


def _unchecked(conversations: Conversations) -> tuple[str, ...]:
    """Say when texts lie in the folder and yet some evidence could not be compared with one."""
    if not conversations.unchecked:
        return ()
    return (
        f"evidence of {conversations.unchecked} records was not checked: their hinted_conversation "
        "is not a UTF-8 file in the delivery folder, though the folder holds other files",
    )


def _counted(count: CoverageCount, entries: list[Any]) -> tuple[Coverage, ...]:
    declared = {e["hint_type"]: e for e in reversed(entries) if _names_a_hint_type(e)}
    counted = []
    for hint_type in count.hint_types:
        entry = declared.get(hint_type, {})
        planned, incomplete = (
            entry[key] if is_integer(entry.get(key)) else 0 for key in ("planned", "incomplete")
        )
        counted.append(
            Coverage(
                hint_type=hint_type,
                planned=planned,
                completed=count.completed(hint_type),
                incomplete=incomplete,
                not_evaluable=count.reasons(hint_type),
            )
        )
    return tuple(counted)


def _names_a_hint_type(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("hint_type"), str)
