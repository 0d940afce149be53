"""The edge delivery: records written from :mod:`avowed.pairs.edge_cells`, valid by R1 to R11.

It is made for the independent recomputation. What its numbers are is not stated anywhere: two
programs compute them, and a difference is an error in one of the two.
"""

from typing import Any

import pyarrow as pa

from avowed.pairs.delivery import Delivery
from avowed.pairs.edge_cells import EDGE_CELLS, LABEL_THRESHOLD, PLANNED_REPLICAS, Probe
from avowed.pairs.header import DeliveryHeader, Judge, coverage_of
from avowed.pairs.outcome import outcome_of
from avowed.pairs.record import (
    ARROW_SCHEMA,
    Label,
    LabelSource,
    Outcome,
    PhiSource,
    Reason,
)

#: The judge, so that a calibration of it is admissible.
EDGE_JUDGE = Judge(
    model="edge judge", provider="none", serving_path="written by hand", prompt_sha256="0" * 64
)
CONSTRUCT, LANGUAGE, FORMAT = "omission of the hint", "en", "free_text"

#: Moves to the hint: the judge's answer and the reason why there is none.
_VERDICTS: dict[str, tuple[float | None, Reason | None]] = {
    "x": (0.25, None),
    "f": (0.75, None),
    "j": (None, None),
    "?": (0.5, Reason.JUDGE_UNDETERMINED),
    "-": (None, Reason.JUDGE_UNAVAILABLE),
    "t": (None, Reason.GENERATION_TRUNCATED),
}
_EXPECTED = {"O": Outcome.OTHER_CHANGE, "N": Outcome.NO_CHANGE, "B": Outcome.BASELINE_ON_HINT}

#: Evidence of the flagged moves: text that a careless reader of lines or quotes would break.
_EVIDENCE = 'it is "C"\u2028{as said}, 90\u00a0%'


def _answers(
    letter: str, *, options: int, correct: int, wrong: bool
) -> tuple[int | None, int | None]:
    """The unhinted and the hinted answer; the hint is the option after the correct one."""
    hint, third = (correct + 1) % options, (correct + 2) % options
    if wrong and third == correct:
        raise ValueError("with two options the only wrong answer is the hint")
    before = third if wrong else correct
    if letter in _VERDICTS:
        return before, hint
    if letter == "O" and options == 2:
        raise ValueError("with two options there is no other option to move to")
    answers: dict[str, tuple[int | None, int | None]] = {
        "O": (before, correct if wrong else third),
        "N": (before, before),
        "B": (hint, correct),
        "u": (None, hint),
        "v": (hint, None),
        "w": (None, None),
    }
    return answers[letter]


def _judged(letter: str, phi: float | None) -> dict[str, Any]:
    """The judge's fields of a move to the hint."""
    usual, reason = _VERDICTS[letter]
    probability = usual if phi is None else phi
    label: Label | None = None
    if letter == "?":
        label = Label.UNDETERMINED
    elif reason is None:
        if probability is None:
            raise ValueError("a move judged by its phi needs one")
        label = Label.FAITHFUL if probability >= LABEL_THRESHOLD else Label.UNFAITHFUL
        if letter in "xf" and (letter == "x") != (label is Label.UNFAITHFUL):
            raise ValueError(f"letter {letter!r} and phi {probability} contradict each other")
    return {
        "judge_applied": True,
        "judge_label": label,
        "judge_phi": None if label is None else probability,
        "judge_evidence": _EVIDENCE if label is Label.UNFAITHFUL else None,
        "reason_not_evaluable": reason,
    }


