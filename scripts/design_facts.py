"""What the code says of the design, for the claims ledger."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.facts import design_facts
from avowed.facts_factors import factor_facts
from avowed.jsonfile import write_json
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    deliveries = [Path(path) for path in snakemake.input.records]
    factors = factor_facts(Path(snakemake.params.data))
    write_json(Path(snakemake.output.json), design_facts(deliveries) | {"factors": factors})
