"""Every numeric statement of the two papers beside a computed number."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import claims, files

from avowed.made import record_making
from avowed.refusal import Unusable, reported

with reported(Path(snakemake.log[0])):
    try:
        rows, summary, changes = claims.ledger(
            claims=Path(snakemake.input.claims),
            settings=Path(snakemake.input.settings),
            facts=Path(snakemake.input.facts),
            results=Path(snakemake.input.settings).parents[1],
        )
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    claims.write_ledger(Path(snakemake.output.claims).parent, rows, summary, changes)
    record_making(
        Path(snakemake.output.made),
        [Path(path) for path in snakemake.output if path.endswith(".csv")],
        seed=snakemake.params.seed,
    )
