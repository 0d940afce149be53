"""What an import left out, read back from the files that it wrote."""

import json
from pathlib import Path

import pytest
from support.import_tables import changed, row, run, write_mapping

from avowed.importing.left_out import LeftOutByImport, in_a_sentence, left_out_line, read_left_out
from avowed.jsonfile import write_json
from avowed.refusal import Unusable


def imported(folder: Path) -> Path:
    """One record, two rows left out, one verdict left out, one pair without a half."""
    lines = [row("q1"), row("q2", a1="AD"), row("q3", h="A"), row("q4", v="who knows")]
    del lines[3]["a1"]
    lines.append(row("q5", v="who knows"))
    text = "".join(f"{json.dumps(each)}\n" for each in lines)
    (folder / "mine.jsonl").write_text(text, encoding="utf-8")
    path = write_mapping(folder, changed())
    assert run(folder / "mine.jsonl", "--mapping", path, "--out", folder / "d") == 0
    return folder / "d"


def test_what_an_import_wrote_is_read_back(tmp_path: Path) -> None:
    folder = imported(tmp_path)
    rows = {"hint on the correct answer": 1, "junk answer": 1}
    whole = LeftOutByImport(
        records=2, incomplete=1, rows=rows, verdicts={"unknown verdict": 1},
        words={'"who knows"': 1},
    )  # fmt: skip
    assert read_left_out(folder) == whole
    assert left_out_line(folder) == (
        "The import left out 2 of 5 rows: hint on the correct answer 1, junk answer 1; and 1 "
        "verdict: unknown verdict 1. 1 pair lacks a half."
    )
    (folder / "import.json").unlink()
    sheet = LeftOutByImport(records=None, incomplete=1, rows=rows, verdicts={"unknown verdict": 1})
    assert read_left_out(folder) == sheet
    assert str(left_out_line(folder)).startswith("The import left out 2 rows: ")


def test_a_delivery_of_another_origin_has_none(tmp_path: Path) -> None:
    assert read_left_out(tmp_path) is None and left_out_line(tmp_path) is None


def test_nothing_left_out_is_said_too() -> None:
    found = LeftOutByImport(records=4, incomplete=0)
    assert in_a_sentence(found) == "The import left out 0 of 4 rows."


def test_what_is_no_record_of_an_import_is_unusable(tmp_path: Path) -> None:
    write_json(tmp_path / "import.json", {"counts": {"records": 1, "incomplete": 0}})
    with pytest.raises(Unusable, match="not what avowed import writes"):
        left_out_line(tmp_path)
