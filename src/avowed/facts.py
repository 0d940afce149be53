"""Facts of the design that the claims ledger holds the paper against, taken from the code itself.

Vocabularies and lists come from where they are defined; limits are found by trying values from both
sides; a formula is represented by one value of ours with everything that enters it, so that the
ledger can compute it again.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from avowed.pairs.calibration import Gate, Gates, correct
from avowed.pairs.chance import OptionCounts, corrected_omission
from avowed.pairs.exposure import reliable_up_to
from avowed.pairs.record import FIELD_NAMES, Label, Outcome, PhiSource, Reason
from avowed.pairs.rules import KEY, validate
from avowed.pairs.violation import RULES
from avowed.stats.clustering import describe
from avowed.stats.intervals import Interval, normal_quantile
from avowed.stats.misclassification import Accuracy, standard_normal, youden_interval
from avowed.stats.status import Status, status_of

#: The lines of the paper's table of record fields (HP section 5), and the columns that each became.
RECORD_LINES: dict[str, tuple[str, ...]] = {
    "Unit key": ("session_id", "probe_id", "replica"),
    "Halves": (
        "baseline_half_id",
        "hinted_half_id",
        "baseline_conversation",
        "hinted_conversation",
    ),
    "Stratum": ("hint_type", "risk_family"),
    "Question": ("n_options", "correct_answer", "hint_answer"),
    "Answers": ("baseline_answer", "hinted_answer"),
    "Outcome": ("outcome",),
    "Correctness": ("baseline_correct", "hinted_correct"),
    "Judge": ("judge_applied", "judge_label", "judge_phi", "judge_evidence"),
    "Fresh session": ("fresh_session",),
    "Reason not evaluable": ("reason_not_evaluable",),
}

_RECORD: dict[str, Any] = {
    "session_id": "s1",
    "probe_id": "p1",
    "replica": 1,
    "baseline_half_id": "baseline",
    "hinted_half_id": "hinted",
    "baseline_conversation": None,
    "hinted_conversation": None,
    "hint_type": "suggestion",
    "risk_family": "sycophancy",
    "n_options": 2,
    "correct_answer": 0,
    "hint_answer": 1,
    "baseline_answer": 0,
    "hinted_answer": 1,
    "outcome": Outcome.HINT_INDUCED_CHANGE.value,
    "baseline_correct": True,
    "hinted_correct": False,
    "judge_applied": True,
    "judge_label": Label.FAITHFUL.value,
    "judge_phi": 0.5,
    "judge_evidence": None,
    "fresh_session": True,
    "reason_not_evaluable": None,
}


def broken_rules(**tokens: str) -> set[str]:
    """The rules that a delivery of one record breaks, given some of its fields as JSON tokens.

    >>> sorted(broken_rules()), sorted(broken_rules(replica="1.0"))
    ([], ['R1'])
    """
    fields = {**{name: json.dumps(value) for name, value in _RECORD.items()}, **tokens}
    line = ", ".join(f'"{name}": {token}' for name, token in fields.items())
    counts = {"planned": 1, "completed": 1, "incomplete": 0, "not_evaluable": {}}
    header = {
        "schema_version": 1,
        "planned_replicas": 9,
        "hint_types": ["suggestion"],
        "hint_channel": "user_message",
        "phi_source": PhiSource.VOTE_FRACTION.value,
        "label_source": "judge_decision",
        "label_threshold": None,
        "coverage": [{"hint_type": "suggestion", **counts}],
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "delivery.json").write_text(json.dumps(header), encoding="utf-8")
        (folder / "records.jsonl").write_text(f"{{{line}}}\n", encoding="utf-8")
        return {violation.rule for violation in validate(folder).violations}


def _accepted(field: str, tokens: Sequence[str]) -> list[str]:
    return [token for token in tokens if not broken_rules(**{field: token})]


def _least(status_at: Mapping[int, Status]) -> int:
    return min(count for count, status in status_at.items() if status != Status.INSUFFICIENT)


def _youden_gate() -> dict[str, float]:
    """Lower bounds of J on both sides of the first gate, over calibrations of 30 and 30."""
    refused: list[float] = []
    passed: list[float] = []
    for tp in range(31):
        for tn in range(31 - tp, 31):
            accuracy = Accuracy(tp=tp, fn=30 - tp, tn=tn, fp=30 - tn)
            gate = correct(0.5, 0.01, accuracy, gates=Gates()).gate
            side = refused if gate == Gate.NON_DISCRIMINATIVE else passed
            side.append(youden_interval(accuracy).lower)
    return {"largest_refused": max(refused), "smallest_passed": min(passed)}


def _design_effect() -> dict[str, float]:
    found = describe([4, 1, 2, 0, 3], [4, 3, 4, 2, 5])
    return {
        "pairs": found.n,
        "clusters": found.clusters,
        "icc": found.icc,
        "value": found.design_effect,
    }


def _chance_correction() -> dict[str, float]:
    counts = {"options": 4, "moved": 40, "other": 12, "evaluable": 36, "flagged": 25}
    arrays = {name: np.array([float(count)]) for name, count in counts.items()}
    arrays["options"] = np.array([counts["options"]])
    return {**counts, "corrected_omission": float(corrected_omission(OptionCounts(**arrays)))}


def _corrected() -> dict[str, float]:
    accuracy = Accuracy(tp=50, fn=10, tn=45, fp=15)
    sample = 0.04
    found = correct(0.6, sample, accuracy, gates=Gates())
    return {
        "sensitivity": accuracy.sensitivity,
        "specificity": accuracy.specificity,
        "items": accuracy.positives,
        "sample_half_width": sample,
        "z": standard_normal(0.95),
        "rate": found.rate,
        "half_width": found.half_width,
    }


def _positive_class() -> str:
    """What the positive class stands for: missed positives raise the rate of that class alone."""
    perfect = Accuracy(tp=90, fn=10, tn=100, fp=0)
    raised = correct(0.6, 0.01, perfect, gates=Gates()).rate > 0.6
    return "omission" if raised else "acknowledgement"


def _keys(deliveries: Sequence[Path]) -> tuple[int, int]:
    """Records of deliveries in Parquet, and different keys of session, probe and replica."""
    records = distinct = 0
    for path in deliveries:
        keys = pq.read_table(path, columns=list(KEY))
        records += keys.num_rows
        distinct += keys.group_by(list(KEY)).aggregate([]).num_rows
    return records, distinct


def design_facts(deliveries: Sequence[Path]) -> dict[str, Any]:
    """Collect the facts.

    Args:
        deliveries: ``records.parquet`` of the public deliveries, for the count of their keys.

    Raises:
        ValueError: a column of the record belongs to no line of the paper's table, or to two.

    Source: HP sections 3, 5, 7, 9, 11 and 14.
    """
    columns = [column for line in RECORD_LINES.values() for column in line]
    if sorted(columns) != sorted(FIELD_NAMES):
        raise ValueError("RECORD_LINES must hold every column of the record once")
    wide = Interval(0.0, 1.0, "")
    phis = _accepted("judge_phi", ["-1", "-0.001", "0", "0.5", "1", "1.001", "2"])
    records, distinct = _keys(deliveries)
    return {
        "record_fields": {line: list(fields) for line, fields in RECORD_LINES.items()},
        "record_columns": len(columns),
        "rules": [rule for rule in RULES if rule.startswith("R")],
        "outcomes": [outcome.value for outcome in Outcome],
        "halves": [name for name in FIELD_NAMES if name.endswith("_half_id")],
        "labels": [label.value for label in Label],
        "reasons": [reason.value for reason in Reason],
        "phi_sources": [source.value for source in PhiSource],
        "phi_range": [float(min(phis, key=float)), float(max(phis, key=float))],
        "rejected_by_r1": [
            token
            for token in ("3.0", '"3"', "3e0", "true", "3")
            if "R1" in broken_rules(replica=token)
        ],
        "least_options_accepted": min(map(int, _accepted("n_options", ["1", "2", "3"]))),
        "least_clusters": _least(
            {c: status_of(wide, n=9, clusters=c, target_half_width=0.1) for c in range(1, 9)}
        ),
        "least_pairs": _least(
            {n: status_of(wide, n=n, clusters=9, target_half_width=0.1) for n in range(1, 9)}
        ),
        "reliable_up_to": {str(m): reliable_up_to(m) for m in range(1, 17)},
        "normal_quantile": normal_quantile(0.95),
        "gates": [gate.value for gate in Gate],
        "youden_gate": _youden_gate(),
        "positive_class": _positive_class(),
        "design_effect": _design_effect(),
        "chance_correction": _chance_correction(),
        "corrected": _corrected(),
        "records": records,
        "distinct_keys": distinct,
    }
