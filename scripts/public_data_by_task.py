"""The public-data table task by task."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.coded_answers import SUGGESTED, read_coded
from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.turpin import condition_of, estimate_by_task
from avowed.present.csvfile import write_rows
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_row
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    settings = Settings.from_config(snakemake.params.settings)
    coded = read_coded(Path(snakemake.input.table))
    rows = []
    for name, records in zip(snakemake.params.conditions, snakemake.input.records, strict=True):
        delivery = read_delivery(Path(records).parent)
        for part in estimate_by_task(coded, condition_of(SUGGESTED, name), delivery, settings):
            wide = wide_row(
                name,
                part.rows,
                hint_type=part.cells[0]["hint_type"],
                sentence=part.cells[0]["sentence"],
                left_out=(part.n_items, part.n_hint_correct),
            )
            rows.append({"task": part.task, **wide})
    columns = ("condition", "task", *COLUMNS[1:], *FURTHER_COLUMNS)
    write_rows(Path(snakemake.output.csv), columns, rows)
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.csv)],
        seed=snakemake.params.seed,
    )
