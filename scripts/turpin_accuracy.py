"""Accuracy of both contexts, as the data's own paper tabulates it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.accuracy import ACCURACY_COLUMNS, accuracy_rows
from avowed.pairs.coded_answers import read_coded
from avowed.present.csvfile import read_rows, write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    coded = read_coded(Path(snakemake.input.table))
    published = read_rows(Path(snakemake.input.published))
    rows = accuracy_rows(coded, published=published, confidence=snakemake.params.confidence)
    write_rows(Path(snakemake.output.csv), ACCURACY_COLUMNS, rows)
    record_making(Path(snakemake.output.made), [Path(snakemake.output.csv)], seed=None)
