"""Write down the configuration that ran, for programs that read neither YAML nor --configfile."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import write_json
from avowed.made import record_making
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    target, settings = Path(snakemake.output.json), snakemake.params.settings
    write_json(target, settings)
    record_making(Path(snakemake.output.made), [target], seed=settings["seed"])
