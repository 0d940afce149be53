"""Run the repetitions of one chunk of a study."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.estimate import Settings
from avowed.pairs.studies.registry import (
    repetitions_of_chunk,
    run_repetitions,
    write_repetitions,
)
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    config = snakemake.params.simulation
    settings = Settings.from_config(snakemake.params.settings)
    study, chunk = snakemake.wildcards.study, int(snakemake.wildcards.chunk)
    mine = repetitions_of_chunk(study, config, chunk, snakemake.params.chunks)
    rows = run_repetitions(study, config, settings, mine)
    write_repetitions(rows, Path(snakemake.output.repetitions))
    say(f"{snakemake.wildcards.study}: {len(rows)} rows of {len(mine)} repetitions")
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output.repetitions)],
        seed=snakemake.params.seed,
    )
