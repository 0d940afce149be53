"""Every part of a pair as codes, and every row that has to go with its reason."""

from dataclasses import dataclass

import numpy as np

from avowed.importing.answers import JUNK, MISSING, option_codes
from avowed.importing.exclusions import Exclusions, Reason
from avowed.importing.labels import labels_of
from avowed.importing.mapping import Answer, Found, Mapping
from avowed.importing.options import option_counts, option_texts
from avowed.importing.paired import Selected, Unhinted, unhinted_halves
from avowed.importing.raw_table import Column
from avowed.importing.records import Pairs
from avowed.importing.rows import Ints, Mask, Rows, constant, is_one_of
from avowed.importing.units import NO_REPLICA, Names, probes, replica_numbers, texts_in
from avowed.importing.verdicts import judged
from avowed.pairs.outcome import OUTCOME_CODE, outcome_codes
from avowed.pairs.record import Outcome

_H = OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]


@dataclass(frozen=True, kw_only=True)
class Coded:
    """The hinted rows as pairs.

    Attributes:
        pairs: every part as codes, n rows.
        kept: the rows that make a record, duplicates not yet looked at, shape (n,).
        lacking: the rows that lack a half, with the reason and the column, shape (n,) each.
        planned: replicas planned per probe.
        taken_as_missing: number of junk answers that count as not extracted.
        unhinted: the unhinted halves.
    """

    pairs: Pairs
    kept: Mask
    lacking: tuple[tuple[Reason, str, Mask], ...]
    planned: int
    taken_as_missing: int
    unhinted: Unhinted


class _Sieve:
    """The rows that are still in, and the texts of their options; every fault takes its rows."""

    def __init__(self, rows: Rows, exclusions: Exclusions) -> None:
        self.rows, self.exclusions = rows, exclusions
        self.options: Column | None = None
        self.kept: Mask = np.ones(rows.size, dtype=np.bool_)

    def out(self, fault: Mask, reason: Reason, names: tuple[str, ...]) -> None:
        """Leave out what is at fault; the value shown is the one of the first column at hand."""
        column = self.rows.columns[names[0]] if names else None
        self.show(fault, reason, ", ".join(names), column)

    def show(self, fault: Mask, reason: Reason, name: str, values: Column | None) -> None:
        """Leave out what is at fault and show ``values``."""
        self.kept = self.exclusions.rows_out(self.kept, fault, reason, name, values)


def code_pairs(
    selected: Selected, mapping: Mapping, exclusions: Exclusions, *, session: str
) -> Coded:
    """Code the rows; each fault is looked for in a fixed order, and the first one found counts.

    The order: what a row belongs to (probe, session, replica, hint type, risk family), the
    question (options, correct answer, hint), the halves, the answers, the verdict.

    Args:
        selected: hinted and unhinted rows.
        mapping: what is what.
        exclusions: gets what is left out; made over ``selected.hinted``.
        session: the session of all pairs where the mapping names no column.
    """
    rows = selected.hinted
    sieve = _Sieve(rows, exclusions)
    probe = probes(rows, mapping.probe)
    sieve.out(probe.codes < 0, Reason.MISSING_PROBE, mapping.probe)
    sessions = _sessions(rows, mapping, session)
    sieve.out(sessions.codes < 0, Reason.UNUSABLE_SESSION, _named(mapping.session))
    replicas = replica_numbers(rows, mapping.replicas, probe.codes, within=sieve.kept)
    sieve.out(replicas == NO_REPLICA, Reason.UNUSABLE_REPLICA, _named(mapping.replicas.column))
    planned = mapping.planned_replicas or int(replicas[sieve.kept].max(initial=0)) + 1
    sieve.out(replicas >= planned, Reason.BEYOND_PLAN, _named(mapping.replicas.column))
    hint_type = labels_of(rows, mapping.hint_type)
    sieve.out(hint_type.codes < 0, Reason.UNKNOWN_HINT_TYPE, mapping.hint_type.columns)
    family = labels_of(rows, mapping.risk_family)
    sieve.out(family.codes < 0, Reason.UNKNOWN_RISK_FAMILY, mapping.risk_family.columns)
    n_options = _options(sieve, mapping.n_options, whole_floats=mapping.answers.whole_floats)
    if mapping.answers.options:
        # Once for all four answers: there may be as many lists as rows.
        sieve.options = option_texts(rows, mapping.answers.options)
    correct, hint = _question(sieve, mapping, n_options)
    unhinted = unhinted_halves(selected, mapping, probe, replicas)
    lacking = _halves(sieve, mapping, unhinted)
    a0, a1, taken = _answers(sieve, mapping, unhinted, n_options)
    outcome = outcome_codes(a0, a1, hint)
    truncated = np.zeros(rows.size, dtype=np.bool_)
    if mapping.truncated is not None:
        truncated = is_one_of(rows.columns[mapping.truncated.column], mapping.truncated.values)
    verdict = judged(
        rows,
        mapping.verdicts,
        exclusions,
        kept=sieve.kept,
        applied=outcome == _H,
        truncated=truncated,
    )
    evidence = mapping.verdicts.evidence if mapping.verdicts else None
    quoted = texts_in(rows.columns[evidence] if evidence else None, rows.size)
    hinted = mapping.hinted_conversation
    pairs = Pairs(
        session=sessions,
        probe=probe,
        hint_type=hint_type,
        risk_family=family,
        baseline=unhinted.names,
        own_baseline=unhinted.own,
        replica=replicas,
        n_options=n_options,
        correct=correct,
        hint=hint,
        a0=a0,
        a1=a1,
        outcome=outcome,
        label=verdict.label,
        phi=verdict.phi,
        truncated=truncated,
        evidence=Names(codes=np.where(verdict.label < 0, -1, quoted.codes), texts=quoted.texts),
        baseline_conversation=texts_in(unhinted.conversation, rows.size),
        hinted_conversation=texts_in(rows.columns[hinted] if hinted else None, rows.size),
        fresh=mapping.fresh_session,
    )
    return Coded(
        pairs=pairs,
        kept=verdict.kept,
        lacking=lacking,
        planned=planned,
        taken_as_missing=taken,
        unhinted=unhinted,
    )


