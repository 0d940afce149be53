"""Export estimates and repetitions as JSON lines."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import export

from avowed.made import record_making
from avowed.refusal import Unusable, reported

with reported(Path(snakemake.log[0])):
    exported = Path(snakemake.output.estimates[0]).parents[1]
    estimates = [
        f"{name}={path}"
        for name, path in zip(snakemake.params.deliveries, snakemake.input.estimates, strict=True)
    ]
    studies = [
        f"{name}={','.join(path for path in snakemake.input.studies if f'/{name}/' in path)}"
        for name in snakemake.params.studies
    ]
    export.keep_only(map(Path, snakemake.output.estimates), exported / "estimates")
    if export.main(["--out", str(exported), "--estimates", *estimates, "--study", *studies]):
        raise Unusable("the results could not be exported; the reason stands above")
    written = [Path(path) for path in [*snakemake.output.estimates, *snakemake.output.studies]]
    record_making(Path(snakemake.output.made), written, seed=snakemake.params.seed)
