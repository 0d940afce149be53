"""Tables made by the pipeline's own library at a small size, recomputed and then tampered with."""

import csv
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.made_tables import (
    PUBLISHED,
    Made,
    make_public,
    make_simulated,
    make_studies,
    small_config,
)
from verification import export, tables
from verification.comparison import AGREES
from verification.files import read_json_lines
from verification.tables_compare import compare_table, number_of, read_table
from verification.tables_inputs import Inputs
from verification.tables_worked import SIBLING, STORED


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A small run with every table, exported; tests change copies only."""
    run = Made(small_config(), tmp_path_factory.mktemp("made") / "results")
    (run.results / "tables").mkdir(parents=True)
    told = [*make_public(run), *make_studies(run), *make_simulated(run)]
    exported = run.results / "verification" / "exported"
    assert export.main(["--out", str(exported), *told]) == 0
    return run


@pytest.fixture(scope="session")
def inputs(made: Made) -> Inputs:
    """What the recomputation reads, kept between tests."""
    return made.inputs


def failing(rows: Iterator[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return [row for row in rows if row["verdict"] != AGREES]


def test_every_table_agrees_with_its_recomputation(inputs: Inputs) -> None:
    rows = list(tables.compare_tables(inputs))
    assert failing(iter(rows)) == []
    assert {row["source"] for row in rows} == {f"{name}.csv" for name in tables.NAMES}


@pytest.mark.parametrize("counts", [(5, 5, 5, 5), (4, 6, 5, 5)], ids=["J = 0", "J < 0"])
def test_a_fixed_calibration_without_discrimination_is_undefined_in_both_programs(
    tmp_path: Path, counts: tuple[int, ...]
) -> None:
    config = small_config()
    fixed = dict(zip(("tp", "fn", "tn", "fp"), counts, strict=True))
    config["simulation"] |= {"fixed_calibration": fixed, "calibration_sizes": [10]}
    run = Made(config, tmp_path / "results")
    told = [*make_studies(run), *make_simulated(run)]
    assert export.main(["--out", str(run.inputs.exported), *told]) == 0
    kept = {"calibration", "calibration_estimates", "calibration_shifts", "worked_example"}
    rows = list(tables.compare_tables(run.inputs, only=sorted(kept)))
    assert failing(iter(rows)) == []
    assert {row["source"] for row in rows} == {f"{name}.csv" for name in kept}
    shifts = [row for row in rows if row["quantity"] == "exact_shift"]
    assert {(row["main"], row["independent"]) for row in shifts} == {(None, None)}


def changed(text: str) -> str:
    """A small but visible change of a printed cell."""
    value = number_of(text)
    if value is None:
        return "1"
    if isinstance(value, int):
        return str(value + 1)
    return f"{value * 1.001:.10g}" if isinstance(value, float) else f"{text}x"


def places(name: str, rows: Sequence[Mapping[str, str]], column: str) -> set[int]:
    """Rows to tamper with: the first and the last, and the first and the last that is filled.

    Every row of the worked example is a number of its own, and all of them are.
    """
    if name == "worked_example":
        return set(range(len(rows)))
    filled = [place for place, row in enumerate(rows) if row[column]]
    return {0, len(rows) - 1, *filled[:1], *filled[-1:]}


@pytest.mark.parametrize("name", tables.NAMES)
def test_a_changed_cell_fails_with_its_row_and_column(
    made: Made, inputs: Inputs, name: str
) -> None:
    columns, rows = read_table(made.table(name))
    unseen = []
    table = tables.recompute_table(name, inputs, rows)
    for column in columns:
        for place in places(name, rows, column):
            row = rows[place] | {column: changed(rows[place][column])}
            tampered = [*rows[:place], row, *rows[place + 1 :]]
            if name in tables.WITHIN:
                table = tables.recompute_table(name, inputs, tampered)
            found = failing(compare_table(table, columns, tampered))
            named = {
                (one["quantity"], part) for one in found for part in one["cell"].split(" · ")
            } | {(one["quantity"], str(one["k"])) for one in found}
            key = next(row[key] for key in table.keys if row[key])
            if (column, key) not in named:
                unseen.append((column, key))
    assert unseen == []


Change = Callable[[list[list[str]]], list[list[str]]]

SHAPES: dict[str, tuple[Change, str]] = {
    "a row is missing": (lambda rows: rows[:-1], "no counterpart in the pipeline"),
    "a row stands twice": (lambda rows: [*rows, rows[-1]], "no counterpart in the recomputation"),
    "a column is missing": (
        lambda rows: [row[:-1] for row in rows],
        "no counterpart in the pipeline",
    ),
    "a column is new": (
        lambda rows: [[*row, "new"] for row in rows],
        "no counterpart in the recomputation",
    ),
    "a field is beyond the header": (
        lambda rows: [*rows[:-1], [*rows[-1], "1"]],
        "no counterpart in the recomputation",
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", ["clustering", "estimator_properties", "public_data"])
def test_a_table_of_another_shape_fails(
    made: Made, inputs: Inputs, tmp_path: Path, name: str, shape: str
) -> None:
    change, verdict = SHAPES[shape]
    with made.table(name).open(encoding="utf-8", newline="") as file:
        lines = change(list(csv.reader(file)))
    with (tmp_path / "t.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)
    columns, rows = read_table(tmp_path / "t.csv")
    found = failing(compare_table(tables.recompute_table(name, inputs, rows), columns, rows))
    assert found
    assert {row["verdict"] for row in found} == {verdict}


def command(run: Made, out: Path) -> list[str]:
    settings = out.with_name("settings.json")
    settings.write_text(json.dumps(run.config), encoding="utf-8")
    exported = run.results / "verification" / "exported"
    return [
        *("--results", str(run.results), "--exported", str(exported)),
        *("--settings", str(settings), "--published", str(PUBLISHED), "--out", str(out)),
    ]


def test_command_line_names_tables_without_counterpart(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Made(made.config, tmp_path / "results")
    shutil.copytree(made.results, copy.results)
    copy.table("clustering").unlink()
    copy.table("unknown").write_text("a\n1\n", encoding="utf-8")
    out = tmp_path / "rows.jsonl"
    assert tables.main(command(copy, out)) == 0
    found = failing(iter(read_json_lines(out)))
    assert [(row["source"], row["verdict"]) for row in found] == [
        ("clustering.csv", "no counterpart in the pipeline"),
        ("unknown.csv", "no counterpart in the recomputation"),
    ]
    agreeing, _, total, *_ = capsys.readouterr().out.removeprefix("tables: ").split()
    assert int(total) - int(agreeing) == 2
    first = out.read_bytes()
    assert tables.main(command(copy, out)) == 0
    assert out.read_bytes() == first


@pytest.mark.parametrize("lost", ["studies/coverage.jsonl", "coded_answers.jsonl"])
def test_command_line_says_which_file_is_unusable(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str], lost: str
) -> None:
    copy = Made(made.config, tmp_path / "results")
    shutil.copytree(made.results, copy.results)
    (copy.results / "verification" / "exported" / lost).unlink()
    assert tables.main(command(copy, tmp_path / "rows.jsonl")) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert lost in said
    assert not (tmp_path / "rows.jsonl").exists()


def test_a_repetition_of_the_example_that_was_lost_is_unusable(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = Made(made.config, tmp_path / "results")
    shutil.copytree(made.results, copy.results)
    path = copy.results / "verification" / "exported" / "studies" / "worked_example.jsonl"
    kept = path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]
    path.write_text("".join(kept), encoding="utf-8")
    out = tmp_path / "rows.jsonl"
    assert tables.main([*command(copy, out), "--table", "worked_example"]) == 2
    assert "found 4, expected 0 to 4, each once" in capsys.readouterr().err


def test_a_run_with_fewer_studies_than_examples_still_recomputes_every_number(made: Made) -> None:
    """The studies ran six repetitions; the example's own stand in where they ran too few."""
    told = {}
    for wanted in (5, 8):
        run = Made({**made.config, "simulation": dict(made.simulation)}, made.results)
        run.simulation["worked_example_repetitions"] = wanted
        inputs = run.inputs
        rows = [dict(inputs.study("worked_example")[n % 5], repetition=n) for n in range(wanted)]
        inputs.study("worked_example")[:] = rows
        table = tables.recompute_table("worked_example", inputs, [])
        row = next(row for row in table.rows if row["quantity"].value == "omission")
        told[wanted] = (row["spread"].how, row["repetitions"].value)
    assert told == {5: (SIBLING, 5), 8: (STORED, 8)}


def test_settings_without_a_key_are_unusable(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = {key: value for key, value in made.config.items() if key != "sample_size"}
    out = tmp_path / "rows.jsonl"
    assert tables.main(command(Made(lacking, made.results), out)) == 2
    assert "sample_size" in capsys.readouterr().err


def test_results_that_are_not_there_are_unusable(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl"
    given = [*command(made, out), "--results", str(tmp_path / "nope"), "--table", "sample_size"]
    assert tables.main(given) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {tmp_path / 'nope' / 'tables'}: no such folder")
    assert not out.exists()
