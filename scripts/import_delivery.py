"""Import a user's own files as a delivery, and count what is left out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.importing.imported import import_input
from avowed.importing.input_form import HUB_PREFIX
from avowed.importing.summary import summary_lines
from avowed.made import record_making
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    folder = Path(snakemake.output.records).parent
    source = snakemake.params.source
    imported = import_input(
        source if source.startswith(HUB_PREFIX) else Path(source),
        Path(snakemake.input.mapping),
        session=snakemake.wildcards.name,
        folder=folder,
    )
    imported.write(folder)
    for line in summary_lines(imported.built, files=imported.files):
        say(line)
    record_making(
        Path(snakemake.output.made),
        [Path(path) for path in snakemake.output if not path.endswith(".made.json")],
        seed=None,
    )
