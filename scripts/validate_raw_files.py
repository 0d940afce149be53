"""Hash the raw files again, or the coded answers where those are used; stamp what was checked."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.atomic import atomic_path
from avowed.pairs.coded_answers import check_coded
from avowed.refusal import reported
from avowed.sources import SourceKind, read_manifest, verify_tree

with reported(Path(snakemake.log[0])) as say:
    source = json.loads(Path(snakemake.input.source).read_text(encoding="utf-8"))
    files = read_manifest(Path(snakemake.input.manifest))
    if source["kind"] == SourceKind.CODED:
        described = json.loads(Path(snakemake.input.shipped_header).read_text(encoding="utf-8"))
        check_coded(
            Path(snakemake.input.shipped),
            described,
            sources={file.path: file.sha256 for file in files},
        )
        checked = ["data/turpin/coded_answers.parquet"]
    else:
        verify_tree(Path(snakemake.params.raw), files)
        checked = [file.path for file in files]
    with atomic_path(Path(snakemake.output.stamp)) as temporary:
        stamp = {"source": source["kind"], "files_checked": len(checked)}
        temporary.write_text(json.dumps(stamp, indent=2) + "\n", encoding="utf-8")
    say(f"{len(checked)} files have the hashes they should have (source: {source['kind']})")
