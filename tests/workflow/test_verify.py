"""Nothing passes that was changed after it was made, or that disagrees; the row is named."""

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from workflow.pipeline import Copy, Finished

pytestmark = pytest.mark.slow

STAMP = "results/verification/verified.json"
# What has to be the same again once a change is undone.
MADE = (
    "results/tables/*",
    "results/estimates/*",
    "results/studies/**/*",
    "results/verification/*",
    "figures/*",
    "results/summary.md",
)
Edit = Callable[[list[str]], list[str]]


def replaced(number: int, old: str, new: str) -> Edit:
    """Change a word of one line; lines count from 1."""

    def edit(lines: list[str]) -> list[str]:
        assert old in lines[number - 1]
        line = lines[number - 1].replace(old, new, 1)
        return [*lines[: number - 1], line, *lines[number:]]

    return edit


# By hand: file, its change, and what the gate says of it.
BY_HAND: dict[str, tuple[Edit, str]] = {
    "results/tables/coverage.csv": (
        replaced(2, ",0.95,", ",0.94,"),
        "coverage.csv, line 2 (type_1, 320, main, percentile) is not the line that was written",
    ),
    "results/tables/turpin_accuracy.csv": (
        lambda lines: [*lines[:2], *lines[3:]],
        "turpin_accuracy.csv: 1 lines that were written before line 3 are gone",
    ),
    "results/tables/public_data_by_task.csv": (
        lambda lines: [*lines, lines[-1]],
        "public_data_by_task.csv, line 54 (text-davinci-003_few-shot, web_of_lies, ",
    ),
    "results/tables/always_a.md": (
        replaced(3, " 1.000 ", " 0.900 "),
        "always_a.md, line 3 (| claude-v1_few-shot ",
    ),
    "results/tables/public_data.tex": (
        replaced(5, " 1.000 ", " 0.900 "),
        "public_data.tex, line 5 (",
    ),
    "results/tables/threshold_curve.made.json": (
        lambda lines: [line.replace('"seed": 1,', '"seed": 2,') for line in lines],
        "threshold_curve.made.json: seed is 2, the configuration that ran says 1 "
        "(results/tables/threshold_curve.csv)",
    ),
    "results/estimates/simulated_worked_example.json": (
        lambda lines: [line.replace(" % of cases", " % of pairs") for line in lines],
        'simulated_worked_example.json, line 5 ("sentence": ',
    ),
    "results/verification/corrections.csv": (
        replaced(2, ",324,486,", ",325,486,"),
        "results/verification/corrections.csv, line 2 (converged, edge, wide, 0.5) is not the line",
    ),
}
# A cell, a row too few and a row too many disagree with the recomputation as well.
DISAGREE = {
    "results/tables/coverage.csv": "quantity coverage, cell type_1 · 320 · main · percentile, "
    "field value, main 0.94, independent 0.95,",
    "results/tables/turpin_accuracy.csv": "cell suggested_answer · claude-v1_zero-shot · none, "
    "field value, independent suggested_answer, ",
    "results/tables/public_data_by_task.csv": "verdict no counterpart in the recomputation",
}
# Rules that make anew what stays as it was edited; the other files are put back.
FORCED = {
    "turpin_accuracy": "results/tables/turpin_accuracy.csv",
    "threshold_curve": "results/tables/threshold_curve.made.json",
}


def reasons(finished: Finished) -> list[str]:
    """What the gate holds against a run; it stopped there, and nothing else failed."""
    assert finished.code == 1, finished.said
    assert "Traceback" not in finished.said
    told = re.findall(r"^not verified: (.*)$", finished.said, re.MULTILINE)
    assert f"refused: {len(told)} reasons above; nothing of this run is verified" in finished.said
    assert finished.said.count("CalledProcessError") == 1
    return told


def same_as_before(copy: Copy, completed: Copy) -> None:
    """Everything is as an untouched run made it."""
    for pattern in MADE:
        before, after = completed.files(pattern), copy.files(pattern)
        assert list(before) == list(after)
        assert [name for name in before if before[name] != after[name]] == []


