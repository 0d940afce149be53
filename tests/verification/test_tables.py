"""Tables made by the pipeline's own library at a small size, recomputed and then tampered with."""

import csv
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from verification import export, tables
from verification.comparison import AGREES
from verification.files import read_json_lines
from verification.tables_compare import compare_table, number_of, read_table
from verification.tables_inputs import Inputs

from avowed.pairs.accuracy import ACCURACY_COLUMNS, accuracy_rows
from avowed.pairs.calibration import Gates
from avowed.pairs.coded_answers import ALWAYS_A, SUGGESTED, read_coded
from avowed.pairs.delivery import Delivery, write_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.long_table import write_long
from avowed.pairs.part_one import DeliveryEstimates, cells_of_delivery, estimate_delivery
from avowed.pairs.sample_size import PLAN_COLUMNS, plan_rows
from avowed.pairs.simulated_delivery import simulated_delivery
from avowed.pairs.studies import calibration, clouds, properties, worked_example
from avowed.pairs.studies.cells import StudyCell, example_cell, main_cells
from avowed.pairs.studies.registry import (
    STUDIES,
    read_repetitions,
    repetitions_of_chunk,
    run_repetitions,
    write_repetitions,
)
from avowed.pairs.turpin import condition_of, count_exclusions, delivery_of, estimate_by_task
from avowed.present.csvfile import read_numbers, read_rows, write_rows
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_row, wide_rows

REPOSITORY = Path(__file__).parents[2]
PUBLISHED = REPOSITORY / "data" / "published"
CONDITIONS = {
    "public_data": (SUGGESTED, ["claude-v1_zero-shot", "text-davinci-003_few-shot"]),
    "always_a": (ALWAYS_A, ["claude-v1_few-shot", "text-davinci-003_few-shot"]),
}
CHUNKS = 2


def small_config() -> dict[str, Any]:
    """The shipped configuration with fewer probes, repetitions and resamples."""
    config: dict[str, Any] = yaml.safe_load((REPOSITORY / "config.yaml").read_text("utf-8"))
    config["bootstrap"]["resamples"] = 200
    config["simulation"] |= {
        "probes": 60,
        "repetitions": 6,
        "further_repetitions": 3,
        "smaller_probes": [12],
        "extreme_probes": [20],
        "chance_repetitions": 4,
        "worked_example_repetitions": 5,
        "fixed_sets": 4,
        "calibration_sizes": [30, 150],
    }
    return config


@dataclass(frozen=True)
class Made:
    """A small run: its configuration and the folder that holds its results."""

    config: dict[str, Any]
    results: Path

    @property
    def simulation(self) -> dict[str, Any]:
        found: dict[str, Any] = self.config["simulation"]
        return found

    @property
    def settings(self) -> Settings:
        return Settings.from_config(self.config)

    @property
    def inputs(self) -> Inputs:
        exported = self.results / "verification" / "exported"
        return Inputs(self.results, exported, PUBLISHED, self.config)

    def table(self, name: str) -> Path:
        return self.results / "tables" / f"{name}.csv"


def make_studies(run: Made) -> list[str]:
    """Repetitions and tables of the studies; what the export is told of them."""
    told = []
    for name, study in STUDIES.items():
        paths = []
        for chunk in range(CHUNKS):
            numbers = repetitions_of_chunk(name, run.simulation, chunk, CHUNKS)
            paths.append(run.results / "studies" / name / f"{chunk}.parquet")
            paths[-1].parent.mkdir(parents=True, exist_ok=True)
            write_repetitions(
                run_repetitions(name, run.simulation, run.settings, numbers), paths[-1]
            )
        rows = read_repetitions(paths)
        write_rows(run.table(name), study.columns, study.summarise(rows))
        told += ["--study", f"{name}={','.join(map(str, paths))}"]
        if name == "coverage":
            found = clouds.clustering_cloud(rows)
            write_rows(run.table("clustering"), clouds.CLUSTERING_COLUMNS, found)
        if name == "calibration":
            found = clouds.calibration_cloud(rows, run.simulation)
            write_rows(run.table("calibration_estimates"), clouds.CALIBRATION_COLUMNS, found)
    shifts = calibration.many_fixed_sets(run.simulation, run.settings)
    write_rows(run.table("calibration_shifts"), calibration.SHIFT_COLUMNS, shifts)
    found = properties.property_rows(
        read_rows(PUBLISHED / "simulation.csv"),
        {name: read_numbers(run.table(name)) for name in STUDIES},
        calibration_items=calibration.fixed_accuracy(run.simulation).positives,
    )
    write_rows(run.table("estimator_properties"), properties.COLUMNS, found)
    return told


def make_delivery(
    run: Made, delivery: Delivery, name: str, *, study: str, label: str
) -> tuple[DeliveryEstimates, list[str]]:
    """A delivery with its estimates; what the export is told of them."""
    folder = run.results / "pairs" / name
    write_delivery(folder, delivery.header, delivery.records)
    estimates = estimate_delivery(delivery, run.settings, name=label, study=study)
    path = run.results / "estimates" / f"{name}.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_long(estimates.rows, path)
    return estimates, ["--delivery", f"{name}={folder}", "--estimates", f"{name}={path}"]


