"""Arrange estimates as one row per condition: CSV for people, Markdown and LaTeX for papers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import pyarrow.parquet as pq

from avowed.atomic import atomic_path
from avowed.jsonfile import read_json
from avowed.made import record_making
from avowed.present.csvfile import read_rows, write_rows
from avowed.present.paper_table import render
from avowed.present.wide import COLUMNS, FURTHER_COLUMNS, wide_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    exclusions = snakemake.input.get("exclusions") or []
    left_out = {
        row["condition"]: (int(row["n_items"]), int(row["n_hint_correct"]))
        for path in ([exclusions] if isinstance(exclusions, str) else exclusions)
        for row in read_rows(Path(path))
    }
    rows = []
    for condition, estimates, sentences in zip(
        snakemake.params.conditions,
        snakemake.input.estimates,
        snakemake.input.sentences,
        strict=True,
    ):
        cells = read_json(Path(sentences))
        long_rows = pq.read_table(estimates).to_pylist()
        rows += wide_rows(condition, long_rows, cells, left_out=left_out.get(condition))
    write_rows(Path(snakemake.output.csv), (*COLUMNS, *FURTHER_COLUMNS), rows)
    for output, form in ((snakemake.output.md, "github"), (snakemake.output.tex, "latex_booktabs")):
        with atomic_path(Path(output)) as temporary:
            text = render(rows, form=form, confidence=snakemake.params.confidence)
            temporary.write_text(text, encoding="utf-8")
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output[form]) for form in ("csv", "md", "tex")],
        seed=snakemake.params.seed,
    )
