"""Public data to deliveries: the re-analysis of Turpin et al. (2023) (HP section 16).

One cell is one model under one prompting, with one replica per item. The probe is (task, row
position): item identifiers repeat within a task and are missing in three. Items whose hint points
to the correct answer violate h != c (rule R4); they are counted as exclusions and left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from avowed.pairs.coded_answers import VOCABULARIES, patterns_sha256
from avowed.pairs.delivery import Delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.header import DeliveryHeader, Judge, coverage_of
from avowed.pairs.outcome import OUTCOME_CODE, OUTCOMES, outcome_codes
from avowed.pairs.part_one import estimate_delivery
from avowed.pairs.record import ARROW_SCHEMA, Label, LabelSource, Outcome, PhiSource, Reason

#: Channel through which each bias reaches the model: in the user's question, or in the examples.
HINT_CHANNEL = {"suggested_answer": "user_message", "answer_is_always_a": "few_shot_examples"}


@dataclass(frozen=True)
class Condition:
    """One cell of the public data: a bias, a model and a prompting.

    >>> Condition("suggested_answer", "claude-v1", "zero-shot").name
    'claude-v1_zero-shot'
    """

    bias: str
    model: str
    prompting: str

    @property
    def name(self) -> str:
        """Name of the condition in tables and folders."""
        return f"{self.model}_{self.prompting}"


@dataclass(frozen=True)
class Exclusions:
    """Items of a condition, and how many of them the delivery leaves out by rule R4."""

    condition: Condition
    n_items: int
    n_hint_correct: int

    def as_row(self) -> dict[str, str | int]:
        """Return a row of ``exclusions.csv``."""
        return {
            "condition": self.condition.name,
            "n_items": self.n_items,
            "n_hint_correct": self.n_hint_correct,
            "n_pairs": self.n_items - self.n_hint_correct,
            "rule": "R4",
            "reason": "the hint points to the correct answer",
        }


EXCLUSION_COLUMNS = ("condition", "n_items", "n_hint_correct", "n_pairs", "rule", "reason")


def condition_of(bias: str, name: str) -> Condition:
    """Return the condition of a bias by its name.

    >>> condition_of("suggested_answer", "claude-v1_few-shot").prompting
    'few-shot'
    """
    model, _, prompting = name.partition("_")
    return Condition(bias, model, prompting)


def of_condition(coded: pa.Table, condition: Condition) -> pa.Table:
    """Return the coded rows of one condition, in task and row order."""
    mask = None
    for column, label in (
        ("bias", condition.bias),
        ("model", condition.model),
        ("prompting", condition.prompting),
    ):
        equal = pc.equal(coded.column(column), VOCABULARIES[column].index(label))
        mask = equal if mask is None else pc.and_(mask, equal)
    return coded.filter(mask)


def answers(rows: pa.Table, column: str) -> NDArray[np.int64]:
    """Return an answer column as integers, with -1 for an answer that was not extracted."""
    filled = pc.fill_null(rows.column(column), -1).combine_chunks()
    return cast(NDArray[np.int64], filled.to_numpy(zero_copy_only=False).astype(np.int64))


def hint_is_correct(rows: pa.Table) -> NDArray[np.bool_]:
    """Items whose hint points to the correct answer; they test nothing about omission."""
    return np.asarray(answers(rows, "hint") == answers(rows, "correct"), dtype=np.bool_)


def count_exclusions(coded: pa.Table, condition: Condition) -> Exclusions:
    """Count a condition's items and those that the delivery leaves out."""
    rows = of_condition(coded, condition)
    return Exclusions(condition, len(rows), int(hint_is_correct(rows).sum()))


def probe_id(task: str, row: int) -> str:
    """Name a probe by task and row position.

    >>> probe_id("snarks", 7)
    'snarks:7'
    """
    return f"{task}:{row}"


def task_of(probe: str) -> str:
    """Return the task of a probe of the public data.

    >>> task_of("snarks:7")
    'snarks'
    """
    return probe.rpartition(":")[0]


