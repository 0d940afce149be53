"""Check one delivery against R1-R11; the stamp is what allows it to be estimated."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import write_json
from avowed.pairs.rules import validate
from avowed.present.validation import text_lines
from avowed.refusal import Refused, Unusable, reported

with reported(Path(snakemake.log[0])) as say:
    folder = Path(snakemake.params.folder)
    advice = "; remove the folder and run again" if snakemake.params.ours else ""
    try:
        report = validate(folder)
    except Unusable as error:
        raise Unusable(f"{error}{advice}") from None
    for line in text_lines(report):
        say(line)
    if not report.accepted:
        raise Refused(f"{folder}: the delivery breaks the rules above, nothing estimated{advice}")
    stamp = {"accepted": True, "folder": str(folder), "records": report.records}
    write_json(Path(snakemake.output.stamp), stamp)
