"""The gate refuses a changed line, another seed, a failed comparison."""

import json
import time
from pathlib import Path

import pytest
from support.finished import run, told
from verification import gate

from avowed.made import record_making


def test_an_untouched_run_passes(results: Path) -> None:
    stamp = results / "verification" / "verified.json"
    assert run("--out", str(stamp)) == 0
    assert json.loads(stamp.read_text()) == {
        "verified": True,
        "records": 1,
        "comparisons": 1,
        "left_over": {},
    }


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


@pytest.mark.parametrize(
    "content",
    [
        "{}",
        "[]",
        "3",
        '{"seed": 1, "files": {"a": {}}}',
        '{"seed": 1, "files": {"a": {"sha256": 5}}}',
        '{"seed": 1, "files": {"a": {"sha256": "ab", "lines": 5}}}',
        '{"seed": 1, "files": {"a": {"sha256": "ab", "lines": null}}}',
        '{"seed": 1, "files": {"a": {"sha256": "ab", "lines": [1]}}}',
        '{"seed": 1, "files": {"": {"sha256": "ab"}}}',
        '{"seed": 1, "files": {"\\ud800": {"sha256": "ab"}}}',
    ],
)
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


@pytest.fixture
def earlier(results: Path) -> Path:
    """A table of an earlier run with another seed; this one asked for coverage only."""
    table = results / "tables" / "deliveries.csv"
    table.write_text("condition,omission\nmine,0.5\n")
    record_making(table.with_suffix(".made.json"), [table], seed=7)
    return table


ASKED = "results/tables/coverage.made.json"


def test_a_table_of_an_earlier_run_may_stay_and_is_named(
    earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--out", "stamp.json", ASKED) == 0
    said = "left over, not verified (made with seed 7)"
    assert f"{said}: {earlier}" in capsys.readouterr().out.splitlines()
    assert json.loads(Path("stamp.json").read_text())["left_over"] == {str(earlier): said}


def test_a_table_of_an_earlier_run_with_this_seed_is_named_too(earlier: Path) -> None:
    record_making(earlier.with_suffix(".made.json"), [earlier], seed=1)
    assert run("--out", "stamp.json", ASKED) == 0
    stayed = json.loads(Path("stamp.json").read_text())["left_over"]
    assert stayed == {str(earlier): "left over, not verified"}


def test_a_table_of_an_earlier_run_has_to_be_as_it_was_made(
    earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier.write_text(earlier.read_text().replace("0.5", "0.4"))
    assert run(ASKED) == 1
    assert f"{earlier}, line 2 (mine, 0.4) is not the line" in told(capsys)[0]


def test_a_damaged_record_of_an_earlier_run_is_refused(
    earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier.with_suffix(".made.json").write_text("[]")
    assert run(ASKED) == 1
    assert "deliveries.made.json is not a record of making" in told(capsys)[0]


def test_a_record_that_the_run_asked_for_has_to_have_its_seed(
    earlier: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Asked for everything that is there, the gate cannot know what is left over.
    assert run() == 1
    assert "deliveries.made.json: seed is 7" in told(capsys)[0]


def test_what_the_run_asked_for_has_to_be_in_one_of_its_records(earlier: Path) -> None:
    settings = gate.read_settings(Path("results/verification/settings.json"))
    wanted = ["results/tables/coverage.csv", str(earlier), "results/summary.md"]
    found = gate.reasons(
        [Path(ASKED)],
        settings=settings,
        diff=Path("results/verification/diff.csv"),
        faults=Path("results/verification/planted_faults.csv"),
        planted=Path("faults.toml"),
        tables=Path("results/tables"),
        asked_for=wanted,
    )
    said = "is in no record of making that the run asked for; make it again"
    assert found == [f"results/summary.md {said}", f"{earlier} {said}"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda text: text.replace("0<", "1<"), "index.html, line 2 (<td>1</td>) is not the line"),
        (lambda text: "<p>\n" + text.replace("9<", "8<"), "index.html, line 1 (<p>) is not the"),
        (
            lambda text: text.replace("<tr>\n", ""),
            "8000 lines that were written before line 15999 are gone",
        ),
    ],
)
def test_a_page_that_was_drawn_anew_is_compared_in_no_time(
    results: Path, capsys: pytest.CaptureFixture[str], change, expected: str
) -> None:
    # Thousands of equal lines: aligning them would take minutes.
    page = results / "index.html"
    text = "".join(f"<tr>\n<td>{number}</td>\n</tr>\n" for number in range(8000))
    page.write_text(text)
    record_making(results / "index.made.json", [page], seed=1)
    page.write_text(change(text))
    began = time.process_time()
    assert run() == 1
    assert time.process_time() - began < 10
    assert any(expected in line for line in told(capsys))


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


@pytest.mark.parametrize("name", ["settings.json", "diff.csv", "planted_faults.csv"])
def test_an_unreadable_file_is_one_message(
    results: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (results / "verification" / name).write_bytes(b"\xff\xfe")
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: ") and name in line


DEEP = "[" * 9999


@pytest.mark.parametrize("content", ["[]", "{}", "3", '{"seed": "1"}', '{"seed": true}', DEEP])
def test_settings_that_are_none_are_one_message(
    results: Path, capsys: pytest.CaptureFixture[str], content: str
) -> None:
    (results / "verification" / "settings.json").write_text(content)
    assert run() == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: results/verification/settings.json")