@pytest.fixture(scope="module")
def edited(
    completed: Copy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Copy, list[str]]]:
    """A run in which several files were edited by hand, and what the next one says."""
    copy = completed.again(tmp_path_factory.mktemp("edited") / "copy")
    for name, (edit, _) in BY_HAND.items():
        path = copy.root / name
        text = path.read_text(encoding="utf-8")
        changed = "\n".join(edit(text.removesuffix("\n").split("\n"))) + "\n"
        assert changed != text, name
        path.write_text(changed, encoding="utf-8")
    (copy.root / "results/tables/mine.csv").write_text("a\n1\n")
    told = reasons(copy.snakemake())
    assert not (copy.root / STAMP).exists()
    yield copy, told
    shutil.rmtree(copy.root)


@pytest.mark.parametrize("name", BY_HAND)
def test_an_edit_is_refused_with_its_row(edited: tuple[Copy, list[str]], name: str) -> None:
    assert [line for line in edited[1] if BY_HAND[name][1] in line], edited[1]


@pytest.mark.parametrize("name", DISAGREE)
def test_an_edited_table_disagrees_with_the_recomputation(
    edited: tuple[Copy, list[str]], name: str
) -> None:
    rows = [line for line in edited[1] if f": source {Path(name).name}, " in line]
    assert [row for row in rows if DISAGREE[name] in row], rows
    assert all(row.startswith("results/verification/diff.csv, line ") for row in rows)


def test_a_table_that_nobody_made_is_refused(edited: tuple[Copy, list[str]]) -> None:
    assert [line for line in edited[1] if line.startswith("results/tables/mine.csv has no record")]


def test_nothing_else_is_held_against_an_edited_run(edited: tuple[Copy, list[str]]) -> None:
    expected = [said for _, said in BY_HAND.values()] + ["results/tables/mine.csv"]
    sources = [f"source {Path(name).name}," for name in DISAGREE] + ["source corrected rates,"]
    assert [
        line for line in edited[1] if not any(part in line for part in [*expected, *sources])
    ] == []


def test_once_undone_or_made_anew_it_passes(
    edited: tuple[Copy, list[str]], completed: Copy
) -> None:
    copy, _ = edited
    (copy.root / "results/tables/mine.csv").unlink()
    for name in BY_HAND:
        if name not in FORCED.values():
            (copy.root / name).write_bytes((completed.root / name).read_bytes())
    finished = copy.snakemake("--forcerun", *FORCED)
    assert finished.code == 0, finished.said
    assert "verified: " in finished.said and "not verified" not in finished.said
    same_as_before(copy, completed)
    assert copy.snakemake("--dry-run").jobs() == {}


DELIVERY = "turpin_always_a_text-davinci-003_few-shot"
ESTIMATES = f"results/estimates/{DELIVERY}.parquet"
REPETITIONS = "results/studies/chance_correction/1.parquet"
# Files that go missing in a run that is otherwise complete.
LOST = (
    ESTIMATES,
    REPETITIONS,
    "results/tables/always_a.md",
    "figures/public_data.png",
    "results/validation/turpin_always_a_claude-v1_few-shot.json",
    "results/verification/claims_summary.csv",
)


def altered(path: Path, quantity: str, column: str) -> None:
    """Change one number of a Parquet file by a hundredth."""
    table = pq.read_table(path)
    rows = table.to_pylist()
    row = next(row for row in rows if quantity in row.values() and row[column] is not None)
    row[column] += 0.01
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)


@pytest.fixture(scope="module")
def disagreeing(
    completed: Copy, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Copy, list[str]]]:
    """A run whose estimates and repetitions were altered; on one core, where order matters most."""
    copy = completed.again(tmp_path_factory.mktemp("disagreeing") / "copy")
    altered(copy.root / ESTIMATES, "susceptibility", "estimate")
    altered(copy.root / REPETITIONS, "type_1", "estimate")
    (copy.root / "results/report/index.html").unlink()
    told = reasons(copy.snakemake(cores=1))
    yield copy, told
    shutil.rmtree(copy.root)


