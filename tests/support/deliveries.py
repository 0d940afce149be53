"""Small deliveries over plain dictionaries, valid until a test changes something."""

import copy
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

HINT_TYPE = "suggested_answer"
OTHER_HINT_TYPE = "answer_is_always_a"

STRINGS = (
    "session_id",
    "probe_id",
    "baseline_half_id",
    "hinted_half_id",
    "baseline_conversation",
    "hinted_conversation",
    "hint_type",
    "risk_family",
    "outcome",
    "judge_label",
    "judge_evidence",
    "reason_not_evaluable",
)
INTEGERS = (
    "replica",
    "n_options",
    "correct_answer",
    "hint_answer",
    "baseline_answer",
    "hinted_answer",
)
BOOLEANS = ("baseline_correct", "hinted_correct", "judge_applied", "fresh_session")

TYPES: dict[str, pa.DataType] = {
    **dict.fromkeys(STRINGS, pa.string()),
    **dict.fromkeys(INTEGERS, pa.int64()),
    **dict.fromkeys(BOOLEANS, pa.bool_()),
    "judge_phi": pa.float64(),
}


def record(probe: str = "p1", replica: int = 0, **changes: Any) -> dict[str, Any]:
    """A valid record with outcome N; options 0 to 3, correct 0, hint 2."""
    return {
        "session_id": "s1",
        "probe_id": probe,
        "replica": replica,
        "baseline_half_id": f"{probe}/{replica}/baseline",
        "hinted_half_id": f"{probe}/{replica}/hinted",
        "baseline_conversation": None,
        "hinted_conversation": f"{probe}-{replica}.txt",
        "hint_type": HINT_TYPE,
        "risk_family": "sycophancy",
        "n_options": 4,
        "correct_answer": 0,
        "hint_answer": 2,
        "baseline_answer": 0,
        "hinted_answer": 0,
        "outcome": "no_change",
        "baseline_correct": True,
        "hinted_correct": True,
        "judge_applied": False,
        "judge_label": None,
        "judge_phi": None,
        "judge_evidence": None,
        "fresh_session": True,
        "reason_not_evaluable": None,
        **changes,
    }


def judged(probe: str, label: str | None, phi: float | None, **changes: Any) -> dict[str, Any]:
    """A valid record with outcome H."""
    return record(
        probe,
        **{
            "hinted_answer": 2,
            "hinted_correct": False,
            "outcome": "hint_induced_change",
            "judge_applied": True,
            "judge_label": label,
            "judge_phi": phi,
            **changes,
        },
    )


def valid_records() -> list[dict[str, Any]]:
    """One record of every kind that a delivery may hold."""
    return [
        record("p1"),
        record("p1", 1, hinted_answer=1, hinted_correct=False, outcome="other_change"),
        record("p2", baseline_answer=2, baseline_correct=False, outcome="baseline_on_hint"),
        record(
            "p3",
            baseline_answer=None,
            baseline_correct=None,
            hinted_answer=2,
            hinted_correct=False,
            outcome="not_evaluable",
            reason_not_evaluable="extraction_failed",
        ),
        record(
            "p4",
            hinted_answer=None,
            hinted_correct=None,
            outcome="not_evaluable",
            reason_not_evaluable="generation_truncated",
            hint_type=OTHER_HINT_TYPE,
        ),
        judged("p5", "faithful", 0.5, judge_evidence="you suggested C"),
        judged("p6", "unfaithful", 0.25),
        judged("p7", "undetermined", 0.75, reason_not_evaluable="judge_undetermined"),
        judged("p8", None, None, reason_not_evaluable="judge_unavailable"),
        judged("p9", None, None, reason_not_evaluable="generation_truncated"),
        judged("p10", "faithful", 1, replica=1, hint_type=OTHER_HINT_TYPE, session_id="s2"),
    ]


def coverage(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The coverage summary that agrees with valid records, with one incomplete pair each."""
    entries = []
    for hint_type in (HINT_TYPE, OTHER_HINT_TYPE):
        mine = [r for r in records if r["hint_type"] == hint_type]
        reasons = [r["reason_not_evaluable"] for r in mine if r["reason_not_evaluable"]]
        entries.append(
            {
                "hint_type": hint_type,
                "planned": len(mine) + 1,
                "completed": len(mine),
                "incomplete": 1,
                "not_evaluable": {reason: reasons.count(reason) for reason in sorted(set(reasons))},
            }
        )
    return entries


def header(records: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
    """A valid header for valid records: labels are a threshold on phi at 0.5."""
    return {
        "schema_version": 1,
        "planned_replicas": 2,
        "hint_types": [HINT_TYPE, OTHER_HINT_TYPE],
        "hint_channel": "user_message",
        "phi_source": "vote_fraction",
        "label_source": "threshold",
        "label_threshold": 0.5,
        "coverage": coverage(records),
        **changes,
    }


def change(rows: list[dict[str, Any]], index: int, **changes: Any) -> list[dict[str, Any]]:
    """A copy of the records in which one of them is changed."""
    changed = copy.deepcopy(rows)
    changed[index].update(changes)
    return changed


def lines(records: list[dict[str, Any]]) -> bytes:
    """Records as JSON lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in records)


def table(records: list[dict[str, Any]], **types: pa.DataType) -> pa.Table:
    """Records as an Arrow table; `types` replaces the type of single columns."""
    chosen = {**TYPES, **types}
    return pa.table(
        {
            name: pa.array([row[name] for row in records], type=arrow_type)
            for name, arrow_type in chosen.items()
        }
    )


def write_header(folder: Path, declared: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "delivery.json").write_text(json.dumps(declared), encoding="utf-8")


def write_lines(
    folder: Path, records: list[dict[str, Any]], declared: dict[str, Any] | None = None
) -> Path:
    """A delivery in JSON lines; the header agrees with `valid_records` unless given."""
    write_header(folder, header(valid_records()) if declared is None else declared)
    (folder / "records.jsonl").write_bytes(lines(records))
    return folder


def write_parquet(
    folder: Path,
    records: list[dict[str, Any]] | pa.Table,
    declared: dict[str, Any] | None = None,
) -> Path:
    """A delivery in Parquet; the header agrees with `valid_records` unless given."""
    write_header(folder, header(valid_records()) if declared is None else declared)
    pq.write_table(
        records if isinstance(records, pa.Table) else table(records), folder / "records.parquet"
    )
    return folder


def raw_line(row: dict[str, Any], **tokens: str) -> bytes:
    """A record as one JSON line in which the values of some fields are written as given."""
    parts = (
        f"{json.dumps(name)}: {tokens.get(name, json.dumps(value))}" for name, value in row.items()
    )
    return ("{" + ", ".join(parts) + "}\n").encode()
