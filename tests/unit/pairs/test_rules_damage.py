"""A file damaged at any byte is unusable, rejected or unharmed, and never a traceback."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.deliveries import valid_records, write_lines, write_parquet

from avowed.pairs.rules import validate
from avowed.pairs.unusable import UnusableDelivery
from avowed.present.validation import json_pieces, text_lines

RECORDS = valid_records()
FILES = {
    "records.jsonl": write_lines,
    "records.parquet": write_parquet,
    "delivery.json": write_lines,
}


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=150, deadline=None, derandomize=True)
@given(place=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_byte_or_a_cut(name: str, place: float, byte: int, cut: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = FILES[name](Path(folder), RECORDS) / name
        raw = bytearray(path.read_bytes())
        position = int(place * len(raw))
        raw[position] = byte
        path.write_bytes(raw[:position] if cut else raw)
        try:
            report = validate(folder)
            assert report.accepted is (len(list(report.violations)) == 0)
            assert list(text_lines(report))
            assert "".join(json_pieces(report)).isascii()
        except UnusableDelivery as error:
            assert len(str(error).splitlines()) == 1