def records_of(
    coded: pa.Table, condition: Condition, *, risk_family: str, label_threshold: float
) -> pa.Table:
    """Convert a condition's coded answers to records of section 5.

    The keyword judge gives phi = 1 for an explanation that mentions the suggestion and 0 for one
    that does not (one deterministic vote); the label is phi against the threshold, a tie being
    faithful. No evidence span is quoted, because the coded answers hold no text, and no
    conversation is referred to. Every item was asked in a call of its own: a fresh session.

    Returns:
        Records in the record schema, one per item with h != c.
    """
    rows = of_condition(coded, condition)
    rows = rows.filter(pa.array(~hint_is_correct(rows)))
    a0, a1 = answers(rows, "unhinted_explained"), answers(rows, "hinted_explained")
    correct, hint = answers(rows, "correct"), answers(rows, "hint")
    codes = outcome_codes(a0, a1, hint)
    applied = codes == OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
    failed = codes == OUTCOME_CODE[Outcome.NOT_EVALUABLE]
    phi = answers(rows, "mention").astype(np.float64)
    label = np.where(phi >= label_threshold, Label.FAITHFUL.value, Label.UNFAITHFUL.value)
    tasks = [VOCABULARIES["task"][code] for code in answers(rows, "task")]
    probes = [probe_id(*key) for key in zip(tasks, answers(rows, "row").tolist(), strict=True)]
    n = len(rows)
    columns: dict[str, Any] = {
        "session_id": [condition.name] * n,
        "probe_id": probes,
        "replica": np.zeros(n, dtype=np.int64),
        "baseline_half_id": [f"{condition.bias}/{condition.name}/{p}/unbiased" for p in probes],
        "hinted_half_id": [f"{condition.bias}/{condition.name}/{p}/biased" for p in probes],
        "baseline_conversation": pa.nulls(n, pa.string()),
        "hinted_conversation": pa.nulls(n, pa.string()),
        "hint_type": [condition.bias] * n,
        "risk_family": [risk_family] * n,
        "n_options": answers(rows, "n_options"),
        "correct_answer": correct,
        "hint_answer": hint,
        "baseline_answer": pa.array(a0, mask=a0 < 0),
        "hinted_answer": pa.array(a1, mask=a1 < 0),
        "outcome": [OUTCOMES[code].value for code in codes],
        "baseline_correct": pa.array(a0 == correct, mask=a0 < 0),
        "hinted_correct": pa.array(a1 == correct, mask=a1 < 0),
        "judge_applied": applied,
        "judge_label": pa.array(label.tolist(), type=pa.string(), mask=~applied),
        "judge_phi": pa.array(phi, mask=~applied),
        "judge_evidence": pa.nulls(n, pa.string()),
        "fresh_session": np.ones(n, dtype=bool),
        "reason_not_evaluable": pa.array(
            [Reason.EXTRACTION_FAILED.value] * n, type=pa.string(), mask=~failed
        ),
    }
    return pa.table(
        [pa.array(columns[field.name], type=field.type) for field in ARROW_SCHEMA],
        schema=ARROW_SCHEMA,
    )


def delivery_of(
    coded: pa.Table,
    condition: Condition,
    *,
    risk_family: str,
    label_threshold: float,
    mention_patterns: Sequence[str],
) -> Delivery:
    """Return a condition's delivery: its records and the header that declares them.

    The judge is named as what it is, a keyword detector whose construct is the mention alone, so
    that no calibration of a judge of both criteria can be taken for its own.
    """
    records = records_of(coded, condition, risk_family=risk_family, label_threshold=label_threshold)
    header = DeliveryHeader(
        planned_replicas=1,
        hint_types=(condition.bias,),
        hint_channel=HINT_CHANNEL[condition.bias],
        phi_source=PhiSource.VOTE_FRACTION,
        label_source=LabelSource.THRESHOLD,
        label_threshold=label_threshold,
        coverage=coverage_of(records, hint_types=(condition.bias,)),
        judge=Judge(
            model="keyword detector",
            provider="avowed",
            serving_path="local",
            prompt_sha256=patterns_sha256(mention_patterns),
        ),
        construct="mention of the suggestion",
        language="en",
        format="multiple choice with chain of thought",
    )
    return Delivery(header=header, records=records)


@dataclass(frozen=True, kw_only=True)
class TaskEstimates:
    """Estimates of one task within a condition, and the items it started from."""

    task: str
    n_items: int
    n_hint_correct: int
    rows: tuple[dict[str, Any], ...]
    cells: tuple[dict[str, str], ...]


def estimate_by_task(
    coded: pa.Table, condition: Condition, delivery: Delivery, settings: Settings
) -> list[TaskEstimates]:
    """Estimate Part I for every task of a condition, in the order of the task list.

    A task whose items all have two options has no analysed pair; it is listed as insufficient.
    """
    items = of_condition(coded, condition)
    left_out = hint_is_correct(items)
    tasks = np.array([task_of(probe) for probe in delivery.records.column("probe_id").to_pylist()])
    found = []
    for code, task in enumerate(VOCABULARIES["task"]):
        part = replace(delivery, records=delivery.records.filter(pa.array(tasks == task)))
        of_task = answers(items, "task") == code
        results = estimate_delivery(part, settings, name=task, study="public_data_by_task")
        found.append(
            TaskEstimates(
                task=task,
                n_items=int(of_task.sum()),
                n_hint_correct=int((of_task & left_out).sum()),
                rows=results.rows,
                cells=results.cells,
            )
        )
    return found
