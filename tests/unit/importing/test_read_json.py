"""JSON documents in each of their forms, and folders of files."""

import json
from pathlib import Path
from typing import Any

import pytest
from fuzz.oracle import tagged

from avowed.importing.input_form import InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.read import read_input
from avowed.importing.readers import stream
from avowed.refusal import Refused, Unusable

ROWS = [{"id": "q1", "x": 1}, {"id": "q2", "x": True}, {"id": "q3", "x": None}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.json"


def read(path: Path, document: Any, columns: list[str] | None = None, **how: Any) -> RawTable:
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    [table] = read_input(path, InputForm(**how), columns=columns)
    return table


def by_column(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.parametrize(
    ("document", "how"),
    [
        (ROWS, {}),
        (by_column(ROWS), {}),
        ({row["id"]: {"x": row["x"]} for row in ROWS}, {}),
        ({"data": {"items": [ROWS]}}, {"at": "data.items.0"}),
        ({row["id"]: [{"x": row["x"]}] for row in ROWS}, {"form": "by_id"}),
        (
            {k: dict(zip("abc", v, strict=True)) for k, v in by_column(ROWS).items()},
            {"form": "columns"},
        ),
    ],
)
def test_every_form_gives_the_same_table(path: Path, document: Any, how: dict[str, Any]) -> None:
    table = read(path, document, ["id", "x"], **how)
    assert (table.rows.tolist(), table.row_word) == ([1, 2, 3], "row")
    assert table.columns["id"].every() == ["q1", "q2", "q3"]
    assert tagged(table.columns["x"].every()) == tagged([1, True, None])


def test_several_rows_may_stand_under_one_id(path: Path) -> None:
    document = {"q1": [{"x": 1}, {"x": 2}], "q2": [{"x": 3}]}
    table = read(path, document, form="by_id", id_as="question")
    assert table.columns["question"].every() == ["q1", "q1", "q2"]
    with pytest.raises(Refused, match="row 1: has a key x of its own; say with"):
        read(path, document, form="by_id", id_as="x")


@pytest.mark.parametrize(
    ("document", "how", "reason"),
    [
        (ROWS, {"at": "items"}, "no key items under the top; nothing is there"),
        ({"item": ROWS}, {"at": "items"}, "no key items under the top; nearest: item"),
        ([1], {}, "row 1: not a JSON object"),
        ([], {}, "holds no rows"),
        ({}, {}, "is neither a list of objects"),
        ("3", {}, "is neither a list of objects"),
        ({"a": [1], "b": [1, 2]}, {}, "column b: is not a column of as many values as a"),
        ({"a": [{"x": 1}]}, {}, "is neither a list of objects"),
        (ROWS, {"form": "by_id"}, "is no object keyed by id"),
        ({"a": [1]}, {"form": "rows"}, "is no list of rows"),
    ],
)
def test_data_of_another_form_are_refused(
    path: Path, document: Any, how: dict[str, Any], reason: str
) -> None:
    with pytest.raises(Refused, match=rf"pairs\.json.*{reason}"):
        read(path, document, **how)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[\n{"x": 1},\n]', "line 3: broken JSON"),
        ('[{"x": 1, "x": 2}]', 'broken JSON: the key "x" occurs twice'),
        ('[{"x": NaN}]', "NaN is not JSON; write null"),
        ("[" * 100_000, "nested too deeply"),
        ('[{"x": ' + "1" * 5000 + "}]", "too many digits"),
        ("", "line 1: broken JSON"),
    ],
)
def test_broken_documents_are_unusable(path: Path, text: str, reason: str) -> None:
    with pytest.raises(Unusable, match=rf"pairs\.json.*{reason}"):
        read(path, text)


def test_a_document_too_large_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "MAX_DOCUMENT", 10)
    with pytest.raises(Refused, match="a JSON document of more than"):
        read(path, ROWS)


def test_the_files_of_a_folder_by_name_hidden_ones_passed_over(tmp_path: Path) -> None:
    for name, text in {
        "b.csv": "x\n1\n",
        "a.jsonl": '{"x": 1}\n',
        ".c.csv": "nothing",
        "README.md": "",
        "LICENSE": "",
    }.items():
        (tmp_path / name).write_text(text)
    tables = read_input(tmp_path, InputForm(), columns=["x"])
    assert [table.file for table in tables] == [
        str(tmp_path / "a.jsonl"),
        str(tmp_path / "b.csv"),
    ]
    assert [table.columns["x"].values for table in tables] == [(1,), ("1",)]
    with pytest.raises(Refused, match=r"b\.csv: an ending that is not expected here"):
        read_input(tmp_path, InputForm(kind="jsonl"), columns=["x"])
    (tmp_path / "b.csv").write_text("y\n1\n")
    with pytest.raises(Refused, match=r"b\.csv: has no column x; nearest: y"):
        read_input(tmp_path, InputForm(), columns=["x"])


def test_what_is_no_input(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="no such file"):
        read_input(tmp_path / "none.csv", InputForm(), columns=None)
    with pytest.raises(Unusable, match="holds no file that ends in"):
        read_input(tmp_path, InputForm(), columns=None)
    (tmp_path / "a.tsv").write_text("x\n1\n")
    with pytest.raises(Unusable, match=r"its ending is not known; known are \.parquet"):
        read_input(tmp_path / "a.tsv", InputForm(), columns=None)
    with pytest.raises(Refused, match=r"a\.tsv: an ending that is not expected here"):
        read_input(tmp_path, InputForm(), columns=None)
    [table] = read_input(tmp_path / "a.tsv", InputForm(kind="csv"), columns=None)
    assert table.columns["x"].every() == ["1"]
    (tmp_path / "a.tsv").unlink()
    (tmp_path / "inner").mkdir()
    with pytest.raises(Refused, match="inner: is a folder"):
        read_input(tmp_path, InputForm(), columns=None)


@pytest.mark.parametrize(
    "how", [{"kind": "xls"}, {"form": "row"}, {"delimiter": ";;"}, {"delimiter": '"'}]
)
def test_an_input_form_that_cannot_be_is_refused(how: dict[str, Any]) -> None:
    with pytest.raises(Unusable, match=rf"input\.{next(iter(how))}: found"):
        InputForm(**how)


def test_encodings_are_text_encodings() -> None:
    for encoding in ("hex", "no-such", ""):
        with pytest.raises(Unusable, match=r"input\.encoding: found"):
            InputForm(encoding=encoding)
