"""``avowed estimate DELIVERY [DELIVERY ...]``: the public-data table's columns for one's own."""

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from avowed.commands.deliveries import add_calibration, add_deliveries, names_of
from avowed.commands.given import given_path, read_config
from avowed.importing.left_out import left_out_lines
from avowed.pairs.calibration import Calibration, Gates, calibrated_omission
from avowed.pairs.calibration_file import read_calibration
from avowed.pairs.calibration_rows import CORRECTED_COLUMNS, corrected_columns, corrected_line
from avowed.pairs.delivery import JSON_LINES_FILE, PARQUET_FILE, Delivery, read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.header import HEADER_FILE
from avowed.pairs.part_one import cells_of_delivery, estimate_delivery
from avowed.pairs.rules import validate
from avowed.present.csvfile import Value, cell_text, write_rows
from avowed.present.paper_table import render
from avowed.present.validation import text_lines
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_rows
from avowed.real_path import refuse_overwriting
from avowed.refusal import Refused, Unusable


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "estimate",
        help="estimate the omission rate and everything of Part I for deliveries",
        description="Validate deliveries, then print one row per delivery and hint type in the "
        "columns of results/tables/public_data.csv. If one is refused, nothing is printed.",
    )
    add_deliveries(parser)
    add_calibration(parser)
    parser.add_argument("--out", type=given_path, help="write the CSV table to this file")
    parser.add_argument(
        "--format",
        choices=("csv", "text"),
        default="csv",
        help="what to print: the whole table as CSV, or the paper's columns and sentences",
    )
    parser.set_defaults(run=run)


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


def estimated(
    paths: Sequence[Path],
    names: Sequence[str],
    config: Mapping[str, Any],
    calibration: Calibration | None = None,
) -> tuple[list[str], list[dict[str, Value]]]:
    """The columns of the table and its rows: the deliveries in their order, each by hint type.

    Args:
        paths: the deliveries.
        names: what each is called.
        config: settings in the form of ``config.yaml``.
        calibration: the judge's; adds the corrected rate, or why there is none.

    Raises:
        Refused: a delivery breaks a rule; nothing is estimated then. What it breaks is printed.
        Unusable: a file cannot be read.
    """
    settings = Settings.from_config(config)
    refused = [path for path in paths if not _accepted(path)]
    if refused:
        listed = ", ".join(map(str, refused))
        raise Refused(f"{listed}: the delivery breaks the rules above; nothing estimated")
    rows: list[dict[str, Value]] = []
    columns = [*COLUMNS, *FURTHER_COLUMNS]
    if calibration is not None:
        gates = Gates(**config.get("calibration", {}), target_half_width=settings.target_half_width)
        columns += CORRECTED_COLUMNS
    for path, name in zip(paths, names, strict=True):
        delivery = read_delivery(path)
        results = estimate_delivery(delivery, settings, name=name, study="deliveries")
        found = wide_rows(name, results.rows, results.cells)
        if calibration is not None:
            corrected = _corrected(delivery, calibration, settings, gates)
            found = [{**row, **more} for row, more in zip(found, corrected, strict=True)]
        rows += found
    return columns, rows


def _accepted(path: Path) -> bool:
    report = validate(path)
    if not report.accepted:
        for line in text_lines(report):
            print(line, file=sys.stderr)
    return report.accepted


def run(arguments: argparse.Namespace) -> int:
    """Validate, estimate, print; nothing is estimated if one delivery breaks a rule."""
    names = names_of(arguments.paths, arguments.name)
    if arguments.out is not None:
        files = (HEADER_FILE, PARQUET_FILE, JSON_LINES_FILE)
        read = [folder / file for folder in arguments.paths for file in files]
        given = [path for path in (arguments.config, arguments.calibration) if path is not None]
        refuse_overwriting([arguments.out], [*read, *given])
    config = {} if arguments.config is None else read_config(arguments.config)
    settings = Settings.from_config(config)
    calibration = None
    if arguments.calibration is not None:
        calibration = read_calibration(arguments.calibration)
    columns, rows = estimated(arguments.paths, names, config, calibration)
    if arguments.out:
        _write(arguments.out, columns, rows)
    if arguments.format == "text":
        print(render(rows, form="github", confidence=settings.confidence))
        for row in rows:
            print(f"{row['condition']}: {row['sentence']}")
            for note in str(row["omission_note"] or "").split("; "):
                if note and note not in str(row["sentence"]):
                    print(f"{row['condition']}: Note: {note}.")
            if calibration is not None:
                print(f"{row['condition']}: {corrected_line(row, confidence=settings.confidence)}")
        for name, line in left_out_lines(dict(zip(names, arguments.paths, strict=True))):
            print(f"{name}: {line}")
    elif not arguments.out:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows([cell_text(row[column]) for column in columns] for row in rows)
    sys.stdout.flush()
    return 0
