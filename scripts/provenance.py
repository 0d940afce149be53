"""Record commit, versions, source and hashes beside the tables."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import read_json, write_json
from avowed.provenance import describe_run
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    record = describe_run(
        root=Path.cwd(),
        source=read_json(Path(snakemake.input.source)),
        settings=snakemake.params.settings,
        inputs=[Path(snakemake.input[name]) for name in ("lock", "config", "raw_files")],
        tables=[Path(path) for path in snakemake.input.tables],
    )
    write_json(Path(snakemake.output.json), record)
