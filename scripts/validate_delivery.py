"""Check one delivery against R1-R11; the stamp is what allows it to be estimated."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.atomic import atomic_path
from avowed.pairs.rules import validate
from avowed.present.validation import text_lines
from avowed.refusal import Refused, reported

with reported(Path(snakemake.log[0])) as say:
    folder = Path(snakemake.params.folder)
    report = validate(folder)
    for line in text_lines(report):
        say(line)
    if not report.accepted:
        raise Refused(f"{folder}: the delivery breaks the rules above; nothing was estimated")
    with atomic_path(Path(snakemake.output.stamp)) as temporary:
        stamp = {"accepted": True, "folder": str(folder), "records": report.records}
        temporary.write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")
