"""Summarise the repetitions of a study."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.studies.registry import STUDIES, read_repetitions
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    study = STUDIES[snakemake.wildcards.study]
    rows = read_repetitions([Path(path) for path in snakemake.input.repetitions])
    write_rows(Path(snakemake.output.csv), study.columns, study.summarise(rows))
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.csv)],
        seed=snakemake.params.seed,
    )
