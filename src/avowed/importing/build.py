"""From rows and a mapping to the records and the header of a delivery."""

from collections.abc import Mapping as Map
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

import numpy as np
import pyarrow as pa

from avowed.importing.coded import Coded, code_pairs
from avowed.importing.exclusions import Exclusions, Reason, What
from avowed.importing.mapping import Mapping, Verdicts
from avowed.importing.paired import Selected, select
from avowed.importing.raw_table import Column
from avowed.importing.records import Pairs, records_of, sorted_positions
from avowed.importing.rows import Ints, Mask, Rows, combined
from avowed.importing.units import Names
from avowed.importing.unused_values import Unused, unused_values
from avowed.pairs.evidence import Conversations
from avowed.pairs.header import DeliveryHeader, coverage_of
from avowed.pairs.record import LabelSource, PhiSource
from avowed.refusal import Refused

#: The files that an import adds to a delivery.
EXCLUSIONS_FILE, IMPORT_FILE = "exclusions.csv", "import.json"


@dataclass(frozen=True, kw_only=True)
class Counts:
    """What became of the rows: read = passed_over + unhinted + records + incomplete + left_out.

    Attributes:
        read: rows of the input.
        passed_over: rows that the filter passes over.
        unhinted: rows that are unhinted halves for other rows.
        records: pairs in the delivery.
        incomplete: pairs that lack a half.
        left_out: rows that are left out.
        unused: unhinted halves that no hinted row uses.
        taken_as_missing: junk answers that count as not extracted, because the mapping says so.
    """

    read: int
    passed_over: int
    unhinted: int
    records: int
    incomplete: int
    left_out: int
    unused: int
    taken_as_missing: int


@dataclass(frozen=True, kw_only=True)
class Built:
    """A delivery in memory, what was left out, the counts, and what the mapping lists in vain."""

    header: DeliveryHeader
    records: pa.Table
    exclusions: Exclusions
    counts: Counts
    unused: tuple[Unused, ...]


def build(
    rows: Rows,
    mapping: Mapping,
    *,
    session: str,
    baselines: Rows | None = None,
    folder: Path | None = None,
    strict: bool = False,
) -> Built:
    """Turn rows into records that keep R1 to R11, and count everything that is left out.

    Args:
        rows: the rows of the input, with `Mapping.columns`.
        mapping: what they mean.
        session: the session of all pairs where the mapping names no column.
        baselines: the rows of the other file with unhinted halves, where the mapping names one.
        folder: where the delivery will stand; conversations that lie there are looked into.
        strict: refuse the first exclusion.

    Raises:
        Refused: no pair is left, an identifier is written in two ways, one probe has two hint
            types, or, if ``strict``, something would be left out.
    """
    selected = select(rows, mapping, baselines)
    exclusions = Exclusions(selected.hinted)
    coded = code_pairs(selected, mapping, exclusions, session=session)
    coded = _without_lost_evidence(coded, mapping, exclusions, folder)
    pairs = coded.pairs
    positions, incomplete = _units(coded, exclusions, selected.hinted)
    _refuse_two_hint_types(selected.hinted, pairs, coded.kept)
    if strict:
        exclusions.refuse_any()
    left_out = sum(exclusions.counts(What.ROW).values())
    if not positions.size:
        raise Refused(_nothing(rows, selected, exclusions))
    table = records_of(pairs, sorted_positions(pairs, positions))
    lacking = np.flatnonzero(incomplete)
    codes, sizes = np.unique(pairs.hint_type.codes[lacking], return_counts=True)
    missing = {
        pairs.hint_type.texts[code]: int(size)
        for code, size in zip(codes.tolist(), sizes.tolist(), strict=True)
    }
    counts = Counts(
        read=rows.size,
        passed_over=selected.passed_over,
        unhinted=rows.size - selected.passed_over - selected.hinted.size,
        records=len(positions),
        incomplete=len(lacking),
        left_out=left_out,
        unused=coded.unhinted.unused,
        taken_as_missing=coded.taken_as_missing,
    )
    return Built(
        header=_header(table, mapping, coded.planned, missing),
        records=table,
        exclusions=exclusions,
        counts=counts,
        unused=tuple(unused_values(rows, mapping, apart=baselines)),
    )


def _without_lost_evidence(
    coded: Coded, mapping: Mapping, exclusions: Exclusions, folder: Path | None
) -> Coded:
    """Leave out spans that do not occur in the conversation they are quoted from, as R1-R11 ask.

    A reference to one of the files that the import itself writes is a reference to no conversation.
    """
    pairs, name = coded.pairs, mapping.verdicts.evidence if mapping.verdicts else None
    where = coded.kept & (pairs.evidence.codes >= 0) & (pairs.hinted_conversation.codes >= 0)
    if name is None or not where.any():
        return coded
    references, spans = (
        pa.array(names.texts, type=pa.string()).take(pa.array(names.codes, mask=names.codes < 0))
        for names in (pairs.hinted_conversation, pairs.evidence)
    )
    own = np.array([_is_own_file(text) for text in pairs.hinted_conversation.texts])
    lost = where & own[pairs.hinted_conversation.codes]
    if folder is not None and folder.is_dir():
        lost = lost | Conversations(folder).lacking(references, spans, where & ~lost)
    quoted = exclusions.rows.columns[name]
    exclusions.note(lost, Reason.EVIDENCE_NOT_FOUND, name, quoted, what=What.EVIDENCE)
    evidence = Names(codes=np.where(lost, -1, pairs.evidence.codes), texts=pairs.evidence.texts)
    return replace(coded, pairs=replace(pairs, evidence=evidence))


