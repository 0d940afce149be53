"""The record of making: what it says of a file, and how a changed line shows."""

import hashlib
import json
from pathlib import Path

from avowed.made import describe_making, line_hashes, record_making


def test_lines_end_at_the_newline_byte_only() -> None:
    assert len(line_hashes("a\u2028b\n1\r\n2".encode())) == 3
    assert line_hashes(b"") == []
    assert line_hashes(b"a\n") == line_hashes(b"a") == [hashlib.sha256(b"a").hexdigest()[:16]]


def test_one_changed_cell_changes_one_hash() -> None:
    before, after = line_hashes(b"a,b\n1,2\n3,4\n"), line_hashes(b"a,b\n1,2\n3,5\n")
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, True, False]


def test_the_record_names_seed_and_hashes(tmp_path: Path) -> None:
    table, columns = tmp_path / "t.csv", tmp_path / "t.parquet"
    table.write_bytes(b"a\n1\n")
    columns.write_bytes(b"PAR1")
    record_making(tmp_path / "t.made.json", [table, columns], seed=7)
    found = json.loads((tmp_path / "t.made.json").read_text())
    assert found == describe_making([table, columns], seed=7)
    assert found["seed"] == 7
    assert found["files"][table.as_posix()]["sha256"] == hashlib.sha256(b"a\n1\n").hexdigest()
    assert len(found["files"][table.as_posix()]["lines"]) == 2
    assert "lines" not in found["files"][columns.as_posix()]
