"""One study in every form that is read: the same records, byte by byte, and the same estimates."""

import csv
import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.import_tables import run, write_mapping

from avowed.cli import main
from avowed.pairs.rules import validate

Rows = list[dict[str, Any]]

_ANSWERS = {"correct": "c", "hint": "h", "baseline": "a0", "hinted": "a1"}


def study(*, probes: int = 40, replicas: int = 3) -> Rows:
    """A study with everything that every form can hold; no two of its rows are alike."""
    rng = np.random.default_rng([20261130, 66])
    rows = []
    for number in range(probes):
        count = int(rng.integers(3, 6))
        correct, hint = (int(place) for place in rng.choice(count, 2, replace=False))
        for replica in range(replicas):
            plain = correct if rng.random() < 0.7 else int(rng.integers(count))
            nudged = hint if rng.random() < 0.5 else plain
            cut = rng.random() < 0.05
            moved = plain != hint and nudged == hint
            rows.append(
                {
                    "q": f"q{number:02d}",
                    "r": replica,
                    "n": count,
                    "c": "ABCDE"[correct],
                    "h": "ABCDE"[hint],
                    "a0": "ABCDE"[plain],
                    "a1": "" if cut else "ABCDE"[nudged],
                    "v": ("yes" if rng.random() < 0.4 else "no") if moved else "",
                    "p": round(float(rng.random()), 3),
                    "e": "é\u2028 “quoted”, with a comma",
                }
            )
    return rows


def mapping(**changes: Any) -> dict[str, Any]:
    return {
        "version": 1,
        "probe": ["q"],
        "hint_type": {"constant": "nudge"},
        "n_options": {"column": "n"},
        "answers": {"coding": "letters", "missing": [""], **_ANSWERS},
        "replica": {"column": "r"},
        "judge": {
            "column": "v",
            "faithful": ["yes"],
            "unfaithful": ["no"],
            "missing": [""],
            "phi": {"column": "p", "of": "faithful", "source": "token_logprobs"},
            "evidence": "e",
        },
        "planned_replicas": 3,
        "header": {"hint_channel": "user_message"},
        **changes,
    }


def parquet(path: Path, rows: Rows) -> None:
    pq.write_table(pa.Table.from_pylist(rows), path)


def dictionaries(path: Path, rows: Rows) -> None:
    table = pa.Table.from_pylist(rows)
    columns = [
        column.dictionary_encode() if pa.types.is_string(column.type) else column
        for column in table.columns
    ]
    pq.write_table(pa.table(columns, names=table.column_names), path)


def lines(path: Path, rows: Rows) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8", newline="\n")


def packed_lines(path: Path, rows: Rows) -> None:
    with gzip.open(path, "wt", encoding="utf-8", newline="\n") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def sheet(path: Path, rows: Rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def objects(path: Path, rows: Rows) -> None:
    path.write_text(json.dumps({"data": {"items": rows}}), encoding="utf-8")


def lists(path: Path, rows: Rows) -> None:
    path.write_text(json.dumps({name: [row[name] for row in rows] for name in rows[0]}), "utf-8")


def by_id(path: Path, rows: Rows) -> None:
    found: dict[str, Rows] = {}
    for row in rows:
        rest = {name: value for name, value in row.items() if name != "q"}
        found.setdefault(row["q"], []).append(rest)
    path.write_text(json.dumps(found), encoding="utf-8")


def inspect_log(path: Path, rows: Rows) -> None:
    """A log as Inspect packs it: one document per sample and epoch, epochs from 1."""
    described = {"task": "study", "model": "a-model", "created": "2026-11-30T00:00:00+00:00"}
    header = {"version": 2, "status": "success", "eval": described}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header))
        for row in rows:
            sample = {
                "id": row["q"],
                "epoch": row["r"] + 1,
                "input": "a question",
                "target": row["c"],
                "metadata": {name: row[name] for name in ("n", "h", "a0")},
                "scores": {
                    "answer": {"value": "I", "answer": row["a1"]},
                    "judge": {
                        "value": row["v"], "explanation": row["e"], "metadata": {"p": row["p"]}
                    },
                },
            }  # fmt: skip
            name = f"samples/{row['q']}_epoch_{row['r'] + 1}.json"
            archive.writestr(name, json.dumps(sample))


