"""Tables as CSV: ten digits, undefined as nothing, whole or not at all."""

import math
from pathlib import Path

import pytest

from avowed.present.csvfile import NAMES, cell_text, read_rows, read_table, write_rows

COLUMNS = ("name", "value")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1 + 0.2, "0.3"),
        (1 / 3, "0.3333333333"),
        (1.0, "1"),
        (1.0000000000000002, "1"),
        (0.0, "0"),
        (1e-12, "1e-12"),
        (2111, "2111"),
        (0, "0"),
        (12345678901234567890, "12345678901234567890"),
        (None, ""),
        (math.nan, ""),
        ("", ""),
        ("nan", "nan"),
        ("none", "none"),
    ],
)
def test_text_of_a_cell(value: str | int | float | None, text: str) -> None:
    assert cell_text(value) == text


def test_rows_are_written_in_the_order_of_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "table.csv"
    write_rows(
        path, COLUMNS, [{"value": 0.5, "name": "a", "more": 1}, {"name": "b", "value": None}]
    )
    assert path.read_bytes() == b"name,value\na,0.5\nb,\n"


def test_no_rows_leave_the_header(tmp_path: Path) -> None:
    write_rows(tmp_path / "table.csv", COLUMNS, [])
    assert (tmp_path / "table.csv").read_bytes() == b"name,value\n"
    assert read_rows(tmp_path / "table.csv") == []


def test_any_text_comes_back_as_it_was(tmp_path: Path) -> None:
    texts = ['a,"b"', "two\nlines", "p <= q/(L-2); \u2013 \u2028 \u00e9", " spaces ", ""]
    rows = [{"name": text, "value": str(number)} for number, text in enumerate(texts)]
    write_rows(tmp_path / "table.csv", COLUMNS, rows)
    assert read_rows(tmp_path / "table.csv") == rows


def test_a_row_that_lacks_a_column_leaves_the_old_table(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_rows(path, COLUMNS, [{"name": "old", "value": 1}])
    with pytest.raises(KeyError, match="value"):
        write_rows(path, COLUMNS, [{"name": "new", "value": 1}, {"name": "newer"}])
    assert read_rows(path) == [{"name": "old", "value": "1"}]
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]


@pytest.mark.parametrize("name", ["007", "nan", "1e5", "inf", " 5", "1_0"])
@pytest.mark.parametrize("column", sorted(NAMES))
def test_a_name_comes_back_as_text_whatever_it_looks_like(
    tmp_path: Path, column: str, name: str
) -> None:
    path = tmp_path / "table.csv"
    row = {column: name, "repetitions": 7, "bias": -0.5, "truth": None}
    write_rows(path, list(row), [row, row | {column: None}])
    assert read_table(path) == [row, row | {column: None}]


def test_a_table_tells_integers_from_floats_and_both_from_text(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("a,b,c\n3,0.5,x y\n-3,1e-12,\n", encoding="utf-8")
    rows = read_table(path)
    assert rows == [{"a": 3, "b": 0.5, "c": "x y"}, {"a": -3, "b": 1e-12, "c": None}]
    assert [type(value) for value in rows[0].values()] == [int, float, str]
