"""The report as one self-contained HTML page: results files in, markup out, nothing computed.

The page fetches nothing: styles, script and drawings stand in it, and its Content-Security-Policy
forbids connections. Equal inputs give equal bytes.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from avowed.present import page_text, paper_table, properties_table
from avowed.present.factors_page import FactorStudy
from avowed.present.page_checks import (
    ALGEBRA,
    UNDEFINED,
    alarms,
    comparison,
    counted,
    fails,
    faults,
    first_failure,
    ledger,
    relations,
)
from avowed.present.page_figures import Figure
from avowed.present.page_ledger import (
    about_the_example,
    bases,
    by_arithmetic,
    differing,
    findings,
    hardest_to_notice,
    shared_notes,
    with_ends,
)
from avowed.present.page_run import Provenance
from avowed.present.page_sources import Table

TEMPLATES = Path(__file__).with_name("templates")


@dataclass(frozen=True)
class Section:
    """A section of the page; ``<name>.html.j2`` is its template and ``#<name>`` its address."""

    name: str
    title: str


#: The sections of the pipeline's report, in order.
REPORT = (
    Section("question", "The question"),
    Section("headline", "Results in sentences"),
    Section("conditions", "Public data"),
    Section("properties", "Estimator properties"),
    Section("worked_example", "Worked example"),
    Section("calibration", "Calibration"),
    Section("factors", "Cited factors"),
    Section("figures", "Figures"),
    Section("ledger", "Claims ledger"),
    Section("recomputation", "Independent recomputation"),
    Section("faults", "Planted faults"),
    Section("limits", "Known limits"),
    Section("provenance", "Provenance"),
)

#: The sections of a report on deliveries of one's own.
OWN_REPORT = (
    Section("question", "The question"),
    Section("headline", "Results in sentences"),
    Section("conditions", "Your deliveries"),
    Section("figures", "Figures"),
    Section("provenance", "Provenance"),
)

#: Study of a delivery -> the heading of its sentences, in order; others follow under their name.
_GROUPS = {
    "public_data": "Public data: suggested answer",
    "always_a": "Public data: the answer is always A",
    "worked_example": "Worked example, simulated",
    "deliveries": "Deliveries of your own",
}


#: Studies whose judge is the keyword detector.
_KEYWORDS = ("public_data", "always_a")


@dataclass(frozen=True)
class Sentence:
    """The fixed reporting sentence of a cell (HP section 12)."""

    study: str
    cell: str
    text: str


def sentences_of(study: str, name: str, cells: Sequence[Mapping[str, str]]) -> list[Sentence]:
    """The sentences in ``results/estimates/<delivery>.json``, one per cell.

    >>> sentences_of("public_data", "a", [{"cell": "a", "hint_type": "x", "sentence": "So."}])
    [Sentence(study='public_data', cell='a', text='So.')]
    """
    several = len(cells) > 1
    return [
        Sentence(study, f"{name}/{cell['hint_type']}" if several else name, cell["sentence"])
        for cell in cells
    ]


@dataclass(frozen=True)
class Group:
    """The sentences of a study under its heading, and what has to be read beside them."""

    heading: str
    sentences: Sequence[Sentence]
    caveat: str = ""


def grouped(sentences: Sequence[Sentence]) -> list[Group]:
    """Sentences under the headings of their studies."""
    studies = list(dict.fromkeys([*_GROUPS, *(one.study for one in sentences)]))
    groups = [(study, [one for one in sentences if one.study == study]) for study in studies]
    return [
        Group(
            _GROUPS.get(study, page_text.label(study)),
            found,
            page_text.KEYWORD_CAVEAT if study in _KEYWORDS else "",
        )
        for study, found in groups
        if found
    ]


@dataclass(frozen=True)
class Page:
    """Everything that a page shows; see `render`.

    ``tables`` are those of `page_sources.load`, ``sensitivity`` any number of further tables about
    the ledger, ``factors`` the studies of cited factors, ``left_out`` says of each imported
    delivery what its import left out.
    """

    title: str
    sections: Sequence[Section]
    sentences: Sequence[Sentence]
    tables: Mapping[str, Table]
    figures: Sequence[Figure]
    provenance: Provenance
    confidence: float
    sensitivity: Sequence[Table] = ()
    own: bool = False
    factors: Sequence[FactorStudy] = ()
    left_out: Sequence[tuple[str, str]] = ()


def environment() -> Environment:
    """Templates with escaping on everywhere: a name in a table cannot become markup."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )
    made.filters.update(
        number=page_text.number,
        fixed=page_text.fixed,
        thousands=page_text.thousands,
        label=page_text.label,
        tone=page_text.tone,
        kept=page_text.kept,
    )
    made.globals.update(
        count_of=page_text.count_of,
        is_numeric=page_text.is_numeric,
        meanings=page_text.MEANINGS,
        rests_on=page_text.RESTS_ON,
        printed_statement=page_text.PRINTED_STATEMENT,
        algebra=ALGEBRA,
        undefined_on_both=UNDEFINED,
        with_ends=with_ends,
        bases=bases,
        by_arithmetic=by_arithmetic,
        differing_claims=differing,
        hardest_to_notice=hardest_to_notice,
        shared_notes=shared_notes,
        fails=fails,
        first_failure=first_failure,
        relations=relations,
        interval=paper_table.interval,
    )
    return made


def _checks(page: Page) -> dict[str, Any]:
    rows = {name: table.rows for name, table in page.tables.items()}

    def arranged(name: str, arrange: Any) -> Any:
        found = rows.get(name)
        return None if found is None else arrange(found)

    claims, compared = arranged("claims", ledger), arranged("diff", comparison)
    planted, summed = arranged("planted_faults", faults), arranged("claims_summary", counted)
    return {
        "claims": claims,
        "compared": compared,
        "planted": planted,
        "alarms": [*alarms(claims, compared, planted, summed), *findings(claims)],
        "in_the_ledger": about_the_example(rows.get("claims") or ()),
    }


def render(page: Page) -> str:
    """Fill the templates.

    Raises:
        jinja2.UndefinedError: a template uses a name or a column that nobody gave.
    """
    templates = environment()
    # The policy admits this script alone, by its hash.
    script = templates.get_template("script.js.j2").render()
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    style = templates.get_template("style.css.j2").render()
    percent = f"{100 * page.confidence:g} %"
    text = templates.get_template("page.html.j2").render(
        page=page,
        script=Markup(script),
        style=Markup(style),
        script_hash=f"sha256-{digest}",
        groups=grouped(page.sentences),
        percent=percent,
        condition_headers=[
            page_text.kept(name.replace("95 %", percent)) for name in paper_table.HEADERS
        ],
        condition_cells=paper_table.paper_rows,
        property_headers=properties_table.HEADERS,
        svg=lambda figure: Markup(figure.svg),
        **_checks(page),
    )
    return f"{text.rstrip()}\n"
