"""Write down the configuration that ran, for programs that read neither YAML nor --configfile."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import write_json
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    write_json(Path(snakemake.output.json), snakemake.params.settings)
