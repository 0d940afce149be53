"""CSV: text stays text, a row is where it begins, and what is ragged is refused."""

import csv
import random
from pathlib import Path

import pytest

from avowed.importing.input_form import InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.read import read_input
from avowed.importing.readers import csv_file
from avowed.refusal import Refused, Unusable


def read(
    path: Path, content: str | bytes, columns: list[str] | None = None, **how: str
) -> RawTable:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    [table] = read_input(path, InputForm(**how), columns=columns)  # type: ignore[arg-type]
    return table


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.csv"


def test_all_values_are_text(path: Path) -> None:
    table = read(path, "id,x\n1,3.0\n01,true\n, \n")
    assert table.columns["id"].every() == ["1", "01", ""]
    assert table.columns["x"].every() == ["3.0", "true", " "]
    assert (table.rows.tolist(), table.row_word, dict(table.absent)) == ([2, 3, 4], "line", {})


def test_rows_are_numbered_by_the_line_on_which_they_begin(path: Path) -> None:
    text = 'id,x\n1,"a\nb\r\nc"\n\n2,d\n3,"\r"\n4,e\n'
    table = read(path, text)
    assert table.rows.tolist() == [2, 6, 7, 9]
    assert table.columns["x"].every() == ["a\nb\r\nc", "d", "\r", "e"]


def test_a_long_file_agrees_with_the_writer(path: Path) -> None:
    rng = random.Random(2)
    rows = [[str(n), rng.choice(["A", "a,b", 'q"q', "two\nlines", ""])] for n in range(20_000)]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "x"], *rows])
    [table] = read_input(path, InputForm(), columns=["x", "id"])
    assert list(table.columns) == ["x", "id"]
    columns = (table.columns["id"].every(), table.columns["x"].every())
    assert [list(row) for row in zip(*columns, strict=True)] == rows
    line, expected = 2, []
    for _, cell in rows:
        expected.append(line)
        line += 1 + cell.count("\n")
    assert table.rows.tolist() == expected


def test_byte_order_mark_delimiter_and_encoding(path: Path) -> None:
    assert list(read(path, "\ufeffid;x\n1;2\n", delimiter=";").columns) == ["id", "x"]
    latin = "id,x\n1,ü\n".encode("latin-1")
    assert read(path, latin, encoding="latin-1").columns["x"].every() == ["ü"]
    assert read(path, "id\nü\n".encode("utf-16"), encoding="utf-16").columns["id"].every() == ["ü"]
    with pytest.raises(Unusable, match="line 2: is not utf-8; say input"):
        read(path, latin)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("id,x\n1,2\n3\n", "line 3: 1 cells; the header has 2"),
        ('id,x\n1,"a\nb"\n3,4,5\n', "line 4: 3 cells; the header has 2"),
        ('id,x\n1,"a" b\n', "line 2: broken CSV"),
        ('id,x\n1,"a\n', "line 2: broken CSV: unexpected end of data"),
        ("id,x\n1,a\0\n", "line 2: holds a NUL"),
        ("", "line 1: no header"),
        ("\n1,2\n", "line 1: no header"),
    ],
)
def test_what_is_no_csv_is_named_by_line(path: Path, text: str, reason: str) -> None:
    with pytest.raises(Unusable, match=rf"pairs\.csv, {reason}"):
        read(path, text, ["id"])


def test_columns_twice_unknown_and_without_a_name(path: Path) -> None:
    text = ",id,x,x,\n0,1,2,3,4\n"
    assert list(read(path, ",id,\n0,1,2\n").columns) == ["id"]
    assert read(path, text, ["id"]).columns["id"].every() == ["1"]
    with pytest.raises(Refused, match="more than one column is named x"):
        read(path, text, ["x"])
    with pytest.raises(Refused, match="has no column ids; nearest: id, "):
        read(path, text, ["ids"])


def test_no_rows(path: Path) -> None:
    with pytest.raises(Refused, match="holds no rows"):
        read(path, "id,x\n", ["id"])


def test_a_line_without_end_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_file, "MAX_LINE", 1000)
    with pytest.raises(Unusable, match="line 2: is too long"):
        read(path, "id\n" + "x" * 1000)
    with pytest.raises(Unusable, match="broken CSV: field larger than field limit"):
        read(path, 'id\n"' + "x\n" * 1000 + '"\n')
