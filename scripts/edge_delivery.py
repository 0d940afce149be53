"""Write the delivery that meets every branch of the estimators, for the recomputation."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.delivery import write_delivery
from avowed.pairs.edge_delivery import edge_delivery
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    delivery = edge_delivery()
    write_delivery(Path(snakemake.output.records).parent, delivery.header, delivery.records)
    say(f"{delivery.records.num_rows} records in {len(delivery.header.hint_types)} cells")
    record_making(
        Path(snakemake.output.made),
        [Path(snakemake.output[name]) for name in ("header", "records")],
        seed=None,
    )
