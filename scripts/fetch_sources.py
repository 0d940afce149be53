"""Bring the public files to data/raw/turpin, or fall back on the coded answers; say which."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

from avowed.jsonfile import write_json
from avowed.made import record_making
from avowed.refusal import reported
from avowed.sources import SourceChoice, obtain, read_manifest, sha256_of


def setting(environment: Mapping[str, str], variable: str, configured: str | None) -> str | None:
    """The environment comes first; an empty variable counts as unset, as in the shell."""
    return environment.get(variable) or configured or None


def provenance(choice: SourceChoice, *, n_files: int, manifest: Path) -> dict[str, object]:
    return {**choice.as_dict(), "n_files": n_files, "manifest_sha256": sha256_of(manifest)}


with reported(Path(snakemake.log[0])) as say:
    manifest = Path(snakemake.input.manifest)
    files = read_manifest(manifest, schema=Path(snakemake.input.schema))
    mirror = setting(os.environ, "AVOWED_MIRROR", snakemake.params.mirror)
    choice = obtain(
        files,
        Path(snakemake.params.destination),
        mirror=Path(mirror).expanduser() if mirror else None,
        coded=Path(snakemake.input.coded),
        partial=Path(snakemake.params.partial),
        wanted=setting(os.environ, "AVOWED_SOURCE", snakemake.params.use) or "auto",
    )
    record = provenance(choice, n_files=len(files), manifest=manifest)
    source = Path(snakemake.output.source)
    write_json(source, record)
    record_making(Path(snakemake.output.made), [source], seed=None)
    say(choice.as_line())
