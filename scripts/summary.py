"""One page: the fixed sentences, the tables, the checks, and where the data came from."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import yaml

from avowed.atomic import atomic_path
from avowed.configuration import changed_settings
from avowed.importing.left_out import left_out_lines
from avowed.jsonfile import read_json
from avowed.made import record_making
from avowed.present.csvfile import read_rows
from avowed.present.summary import render
from avowed.refusal import reported

with reported(Path(snakemake.log[0])):
    page, settings = Path(snakemake.output.md), snakemake.params.settings
    tables = {
        name: read_rows(Path(snakemake.input[name]))
        for name in (
            *("public_data", "always_a", "accuracy", "sample_size", "properties", "coverage"),
            *("claims", "diff", "planted_faults"),
        )
    }
    own = snakemake.input.get("own") or []
    tables["own"] = [
        row for path in ([own] if isinstance(own, str) else own) for row in read_rows(Path(path))
    ]
    tables["factors"] = [
        row for path in snakemake.input.get("verdicts") or [] for row in read_rows(Path(path))
    ]
    stamps = [read_json(Path(path)) for path in snakemake.input.stamps]
    text = render(
        Path(snakemake.input.template),
        tables,
        source=read_json(Path(snakemake.input.source)),
        stamps=stamps,
        confidence=settings["bootstrap"]["confidence"],
        changed=changed_settings(
            yaml.safe_load(Path(snakemake.input.defaults).read_text(encoding="utf-8")),
            settings,
        ),
        left_out=left_out_lines(snakemake.params.own),
    )
    with atomic_path(page) as temporary:
        temporary.write_text(text, encoding="utf-8")
    record_making(Path(snakemake.output.made), [page], seed=settings["seed"])