def make_public(run: Made) -> list[str]:
    """The public tables from the shipped coded answers; what the export is told."""
    shipped = REPOSITORY / "data" / "turpin"
    coded = read_coded(shipped / "coded_answers.parquet")
    (run.results / "pairs").mkdir(parents=True)
    shutil.copy(shipped / "coded_answers.json", run.results / "pairs")
    told = ["--coded", str(shipped / "coded_answers.parquet")]
    turpin, by_task = run.config["turpin"], []
    for table, (bias, names) in CONDITIONS.items():
        wide, plans = [], []
        for name in names:
            condition = condition_of(bias, name)
            left = count_exclusions(coded, condition)
            delivery = delivery_of(
                coded,
                condition,
                risk_family=turpin["risk_family"],
                label_threshold=turpin["label_threshold"],
                mention_patterns=turpin["mention_patterns"],
            )
            estimates, more = make_delivery(
                run, delivery, f"{table}_{name}", study=table, label=name
            )
            told += more
            plans.append(estimates.rows)
            counts = (left.n_items, left.n_hint_correct)
            wide += wide_rows(name, estimates.rows, estimates.cells, left_out=counts)
            if table == "public_data":
                by_task += [
                    {
                        "task": part.task,
                        **wide_row(
                            name,
                            part.rows,
                            hint_type=bias,
                            sentence=part.cells[0]["sentence"],
                            left_out=(part.n_items, part.n_hint_correct),
                        ),
                    }
                    for part in estimate_by_task(coded, condition, delivery, run.settings)
                ]
        write_rows(run.table(table), (*COLUMNS, *FURTHER_COLUMNS), wide)
        if table == "public_data":
            plan = plan_rows(plans, confidence=run.settings.confidence, **run.config["sample_size"])
            write_rows(run.table("sample_size"), PLAN_COLUMNS, plan)
    columns = ("condition", "task", *COLUMNS[1:], *FURTHER_COLUMNS)
    write_rows(run.table("public_data_by_task"), columns, by_task)
    found = accuracy_rows(
        coded,
        published=read_rows(PUBLISHED / "turpin_accuracy.csv"),
        confidence=run.settings.confidence,
    )
    write_rows(run.table("turpin_accuracy"), ACCURACY_COLUMNS, found)
    return told


def make_simulated(run: Made) -> list[str]:
    """The worked example, and a delivery of one's own with all hint types; what to export."""
    cell = example_cell(run.simulation)
    delivery = simulated_delivery([cell], run.settings).delivery
    estimates, told = make_delivery(
        run, delivery, "simulated", study="worked_example", label="worked_example"
    )
    curve = clouds.curve_rows(estimates.rows, run.simulation, run.settings)
    write_rows(run.table("threshold_curve"), clouds.CURVE_COLUMNS, curve)
    least = run.simulation["exposure_min_options"]
    own = replace(run.settings, exposure_min_options=least)
    gates = Gates(**run.config["calibration"], target_half_width=0.10)
    (pairs,) = cells_of_delivery(delivery)
    repetitions = [worked_example.quantities(pairs, run.simulation, own, gates)]
    repetitions += [
        worked_example.run(run.simulation, replace(run.settings, replicate=number), gates)
        for number in range(1, run.simulation["worked_example_repetitions"])
    ]
    exact = worked_example.truths(cell, run.simulation, exposure_min_options=least)
    published = read_rows(PUBLISHED / "worked_example.csv")
    rows = worked_example.example_rows(published, repetitions, exact)
    write_rows(run.table("worked_example"), worked_example.COLUMNS, rows)
    kinds: list[StudyCell] = main_cells(run.simulation)
    mine = simulated_delivery(kinds, run.settings).delivery
    estimates, more = make_delivery(run, mine, "mine", study="deliveries", label="mine")
    wide = wide_rows("mine", estimates.rows, estimates.cells)
    write_rows(run.table("deliveries"), (*COLUMNS, *FURTHER_COLUMNS), wide)
    return told + more


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


def changed(text: str) -> str:
    """A small but visible change of a printed cell."""
    value = number_of(text)
    if value is None:
        return "1"
    if isinstance(value, int):
        return str(value + 1)
    return f"{value * 1.001:.10g}" if isinstance(value, float) else f"{text}x"


def places(rows: Sequence[Mapping[str, str]], column: str) -> set[int]:
    """Rows to tamper with: the first and the last, and the first and the last that is filled."""
    filled = [place for place, row in enumerate(rows) if row[column]]
    return {0, len(rows) - 1, *filled[:1], *filled[-1:]}


# How many repetitions lie below a printed number, and the mean of a rate that the paper does not
# print, stand in the table alone: a change that stays a whole number of repetitions, or within
# six errors of the population value, cannot be seen there.
UNSEEN = {
    ("mean_over_repetitions", "omission at cut 0.6"),
    ("mean_over_repetitions", "omission at cut 0.7"),
    ("share_of_repetitions_below_published", "probes that always show a violation"),
}


@pytest.mark.parametrize("name", tables.NAMES)
def test_a_changed_cell_fails_with_its_row_and_column(
    made: Made, inputs: Inputs, name: str
) -> None:
    columns, rows = read_table(made.table(name))
    unseen = []
    table = tables.recompute_table(name, inputs, rows)
    for column in columns:
        for place in places(rows, column):
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
    assert set(unseen) <= (UNSEEN if name == "worked_example" else set())


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


def test_settings_without_a_key_are_unusable(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lacking = {key: value for key, value in made.config.items() if key != "sample_size"}
    out = tmp_path / "rows.jsonl"
    assert tables.main(command(Made(lacking, made.results), out)) == 2
    assert "sample_size" in capsys.readouterr().err