def test_altered_estimates_and_repetitions_are_refused(
    disagreeing: tuple[Copy, list[str]],
) -> None:
    copy, told = disagreeing
    assert not (copy.root / STAMP).exists()
    for name in (ESTIMATES, REPETITIONS):
        assert f"{name} is not the file that was written (its SHA-256 differs)" in told
    (row,) = [line for line in told if f"source {DELIVERY}," in line]
    cell = DELIVERY.removeprefix("turpin_always_a_")
    assert f"quantity susceptibility, cell {cell}, field estimate, main 0.166" in row
    assert "independent 0.156" in row and row.endswith(", verdict fails")


def test_a_failed_comparison_leaves_the_rows_and_a_page_that_says_so(
    disagreeing: tuple[Copy, list[str]],
) -> None:
    copy, told = disagreeing
    with (copy.root / "results/verification/diff.csv").open(encoding="utf-8") as file:
        failing = [line for line in file if line.endswith(",fails\n")]
    assert failing
    assert len(failing) == len([line for line in told if "/diff.csv, line " in line])
    page = (copy.root / "results/report/index.html").read_text(encoding="utf-8")
    said = f'<strong class="bad">{len(failing)} fail</strong>'
    assert said in page
    # Above everything but the question and the sentences.
    assert page.index(said) < page.index('id="conditions"')


def test_a_file_that_went_missing_is_made_again(
    disagreeing: tuple[Copy, list[str]], completed: Copy
) -> None:
    copy, _ = disagreeing
    for name in LOST:
        (copy.root / name).unlink()
    finished = copy.snakemake()
    assert finished.code == 0, finished.said
    jobs = finished.jobs()
    makers = {"wide_table", "figure_public_data", "estimate_delivery", "validate_delivery"}
    assert {*makers, "simulation_study", "claims"} <= set(jobs)
    assert not {"fetch_sources", "code_answers", "make_deliveries", "planted_faults"} & set(jobs)
    assert jobs["simulation_study"] == 1
    same_as_before(copy, completed)
    assert "Nothing to be done" in copy.snakemake().said


def test_a_raw_file_altered_after_a_complete_run_is_refused(
    second: Copy, raw_files: Path | None, tmp_path: Path
) -> None:
    if raw_files is None:
        # Nothing to alter then: the run took the coded answers, which a test of their own alters.
        source = json.loads((second.root / "results/provenance/source.json").read_text())
        assert source["kind"] == "coded"
        return
    copy = second.again(tmp_path / "copy")
    name = "data/raw/turpin/data/bbh/snarks/val_data.json"
    path = copy.root / name
    content = path.read_bytes()
    path.write_bytes(content.replace(b" ", b"\t", 1))
    # The gate hashes raw files; asked for everything, the workflow does so before it reads them.
    alone = copy.snakemake(STAMP, "--allowed-rules", "verify", "--forcerun", "verify")
    (told,) = reasons(alone)
    assert told.startswith(f"{name}: its SHA-256 is ")
    refused = copy.snakemake(AVOWED_MIRROR=str(raw_files))
    assert refused.code == 1
    assert refused.line_with("refused: ").startswith(f"refused: {name} is not the file")
    path.write_bytes(content)
    finished = copy.snakemake(AVOWED_MIRROR=str(raw_files))
    assert finished.code == 0, finished.said
    assert (copy.root / STAMP).read_bytes() == (second.root / STAMP).read_bytes()
    shutil.rmtree(copy.root)


def test_an_edit_is_found_whatever_looks_up_to_date(working: Copy) -> None:
    # A change that keeps the time of its file escapes Snakemake, and not what `make verify` forces.
    path = working.root / "results/tables/clustering.csv"
    before = path.stat()
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("type_1,0,693,", "type_1,0,694,", 1), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert working.snakemake("--dry-run").jobs() == {}
    told = reasons(working.snakemake(STAMP, "--forcerun", "verify"))
    assert "results/tables/clustering.csv, line 2 (type_1, 0, 694, 256) is not the line" in told[0]
