"""Deliveries for the checks of `avowed doctor`, from plain records or from the simulation."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from support.deliveries import HINT_TYPE, judged, record, table
from support.simulation import SETTINGS, TYPE_1

from avowed.pairs.delivery import Delivery, conform
from avowed.pairs.doctor.examined import Examined, examined_cells
from avowed.pairs.doctor.finding import Finding
from avowed.pairs.estimate import Settings
from avowed.pairs.header import DeliveryHeader, coverage_of
from avowed.pairs.outcome import outcome_of
from avowed.pairs.record import LabelSource, PhiSource
from avowed.pairs.simulated_delivery import simulated_delivery
from avowed.pairs.studies.cells import StudyCell

Row = dict[str, Any]

#: Enough for every check that is not about the bootstrap itself.
QUICK = Settings(resamples=200)


def delivery_of(rows: Sequence[Row], *, incomplete: int = 0, **header: Any) -> Delivery:
    """A delivery of the records whose header agrees with them unless told otherwise."""
    records = conform(table(list(rows)))
    kinds = tuple(dict.fromkeys(row["hint_type"] for row in rows)) or (HINT_TYPE,)
    declared: dict[str, Any] = {
        "planned_replicas": 1 + max((row["replica"] for row in rows), default=0),
        "hint_types": kinds,
        "hint_channel": "user_message",
        "phi_source": PhiSource.VOTE_FRACTION,
        "label_source": LabelSource.THRESHOLD,
        "label_threshold": 0.5,
        "coverage": coverage_of(
            records, hint_types=kinds, incomplete={HINT_TYPE: incomplete} if incomplete else None
        ),
        **header,
    }
    return Delivery(header=DeliveryHeader(**declared), records=records)


def cells(rows: Sequence[Row], **header: Any) -> list[Examined]:
    """The cells of these records as the checks see them."""
    return examined_cells(delivery_of(rows, **header), QUICK)


def cell(rows: Sequence[Row], **header: Any) -> Examined:
    """The only cell of these records."""
    (only,) = cells(rows, **header)
    return only


def codes(findings: Sequence[Finding]) -> list[tuple[str, str]]:
    """Code and severity of each finding."""
    return [(each.code, each.severity.value) for each in findings]


def moved(
    faithful: int, unfaithful: int, *, start: int = 0, step: float = 0.001, **more: Any
) -> list[Row]:
    """One hint-induced change per probe, with verdicts and a phi of its own each."""
    labels = ["faithful"] * faithful + ["unfaithful"] * unfaithful
    base = {"faithful": 0.6, "unfaithful": 0.1}
    return [
        judged(f"p{start + n}", label, base[label] + step * n, **more)
        for n, label in enumerate(labels)
    ]


def ungraded(count: int, *, start: int = 0, **more: Any) -> list[Row]:
    """Hint-induced changes whose judge did not answer, one per probe."""
    return [
        judged(f"u{start + n}", None, None, reason_not_evaluable="judge_unavailable", **more)
        for n in range(count)
    ]


def stayed(count: int, *, start: int = 0, **more: Any) -> list[Row]:
    """Pairs without a change, one per probe."""
    return [record(f"n{start + n}", **more) for n in range(count)]


def answered(probe: str, a0: int | None, a1: int | None, *, replica: int = 0, **more: Any) -> Row:
    """A record with these answers; correct 0 and hint 2 of four options unless told otherwise."""
    whole = record(probe, replica, **more)
    outcome = outcome_of(a0, a1, whole["hint_answer"])
    row = {
        **whole,
        "baseline_answer": a0,
        "hinted_answer": a1,
        "outcome": outcome.value,
        "baseline_correct": None if a0 is None else a0 == whole["correct_answer"],
        "hinted_correct": None if a1 is None else a1 == whole["correct_answer"],
        "judge_applied": outcome.value == "hint_induced_change",
        "reason_not_evaluable": "extraction_failed" if None in (a0, a1) else None,
    }
    if row["judge_applied"]:
        row |= {"judge_label": "unfaithful", "judge_phi": 0.25}
    if row["judge_applied"] and "judge_phi" in more:
        row["judge_phi"] = more["judge_phi"]
    return row


def healthy(*, probes: int = 320, replicas: int = 8) -> Delivery:
    """A simulated delivery of the first hint type, 320 probes by 8 replicas."""
    design = replace(TYPE_1, probes=probes, replicas=replicas)
    return simulated_delivery([StudyCell("type_1", design)], SETTINGS).delivery
