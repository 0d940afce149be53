"""A small run of every table by the pipeline's own library, for tests to recompute."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from verification.tables_inputs import Inputs

from avowed.pairs.accuracy import ACCURACY_COLUMNS, accuracy_rows
from avowed.pairs.calibration import Gates
from avowed.pairs.cell import Cell
from avowed.pairs.coded_answers import ALWAYS_A, SUGGESTED, read_coded
from avowed.pairs.delivery import Delivery, write_delivery
from avowed.pairs.estimate import Settings
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
    share_of_chunk,
    write_repetitions,
)
from avowed.pairs.turpin import condition_of, count_exclusions, delivery_of, estimate_by_task
from avowed.present.csvfile import read_rows, read_table, write_rows
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_row, wide_rows
from avowed.stats.long_table import write_long

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
        {name: read_table(run.table(name)) for name in STUDIES},
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


def make_example(run: Made, cell: StudyCell, first: Cell) -> list[str]:
    """Repetitions and table of the worked example; what the export is told of them."""
    gates = Gates(**run.config["calibration"], target_half_width=0.10)
    total, paths = run.simulation["worked_example_repetitions"], []
    for chunk in range(CHUNKS):
        numbers = share_of_chunk(total, chunk, CHUNKS)
        rows = worked_example.run_repetitions(first, run.simulation, run.settings, gates, numbers)
        paths.append(run.results / "studies" / "worked_example" / f"{chunk}.parquet")
        write_repetitions(rows, paths[-1])
    least = run.simulation["exposure_min_options"]
    exact = worked_example.truths(
        cell,
        run.simulation,
        min_options=run.settings.min_options,
        exposure_min_options=least,
    )
    published = read_rows(PUBLISHED / "worked_example.csv")
    rows = worked_example.example_rows(published, read_repetitions(paths), exact)
    write_rows(run.table("worked_example"), worked_example.COLUMNS, rows)
    return ["--study", f"worked_example={','.join(map(str, paths))}"]


def make_simulated(run: Made) -> list[str]:
    """The worked example, and a delivery of one's own with all hint types; what to export."""
    cell = example_cell(run.simulation)
    delivery = simulated_delivery([cell], run.settings).delivery
    estimates, told = make_delivery(
        run, delivery, "simulated", study="worked_example", label="worked_example"
    )
    curve = clouds.curve_rows(estimates.rows, run.simulation, run.settings)
    write_rows(run.table("threshold_curve"), clouds.CURVE_COLUMNS, curve)
    (first,) = cells_of_delivery(delivery)
    told += make_example(run, cell, first)
    kinds: list[StudyCell] = main_cells(run.simulation)
    mine = simulated_delivery(kinds, run.settings).delivery
    estimates, more = make_delivery(run, mine, "mine", study="deliveries", label="mine")
    wide = wide_rows("mine", estimates.rows, estimates.cells)
    write_rows(run.table("deliveries"), (*COLUMNS, *FURTHER_COLUMNS), wide)
    return told + more
