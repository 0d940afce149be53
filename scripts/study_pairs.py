"""Write the pairs of repetition 0 of every cell of the studies as JSON lines."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.atomic import atomic_path
from avowed.made import record_making
from avowed.pairs.estimate import Settings
from avowed.pairs.studies.pairs_file import probe_rows
from avowed.refusal import reported

with reported(Path(snakemake.log[0])) as say:
    settings = Settings.from_config(snakemake.params.settings)
    rows = list(probe_rows(snakemake.params.simulation, settings))
    path = Path(snakemake.output.pairs)
    with atomic_path(path) as temporary:
        text = "".join(f"{json.dumps(row, allow_nan=False)}\n" for row in rows)
        temporary.write_text(text, encoding="utf-8", newline="\n")
    cells = {tuple(row[name] for name in ("hint_type", "probes", "variant")) for row in rows}
    say(f"{len(rows)} probes of {len(cells)} cells")
    record_making(Path(snakemake.output.made), [path], seed=snakemake.params.seed)
