"""The one-page summary: sentences, tables and checks, rendered from results alone."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from avowed.present import paper_table
from avowed.present.page_checks import ALGEBRA, UNDEFINED, comparison, faults, ledger
from avowed.present.page_ledger import findings
from avowed.present.page_text import KEYWORD_CAVEAT, PRINTED_STATEMENT

Rows = Sequence[Mapping[str, str]]


def render(
    template: Path,
    tables: Mapping[str, Rows],
    *,
    source: Mapping[str, Any],
    stamps: Sequence[Mapping[str, Any]],
    confidence: float,
    changed: Mapping[str, Any],
    left_out: Sequence[tuple[str, str]] = (),
) -> str:
    """Fill the template; a name that the template uses and nobody gave is an error.

    Of ``tables``, ``claims``, ``diff`` and ``planted_faults`` are those of results/verification,
    arranged as the report has them. ``left_out`` says of each imported delivery what its import
    left out.
    """
    environment = Environment(
        loader=FileSystemLoader(template.parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # Markdown, not HTML
    )
    environment.filters["inline"] = paper_table.inline
    environment.filters["share"] = paper_table.share
    environment.filters["percent"] = lambda value: f"{100 * float(value):.1f}"
    environment.filters["thousands"] = lambda value: f"{int(value):,}"
    environment.filters["table"] = lambda rows: paper_table.render(
        rows, form="github", confidence=confidence
    ).rstrip()
    environment.globals.update(
        ledger=ledger,
        findings=findings,
        comparison=comparison,
        faults=faults,
        algebra=ALGEBRA,
        undefined_on_both=UNDEFINED,
        keyword_caveat=KEYWORD_CAVEAT,
        printed_statement=PRINTED_STATEMENT,
    )
    return environment.get_template(template.name).render(
        **{"factors": (), **tables},
        source=source,
        stamps=stamps,
        confidence=confidence,
        changed=changed,
        left_out=left_out,
    )
