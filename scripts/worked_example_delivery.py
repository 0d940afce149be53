"""Write the worked example as a delivery, with its truth beside it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.estimate import Settings
from avowed.pairs.simulated_delivery import simulated_delivery, write_simulated
from avowed.pairs.studies.cells import example_cell
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    settings = Settings.from_config(snakemake.params.settings)
    found = simulated_delivery([example_cell(snakemake.params.simulation)], settings)
    write_simulated(Path(snakemake.output.records).parent, found)
    say(f"{found.delivery.records.num_rows} records of repetition {settings.replicate}")
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output[name]) for name in ("header", "records", "truth")],
        seed=snakemake.params.seed,
    )
