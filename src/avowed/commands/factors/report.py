"""``avowed factors report``: one HTML page about a study, and the table that it shows."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from avowed.commands.factors.score import TABLE
from avowed.commands.factors.study import Study, load_study
from avowed.commands.publish import publish
from avowed.configuration import changed_settings
from avowed.factors.settings import FactorSettings
from avowed.present.csvfile import read_rows, write_rows
from avowed.present.factors_tables import counts, overview
from avowed.present.page import Page, Section, Sentence, render
from avowed.present.page_run import Provenance
from avowed.present.page_sources import Table
from avowed.provenance import describe_run
from avowed.stats.long_table import LONG_SCHEMA

PAGE = "index.html"

SECTIONS = (
    Section("factors_question", "The question"),
    Section("headline", "Results in sentences"),
    Section("factors_overview", "Components"),
    Section("factors_estimates", "All estimates"),
    Section("provenance", "Provenance"),
)


def run(arguments: argparse.Namespace) -> int:
    """Check, estimate, and write the page and its table; a refusal leaves nothing behind."""
    study = load_study(arguments)
    rows = study.rows()

    def write(staged: Path) -> None:
        write_rows(staged / TABLE, LONG_SCHEMA.names, rows)
        page = _page(study, rows, read_rows(staged / TABLE))
        (staged / PAGE).write_text(render(page), encoding="utf-8")

    publish(arguments.out, (TABLE, PAGE), write)
    print(arguments.out / PAGE)
    return 0


def _page(
    study: Study, rows: Sequence[Mapping[str, Any]], written: Sequence[Mapping[str, str]]
) -> Page:
    """The page; ``written`` is the table as it stands in the file beside it."""
    names = study.components
    tables = {
        "overview": overview(rows, names),
        "counts": counts(rows, names),
        "estimates": written,
    }
    run = describe_run(
        root=Path(), source={}, settings=asdict(study.settings), inputs=study.files, tables=()
    )
    return Page(
        title=f"{study.case.name}: are the cited factors the ones that move the decision?",
        sections=SECTIONS,
        sentences=[
            Sentence(study.case.name, name, text) for name, text in study.verdicts(rows).items()
        ],
        tables={
            name: Table(name=name, path=TABLE, href=TABLE, command="", rows=found)
            for name, found in tables.items()
        },
        figures=(),
        provenance=Provenance(
            # The commit would be the one of the folder that the user happens to stand in.
            run=run | {"commit": None},
            changed=changed_settings(asdict(FactorSettings()), asdict(study.settings)),
            times=(),
        ),
        confidence=study.settings.confidence,
        own=True,
    )
