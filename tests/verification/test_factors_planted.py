"""Whole studies agree, a changed number does not, and every planted fault is caught."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from verification import export, factors, planted
from verification.factors_edge import FactorEdge
from verification.files import Unusable

import avowed
from avowed.endpoints.edge_factors import edge_rows, paper_settings
from avowed.endpoints.edge_study import GROUPS, USE_CASES, write_edge
from avowed.stats.long_table import write_long

PACKAGE = Path(avowed.__file__).parent
DATA = PACKAGE.parents[1] / "data" / "usecases"
FAULTS = planted.FAULTS.with_name("faults_factors.toml")
SETTINGS = paper_settings(resamples=500)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The edge studies with their estimates, exported through the command line."""
    folder = tmp_path_factory.mktemp("factors")
    write_edge(folder / "study", DATA)
    rows = edge_rows(folder / "study", DATA, SETTINGS, parts=factors.PARTS)
    every = [row for part in factors.PARTS for row in rows[part]]
    for name in USE_CASES:
        own = [row for row in every if row["study"] == name]
        write_long(own, folder / "study" / name / "estimates.parquet")
    named = [f"{name}={folder / 'study' / name}" for name in USE_CASES]
    assert export.main(["--out", str(folder), "--factors", *named]) == 0
    (folder / "settings.json").write_text(json.dumps(SETTINGS))
    return folder


def run(folder: Path, exported: Path, out: Path) -> list[dict[str, Any]]:
    options = ["--exported", exported, "--settings", folder / "settings.json", "--out", out]
    assert factors.main([*map(str, options)]) == 0
    return [json.loads(line) for line in out.read_text().splitlines()]


@pytest.fixture(scope="module")
def rows(folder: Path) -> list[dict[str, Any]]:
    return run(folder, folder / "factors", folder / "rows.jsonl")


def test_every_estimate_has_a_counterpart_and_agrees(
    rows: list[dict[str, Any]], folder: Path
) -> None:
    assert [row for row in rows if row["verdict"] != "agrees"] == []
    estimates = Counter(row["source"] for row in rows if row["field"] == "estimate")
    for name in USE_CASES:
        table = pq.read_table(folder / "study" / name / "estimates.parquet")
        assert estimates[name] == table.num_rows


def test_the_edge_studies_hold_every_case(rows: list[dict[str, Any]]) -> None:
    kinds = {row["field"]: 0 for row in rows if row["quantity"] == "responses"}
    for row in rows:
        if row["quantity"] == "responses":
            kinds[row["field"]] += row["independent"]
    for kind in ("not_json", "no_decision", "decision_outside", "failed"):
        assert kinds[f"validity {kind}"] > 0
    for kind in ("too_few", "too_many", "duplicate", "unknown_key", "missing"):
        assert kinds[f"explanation {kind}"] > 0
    methods = {row["independent"] for row in rows if row["field"] == "method"}
    assert {"percentile", "wilson over inputs", None} <= methods
    statuses = {row["independent"] for row in rows if row["field"] == "status"}
    assert {"converged", "undersampled", "undefined", "insufficient", "descriptive"} <= statuses
    cells = {row["cell"] for row in rows}
    assert {*GROUPS, "all components", "graded · noisy", "graded · fixed-names"} <= cells


def test_a_number_or_a_row_that_is_changed_is_found(folder: Path, tmp_path: Path) -> None:
    loan = tmp_path / "loan"
    loan.mkdir()
    source = folder / "factors" / "loan"
    for path in source.glob("*.json*"):
        (loan / path.name).write_bytes(path.read_bytes())
    for part in ("pilot", "prompts"):
        (loan / part).symlink_to(source / part)
    lines = [json.loads(line) for line in (loan / "estimates.jsonl").read_text().splitlines()]
    place = next(n for n, row in enumerate(lines) if row["quantity"] == "uncited_rate_necessity")
    lines[place]["estimate"] += 1e-9
    gone = lines.pop(next(n for n, row in enumerate(lines) if row["quantity"] == "noise_floor"))
    (loan / "estimates.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in lines))
    found = [
        row for row in run(folder, tmp_path, tmp_path / "rows.jsonl") if row["verdict"] != "agrees"
    ]
    assert [(row["quantity"], row["verdict"]) for row in found] == [
        ("uncited_rate_necessity", "fails"),
        (gone["quantity"], "no counterpart in the pipeline"),
    ]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda path: (path / "usecase.json").unlink(), "no folder with a usecase.json"),
        (lambda path: (path / "usecase.json").write_text("{}"), "expected a use case"),
        (lambda path: (path / "inputs.jsonl").write_text('{"id": "x"}\n'), "line 1: no id, or"),
        (lambda path: (path / "responses.jsonl").write_text("{}\n"), "a response lacks"),
        (lambda path: (path / "responses.jsonl").write_text(""), "no responses"),
        (lambda path: (path / "plan.json").unlink(), "cannot be read"),
    ],
)
def test_bad_files_are_one_message(
    damage: Any, words: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    study.mkdir()
    for path in (folder / "factors" / "loan").glob("*.json*"):
        (study / path.name).write_bytes(path.read_bytes())
    damage(study)
    options = ["--exported", tmp_path, "--settings", folder / "settings.json", "--out", "none"]
    assert factors.main([*map(str, options)]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("error: ")
    assert words in shown
    assert len(shown.splitlines()) == 1


def test_every_old_text_stands_once_in_the_source() -> None:
    faults = planted.read_faults(FAULTS, known=factors.PARTS)
    assert len(faults) >= 20
    assert {part for one in faults for part in one.parts} == set(factors.PARTS)
    assert not {one.name for one in faults} & {one.name for one in planted.read_faults()}
    for one in faults:
        text = (PACKAGE / one.module).read_text(encoding="utf-8")
        assert planted.patched(text, one) != text


def test_parts_of_the_other_list_are_unknown() -> None:
    with pytest.raises(Unusable, match="expected some of"):
        planted.read_faults(FAULTS)


@pytest.mark.slow
def test_every_fault_is_caught_and_nothing_else(folder: Path) -> None:
    faults = planted.read_faults(FAULTS, known=factors.PARTS)
    edge = FactorEdge.recomputed(folder / "factors", SETTINGS)
    found = planted.run_faults(
        faults,
        PACKAGE,
        "avowed.endpoints.edge_factors",
        lambda program, parts, _: program.edge_rows(folder / "study", DATA, SETTINGS, parts=parts),
        edge.compared,
        parts=factors.PARTS,
    )
    assert {row["fault"]: row["verdict"] for row in found if row["verdict"] != planted.GOOD} == {}
    assert {row["caught"] for row in found[1:]} == {"yes"}
    assert [row["fault"] for row in found] == [planted.NO_FAULT, *(one.name for one in faults)]
