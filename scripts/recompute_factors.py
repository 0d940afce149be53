"""Recompute every estimate of a study of cited factors, and put it beside the pipeline's."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(snakemake.scriptdir).parent))
sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from verification import export, factors, files
from verification.comparison import AGREES

from avowed.refusal import Unusable, reported

with reported(Path(snakemake.log[0])) as say:
    study = Path(snakemake.input.case).parent
    try:
        settings = files.read_json(Path(snakemake.input.settings))
        # Read once and thrown away: as JSON lines the responses are many times as large.
        with TemporaryDirectory() as exported:
            export.export_factors(study, Path(exported, study.name))
            rows = factors.compare_all(Path(exported), settings)
    except files.Unusable as error:
        raise Unusable(str(error)) from None
    files.write_json_lines(Path(snakemake.output.rows), rows)
    agreeing = sum(row["verdict"] == AGREES for row in rows)
    say(f"{study.name}: {agreeing} of {len(rows)} comparisons agree")
