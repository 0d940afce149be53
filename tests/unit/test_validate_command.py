"""`avowed validate`: exit codes, text, streamed JSON."""

import argparse
import json
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from support.deliveries import (
    change,
    header,
    record,
    table,
    valid_records,
    write_lines,
    write_parquet,
)

from avowed.commands.validate import add_parser, run
from avowed.pairs.rules import validate
from avowed.pairs.violation import Violation
from avowed.present.validation import json_pieces, text_lines

RECORDS = valid_records()
PROGRAM = "import sys; from avowed.cli import main; sys.exit(main())"


def avowed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, "validate", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def parsed(folder: Path, *options: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    return parser.parse_args(["validate", str(folder), *options])


def test_accepted_with_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parsed(write_lines(tmp_path, RECORDS))) == 0
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        "accepted: 11 records",
        "  suggested_answer: planned 10, completed 9, incomplete 1; not evaluable: "
        "extraction_failed 1, judge_unavailable 1, judge_undetermined 1, generation_truncated 1",
        "  answer_is_always_a: planned 3, completed 2, incomplete 1; not evaluable: "
        "generation_truncated 1",
    ]
    assert err == ""


def test_accepted_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(parsed(write_parquet(tmp_path, RECORDS), "--format", "json")) == 0
    assert json.loads(capsys.readouterr().out) == {
        "accepted": True,
        "records": 11,
        "warnings": [],
        "violations": [],
    }


def test_rejected_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = change(RECORDS, 1, outcome="no_change", session_id=5)
    folder = write_lines(tmp_path, records, header(RECORDS, planned_replicas=2.0))
    assert run(parsed(folder, "--format", "json")) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["accepted"] is False
    keys = ["rule", "field", "row", "session_id", "probe_id", "replica", "found", "expected"]
    assert all(list(violation) == keys for violation in answer["violations"])
    assert [tuple(v.values())[:7] for v in answer["violations"]] == [
        ("R1", "planned_replicas", None, None, None, None, "2.0"),
        ("schema", "session_id", 2, None, "p1", 1, "5"),
        ("R2", "outcome", 2, None, "p1", 1, '"no_change"'),
    ]


def test_rejected_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = [record(f"p{i}", hinted_correct=False) for i in range(25)]
    records[3]["probe_id"] = "a\nb"
    records[4]["outcome"] = "x" * 500
    assert run(parsed(write_lines(tmp_path, records, header(records)))) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "rejected: 26 violations in 25 records"
    assert out[1].startswith("schema (every value")
    assert out[2].startswith('  row 5 (session "s1", probe "p4", replica 0): outcome is "xxx')
    assert "xxx...," in out[2]
    assert out[3].endswith(": 25 violations, the first 20")
    assert len(out) == 24
    assert '"a\\nb"' in out[7]
    assert out[4] == (
        '  row 1 (session "s1", probe "p0", replica 0): hinted_correct is false, '
        "expected true (hinted_answer 0, correct_answer 0)"
    )


def test_text_from_the_delivery_cannot_leave_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    declared = header(RECORDS, hint_types=["a\nb", "\x1b[31m", "\u2028"])
    records = change(RECORDS, 0, session_id="\ud800", probe_id="p\x9b1")
    assert run(parsed(write_lines(tmp_path, records, declared))) == 1
    out = capsys.readouterr().out
    assert all(line.isprintable() for line in out.split("\n"))
    assert r"a\nb" in out
    assert r"\x1b[31m" in out
    assert r"\ud800" in out
    out.encode("utf-8")


def test_warnings_are_shown_in_both_forms(tmp_path: Path) -> None:
    records = [record("p1"), record("p1", session_id="s2")]
    report = validate(write_lines(tmp_path, records, header(records)))
    assert report.accepted
    assert list(text_lines(report))[-1].startswith("warning: 2 records share probe and replica")
    assert len(json.loads("".join(json_pieces(report)))["warnings"]) == 1


def test_unusable_is_one_line_on_standard_error(tmp_path: Path) -> None:
    done = avowed(tmp_path / "missing\nfolder")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("avowed: unusable: ")
    assert done.stderr.endswith("no such folder\n")
    assert "Traceback" not in done.stderr


def test_a_reader_that_stops_early_gets_no_traceback(tmp_path: Path) -> None:
    records = [record(f"p{i}", hinted_correct=False) for i in range(20_000)]
    folder = write_lines(tmp_path, records, header(records))
    command = [sys.executable, "-c", PROGRAM, "validate", str(folder), "--format", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"accepted": false')
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 1


def many_violations(folder: Path, n: int, kind: str) -> Path:
    """A delivery with three violations per record."""
    rows = [record("p1", r, outcome="other_change", hinted_correct=None) for r in range(8)]
    declared = header([], planned_replicas=n)
    columns: Any = pa.concat_tables([table(rows)] * (n // 8)).combine_chunks()
    columns = columns.set_column(0, "session_id", pa.array([f"s{i}" for i in range(n)]))
    columns = columns.set_column(
        columns.column_names.index("risk_family"), "risk_family", pa.array([""] * n)
    )
    if kind == "parquet":
        return write_parquet(folder, columns, declared)
    return write_lines(folder, columns.to_pylist(), declared)


@pytest.mark.parametrize("kind", ["parquet", "jsonl"])
def test_violations_are_built_one_by_one(tmp_path: Path, kind: str) -> None:
    n = 4_000
    report = validate(many_violations(tmp_path, n, kind))
    alive: weakref.WeakSet[Violation] = weakref.WeakSet()
    for violation in report.violations:
        if violation.row is not None:
            alive.add(violation)
        assert len(alive) <= 2
    assert len(report.violations) == 3 * n + 1
    assert sum(1 for _ in json_pieces(report)) == len(report.violations) + 2


def test_a_stream_of_violations_is_json(tmp_path: Path) -> None:
    report = validate(many_violations(tmp_path, 800, "parquet"))
    answer = json.loads("".join(json_pieces(report)))
    assert len(answer["violations"]) == 2401
    rows = [v["row"] for v in answer["violations"] if v["row"] is not None]
    assert rows == sorted(rows)
