"""Summarise the repetitions of a study."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.pairs.studies.registry import STUDIES, read_repetitions
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    study = STUDIES[snakemake.wildcards.study]
    rows = read_repetitions([Path(path) for path in snakemake.input.repetitions])
    write_rows(Path(snakemake.output.csv), study.columns, study.summarise(rows))