def _named(name: str | None) -> tuple[str, ...]:
    return () if name is None else (name,)


def _sessions(rows: Rows, mapping: Mapping, session: str) -> Names:
    if mapping.session is None:
        return Names(codes=np.zeros(rows.size, dtype=np.int64), texts=[session])
    return texts_in(rows.columns[mapping.session], rows.size)


def _options(sieve: _Sieve, found: Found, *, whole_floats: bool) -> Ints:
    counts = option_counts(sieve.rows, found, whole_floats=whole_floats)
    sieve.out(counts < 0, Reason.UNKNOWN_COUNT, found.columns)
    sieve.out(counts < 2, Reason.TOO_FEW_OPTIONS, found.columns)
    return counts


def _question(sieve: _Sieve, mapping: Mapping, n_options: Ints) -> tuple[Ints, Ints]:
    found = []
    for answer, reason in (
        (mapping.answers.correct, Reason.UNUSABLE_CORRECT),
        (mapping.answers.hint, Reason.UNUSABLE_HINT),
    ):
        column = _column(sieve.rows, answer)
        codes = _codes(sieve, mapping, column, answer, n_options)
        sieve.show(codes < 0, reason, answer.column or "(constant)", column)
        found.append(codes)
    correct, hint = found
    same = correct == hint
    column = _column(sieve.rows, mapping.answers.hint)
    name = mapping.answers.hint.column or "(constant)"
    sieve.show(same, Reason.HINT_IS_CORRECT, name, column)
    return correct, hint


def _column(rows: Rows, answer: Answer) -> Column:
    if answer.column is None:
        return constant(answer.constant, rows.size)
    return rows.columns[answer.column]


def _codes(
    sieve: _Sieve, mapping: Mapping, column: Column, answer: Answer, n_options: Ints
) -> Ints:
    return option_codes(
        column,
        answer,
        n_options=n_options,
        whole_floats=mapping.answers.whole_floats,
        options=sieve.options,
    )


def _halves(
    sieve: _Sieve, mapping: Mapping, unhinted: Unhinted
) -> tuple[tuple[Reason, str, Mask], ...]:
    """Take out the pairs without a half, which are incomplete, and those with several baselines."""
    name = ", ".join(mapping.baseline.key) or str(mapping.answers.baseline.column)
    key = sieve.rows.columns[mapping.baseline.key[0]] if mapping.baseline.key else None
    sieve.show(unhinted.several, Reason.SEVERAL_BASELINES, name, key)
    hinted = mapping.answers.hinted.column
    found = []
    for reason, column, mask in (
        (Reason.MISSING_BASELINE, name, unhinted.missing),
        (Reason.MISSING_HINTED, str(hinted), sieve.rows.absent.get(str(hinted))),
    ):
        if mask is not None:
            found.append((reason, column, sieve.kept & mask))
            sieve.kept = sieve.kept & ~mask
    return tuple(found)


def _answers(
    sieve: _Sieve, mapping: Mapping, unhinted: Unhinted, n_options: Ints
) -> tuple[Ints, Ints, int]:
    """a0 and a1, and how many junk answers count as not extracted."""
    answers, found, taken = mapping.answers, [], 0
    for answer, column in (
        (answers.baseline, unhinted.answer),
        (answers.hinted, _column(sieve.rows, answers.hinted)),
    ):
        codes = _codes(sieve, mapping, column, answer, n_options)
        junk = codes == JUNK
        if answers.junk_excludes:
            sieve.show(junk, Reason.JUNK_ANSWER, str(answer.column), column)
        else:
            taken += int(np.count_nonzero(junk & sieve.kept))
        found.append(np.where(codes < 0, MISSING, codes))
    return found[0], found[1], taken