OF_LOG = mapping(
    probe=["id"],
    replica={"column": "epoch", "from": 1},
    n_options={"column": "metadata.n"},
    answers={
        "coding": "letters",
        "missing": [""],
        "correct": "target",
        "hint": "metadata.h",
        "baseline": "metadata.a0",
        "hinted": "scores.answer.answer",
    },
    judge={
        **mapping()["judge"],
        "column": "scores.judge.value",
        "evidence": "scores.judge.explanation",
        "phi": {**mapping()["judge"]["phi"], "column": "scores.judge.metadata.p"},
    },
)

Writer = Callable[[Path, Rows], None]

FORMS: dict[str, tuple[Writer, dict[str, Any]]] = {
    "study.parquet": (parquet, mapping()),
    "dictionaries.parquet": (dictionaries, mapping()),
    "study.jsonl": (lines, mapping()),
    "study.jsonl.gz": (packed_lines, mapping()),
    "study.csv": (sheet, mapping()),
    "rows.json": (objects, mapping(input={"form": "rows", "at": "data.items"})),
    "columns.json": (lists, mapping(input={"form": "columns"})),
    "by_id.json": (by_id, mapping(input={"form": "by_id", "id_as": "q"})),
    "study.eval": (inspect_log, OF_LOG),
}


def imported(folder: Path, name: str, rows: Rows) -> Path:
    """The delivery made of the rows in this form."""
    write, described = FORMS[name]
    home = folder / name.replace(".", "_")
    home.mkdir(parents=True)
    write(home / name, rows)
    path = write_mapping(home, described)
    assert run(home / name, "--mapping", path, "--out", home / "d", "--name", "study") == 0
    return home / "d"


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return imported(tmp_path_factory.mktemp("first"), "study.jsonl", study())


def estimates(delivery: Path, out: Path) -> bytes:
    arguments = ["estimate", str(delivery), "--name", "study", "--out", str(out)]
    assert main(arguments) == 0
    return out.read_bytes()


@pytest.mark.parametrize("name", FORMS)
@pytest.mark.parametrize("shuffled", [False, True])
def test_every_form_gives_the_same_delivery_and_estimates(
    name: str, shuffled: bool, first: Path, tmp_path: Path
) -> None:
    rows = study()
    if shuffled:
        order = np.random.default_rng([20261130, 67]).permutation(len(rows))
        rows = [rows[place] for place in order]
    delivery = imported(tmp_path, name, rows)
    assert validate(delivery).accepted
    for file in ("records.parquet", "delivery.json"):
        assert (delivery / file).read_bytes() == (first / file).read_bytes()
    assert estimates(delivery, tmp_path / "a.csv") == estimates(first, tmp_path / "b.csv")


def test_the_records_are_what_the_study_says(first: Path) -> None:
    """Field by field against the rows, so that all forms are not wrong in the same way."""
    records = pq.read_table(first / "records.parquet").to_pylist()
    by_unit = {(record["probe_id"], record["replica"]): record for record in records}
    rows = study()
    assert len(records) == len(by_unit) == len(rows)
    for row in rows:
        record = by_unit[row["q"], row["r"]]
        for field, column in (
            ("correct_answer", "c"), ("hint_answer", "h"), ("baseline_answer", "a0"),
            ("hinted_answer", "a1"),
        ):  # fmt: skip
            index = record[field]
            assert ("" if index is None else "ABCDE"[index]) == row[column]
        assert record["n_options"] == row["n"]
        moved = row["a1"] == row["h"] != row["a0"]
        assert record["judge_applied"] == moved
        assert (
            record["judge_label"]
            == {"yes": "faithful", "no": "unfaithful", "": None}[row["v"] if moved else ""]
        )
        assert record["judge_phi"] == (row["p"] if moved else None)
        assert record["judge_evidence"] == (row["e"] if moved else None)


def test_a_folder_of_parts_is_the_whole(first: Path, tmp_path: Path) -> None:
    rows = study()
    parts = tmp_path / "parts"
    parts.mkdir()
    lines(parts / "1.jsonl", rows[:50])
    lines(parts / "2.jsonl", rows[50:])
    path = write_mapping(tmp_path, mapping())
    assert run(parts, "--mapping", path, "--out", tmp_path / "d", "--name", "study") == 0
    whole = (first / "records.parquet").read_bytes()
    assert (tmp_path / "d" / "records.parquet").read_bytes() == whole
    described = json.loads((tmp_path / "d" / "import.json").read_text("utf-8"))
    assert [entry["rows"] for entry in described["inputs"]] == [50, len(rows) - 50]
