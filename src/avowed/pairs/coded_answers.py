"""The public outputs of Turpin et al. (2023) as integers: one row per item, bias and condition.

The raw files hold texts and are never committed. What the estimators need of them are small
integers, which are facts and are shipped: see ``data/README.md``. Both ways to the deliveries go
through this table, so the source that served cannot change a result.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from avowed.atomic import atomic_path
from avowed.pairs.judges import KeywordJudge
from avowed.refusal import Refused, Unusable

ALWAYS_A = "answer_is_always_a"
SUGGESTED = "suggested_answer"

#: What the codes of the label columns stand for: the index is the code. Also the order in which
#: rows are sorted. The names are the data's own.
VOCABULARIES: dict[str, tuple[str, ...]] = {
    "bias": (SUGGESTED, ALWAYS_A),
    "model": ("claude-v1", "text-davinci-003"),
    "prompting": ("zero-shot", "few-shot"),
    "task": (
        "causal_judgment",
        "date_understanding",
        "disambiguation_qa",
        "hyperbaton",
        "logical_deduction_five_objects",
        "movie_recommendation",
        "navigate",
        "ruin_names",
        "snarks",
        "sports_understanding",
        "temporal_sequences",
        "tracking_shuffled_objects_three_objects",
        "web_of_lies",
    ),
}

SCHEMA: pa.Schema = pa.schema(
    [
        pa.field("bias", pa.int8(), nullable=False),
        pa.field("model", pa.int8(), nullable=False),
        pa.field("prompting", pa.int8(), nullable=False),
        pa.field("task", pa.int8(), nullable=False),
        pa.field("row", pa.int16(), nullable=False),
        pa.field("n_options", pa.int8(), nullable=False),
        pa.field("correct", pa.int8(), nullable=False),
        pa.field("hint", pa.int8(), nullable=False),
        pa.field("unhinted_explained", pa.int8()),
        pa.field("hinted_explained", pa.int8()),
        pa.field("unhinted_unexplained", pa.int8()),
        pa.field("hinted_unexplained", pa.int8()),
        pa.field("mention", pa.int8(), nullable=False),
    ]
)

#: ``config.bias_type`` as the raw files spell it.
_BIAS_TYPE = {"suggested_answer": SUGGESTED, "ans_always_a": ALWAYS_A}

#: The biased context is the first of the two outputs of a raw file, the unbiased one the second.
_HINTED, _UNHINTED = 0, 1


@dataclass(frozen=True)
class Item:
    """What an item file says of one question: options, correct option, suggested option."""

    n_options: int
    correct: int
    suggested: int


def read_items(path: Path) -> tuple[Item, ...]:
    """Read a task's item file; the number of options comes from the item, not from the task.

    Raises:
        Refused: the file is not what the upstream file of that name is.
    """
    rows = _load(path).get("data")
    if not isinstance(rows, list) or not rows:
        raise Refused(f"{path}, field data: expected a non-empty list of items")
    return tuple(_item(path, number, row) for number, row in enumerate(rows))


def _item(path: Path, number: int, row: Any) -> Item:
    try:
        scores = row["multiple_choice_scores"]
        item = Item(len(row["multiple_choice_targets"]), scores.index(1), row["random_ans_idx"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Refused(
            f"{path}, item {number}: not an item of the upstream data ({error})"
        ) from None
    if len(scores) != item.n_options or sum(scores) != 1:
        raise Refused(f"{path}, item {number}: expected one correct option among the targets")
    return item


def code_file(
    path: Path, items: Mapping[str, Sequence[Item]], judge: KeywordJudge
) -> list[dict[str, int | None]]:
    """Code one raw output file: a row per item, in file order.

    ``items`` maps each task to its items. The row position is the item's position, because
    ``idx`` repeats within a task; the answers that the file calls true must agree with the items
    at those positions, which would betray a shifted file. An answer outside 0..L-1 (upstream
    writes -1, and once 23 on a two-option item) was not extracted and is null.

    Raises:
        Refused: the layout is not upstream's, or the file disagrees with the item file.
    """
    raw = _load(path)
    config = raw.get("config")
    outputs = raw.get("outputs")
    if not isinstance(config, dict) or not isinstance(outputs, list) or len(outputs) != 2:
        raise Refused(f"{path}: expected the fields config and outputs (two contexts)")
    labels = {
        "bias": _BIAS_TYPE.get(config.get("bias_type", ""), ""),
        "model": config.get("model"),
        "prompting": "few-shot" if config.get("few_shot") else "zero-shot",
        "task": config.get("task"),
    }
    codes: dict[str, int | None] = {}
    for column, label in labels.items():
        if label not in VOCABULARIES[column]:
            raise Refused(f"{path}, field config: {column} is {label!r}, which is not known here")
        codes[column] = VOCABULARIES[column].index(label)
    hinted, unhinted = outputs[_HINTED], outputs[_UNHINTED]
    task_items = items[str(labels["task"])]
    _check_columns(path, hinted, unhinted, limit=len(task_items))
    if labels["bias"] == SUGGESTED:
        _check_columns(path, hinted, limit=len(task_items), columns=("gen", "random_ans_idx"))
    rows = []
    for number, explanation in enumerate(hinted["gen"]):
        item = task_items[number]
        hint = 0 if labels["bias"] == ALWAYS_A else hinted["random_ans_idx"][number]
        found = (hinted["y_true"][number], unhinted["y_true"][number], hint)
        expected = (item.correct, item.correct, 0 if labels["bias"] == ALWAYS_A else item.suggested)
        if found != expected:
            raise Refused(
                f"{path}, row {number}: correct and suggested options are {found}, "
                f"but the item file says {expected}; the rows are not aligned"
            )
        rows.append(
            {
                **codes,
                "row": number,
                "n_options": item.n_options,
                "correct": item.correct,
                "hint": hint,
                "unhinted_explained": _extracted(unhinted["y_pred"][number], item),
                "hinted_explained": _extracted(hinted["y_pred"][number], item),
                "unhinted_unexplained": _extracted(unhinted["y_pred_prior"][number], item),
                "hinted_unexplained": _extracted(hinted["y_pred_prior"][number], item),
                "mention": int(judge.mention(explanation) is not None),
            }
        )
    return rows


def _check_columns(
    path: Path,
    *contexts: Any,
    limit: int,
    columns: Sequence[str] = ("gen", "y_pred", "y_pred_prior", "y_true"),
) -> None:
    lengths = set()
    for context in contexts:
        for column in columns:
            values = context.get(column) if isinstance(context, dict) else None
            if not isinstance(values, list):
                raise Refused(f"{path}, field outputs: expected a list {column!r} in each context")
            lengths.add(len(values))
    if len(lengths) != 1 or max(lengths) > limit:
        raise Refused(
            f"{path}, field outputs: columns of {sorted(lengths)} rows for {limit} items; "
            "expected equal lengths, at most one row per item"
        )


def _extracted(answer: int, item: Item) -> int | None:
    return answer if 0 <= answer < item.n_options else None


def _load(path: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(path.read_bytes())
    except OSError as error:
        raise Unusable(f"{path} cannot be read ({error.strerror}); fetch the files again") from None
    except (ValueError, RecursionError) as error:
        raise Refused(f"{path}: not JSON ({error}); fetch the file again") from None
    if not isinstance(loaded, dict):
        raise Refused(f"{path}: expected a JSON object")
    return loaded


def code_all(
    outputs: Iterable[Path], items: Mapping[str, Sequence[Item]], judge: KeywordJudge
) -> pa.Table:
    """Code every raw output file into one table, sorted by its label columns and row.

    Raises:
        Refused: a file is not upstream's, or two files hold the same condition and task.
    """
    rows = [row for path in outputs for row in code_file(path, items, judge)]
    keys = ("bias", "model", "prompting", "task", "row")
    rows.sort(key=lambda row: tuple(row[key] or 0 for key in keys))
    for before, after in pairwise(rows):
        if all(before[key] == after[key] for key in keys):
            where = {key: after[key] for key in keys}
            raise Refused(f"coded answers: two raw files hold the same row {where}")
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def write_coded(table: pa.Table, path: Path) -> None:
    """Write the coded answers, byte-stable under one version of pyarrow."""
    with atomic_path(path) as temporary:
        pq.write_table(
            table, temporary, compression="zstd", compression_level=19, use_dictionary=False
        )


def read_coded(path: Path) -> pa.Table:
    """Read coded answers.

    Raises:
        Unusable: the file cannot be read as Parquet or has other columns.
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
        raise Unusable(f"{path} cannot be read as Parquet ({error})") from None
    if table.schema.remove_metadata() != SCHEMA:
        raise Unusable(f"{path}: the columns are not those of the coded answers; make it again")
    return table


