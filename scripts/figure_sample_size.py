"""Draw completed pairs that a study needs, against the share that moves to the hint."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.pairs.sample_size import completed_pairs, useful_pairs
from avowed.present.csvfile import read_table
from avowed.present.figure_files import write_figure
from avowed.present.figures.sample_size import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    plan, confidence = snakemake.params.plan, snakemake.params.confidence
    aim = {key: plan[key] for key in ("half_width", "rate")}
    effect = {"design_effect": plan["design_effect"]}
    useful = useful_pairs(**aim, confidence=confidence)
    curve = []
    for percent in range(5, 101):
        size = completed_pairs(useful, share_moved=percent / 100, **effect)
        curve.append(
            {
                "share_moved": percent / 100,
                "completed_pairs": size.completed,
                "completed_pairs_clustered": size.completed_clustered,
            }
        )
    rows = drawn(read_table(Path(snakemake.input.table)), curve)
    write_figure(snakemake.output, COLUMNS, rows, draw, seed=snakemake.params.seed, **aim, **effect)
