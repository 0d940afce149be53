"""One page: the fixed sentences, the tables, the checks, and where the data came from."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.atomic import atomic_path
from avowed.present.csvfile import read_rows
from avowed.present.summary import render
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    tables = {
        name: read_rows(Path(snakemake.input[name]))
        for name in ("public_data", "always_a", "accuracy", "sample_size")
    }
    own = snakemake.input.get("own") or []
    tables["own"] = [
        row for path in ([own] if isinstance(own, str) else own) for row in read_rows(Path(path))
    ]
    stamps = [json.loads(Path(path).read_text(encoding="utf-8")) for path in snakemake.input.stamps]
    text = render(
        Path(snakemake.input.template),
        tables,
        source=json.loads(Path(snakemake.input.source).read_text(encoding="utf-8")),
        stamps=stamps,
        confidence=snakemake.params.confidence,
    )
    with atomic_path(Path(snakemake.output.md)) as temporary:
        temporary.write_text(text, encoding="utf-8")
