"""Single repetitions: clustering of every data set, and corrected estimates."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.studies.clouds import (
    CALIBRATION_COLUMNS,
    CLUSTERING_COLUMNS,
    calibration_cloud,
    clustering_cloud,
)
from avowed.pairs.studies.registry import read_repetitions
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    coverage, calibration = (
        read_repetitions([Path(path) for path in paths])
        for paths in (snakemake.input.coverage, snakemake.input.calibration)
    )
    write_rows(Path(snakemake.output.clustering), CLUSTERING_COLUMNS, clustering_cloud(coverage))
    write_rows(
        Path(snakemake.output.calibration),
        CALIBRATION_COLUMNS,
        calibration_cloud(calibration, snakemake.params.simulation),
    )
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output[name]) for name in ("clustering", "calibration")],
        seed=snakemake.params.seed,
    )
