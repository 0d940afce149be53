"""Record commit, versions, source and hashes beside the tables."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.atomic import atomic_path
from avowed.provenance import describe_run
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    record = describe_run(
        root=Path.cwd(),
        source=json.loads(Path(snakemake.input.source).read_text(encoding="utf-8")),
        settings=snakemake.params.settings,
        inputs=[Path(snakemake.input[name]) for name in ("lock", "config", "raw_files")],
        tables=[Path(path) for path in snakemake.input.tables],
    )
    with atomic_path(Path(snakemake.output.json)) as temporary:
        temporary.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
