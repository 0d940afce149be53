"""Halves and conversations that occur more than once: reused, or one probe under two ids."""

import json
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from avowed.pairs.doctor.examined import Examined, Ints, codes_of, constant_within
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of

_HINTED = ("hinted_half_id", "hinted_conversation")
_BASELINE = ("baseline_half_id", "baseline_conversation")

#: Share of the records above which one reference is a file of many conversations.
_CONTAINER = 0.5


def reused_halves(records: pa.Table) -> list[Finding]:
    """One hinted half, or its conversation, in several records of a delivery.

    In records of one probe it makes copies of replicas; in records of several probes, one probe
    goes under several ids. A reference that more than half of all records share names a file of
    many conversations, and tells nothing.

    Source: HP sections 3, 5 and 6.
    """
    probe = codes_of(records.column("probe_id"))
    found: list[Finding] = []
    for name in _HINTED:
        codes = codes_of(records.column(name))
        found += _reused(records, name, codes, probe, known=found)
    return found


def _reused(
    records: pa.Table, name: str, codes: Ints, probe: Ints, *, known: Sequence[Finding]
) -> list[Finding]:
    rows = np.flatnonzero(codes >= 0)
    if rows.size < 2:
        return []
    codes, probe = codes[rows], probe[rows]
    same_probe, size = constant_within(codes, probe)
    if size.max() > max(2, _CONTAINER * rows.size):
        return [
            Finding(
                code="reference_not_specific",
                severity=Severity.NOTE,
                found=(
                    f"one {name} stands in {part_of(int(size.max()), int(rows.size), 'record')}; "
                    "it cannot tell halves apart"
                ),
                numbers={"records": int(size.max()), "n": int(rows.size)},
            )
        ]
    findings = []
    for code, where, what in (
        ("hinted_half_reused", same_probe & (size > 1), "several replicas of one probe"),
        ("duplicate_probes", ~same_probe & (size > 1), "several probe ids"),
    ):
        if not where.any() or any(each.code == code for each in known):
            continue
        first = rows[int(np.argmax(where[codes]))]
        example = records.column(name)[int(first)].as_py()
        findings.append(
            Finding(
                code=code,
                severity=Severity.WRONG,
                found=(
                    f"records of {what} share {name}: {counted(int(where.sum()), 'value')}, "
                    f"{counted(int(size[where].sum()), 'record')}; the first is "
                    f"{json.dumps(example)} in row {int(first) + 1}"
                ),
                numbers={"reused": int(where.sum()), "records": int(size[where].sum())},
            )
        )
    return findings


def baseline_across_probes(examined: Examined) -> list[Finding]:
    """One unhinted half serves several probes of a cell: they ask the same question.

    Source: HP section 6.
    """
    for name in _BASELINE:
        codes = examined.codes(name)
        rows = np.flatnonzero(codes >= 0)
        if rows.size < 2:
            continue
        same_probe, size = constant_within(codes[rows], examined.cell.probe[rows])
        shared = ~same_probe & (size > 1)
        if not shared.any() or size.max() > max(2, _CONTAINER * rows.size):
            continue
        found = (
            f"several probes share one {name}: {counted(int(shared.sum()), 'value')}, "
            f"{part_of(int(size[shared].sum()), len(examined.cell), 'pair')}"
        )
        numbers = {"shared": int(shared.sum()), "pairs": int(size[shared].sum())}
        return [examined.find("baseline_across_probes", Severity.THIN, found, **numbers)]
    return []
