"""Parquet in every dress, and what a damaged or a lying file gives."""

import struct
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzz.oracle import tagged
from support.parquet_claims import ROWS, claiming

from avowed.importing.input_form import InputForm
from avowed.importing.raw_table import RawTable
from avowed.importing.read import read_input
from avowed.refusal import Refused, Unusable


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.parquet"


def read(path: Path, columns: list[str] | None = None) -> RawTable:
    [table] = read_input(path, InputForm(), columns=columns)
    return table


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (pa.array([None, 3, 2**53 + 1]), [None, 3, 2**53 + 1]),
        (pa.array([None, 1], type=pa.uint8()), [None, 1]),
        (pa.array([2**64 - 1, 0], type=pa.uint64()), [2**64 - 1, 0]),
        (pa.array([3.0, float("nan"), None, -0.0]), [3.0, None, None, 0.0]),
        (pa.array([0.5, None], type=pa.float32()), [0.5, None]),
        (pa.array([True, None, False]), [True, None, False]),
        (pa.array(["A", None, ""]), ["A", None, ""]),
        (pa.array(["A", None], type=pa.large_string()), ["A", None]),
        (pa.array(["A", None], type=pa.string_view()), ["A", None]),
        (pa.array(["A", None, "A"]).dictionary_encode(), ["A", None, "A"]),
        (pa.nulls(2), [None, None]),
        (pa.array([["A", None], None, []]), [("A", None), None, ()]),
        (pa.array([[1, 2], [3, 4]], type=pa.list_(pa.int8(), 2)), [(1, 2), (3, 4)]),
        (pa.array([[[1.0]], [None]]), [((1.0,),), (None,)]),
    ],
)
def test_values_of_every_readable_type(path: Path, array: pa.Array, expected: list[object]) -> None:
    pq.write_table(pa.table({"x": array}), path)
    table = read(path, ["x"])
    assert tagged(table.columns["x"].every()) == tagged(expected)
    assert (table.rows.tolist(), table.row_word) == ([*range(1, len(expected) + 1)], "row")


def test_codes_hold_over_batches(path: Path) -> None:
    n = 150_000
    late = [None if number < 70_000 else number % 3 for number in range(n)]
    columns = {"n": pa.array(range(n)), "m": pa.array(late)}
    pq.write_table(pa.table(columns), path, row_group_size=40_000)
    table = read(path)
    assert table.columns["n"].every() == list(range(n))
    assert table.columns["m"].every() == late
    assert sorted(table.columns["m"].values, key=str) == [0, 1, 2, None]


def test_structs_are_flattened_and_their_nulls_handed_down(path: Path) -> None:
    rows = [{"a": "A", "deep": {"b": [1]}}, None, {"a": None, "deep": None}]
    pq.write_table(pa.table({"meta": rows, "a.b": [1, 2, 3]}), path)
    table = read(path)
    assert list(table.columns) == ["meta.a", "meta.deep.b", "a.b"]
    assert table.columns["meta.a"].every() == ["A", None, None]
    assert read(path, ["meta.deep.b"]).columns["meta.deep.b"].every() == [(1,), None, None]
    assert read(path, ["a.b"]).columns["a.b"].every() == [1, 2, 3]
    with pytest.raises(Refused, match=r"column meta: holds structs; map a field \(meta\.a, "):
        read(path, ["meta"])


@pytest.mark.parametrize(
    ("array", "told"),
    [
        (pa.array([1], type=pa.timestamp("us", tz="UTC")), r"timestamp\[us, tz=UTC\]"),
        (pa.array([Decimal("1.5")]), r"decimal128\(2, 1\)"),
        (pa.array([b"A"]), "binary"),
        (pa.array([1], type=pa.date32()), "date32"),
        (pa.array([[("k", 1)]], type=pa.map_(pa.string(), pa.int8())), "map<"),
        (pa.array([[{"a": 1}]]), "list<.*struct"),
    ],
)
def test_other_types_are_refused_where_mapped(path: Path, array: pa.Array, told: str) -> None:
    pq.write_table(pa.table({"x": array, "id": [1]}), path)
    with pytest.raises(Refused, match=rf"pairs\.parquet, column x: holds {told}"):
        read(path, ["id", "x"])
    assert read(path, ["id"]).columns["id"].every() == [1]
    assert list(read(path).columns) == ["id"]
    pq.write_table(pa.table({"x": array}), path)
    with pytest.raises(Refused, match="has no column with values of a kind that is read"):
        read(path)


