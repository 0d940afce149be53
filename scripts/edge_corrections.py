"""Correct rates under calibrations chosen so that every gate occurs, inputs and outputs beside."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.calibration import Gates
from avowed.pairs.delivery import read_delivery
from avowed.pairs.edge_corrections import CASES, COLUMNS, correction_rows, exact_text, example_case
from avowed.pairs.estimate import Settings
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    settings = Settings.from_config(snakemake.params.settings)
    gates = Gates(**snakemake.params.gates, target_half_width=settings.target_half_width)
    example = read_delivery(Path(snakemake.input.example).parent)
    # The hint type and the threshold are the example's own.
    case = example_case(
        example.header.hint_types[0],
        snakemake.params.fixed_calibration,
        threshold=example.header.label_threshold,
    )
    rows = [
        row
        for name, delivery, cases in (
            (snakemake.params.edge, read_delivery(Path(snakemake.input.edge).parent), CASES),
            (snakemake.params.example, example, (case,)),
        )
        for row in correction_rows(delivery, settings, name=name, gates=gates, cases=cases)
    ]
    write_rows(Path(snakemake.output.csv), COLUMNS, map(exact_text, rows))
    say(f"{len(rows)} cases, {len({row['status'] for row in rows})} verdicts")
    record_making(
        Path(snakemake.output.made), [Path(snakemake.output.csv)], seed=snakemake.params.seed
    )
