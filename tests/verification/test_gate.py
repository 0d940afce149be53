"""The gate refuses a changed line, another seed, a failed comparison, an uncaught fault."""

import hashlib
import json
from pathlib import Path

import pytest
from verification import gate

from avowed.made import record_making


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished run in small, in the current folder."""
    monkeypatch.chdir(tmp_path)
    tables = Path("results/tables")
    tables.mkdir(parents=True)
    rows = "".join(f"type_{i},320,{i / 10},ok\n" for i in range(1, 6))
    (tables / "coverage.csv").write_text("hint_type,probes,coverage,status\n" + rows)
    (tables / "coverage.md").write_text("| a |\n| 1 |\n")
    files = [tables / "coverage.csv", tables / "coverage.md"]
    record_making(tables / "coverage.made.json", files, seed=1)
    checks = Path("results/verification")
    checks.mkdir()
    (checks / "settings.json").write_text(json.dumps({"seed": 1}))
    (checks / "diff.csv").write_text("source,cell,verdict\na,b,agrees\n")
    (checks / "planted_faults.csv").write_text("fault,caught,verdict\nx,yes,as it should be\n")
    return Path("results")


def run(*more: str) -> int:
    settings = "results/verification/settings.json"
    return gate.main(["--settings", settings, "--tables", "results/tables", *more])


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("refused: ")]


def test_an_untouched_run_passes(results: Path) -> None:
    stamp = results / "verification" / "verified.json"
    assert run("--out", str(stamp)) == 0
    assert json.loads(stamp.read_text()) == {"verified": True, "records": 1, "comparisons": 1}


def test_a_changed_cell_is_refused_with_its_row(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = results / "tables" / "coverage.csv"
    table.write_text(table.read_text().replace("type_3,320,0.3", "type_3,320,0.4"))
    assert run("--out", "stamp.json") == 1
    first, last = told(capsys)
    assert "results/tables/coverage.csv, line 4 (type_3, 320, 0.4, ok) is not the line" in first
    assert "1 reasons" in last
    assert not Path("stamp.json").exists()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: text.replace("type_2,320,0.2,ok\n", ""), "1 lines that were written before"),
        (lambda text: text + "type_9,320,0.9,ok\n", "line 7 (type_9, 320, 0.9, ok)"),
        (lambda text: text.replace("\n", "\r\n"), "coverage.csv, line 1 (hint_type, probes"),
        (lambda text: text[:-1], "is not the file that was written"),
        (lambda text: "", "6 lines that were written before line 1 are gone"),
    ],
)
def test_lines_removed_added_or_rewritten_are_refused(
    results: Path, capsys: pytest.CaptureFixture[str], change, expected: str
) -> None:
    table = results / "tables" / "coverage.csv"
    table.write_bytes(change(table.read_text()).encode())
    assert run() == 1
    assert any(expected in line for line in told(capsys))


def test_the_other_forms_of_a_table_count_too(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (results / "tables" / "coverage.md").write_text("| a |\n| 2 |\n")
    assert run() == 1
    assert "coverage.md, line 2 (| 2 |)" in told(capsys)[0]


def test_a_missing_file_is_refused(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (results / "tables" / "coverage.csv").unlink()
    assert run() == 1
    assert "coverage.csv is gone" in told(capsys)[0]


def test_a_parquet_file_is_named_without_a_line(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = results / "rows.parquet"
    path.write_bytes(b"PAR1")
    record_making(results / "rows.made.json", [path], seed=1)
    path.write_bytes(b"PAR2")
    assert run() == 1
    assert "rows.parquet is not the file that was written" in told(capsys)[0]


@pytest.mark.parametrize("seed", [2, "1", 1.5, True])
def test_another_seed_is_refused(
    results: Path, capsys: pytest.CaptureFixture[str], seed: object
) -> None:
    record = results / "tables" / "coverage.made.json"
    described = json.loads(record.read_text()) | {"seed": seed}
    record.write_text(json.dumps(described))
    assert run() == 1
    assert (
        f"coverage.made.json: seed is {seed}, the configuration that ran says 1" in told(capsys)[0]
    )


@pytest.mark.parametrize("content", ["{}", "[]", '{"seed": 1, "files": {"a": {}}}', "3"])
def test_a_damaged_record_is_refused(
    results: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (results / "tables" / "coverage.made.json").write_text(content)
    assert run() == 1
    assert "is not a record of making" in told(capsys)[0]


def test_a_table_without_a_record_is_refused(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (results / "tables" / "mine.csv").write_text("a\n1\n")
    assert run() == 1
    assert "results/tables/mine.csv has no record of making" in told(capsys)[0]


def test_a_failed_comparison_is_refused_with_its_row(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = results / "verification" / "diff.csv"
    path.write_text(path.read_text() + "turpin,omission,fails\n")
    assert run() == 1
    assert "diff.csv, line 3: source turpin, cell omission, verdict fails" in told(capsys)[0]


def test_an_empty_comparison_is_no_agreement(
    results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (results / "verification" / "diff.csv").write_text("source,cell,verdict\n")
    assert run() == 1
    assert "nothing was compared" in told(capsys)[0]


def test_an_uncaught_fault_is_refused(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = results / "verification" / "planted_faults.csv"
    path.write_text("fault,caught,verdict\nwrong divisor,no,missed\n")
    assert run() == 1
    assert "fault wrong divisor, caught no, verdict missed" in told(capsys)[0]


@pytest.mark.parametrize("name", ["settings.json", "diff.csv", "planted_faults.csv"])
def test_an_unreadable_file_is_one_message(
    results: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (results / "verification" / name).write_bytes(b"\xff\xfe")
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ") and name in line


@pytest.fixture
def raw(results: Path) -> list[str]:
    """Raw files as they were fetched."""
    folder = Path("data/raw")
    folder.mkdir(parents=True)
    (folder / "a.json").write_text("{}")
    digest = hashlib.sha256(b"{}").hexdigest()
    Path("data/sources.tsv").write_text(f"path\tsha256\na.json\t{digest}\n")
    (results / "source.json").write_text(json.dumps({"kind": "mirror"}))
    return ["--raw", str(results / "source.json"), "data/sources.tsv", "data/raw"]


def test_untouched_raw_files_pass(raw: list[str]) -> None:
    assert run(*raw) == 0


def test_an_altered_raw_file_is_refused(raw: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("data/raw/a.json").write_text("{ }")
    assert run(*raw) == 1
    assert "data/raw/a.json: its SHA-256 is " in told(capsys)[0]


def test_a_raw_file_that_is_gone_is_refused(
    raw: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("data/raw/a.json").unlink()
    assert run(*raw) == 1
    assert "data/raw/a.json is gone" in told(capsys)[0]


def test_with_the_coded_answers_there_are_no_raw_files_to_hash(
    results: Path, raw: list[str]
) -> None:
    (results / "source.json").write_text(json.dumps({"kind": "coded"}))
    Path("data/raw/a.json").unlink()
    assert run(*raw) == 0
