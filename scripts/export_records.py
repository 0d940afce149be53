"""Export every validated delivery and the coded answers as JSON lines."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import export

from avowed.made import record_making
from avowed.refusal import Unusable, reported

with reported(Path(snakemake.log[0])):
    exported = Path(snakemake.output.coded).parent
    deliveries = [f"{name}={folder}" for name, folder in snakemake.params.folders.items()]
    export.keep_only(map(Path, snakemake.output.deliveries), exported / "deliveries")
    if export.main(
        ["--out", str(exported), "--coded", snakemake.input.coded, "--delivery", *deliveries]
    ):
        raise Unusable("the deliveries could not be exported; the reason stands above")
    written = [Path(path) for path in [*snakemake.output.deliveries, snakemake.output.coded]]
    record_making(Path(snakemake.output.made), written, seed=snakemake.params.seed)
