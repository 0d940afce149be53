"""Record commit, versions, source and hashes beside the tables."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import read_json, write_json
from avowed.made import record_making
from avowed.provenance import describe_run
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    target, settings = Path(snakemake.output.json), snakemake.params.settings
    described = describe_run(
        root=Path.cwd(),
        source=read_json(Path(snakemake.input.source)),
        settings=settings,
        inputs=[Path(snakemake.input[name]) for name in ("lock", "config", "raw_files")],
        tables=[Path(path) for path in snakemake.input.tables],
    )
    write_json(target, described)
    record_making(Path(snakemake.output.made), [target], seed=settings["seed"])
