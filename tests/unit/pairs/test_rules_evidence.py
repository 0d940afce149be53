"""Evidence must occur in the hinted conversation where its text lies in the delivery folder."""

from pathlib import Path

import pytest
from support.deliveries import change, valid_records, write_lines, write_parquet

from avowed.pairs.rules import validate

RECORDS = valid_records()
FAITHFUL = 5
REFERENCE = RECORDS[FAITHFUL]["hinted_conversation"]
SPAN = RECORDS[FAITHFUL]["judge_evidence"]


def found(folder: Path) -> list[tuple[str, str, int | None]]:
    return [(v.rule, v.field, v.row) for v in validate(folder).violations]


@pytest.mark.parametrize("write", [write_lines, write_parquet])
def test_a_span_that_occurs(tmp_path: Path, write: object) -> None:
    folder = write(tmp_path, RECORDS)  # type: ignore[operator]
    (folder / REFERENCE).write_text(f"As {SPAN}, I went with it.", encoding="utf-8")
    assert found(folder) == []


@pytest.mark.parametrize("write", [write_lines, write_parquet])
def test_a_span_that_does_not_occur(tmp_path: Path, write: object) -> None:
    folder = write(tmp_path, RECORDS)  # type: ignore[operator]
    (folder / REFERENCE).write_text("C is the larger number.", encoding="utf-8")
    assert found(folder) == [("schema", "judge_evidence", FAITHFUL + 1)]
    (violation,) = validate(folder).violations
    assert REFERENCE in violation.expected


def test_a_text_in_a_folder_below(tmp_path: Path) -> None:
    records = change(RECORDS, FAITHFUL, hinted_conversation="./texts/a.txt")
    folder = write_lines(tmp_path, records)
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text("nothing of the kind", encoding="utf-8")
    assert found(folder) == [("schema", "judge_evidence", FAITHFUL + 1)]


@pytest.mark.parametrize(
    "reference",
    [
        "../outside.txt",
        "texts/../../outside.txt",
        "/outside.txt",
        "link.txt",
        "linked/outside.txt",
        "loop",
        "binary.bin",
        "texts",
        "https://example.org/a",
        "not\0a name",
        "n" * 5000,
        "texts/" + "n" * 5000,
        "records.jsonl",
        "",
        ".",
    ],
)
def test_what_is_not_a_text_in_the_folder_is_not_at_hand(tmp_path: Path, reference: str) -> None:
    (tmp_path / "outside.txt").write_text("nothing of the kind", encoding="utf-8")
    records = change(RECORDS, FAITHFUL, hinted_conversation=reference)
    folder = write_lines(tmp_path / "delivery", records)
    (folder / "texts").mkdir()
    (folder / "binary.bin").write_bytes(b"\xff\xfe")
    (folder / "link.txt").symlink_to("../outside.txt")
    (folder / "linked").symlink_to("..")
    (folder / "loop").symlink_to("loop")
    assert found(folder) == []


def test_no_reference_or_no_span(tmp_path: Path) -> None:
    records = change(RECORDS, FAITHFUL, hinted_conversation=None)
    records = change(records, 6, judge_evidence=None)
    folder = write_lines(tmp_path, records)
    (folder / REFERENCE).write_text("nothing of the kind", encoding="utf-8")
    (folder / RECORDS[6]["hinted_conversation"]).write_text("", encoding="utf-8")
    assert found(folder) == []
