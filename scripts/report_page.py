"""Write the report: one self-contained page from the results, the figures and the provenance."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(snakemake.scriptdir).parent / "src"))

import yaml

from avowed.atomic import atomic_path
from avowed.configuration import changed_settings
from avowed.importing.left_out import left_out_lines
from avowed.jsonfile import read_json
from avowed.made import record_making
from avowed.present.factors_page import captions_by_study, factor_study
from avowed.present.page import REPORT, Page, render, sentences_of
from avowed.present.page_figures import captions_of, read_figures
from avowed.present.page_run import Provenance, rule_times
from avowed.present.page_sources import PLACES, link, load
from avowed.refusal import reported


def paths(name: str) -> list[Path]:
    """The files of an input that may be one, several or none."""
    given = snakemake.input.get(name) or []
    return [Path(path) for path in ([given] if isinstance(given, str) else given)]


with reported(Path(snakemake.log[0])):
    page = Path(snakemake.output.html)
    settings = snakemake.params.settings
    files = {name: found[0] for name in PLACES if (found := paths(name))}
    extra = {path.stem: path for path in paths("sensitivity")}
    tables = load({**files, **extra}, page)
    sentences = [
        sentence
        for place, path in zip(snakemake.params.places, paths("sentences"), strict=True)
        for sentence in sentences_of(place["study"], place["name"], read_json(path))
    ]
    drawn_from = snakemake.params.drawn_from
    captions = captions_of(Path(snakemake.input.captions).read_text(encoding="utf-8"))
    figures = read_figures(
        paths("figures"),
        captions=captions_by_study(captions, list(snakemake.params.factors)),
        tables=drawn_from,
        link_to={
            str(path): link(Path(path), page) for path in [*paths("figures"), *drawn_from.values()]
        },
    )
    text = render(
        Page(
            title=snakemake.params.title,
            sections=REPORT,
            sentences=sentences,
            tables={name: tables[name] for name in PLACES},
            sensitivity=[tables[name] for name in extra],
            figures=figures,
            provenance=Provenance(
                run=read_json(Path(snakemake.input.run)),
                changed=changed_settings(
                    yaml.safe_load(Path(snakemake.input.defaults).read_text(encoding="utf-8")),
                    settings,
                ),
                times=rule_times(Path(snakemake.params.benchmarks), without=snakemake.rule),
                files_checked=read_json(Path(snakemake.input.raw_files))["files_checked"],
            ),
            confidence=settings["bootstrap"]["confidence"],
            factors=[
                factor_study(name, Path(folder), page)
                for name, folder in snakemake.params.factors.items()
            ],
            left_out=left_out_lines(snakemake.params.own),
        )
    )
    with atomic_path(page) as temporary:
        temporary.write_text(text, encoding="utf-8")
    record_making(Path(snakemake.output.made), [page], seed=settings["seed"])
