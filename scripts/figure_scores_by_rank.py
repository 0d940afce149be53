"""Draw mean scores by cited rank and of the highest uncited feature."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.present.figure_files import write_figure
from avowed.present.figures_factors.cells import of_study, read_estimates
from avowed.present.figures_factors.scores_by_rank import COLUMNS, draw, drawn
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    estimates = read_estimates(Path(snakemake.input.estimates))
    rows = of_study(drawn(estimates), snakemake.wildcards.study)
    write_figure(snakemake.output, COLUMNS, rows, draw, **snakemake.params)
