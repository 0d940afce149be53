"""Plant one fault after another in a copy of the library, and see whether the comparison fails."""

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import files, planted
from verification.edge import NAME, Edge
from verification.export import export_delivery

from avowed.made import record_making
from avowed.pairs.coded_answers import VOCABULARIES
from avowed.pairs.edge_coded import coded_rows
from avowed.pairs.edge_results import paper_config
from avowed.refusal import Unusable, reported


def ask(
    program: Any, parts: Sequence[str], cells: Sequence[str], *, settings: dict[str, Any]
) -> planted.Parts:
    """What a copy of the library makes of the edge delivery."""
    return program.edge_results(
        Path(snakemake.input.records).parent,
        Path(snakemake.input.refused),
        settings,
        parts=parts,
        cells=cells,
        steady_resamples=snakemake.params.steady_resamples,
    )


with reported(Path(snakemake.log[0])) as say:
    try:
        settings = paper_config(resamples=snakemake.params.resamples)
        # Exported here, because what the workflow exports is made anew for any other delivery.
        with TemporaryDirectory() as exported:
            export_delivery(Path(snakemake.input.records).parent, NAME, Path(exported))
            edge = Edge.recomputed(
                Path(exported),
                Path(snakemake.input.refused),
                settings,
                steady_resamples=snakemake.params.steady_resamples,
                coded=coded_rows(),
                legend=VOCABULARIES,
            )
        rows = planted.run_faults(
            planted.read_faults(Path(snakemake.input.faults)),
            Path(snakemake.scriptdir).parent / "src" / "avowed",
            "avowed.pairs.edge_results",
            partial(ask, settings=settings),
            edge.compared,
        )
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    files.write_csv(Path(snakemake.output.csv), planted.COLUMNS, rows)
    caught = sum(1 for row in rows[1:] if row["caught"] == "yes")
    say(f"{caught} of {len(rows) - 1} planted faults caught")
    # Whether that stops the run is for the gate, which reads the table.
    for row in rows:
        if row["verdict"] != planted.GOOD:
            say(f"{row['fault']}: {row['verdict']}")
    # The paper's settings bring their own seed: the one of the configuration changes nothing here.
    record_making(Path(snakemake.output.made), [Path(snakemake.output.csv)], seed=None)