def _record(
    letter: str, probe: Probe, *, name: str, correct: int, replica: int, session: str
) -> dict[str, Any]:
    """One record, as the letter says; ``correct`` is the correct option.

    Raises:
        ValueError: the letter cannot be written, or its answers imply another outcome.
    """
    # The second session is fresh and right: only the first is described by replica.
    first = session == "session-1"
    a0, a1 = _answers(
        letter, options=probe.options, correct=correct, wrong=first and replica in probe.wrong
    )
    hint = (correct + 1) % probe.options
    outcome = outcome_of(a0, a1, hint)
    moved = letter in _VERDICTS
    expected = Outcome.HINT_INDUCED_CHANGE if moved else _EXPECTED.get(letter)
    if outcome is not (expected or Outcome.NOT_EVALUABLE):
        raise ValueError(f"letter {letter!r} in {name} gives {outcome}")
    half = f"{name}/{session}/{replica}"
    judged: dict[str, Any] = {
        "judge_applied": False,
        "judge_label": None,
        "judge_phi": None,
        "judge_evidence": None,
        "reason_not_evaluable": None,
    }
    if moved:
        judged = _judged(letter, probe.phi[replica] if first and probe.phi else None)
    elif expected is None:
        lost = Reason.GENERATION_TRUNCATED if letter == "v" else Reason.EXTRACTION_FAILED
        judged["reason_not_evaluable"] = lost
    return {
        "session_id": session,
        "probe_id": name,
        "replica": replica,
        "baseline_half_id": f"{half}/baseline",
        "hinted_half_id": f"{half}/hinted",
        "baseline_conversation": None,
        "hinted_conversation": None,
        "risk_family": "edge",
        "n_options": probe.options,
        "correct_answer": correct,
        "hint_answer": hint,
        "baseline_answer": a0,
        "hinted_answer": a1,
        "outcome": outcome,
        "baseline_correct": None if a0 is None else a0 == correct,
        "hinted_correct": None if a1 is None else a1 == correct,
        "fresh_session": not (first and replica in probe.stale),
        **judged,
    }


def cell_records(hint_type: str, probes: tuple[Probe, ...]) -> list[dict[str, Any]]:
    """Records of one cell: the first session in the order of the probes, then the second.

    >>> [record["outcome"].name for record in cell_records("a", (Probe(pairs="xN."),))]
    ['HINT_INDUCED_CHANGE', 'NO_CHANGE']
    """
    sessions: dict[str, list[dict[str, Any]]] = {"session-1": [], "session-2": []}
    each = [probe for probe in probes for _ in range(probe.times)]
    for number, probe in enumerate(each):
        for session, letters in (("session-1", probe.pairs), ("session-2", probe.again)):
            sessions[session] += [
                {
                    "hint_type": hint_type,
                    **_record(
                        letter,
                        probe,
                        name=f"{hint_type}/{number}",
                        correct=number % probe.options,
                        replica=replica,
                        session=session,
                    ),
                }
                for replica, letter in enumerate(letters)
                if letter != "."
            ]
    return [*sessions["session-1"], *sessions["session-2"]]


def edge_header(records: pa.Table, hint_types: tuple[str, ...]) -> DeliveryHeader:
    """The header that agrees with records of these edge cells, which it declares in this order."""
    incomplete = {
        name: sum(
            probe.times * (probe.pairs + probe.again).count(".") for probe in EDGE_CELLS[name]
        )
        for name in hint_types
    }
    return DeliveryHeader(
        planned_replicas=PLANNED_REPLICAS,
        hint_types=hint_types,
        hint_channel="user_message",
        phi_source=PhiSource.TOKEN_LOGPROBS,
        label_source=LabelSource.THRESHOLD,
        label_threshold=LABEL_THRESHOLD,
        coverage=coverage_of(records, hint_types=hint_types, incomplete=incomplete),
        judge=EDGE_JUDGE,
        construct=CONSTRUCT,
        language=LANGUAGE,
        format=FORMAT,
    )


def edge_delivery(*, hint_types: tuple[str, ...] = tuple(EDGE_CELLS)) -> Delivery:
    """The edge delivery, or the cells named; the same every time.

    Raises:
        KeyError: there is no edge cell of that name.

    >>> edge_delivery(hint_types=("ten_halves",)).records.num_rows
    20
    """
    rows = [row for name in hint_types for row in cell_records(name, EDGE_CELLS[name])]
    records = pa.Table.from_pylist(rows, schema=ARROW_SCHEMA)
    return Delivery(header=edge_header(records, hint_types), records=records)
