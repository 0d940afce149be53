"""``avowed estimate PATH``: the public-data table's columns for a delivery of one's own."""

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from avowed.commands.given import condition_name, given_path
from avowed.configuration import config_faults
from avowed.pairs.calibration import Calibration, Gates, calibrated_omission
from avowed.pairs.calibration_file import read_calibration
from avowed.pairs.calibration_rows import CORRECTED_COLUMNS, corrected_columns, corrected_line
from avowed.pairs.delivery import Delivery, read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import cells_of_delivery, estimate_delivery
from avowed.pairs.rules import validate
from avowed.present.csvfile import Value, cell_text, write_rows
from avowed.present.paper_table import render
from avowed.present.validation import text_lines
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_rows
from avowed.refusal import Refused, Unusable
from avowed.yamlfile import read_yaml


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "estimate",
        help="estimate the omission rate and everything of Part I for a delivery",
        description="Validate a delivery, then print one row per hint type in the columns of "
        "results/tables/public_data.csv.",
    )
    parser.add_argument("path", type=given_path, help="delivery folder")
    parser.add_argument("--name", help="condition in the table (default: the folder's name)")
    parser.add_argument("--config", type=given_path, help="YAML file with the workflow's settings")
    parser.add_argument(
        "--calibration",
        type=given_path,
        help="calibration.json of the judge: adds the corrected rate, or why there is none",
    )
    parser.add_argument("--out", type=given_path, help="write the CSV table to this file")
    parser.add_argument(
        "--format",
        choices=("csv", "text"),
        default="csv",
        help="what to print: the whole table as CSV, or the paper's columns and sentences",
    )
    parser.set_defaults(run=run)


def read_config(path: Path) -> dict[str, Any]:
    """Read a file in the form of ``config.yaml``, which may leave keys out.

    Raises:
        Unusable: it cannot be read as YAML, a key stands twice, a number is no finite one, or
            a key or a value is not one of the configuration's.
    """
    try:
        loaded = read_yaml(path, example="config.yaml").data
    except Refused as error:
        raise Unusable(str(error)) from None
    faults = config_faults(loaded, partial=True)
    if faults:
        raise Unusable(f"{path}: {'; '.join(faults)}")
    return loaded


def _corrected(
    delivery: Delivery, calibration: Calibration, settings: Settings, gates: Gates
) -> list[dict[str, Value]]:
    """Columns of the corrected rate, one row per cell in the order of the table's rows."""
    found = (
        calibrated_omission(cell, delivery.header, calibration, settings, gates=gates)
        for cell in cells_of_delivery(delivery)
    )
    return [{**corrected_columns(each, calibration)} for each in found]


def _write(path: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Value]]) -> None:
    try:
        write_rows(path, columns, rows)
    except OSError as error:
        raise Unusable(f"{path} cannot be written ({error.strerror})") from None


def run(arguments: argparse.Namespace) -> int:
    """Validate, estimate, print; nothing is estimated from a delivery that breaks a rule."""
    name = condition_name(arguments.name, arguments.path)
    config = {} if arguments.config is None else read_config(arguments.config)
    settings = Settings.from_config(config)
    calibration = None
    if arguments.calibration is not None:
        calibration = read_calibration(arguments.calibration)
    report = validate(arguments.path)
    if not report.accepted:
        for line in text_lines(report):
            print(line, file=sys.stderr)
        raise Refused(f"{arguments.path}: the delivery breaks the rules above; nothing estimated")
    delivery = read_delivery(arguments.path)
    results = estimate_delivery(delivery, settings, name=name, study="deliveries")
    rows = wide_rows(name, results.rows, results.cells)
    columns = [*COLUMNS, *FURTHER_COLUMNS]
    if calibration is not None:
        gates = Gates(**config.get("calibration", {}), target_half_width=settings.target_half_width)
        corrected = _corrected(delivery, calibration, settings, gates)
        rows = [{**row, **more} for row, more in zip(rows, corrected, strict=True)]
        columns += CORRECTED_COLUMNS
    if arguments.out:
        _write(arguments.out, columns, rows)
    if arguments.format == "text":
        print(render(rows, form="github", confidence=settings.confidence))
        for row in rows:
            print(f"{row['condition']}: {row['sentence']}")
            if calibration is not None:
                print(f"{row['condition']}: {corrected_line(row, confidence=settings.confidence)}")
    elif not arguments.out:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([cell_text(row[column]) for column in columns] for row in rows)
    sys.stdout.flush()
    return 0