def test_names_twice_and_unknown(path: Path) -> None:
    columns = [pa.array([1]), pa.array([2]), pa.array([3])]
    pq.write_table(pa.table(columns, names=["x", "x", "y"]), path)
    assert read(path, ["y"]).columns["y"].every() == [3]
    for wanted in (["x"], None):
        with pytest.raises(Refused, match="more than one column is named x"):
            read(path, wanted)
    with pytest.raises(Refused, match="has no column z; nearest: "):
        read(path, ["z"])
    inner = pa.StructArray.from_arrays([pa.array([1])], ["b"])
    pq.write_table(pa.table([inner, pa.array([2])], names=["a", "a.b"]), path)
    with pytest.raises(Refused, match=r"more than one column is named a\.b"):
        read(path, ["a.b"])


def test_no_rows(path: Path) -> None:
    pq.write_table(pa.table({"x": pa.array([], type=pa.string())}), path)
    with pytest.raises(Refused, match="holds no rows"):
        read(path, ["x"])


def test_two_files_of_which_one_lacks_a_column(tmp_path: Path) -> None:
    pq.write_table(pa.table({"x": [1], "id": ["a"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": ["1"], "idd": [2]}), tmp_path / "b.parquet")
    tables = read_input(tmp_path, InputForm(), columns=["x"])
    assert [table.columns["x"].values for table in tables] == [(1,), ("1",)]
    with pytest.raises(Refused, match=r"b\.parquet: has no column id; nearest: idd"):
        read_input(tmp_path, InputForm(), columns=["x", "id"])


def test_damage_is_told(path: Path) -> None:
    pq.write_table(pa.table({"x": [f"answer {n}" for n in range(2000)]}), path)
    whole = path.read_bytes()
    size = int.from_bytes(whole[-8:-4], "little")
    damaged = {
        "empty": b"",
        "truncated": whole[: len(whole) // 2],
        "no footer": whole[: -size - 8] + whole[-8:],
        "corrupt footer": whole[: -size - 8] + b"\xff" * size + whole[-8:],
        "long footer": whole[:-8] + struct.pack("<I", 2**31 - 1) + b"PAR1",
        "hole": whole[:40] + b"\0" * 4000 + whole[4040:],
    }
    for what, raw in damaged.items():
        path.write_bytes(raw)
        with pytest.raises(Unusable, match=r"pairs\.parquet: not a readable Parquet file") as told:
            read(path, ["x"])
        assert "\n" not in str(told.value), what


def test_text_that_is_not_utf8_is_refused(path: Path) -> None:
    pq.write_table(pa.table({"x": ["answer"]}), path, use_dictionary=False, compression="none")
    path.write_bytes(path.read_bytes().replace(b"answer", b"\xff\xfe\xfd\xfc\xfb\xfa"))
    with pytest.raises(Unusable, match=r"not a readable Parquet file: .*UTF8"):
        read(path, ["x"])


@pytest.mark.parametrize(
    ("claims", "error", "reason"),
    [
        (
            {"rows": 1_000_000_000, "group": 1_000_000_000},
            Refused,
            "has or claims 1,000,000,000 rows or more; at most 20,000,000",
        ),
        (
            {"rows": 19_999_999, "group": 19_999_999},
            Unusable,
            "it says it has 19999999 rows and has 1000",
        ),
    ],
)
def test_a_claim_of_rows_is_not_believed(
    path: Path, claims: dict[str, int], error: type[Exception], reason: str
) -> None:
    path.write_bytes(claiming(pa.table({"x": [0] * ROWS}), **claims))
    with pytest.raises(error, match=reason):
        read(path, ["x"])
