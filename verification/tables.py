"""Every table of the pipeline recomputed from lower-level data, and compared cell by cell.

Reads the exported deliveries, estimates and repetitions, the coded answers, the printed numbers and
the configuration that ran; recomputes each table of results/tables and sets it beside the one that
stands there. A cell, a row, a column or a whole table without counterpart is a verdict of its own.
Standard library only. The rows go to `verification.diff` with --extra.

    python -m verification.tables --results results --exported results/verification/exported \
        --settings results/verification/settings.json --published data/published --out ROWS.jsonl
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from verification.comparison import AGREES, ONLY_PIPELINE, ONLY_RECOMPUTATION
from verification.estimates import Settings
from verification.files import Unusable, read_object, write_json_lines
from verification.tables_calibration import calibration_table, estimates_table, shifts_table
from verification.tables_compare import Table, compare_table, read_table
from verification.tables_inputs import Inputs
from verification.tables_planning import accuracy_table, sample_size_table
from verification.tables_properties import curve_table, properties_table
from verification.tables_public import CONDITION_TABLES, by_task_table, condition_table
from verification.tables_studies import (
    chance_table,
    clustering_table,
    coverage_table,
    exposure_table,
)
from verification.tables_worked import worked_example_table

Printed = Sequence[dict[str, str]]

#: Table -> how it is recomputed from what was exported.
RECOMPUTED: dict[str, Callable[[Inputs], Table]] = {
    **{name: partial(condition_table, name=name) for name in CONDITION_TABLES},
    "turpin_accuracy": accuracy_table,
    "sample_size": sample_size_table,
    "coverage": coverage_table,
    "clustering": clustering_table,
    "exposure_bias": exposure_table,
    "chance_correction": chance_table,
    "calibration": calibration_table,
    "calibration_estimates": estimates_table,
    "threshold_curve": curve_table,
    "estimator_properties": properties_table,
    "worked_example": worked_example_table,
}
#: Tables that hold numbers which are stored nowhere else: these are held against each other.
WITHIN: dict[str, Callable[[Inputs, Printed], Table]] = {
    "calibration_shifts": shifts_table,
    "public_data_by_task": by_task_table,
}
NAMES = tuple(sorted(RECOMPUTED.keys() | WITHIN.keys()))


def recompute_table(name: str, inputs: Inputs, printed: Printed) -> Table:
    """Recompute one table; ``printed`` are the rows of the pipeline's, read as text.

    Raises:
        Unusable: a file cannot be read, or a setting or a field is missing.
    """
    try:
        if name in WITHIN:
            return WITHIN[name](inputs, printed)
        return RECOMPUTED[name](inputs)
    except (KeyError, TypeError, ZeroDivisionError) as error:
        raise Unusable(
            f"{name}.csv cannot be recomputed: {type(error).__name__} {error} in what was "
            "exported or in the settings; run make reproduce"
        ) from None


def _whole_table(name: str, verdict: str) -> dict[str, Any]:
    return {
        "source": f"{name}.csv",
        "quantity": "(the whole table)",
        "cell": "",
        "k": None,
        "field": "value",
        "main": None,
        "independent": None,
        "difference": None,
        "tolerance": None,
        "basis": "a table needs a counterpart",
        "verdict": verdict,
    }


def compare_tables(inputs: Inputs, *, only: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
    """Compare every table of the results folder; with ``only``, those of these names.

    A table of deliveries of one's own is expected only where there are any.

    Raises:
        Unusable: the results have no tables, a file cannot be read, or a setting or a field is
            missing.
    """
    # Asked here, so that a bad setting is named as such and not as a table that it spoils.
    Settings.from_config(inputs.settings)
    folder = inputs.results / "tables"
    if not folder.is_dir():
        raise Unusable(f"{folder}: no such folder; name the folder of a run with --results")
    there = {path.stem for path in folder.glob("*.csv")}
    for name in sorted({*there, *NAMES}):
        if only and name not in only:
            continue
        if name not in NAMES:
            yield _whole_table(name, ONLY_PIPELINE)
            continue
        columns, rows = read_table(folder / f"{name}.csv") if name in there else ([], [])
        table = recompute_table(name, inputs, rows)
        if name in there:
            yield from compare_table(table, columns, rows)
        elif table.rows:
            yield _whole_table(name, ONLY_RECOMPUTATION)


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="verification.tables", description=str(__doc__).split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--results", type=Path, required=True, help="folder of the pipeline")
    parser.add_argument(
        "--exported", type=Path, required=True, help="what verification.export wrote"
    )
    parser.add_argument("--settings", type=Path, required=True, help="the configuration that ran")
    parser.add_argument("--published", type=Path, required=True, help="folder of printed numbers")
    parser.add_argument("--out", type=Path, required=True, help="comparisons, one JSON per line")
    parser.add_argument(
        "--table", action="append", default=[], choices=NAMES, help="only this one; may be repeated"
    )
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    """Write the comparisons; 0 when they are written, whatever they say, 2 when unusable.

    Whether a difference stops the run is for `verification.diff`, which reads the rows.
    """
    options = arguments(given)
    try:
        settings = read_object(options.settings)
        inputs = Inputs(options.results, options.exported, options.published, settings)
        rows = list(compare_tables(inputs, only=options.table))
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    write_json_lines(options.out, rows)
    agreeing = sum(row["verdict"] == AGREES for row in rows)
    print(f"tables: {agreeing} of {len(rows)} comparisons agree")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
