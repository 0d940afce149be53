"""The table of section 16.2: printed, ours, Monte-Carlo error, verdict."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.atomic import atomic_path
from avowed.made import record_making
from avowed.pairs.studies.calibration import fixed_accuracy
from avowed.pairs.studies.properties import COLUMNS, property_rows
from avowed.pairs.studies.registry import STUDIES
from avowed.present.csvfile import read_rows, read_table, write_rows
from avowed.present.properties_table import render
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    tables = {name: read_table(Path(snakemake.input[name])) for name in STUDIES}
    rows = property_rows(
        read_rows(Path(snakemake.input.published)),
        tables,
        calibration_items=fixed_accuracy(snakemake.params.simulation).positives,
    )
    write_rows(Path(snakemake.output.csv), COLUMNS, rows)
    for output, form in ((snakemake.output.md, "github"), (snakemake.output.tex, "latex_booktabs")):
        with atomic_path(Path(output)) as temporary:
            temporary.write_text(render(rows, form=form), encoding="utf-8")
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output[form]) for form in ("csv", "md", "tex")],
        seed=snakemake.params.seed,
    )
