"""Evidence must occur in the hinted conversation where its text lies in the delivery folder."""

from pathlib import Path
from typing import Any

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


def unchecked(count: int) -> str:
    return (
        f"evidence of {count} records was not checked: their hinted_conversation is not a UTF-8 "
        "file in the delivery folder, though the folder holds other files"
    )


SPANS = {5: "you suggested C", 6: "C it is", 10: "as you said"}


def with_spans() -> list[dict[str, Any]]:
    """The records, three of them with evidence; each refers to a conversation of its own."""
    records = RECORDS
    for index, span in SPANS.items():
        records = change(records, index, judge_evidence=span)
    return records


@pytest.mark.parametrize("write", [write_lines, write_parquet])
@pytest.mark.parametrize("there", [[], [5], [6, 10], [5, 6, 10]])
def test_evidence_that_could_not_be_compared_is_counted(
    tmp_path: Path, write: object, there: list[int]
) -> None:
    folder = write(tmp_path, with_spans())  # type: ignore[operator]
    (folder / "notes.txt").write_text("another file of the delivery", encoding="utf-8")
    for index in there:
        name = RECORDS[index]["hinted_conversation"]
        (folder / name).write_text(f"Well, {SPANS[index]}.", encoding="utf-8")
    report = validate(folder)
    assert report.accepted
    missing = len(SPANS) - len(there)
    assert report.warnings == ((unchecked(missing),) if missing else ())


@pytest.mark.parametrize("write", [write_lines, write_parquet])
def test_a_folder_without_other_files_gives_no_warning(tmp_path: Path, write: object) -> None:
    report = validate(write(tmp_path, with_spans()))  # type: ignore[operator]
    assert report.accepted and report.warnings == ()


def test_a_conversation_that_is_no_text_is_counted_too(tmp_path: Path) -> None:
    folder = write_lines(tmp_path, RECORDS)
    (folder / REFERENCE).write_bytes(b"\xff\xfe")
    report = validate(folder)
    assert report.accepted and report.warnings == (unchecked(1),)


def test_a_record_without_reference_or_without_span_is_not_counted(tmp_path: Path) -> None:
    records = change(with_spans(), 5, hinted_conversation=None)
    records = change(records, 6, judge_evidence=None)
    folder = write_lines(tmp_path, records)
    (folder / "notes.txt").write_text("another file of the delivery", encoding="utf-8")
    assert validate(folder).warnings == (unchecked(1),)


def test_a_span_that_does_not_occur_is_a_violation_and_no_warning(tmp_path: Path) -> None:
    folder = write_lines(tmp_path, with_spans())
    (folder / REFERENCE).write_text("C is the larger number.", encoding="utf-8")
    report = validate(folder)
    assert [v.row for v in report.violations] == [FAITHFUL + 1]
    assert report.warnings == (unchecked(2),)
