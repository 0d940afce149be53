"""Rules that need the whole delivery: R10 (coverage) and R11 (unique records), HP section 5."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from avowed.pairs.columns import words_in
from avowed.pairs.header_rules import is_integer
from avowed.pairs.record import Reason
from avowed.pairs.rules_records import Facts
from avowed.pairs.violation import Violation
from avowed.strict_json import token_of

Rows = npt.NDArray[np.int64]

_REASONS = tuple(Reason)


class CoverageCount:
    """Counts records by hint type and reason while they pass, for R10.

    A record whose hint type or reason is itself invalid cannot be counted with certainty. It
    widens what the header may declare instead of causing a violation of its own.

    Args:
        hint_types: the declared hint types.
    """

    def __init__(self, hint_types: tuple[str, ...]) -> None:
        """Start at zero."""
        self.hint_types = hint_types
        # Last row: hint type unusable. Columns: each reason, none, reason unusable.
        self._counts = np.zeros((len(hint_types) + 1, len(_REASONS) + 2), dtype=np.int64)

    def add(self, facts: Facts) -> None:
        """Count the records of a batch."""
        kind = words_in(facts.batch.columns["hint_type"], self.hint_types)
        kind = np.where(facts.valid("hint_type") & (kind >= 0), kind, len(self.hint_types))
        reason = facts.values("reason_not_evaluable").astype(np.int64)
        reason = np.where(facts.null("reason_not_evaluable"), len(_REASONS), reason)
        reason = np.where(facts.usable("reason_not_evaluable"), reason, len(_REASONS) + 1)
        width = self._counts.shape[1]
        flat = np.bincount(kind * width + reason, minlength=self._counts.size)
        self._counts += flat.reshape(self._counts.shape)

    def completed(self, hint_type: str) -> int:
        """Records of a hint type."""
        return int(self._counts[self.hint_types.index(hint_type)].sum())

    def reasons(self, hint_type: str) -> dict[str, int]:
        """Records of a hint type per reason, those that occur."""
        row = self._counts[self.hint_types.index(hint_type)]
        return {str(r): int(n) for r, n in zip(_REASONS, row, strict=False) if n}

    def violations(self, coverage: list[Any]) -> Iterator[Violation]:
        """Where the declared coverage disagrees with the records (R10).

        Args:
            coverage: the header's coverage entries as parsed; a part of the wrong type has been
                named before and is passed over.
        """
        entries = [entry if isinstance(entry, dict) else {} for entry in coverage]
        named = Counter(e["hint_type"] for e in entries if isinstance(e.get("hint_type"), str))
        for hint_type in self.hint_types:
            if named[hint_type] != 1:
                yield _r10(
                    "coverage",
                    f"{named[hint_type]} entries for {token_of(hint_type)}",
                    f"exactly one entry for the hint type {hint_type}",
                )
        for index, entry in enumerate(entries):
            place, kind = f"coverage[{index}]", entry.get("hint_type")
            yield from _sum_violation(place, entry)
            if not isinstance(kind, str) or not kind:
                continue
            if kind not in self.hint_types:
                declared = ", ".join(self.hint_types)
                yield _r10(
                    f"{place}.hint_type", token_of(kind), f"a declared hint type: {declared}"
                )
            elif named[kind] == 1:
                yield from self._count_violations(place, kind, entry)

    def _count_violations(
        self, place: str, hint_type: str, entry: Mapping[str, Any]
    ) -> Iterator[Violation]:
        row, uncertain = self._counts[self.hint_types.index(hint_type)], self._counts[-1]
        completed, low = entry.get("completed"), int(row.sum())
        if is_count(completed) and not low <= completed <= low + int(uncertain.sum()):
            yield _r10(
                f"{place}.completed",
                token_of(completed),
                f"{low}, the number of records of hint type {hint_type}",
            )
        reasons = entry.get("not_evaluable")
        if not isinstance(reasons, dict):
            return
        for code, reason in enumerate(_REASONS):
            declared, low = reasons.get(reason, 0), int(row[code])
            spare = int(row[-1] + uncertain[code] + uncertain[-1])
            if is_count(declared) and not low <= declared <= low + spare:
                yield _r10(
                    f"{place}.not_evaluable.{reason}",
                    token_of(reasons[reason]) if reason in reasons else "nothing",
                    f"{low}, the number of records of hint type {hint_type} with this reason",
                )


def is_count(value: object) -> TypeGuard[int]:
    """Whether a parsed JSON value is an integer of at least 0."""
    return is_integer(value) and value >= 0


def _sum_violation(place: str, entry: Mapping[str, Any]) -> Iterator[Violation]:
    planned, completed, incomplete = (
        entry.get(key) for key in ("planned", "completed", "incomplete")
    )
    if not (is_count(planned) and is_count(completed) and is_count(incomplete)):
        return
    if planned != completed + incomplete:
        yield _r10(
            f"{place}.planned",
            token_of(planned),
            f"{completed + incomplete}, completed {completed} plus incomplete {incomplete}",
        )


def _r10(field: str, found: str, expected: str) -> Violation:
    return Violation(rule="R10", field=field, found=found, expected=expected)


@dataclass(frozen=True, kw_only=True)
class Duplicates:
    """What R11 found.

    Attributes:
        rows: rows that repeat the key of an earlier one, ascending, shape (d,).
        first: the row of the first record with that key, shape (d,).
        across_sessions: number of records whose probe and replica occur in another session too.
        example: two such rows, or None.
    """

    rows: Rows
    first: Rows
    across_sessions: int
    example: tuple[int, int] | None


class KeyCount:
    """Collects the keys (session, probe, replica) while records pass, for R11.

    Strings are kept as Arrow arrays and only turned to integer codes at the end, when equal keys
    are found by sorting codes. Records with an invalid part in their key are left out.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._sessions: list[pa.Array] = []
        self._probes: list[pa.Array] = []
        self._replicas: list[Rows] = []
        self._rows: list[Rows] = []

    def add(self, facts: Facts) -> None:
        """Collect the keys of a batch."""
        columns = facts.batch.columns
        whole = facts.valid("session_id") & facts.valid("probe_id") & columns["replica"].typed
        within = np.flatnonzero(whole)
        for name, kept in (("session_id", self._sessions), ("probe_id", self._probes)):
            text = columns[name].text
            if text is not None:
                text = text if whole.all() else text.take(pa.array(within))
                kept.append(text.cast(pa.large_string()).dictionary_encode())
        self._replicas.append(columns["replica"].values[within])
        self._rows.append(within + facts.batch.first_row)

    def result(self) -> Duplicates:
        """Find the keys that occur more than once."""
        rows = np.concatenate([np.zeros(0, dtype=np.int64), *self._rows])
        if not rows.size:
            return Duplicates(rows=rows, first=rows, across_sessions=0, example=None)
        replicas = np.concatenate(self._replicas)
        probe_replica = _joined(_codes(self._probes), _dense(replicas))
        key = _joined(_codes(self._sessions), probe_replica)
        repeated, first = _repeats(key)
        unique = np.ones(len(rows), dtype=bool)
        unique[repeated] = False
        kept = np.flatnonzero(unique)
        again, before = _repeats(probe_replica[kept])
        example = (int(rows[kept[before[0]]]), int(rows[kept[again[0]]])) if again.size else None
        return Duplicates(
            rows=rows[repeated],
            first=rows[first],
            across_sessions=len(again) + len(np.unique(before)),
            example=example,
        )


def _codes(chunks: list[pa.Array]) -> Rows:
    whole = pa.chunked_array(chunks).unify_dictionaries().combine_chunks()
    whole = whole.chunk(0) if isinstance(whole, pa.ChunkedArray) else whole
    codes: Rows = pc.cast(whole.indices, pa.int64()).to_numpy()
    return codes


def _dense(values: Rows) -> Rows:
    """Codes 0, 1, ... for distinct values, so that two of them can be joined into one integer."""
    codes: Rows = pa.array(values).dictionary_encode().indices.to_numpy().astype(np.int64)
    return codes


def _joined(left: Rows, right: Rows) -> Rows:
    """Dense codes of the pairs; both codes are below n, so the product stays below n squared."""
    return _dense(left * (int(right.max()) + 1) + right)


def _repeats(key: Rows) -> tuple[Rows, Rows]:
    """Positions whose key occurred before, ascending, and where it occurred first."""
    n_keys = int(key.max()) + 1 if key.size else 0
    first = np.full(n_keys, len(key), dtype=np.int64)
    positions = np.arange(len(key), dtype=np.int64)
    np.minimum.at(first, key, positions)
    repeated = np.flatnonzero(first[key] != positions)
    return repeated, first[key[repeated]]
