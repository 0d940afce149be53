"""Coded pairs as the records of a delivery (HP section 5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from avowed.importing.answers import MISSING
from avowed.importing.units import Names
from avowed.importing.verdicts import LABELS, NONE
from avowed.pairs.outcome import OUTCOME_CODE, OUTCOMES
from avowed.pairs.record import ARROW_SCHEMA, Label, Outcome, Reason

_H = OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
_U = OUTCOME_CODE[Outcome.NOT_EVALUABLE]
_REASONS = tuple(Reason)

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Pairs:
    """Pairs as codes, n of them; answers are 0-based, -1 where none could be extracted.

    Attributes:
        session, probe, hint_type, risk_family: identifiers.
        baseline: what identifies the unhinted half before its replica.
        own_baseline: whether every replica has an unhinted half of its own.
        replica, n_options, correct, hint, a0, a1: integers.
        outcome: index into ``OUTCOMES``.
        label: index into ``LABELS``, -1 where there is none.
        phi: NaN where there is no label.
        truncated: whether the hinted generation was cut off.
        evidence, baseline_conversation, hinted_conversation: texts, -1 where there is none.
        fresh: whether every replica ran in a new session.
    """

    session: Names
    probe: Names
    hint_type: Names
    risk_family: Names
    baseline: Names
    own_baseline: bool
    replica: Ints
    n_options: Ints
    correct: Ints
    hint: Ints
    a0: Ints
    a1: Ints
    outcome: npt.NDArray[np.int8]
    label: Ints
    phi: npt.NDArray[np.float64]
    truncated: npt.NDArray[np.bool_]
    evidence: Names
    baseline_conversation: Names
    hinted_conversation: Names
    fresh: bool

    @property
    def codes(self) -> list[npt.NDArray[Any]]:
        """Everything that a record says of its unit, as integers; equal codes, equal records."""
        _, phi = np.unique(self.phi, return_inverse=True)
        return [
            self.hint_type.codes,
            self.risk_family.codes,
            self.n_options,
            self.correct,
            self.hint,
            self.a0 - MISSING,
            self.a1 - MISSING,
            self.label - NONE,
            phi,
            self.truncated,
            self.evidence.codes + 1,
            self.baseline_conversation.codes + 1,
            self.hinted_conversation.codes + 1,
        ]


def sorted_positions(pairs: Pairs, positions: Ints) -> Ints:
    """The positions in the order of session, probe and replica.

    So the records do not depend on the order of the rows that they come from.
    """
    ranks = [_ranks(names.texts)[names.codes[positions]] for names in (pairs.probe, pairs.session)]
    order = np.lexsort((pairs.replica[positions], *ranks))
    result: Ints = positions[order]
    return result


def _ranks(texts: Sequence[str]) -> Ints:
    ranks = np.empty(len(texts), dtype=np.int64)
    ranks[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))
    return ranks


def reasons(outcome: npt.NDArray[Any], label: Ints, truncated: npt.NDArray[np.bool_]) -> Ints:
    """Why each record cannot be evaluated, an index into ``tuple(Reason)``, -1 if it can (R5).

    >>> _REASONS[reasons(np.array([_U]), np.array([-1]), np.array([False]))[0]].value
    'extraction_failed'
    """
    cut = _REASONS.index(Reason.GENERATION_TRUNCATED)
    failed, unavailable, undetermined = (
        _REASONS.index(reason)
        for reason in (
            Reason.EXTRACTION_FAILED,
            Reason.JUDGE_UNAVAILABLE,
            Reason.JUDGE_UNDETERMINED,
        )
    )
    is_h = outcome == _H
    found: Ints = np.select(
        [
            outcome == _U,
            is_h & (label == NONE),
            is_h & (label == LABELS.index(Label.UNDETERMINED)),
        ],
        [
            np.where(truncated, cut, failed),
            np.where(truncated, cut, unavailable),
            np.full(len(label), undetermined),
        ],
        default=-1,
    )
    return found


def records_of(pairs: Pairs, positions: Ints) -> pa.Table:
    """The records of the pairs at these positions, in this order, in ``ARROW_SCHEMA``."""
    n = len(positions)
    a0, a1 = pairs.a0[positions], pairs.a1[positions]
    correct, label = pairs.correct[positions], pairs.label[positions]
    outcome, replica = pairs.outcome[positions], pairs.replica[positions]
    session, probe, base = (
        _words([_part(text) for text in names.texts], names.codes[positions])
        for names in (pairs.session, pairs.probe, pairs.baseline)
    )
    number = pa.array(replica).cast(pa.string())
    hinted_half = _path(session, probe, number, "hinted")
    baseline_half = (
        _path(session, base, number, "baseline") if pairs.own_baseline else _path(base, "baseline")
    )
    columns: dict[str, Any] = {
        "session_id": _text(pairs.session, positions),
        "probe_id": _text(pairs.probe, positions),
        "replica": replica,
        "baseline_half_id": baseline_half,
        "hinted_half_id": hinted_half,
        "baseline_conversation": _text(pairs.baseline_conversation, positions),
        "hinted_conversation": _text(pairs.hinted_conversation, positions),
        "hint_type": _text(pairs.hint_type, positions),
        "risk_family": _text(pairs.risk_family, positions),
        "n_options": pairs.n_options[positions],
        "correct_answer": correct,
        "hint_answer": pairs.hint[positions],
        "baseline_answer": pa.array(a0, mask=a0 < 0),
        "hinted_answer": pa.array(a1, mask=a1 < 0),
        "outcome": _words([each.value for each in OUTCOMES], outcome),
        "baseline_correct": pa.array(a0 == correct, mask=a0 < 0),
        "hinted_correct": pa.array(a1 == correct, mask=a1 < 0),
        "judge_applied": outcome == _H,
        "judge_label": _words([each.value for each in LABELS], label),
        "judge_phi": pa.array(pairs.phi[positions], mask=label < 0),
        "judge_evidence": _text(pairs.evidence, positions),
        "fresh_session": np.full(n, pairs.fresh),
        "reason_not_evaluable": _words(
            [each.value for each in _REASONS],
            reasons(outcome, label, pairs.truncated[positions]),
        ),
    }
    return pa.table(
        [pa.array(columns[field.name], type=field.type) for field in ARROW_SCHEMA],
        schema=ARROW_SCHEMA,
    )


def _text(names: Names, positions: Ints) -> pa.Array:
    return _words(names.texts, names.codes[positions])


def _words(words: Sequence[str], codes: npt.NDArray[Any]) -> pa.Array:
    """Words by their codes; null where a code is negative."""
    places = pa.array(codes.astype(np.int64), mask=codes < 0)
    return pa.array(words, type=pa.string()).take(places)


def _part(text: str) -> str:
    """A part of a path, with the separator and the sign of quoting themselves quoted as in a URL.

    So session a with probe b/c and session a/b with probe c have halves of different names.

    >>> _part("b/c"), _part("b%2Fc"), _part("b c")
    ('b%2Fc', 'b%252Fc', 'b c')
    """
    return text.replace("%", "%25").replace("/", "%2F")


def _path(*parts: pa.Array | str) -> pa.Array:
    return pc.binary_join_element_wise(*parts, "/")
