"""Parquet files of responses that other programs wrote, whole and damaged."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import responses as toy
from support.responses import CASE

from avowed.factors.responses_file import read_responses
from avowed.refusal import Refused, Unusable

TABLE = toy.answers(toy.plan())
NAMES = ("component", "input", "feature", "raw", "decision", "validity")


def damaged(texts: list[str | None]) -> pa.Array:
    """An array of strings the first of which is not UTF-8."""
    whole = pa.array([None if text is None else text.encode() for text in texts])
    spoilt = pa.array([b"\xff\xfe", *whole.to_pylist()[1:]])
    return pa.Array.from_buffers(pa.string(), len(spoilt), spoilt.buffers())


def put(name: str, column: pa.Array) -> pa.Table:
    return TABLE.set_column(TABLE.column_names.index(name), name, column)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("coded", [False, True])
def test_text_that_is_not_utf_8_is_unusable(tmp_path: Path, name: str, coded: bool) -> None:
    path = tmp_path / "responses.parquet"
    texts = TABLE.column(name).to_pylist()
    column = damaged(texts)
    if coded:
        # A dictionary without null, which Parquet cannot hold.
        column = damaged([text or "amount" for text in texts])
        places = pa.array(range(len(column)), pa.int32())
        column = pa.DictionaryArray.from_arrays(places, column)
    pq.write_table(put(name, column), path)
    with pytest.raises(Unusable, match=rf"responses\.parquet: not .* \(field {name}: .*UTF8"):
        read_responses(path, CASE)


def test_a_citation_that_is_not_utf_8_is_unusable(tmp_path: Path) -> None:
    path = tmp_path / "responses.parquet"
    places = pa.array(range(TABLE.num_rows + 1), pa.int32())
    texts = damaged(["amount"] * TABLE.num_rows)
    pq.write_table(put("citations", pa.ListArray.from_arrays(places, texts)), path)
    with pytest.raises(Unusable, match="field citations: "):
        read_responses(path, CASE)


@pytest.mark.parametrize("stored", [False, True])
def test_a_damaged_name_of_a_column_is_unusable(tmp_path: Path, stored: bool) -> None:
    path = tmp_path / "responses.parquet"
    pq.write_table(TABLE, path, store_schema=stored)
    path.write_bytes(path.read_bytes().replace(b"validity", b"valid\xffty"))
    with pytest.raises(Unusable, match="not a readable Parquet file"):
        read_responses(path, CASE)


def test_lists_of_a_fixed_size_are_lists(tmp_path: Path) -> None:
    path = tmp_path / "responses.parquet"
    cited = TABLE.column("citations").to_pylist()
    pq.write_table(put("citations", pa.array(cited, pa.list_(pa.string(), 3))), path)
    assert read_responses(path, CASE).equals(TABLE)
    pq.write_table(
        put("citations", pa.array([[1, 2, 3]] * len(cited), pa.list_(pa.int8(), 3))), path
    )
    with pytest.raises(Refused, match="field citations: found a column of fixed_size_list"):
        read_responses(path, CASE)
