"""Samples of an Inspect log as rows: what becomes a column, and what is left out.

A sample's own fields keep their names: ``id`` (number or text as logged), ``epoch`` (from 1),
``input``, ``target``, ``choices`` (a list), ``metadata.*``, ``output.completion``,
``scores.SCORER.value``, ``.answer``, ``.explanation`` and ``.metadata.*`` per scorer (a scorer with
several values has ``scores.SCORER.value.NAME``), ``error.message``, ``limit.type``. Added are
``output.stop_reason`` (of the first choice), ``status`` and ``eval.*`` of the log's header. Left
out are the transcript (messages, events) and the attachments, to which texts are resolved.
"""

import math
from collections.abc import Collection, Mapping
from typing import Any

from avowed.importing.raw_table import RawTable
from avowed.importing.readers.records import RecordTable
from avowed.refusal import Refused

_TRANSCRIPT = ("messages", "events", "events_data", "attachments", "timelines", "transcript")

_HEADER = (
    "eval_id",
    "run_id",
    "created",
    "task",
    "task_id",
    "task_version",
    "task_args",
    "model",
)

_ATTACHED = "attachment://"


def is_log(data: Any) -> bool:
    """Whether a JSON document is an Inspect log.

    >>> is_log({"version": 2, "status": "success", "eval": {"task": "t"}, "samples": []})
    True
    """
    return (
        isinstance(data, dict)
        and isinstance(data.get("eval"), dict)
        and isinstance(data.get("status"), str)
        and isinstance(data.get("samples", []), list)
    )


def table_of_log(data: Any, file: str, *, columns: Collection[str] | None) -> RawTable:
    """The samples of an Inspect log that is one JSON document.

    Raises:
        Refused: it is no log, or has no samples; else as `RecordTable`.
    """
    if not is_log(data):
        raise Refused(f"{file}: is no Inspect log: it lacks the keys eval and status")
    header = header_columns(data)
    table = RecordTable(file=file, row_word="row", columns=columns)
    for number, sample in enumerate(data.get("samples") or [], start=1):
        table.add([row_of(sample, header, f"{file}, row {number}")])
    return table.finish()


def header_columns(header: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a log's header that every row gets.

    >>> header_columns({"status": "success", "eval": {"task": "t", "packages": {}}})
    {'eval': {'task': 't'}, 'status': 'success'}
    """
    described = header.get("eval")
    known = described if isinstance(described, dict) else {}
    row: dict[str, Any] = {"eval": {key: known[key] for key in _HEADER if key in known}}
    if isinstance(header.get("status"), str):
        row["status"] = header["status"]
    return row


def row_of(sample: Any, header: Mapping[str, Any], where: str) -> dict[str, Any]:
    """One sample as a row.

    NaN is how Inspect writes the value of a sample that a scorer left unscored; it becomes None.

    Args:
        sample: the sample as parsed.
        header: what `header_columns` gave.
        where: file and row, for messages.

    Raises:
        Refused: the sample is no object with an id and an epoch.

    >>> row = row_of({"id": 1, "epoch": 1, "scores": {"s": {"value": math.nan}}}, {}, "a, row 1")
    >>> row["scores"]
    {'s': {'value': None}}
    """
    if not isinstance(sample, dict) or "id" not in sample or "epoch" not in sample:
        raise Refused(f"{where}: not an Inspect sample: it lacks id or epoch")
    attachments = sample.get("attachments")
    row = {
        key: _resolved(value, attachments) if isinstance(attachments, dict) else value
        for key, value in sample.items()
        if key not in _TRANSCRIPT
    }
    scores = row.get("scores")
    if isinstance(scores, dict):
        row["scores"] = {name: _scored(score) for name, score in scores.items()}
    output = row.get("output")
    if isinstance(output, dict) and "stop_reason" not in output:
        choices = output.get("choices")
        first = choices[0] if isinstance(choices, list) and choices else None
        if isinstance(first, dict) and "stop_reason" in first:
            row["output"] = {**output, "stop_reason": first["stop_reason"]}
    return {**header, **row}


def _scored(score: Any) -> Any:
    if not isinstance(score, dict) or "value" not in score:
        return score
    value = score["value"]
    if isinstance(value, dict):
        value = {key: _without_nan(each) for key, each in value.items()}
    elif isinstance(value, list):
        value = [_without_nan(each) for each in value]
    return {**score, "value": _without_nan(value)}


def _without_nan(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _resolved(value: Any, attachments: Mapping[str, Any]) -> Any:
    """The value with texts put back that the log stores beside it, two levels deep.

    Texts stand in the sample's own fields or one level below; deeper ones are transcript.
    """
    if isinstance(value, dict):
        return {key: _text(each, attachments) for key, each in value.items()}
    return _text(value, attachments)


def _text(value: Any, attachments: Mapping[str, Any]) -> Any:
    if isinstance(value, str) and value.startswith(_ATTACHED):
        return attachments.get(value.removeprefix(_ATTACHED), value)
    return value
