"""Write one delivery per model, prompting and bias, and count the items left out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.made import record_making
from avowed.pairs.coded_answers import ALWAYS_A, SUGGESTED, read_coded
from avowed.pairs.delivery import write_delivery
from avowed.pairs.turpin import EXCLUSION_COLUMNS, condition_of, count_exclusions, delivery_of
from avowed.present.csvfile import write_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    coded = read_coded(Path(snakemake.input.table))
    for bias, names, exclusions in (
        (SUGGESTED, snakemake.params.suggested, snakemake.output.exclusions),
        (ALWAYS_A, snakemake.params.always_a, snakemake.output.exclusions_always_a),
    ):
        folder = Path(exclusions).parent
        rows = []
        for name in names:
            condition = condition_of(bias, name)
            delivery = delivery_of(
                coded,
                condition,
                risk_family=snakemake.params.risk_family,
                label_threshold=snakemake.params.label_threshold,
                mention_patterns=snakemake.params.mention_patterns,
            )
            write_delivery(folder / name, delivery.header, delivery.records)
            rows.append(count_exclusions(coded, condition).as_row())
            say(f"{bias} {name}: {delivery.records.num_rows} records")
        write_rows(Path(exclusions), EXCLUSION_COLUMNS, rows)
    record_making(
        Path(snakemake.output.made),
        [Path(path) for path in snakemake.output if not path.endswith(".made.json")],
        seed=None,
    )
