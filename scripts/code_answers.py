"""Turn the raw files into integers, or take the shipped integers where there are no raw files."""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import pyarrow as pa

from avowed.atomic import atomic_path
from avowed.jsonfile import read_json, write_json
from avowed.made import record_making
from avowed.pairs.coded_answers import (
    VOCABULARIES,
    check_coded,
    code_all,
    describe_coded,
    read_items,
    write_coded,
)
from avowed.pairs.judges import KeywordJudge
from avowed.refusal import reported
from avowed.sources import SourceFile, SourceKind, read_manifest


def code_raw(root: Path, files: Sequence[SourceFile], patterns: Sequence[str]) -> pa.Table:
    items = {
        task: read_items(root / "data" / "bbh" / task / "val_data.json")
        for task in VOCABULARIES["task"]
    }
    outputs = [root / file.path for file in files if file.dataset != "items"]
    return code_all(outputs, items, KeywordJudge.from_patterns(patterns))


with reported(Path(snakemake.log[0])) as say:
    source = read_json(Path(snakemake.input.source))
    files = read_manifest(Path(snakemake.input.manifest))
    hashes = {file.path: file.sha256 for file in files}
    patterns = snakemake.params.mention_patterns
    target, header = Path(snakemake.output.table), Path(snakemake.output.header)
    if source["kind"] == SourceKind.CODED:
        shipped = Path(snakemake.input.shipped)
        described = read_json(Path(snakemake.input.shipped_header))
        check_coded(shipped, described, sources=hashes, patterns=patterns)
        with atomic_path(target) as temporary:
            shutil.copyfile(shipped, temporary)
    else:
        table = code_raw(Path(snakemake.params.raw), files, patterns)
        write_coded(table, target)
        described = describe_coded(target, rows=table.num_rows, sources=hashes, patterns=patterns)
    write_json(header, described)
    say(f"{described['rows']} rows of coded answers from source {source['kind']}")
    record_making(Path(snakemake.output.made), [target, header], seed=None)