def patterns_sha256(patterns: Sequence[str]) -> str:
    """Hash the judge's patterns, so that a mention flag is never used under other patterns.

    >>> patterns_sha256(["a"]) != patterns_sha256(["b"])
    True
    """
    return hashlib.sha256("\n".join(patterns).encode("utf-8")).hexdigest()


def describe_coded(
    table_path: Path, *, rows: int, sources: Mapping[str, str], patterns: Sequence[str]
) -> dict[str, Any]:
    """Describe a file of coded answers: legend, hashes of what it was made from, its own hash.

    ``sources`` maps each upstream path to its sha256.
    """
    return {
        "rows": rows,
        "sha256": hashlib.sha256(table_path.read_bytes()).hexdigest(),
        "legend": {column: list(names) for column, names in VOCABULARIES.items()},
        "mention_patterns": list(patterns),
        "mention_patterns_sha256": patterns_sha256(patterns),
        "sources": dict(sorted(sources.items())),
    }


def check_coded(
    table_path: Path,
    described: Mapping[str, Any],
    *,
    sources: Mapping[str, str],
    patterns: Sequence[str] | None = None,
) -> None:
    """Check that shipped coded answers are what their description says, and still apply.

    Raises:
        Refused: the file was altered (both hashes are named), was made from other source files,
            or its mention flags were made with other patterns than ``patterns``.
    """
    found = hashlib.sha256(table_path.read_bytes()).hexdigest()
    if found != described["sha256"]:
        raise Refused(
            f"{table_path}: found sha256 {found}, but its description says "
            f"{described['sha256']}; restore the file from the repository"
        )
    differing = sorted(
        path
        for path in {*sources, *described["sources"]}
        if sources.get(path) != described["sources"].get(path)
    )
    if differing:
        raise Refused(
            f"{table_path}: made from other source files than data/sources.tsv lists "
            f"({len(differing)} differ, first {differing[0]}); use the raw files, or restore both"
        )
    if patterns is not None and patterns_sha256(patterns) != described["mention_patterns_sha256"]:
        raise Refused(
            f"{table_path}: its mention flags were made with other patterns than config key "
            "turpin.mention_patterns; new patterns need the raw files (set AVOWED_MIRROR or go "
            "online), or restore the patterns"
        )
