"""Hash the raw files again, or the coded answers where those are used; stamp what was checked."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import read_json, write_json
from avowed.pairs.coded_answers import check_coded
from avowed.refusal import reported
from avowed.sources import SourceKind, read_manifest, verify_tree

with reported(Path(snakemake.log[0])) as say:
    source = read_json(Path(snakemake.input.source))
    files = read_manifest(Path(snakemake.input.manifest))
    if source["kind"] == SourceKind.CODED:
        described = read_json(Path(snakemake.input.shipped_header))
        check_coded(
            Path(snakemake.input.shipped),
            described,
            sources={file.path: file.sha256 for file in files},
        )
        checked = ["data/turpin/coded_answers.parquet"]
    else:
        verify_tree(Path(snakemake.params.raw), files)
        checked = [file.path for file in files]
    stamp = {"source": source["kind"], "files_checked": len(checked)}
    write_json(Path(snakemake.output.stamp), stamp)
    say(f"{len(checked)} files have the hashes they should have (source: {source['kind']})")