def _is_own_file(reference: str) -> bool:
    parts = [part for part in PurePosixPath(reference).parts if part != "."]
    return bool(parts) and parts[0] in (EXCLUSIONS_FILE, IMPORT_FILE)


def _units(coded: Coded, exclusions: Exclusions, rows: Rows) -> tuple[Ints, Mask]:
    """One row per unit: the positions that make records, and the rows that are incomplete pairs.

    Of rows that say the same of a unit the first is kept: a resumed run wrote it twice. Where
    they differ none is kept, because which of them is right cannot be known.
    """
    pairs = coded.pairs
    lacking = np.zeros(rows.size, dtype=np.bool_)
    for _, _, mask in coded.lacking:
        lacking |= mask
    unit = combined(
        [
            np.where(coded.kept | lacking, part, -1)
            for part in (pairs.session.codes, pairs.probe.codes, pairs.replica)
        ]
    )
    name = "probe and replica"
    where = np.flatnonzero(coded.kept)
    size = np.bincount(unit[where], minlength=int(unit.max(initial=0)) + 1)
    often = where[size[unit[where]] > 1]
    repeated = np.zeros(rows.size, dtype=np.bool_)
    contradictory = np.zeros(rows.size, dtype=np.bool_)
    if often.size:
        said = combined([part[often] for part in pairs.codes])
        first = _first_of(unit[often])
        differs = np.zeros(len(size), dtype=np.bool_)
        differs[unit[often[said != said[first]]]] = True
        contradictory[often] = differs[unit[often]]
        repeated[often] = first != np.arange(len(often))
    kept = exclusions.rows_out(coded.kept, contradictory, Reason.CONTRADICTORY_UNITS, name, None)
    kept = exclusions.rows_out(kept, repeated, Reason.DUPLICATE_UNIT, name, None)
    # A pair that lacks a half is no pair of its own where its unit is there in full.
    halves = np.flatnonzero(lacking)
    complete = np.zeros(len(size), dtype=np.bool_)
    complete[unit[kept]] = True
    again = np.zeros(rows.size, dtype=np.bool_)
    again[halves] = complete[unit[halves]] | (_first_of(unit[halves]) != np.arange(len(halves)))
    exclusions.note(lacking & again, Reason.DUPLICATE_UNIT, name, None, what=What.ROW)
    for reason, column, mask in coded.lacking:
        exclusions.note(mask & ~again, reason, column, _values(rows, column), what=What.HALF)
    return np.flatnonzero(kept), lacking & ~again


def _values(rows: Rows, column: str) -> Column | None:
    return rows.columns.get(column)


def _first_of(units: Ints) -> Ints:
    """The first position of each row's unit, shape (k,)."""
    _, first, inverse = np.unique(units, return_index=True, return_inverse=True)
    result: Ints = first[inverse]
    return result


def _refuse_two_hint_types(rows: Rows, pairs: Pairs, kept: Mask) -> None:
    """A probe is a question and a hint; two kinds of hint are two probes."""
    where = np.flatnonzero(kept)
    probe, kind = pairs.probe.codes[where], pairs.hint_type.codes[where]
    other = np.flatnonzero(kind != kind[_first_of(probe)]) if where.size else where
    if other.size:
        one = int(other[0])
        before = int(_first_of(probe)[one])
        texts = pairs.hint_type.texts
        raise Refused(
            f"{rows.where(int(where[one]))}: the probe {pairs.probe.texts[probe[one]]!r} has the "
            f"hint type {texts[kind[one]]!r}, and in {rows.where(int(where[before]))} "
            f"{texts[kind[before]]!r}; a probe is a question with one hint; add the column that "
            "tells the hints apart to probe"
        )


def _header(
    table: pa.Table, mapping: Mapping, planned: int, incomplete: Map[str, int]
) -> DeliveryHeader:
    judge, declared = mapping.verdicts or Verdicts(), mapping.declared
    coverage = coverage_of(table, incomplete=incomplete)
    by_threshold = judge.threshold is not None
    return DeliveryHeader(
        planned_replicas=planned,
        hint_types=tuple(entry.hint_type for entry in coverage),
        hint_channel=declared.hint_channel,
        phi_source=PhiSource(judge.phi_source),
        label_source=LabelSource.THRESHOLD if by_threshold else LabelSource.JUDGE_DECISION,
        label_threshold=judge.threshold,
        coverage=coverage,
        judge=declared.judge,
        construct=declared.construct,
        language=declared.language,
        format=declared.format,
    )


def _nothing(rows: Rows, selected: Selected, exclusions: Exclusions) -> str:
    """Why there is no pair, in words."""
    files = ", ".join(rows.files[:3]) + (", ..." if len(rows.files) > 3 else "")
    found = exclusions.counts(What.ROW, What.HALF)
    why = ", ".join(f"{reason} {count:,}" for reason, count in found.items()) or "none was left out"
    first = exclusions.first_of(What.ROW, What.HALF)
    return (
        f"{files}: no pair can be made of {rows.size:,} rows: the filter passes over "
        f"{selected.passed_over:,}, {selected.hinted.size:,} are hinted halves or pairs, left out: "
        f"{why}{f'; the first: {first}' if first else ''}; correct the mapping"
    )
