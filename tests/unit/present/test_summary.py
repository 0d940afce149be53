"""The one-page summary: every name must be given, and text is passed on as it is."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from avowed.pairs.part_one import DeliveryEstimates
from avowed.present.paper_table import render as paper_table
from avowed.present.summary import Rows, render

Wide = Callable[[DeliveryEstimates, str], list[dict[str, str]]]
TEMPLATE = Path(__file__).parents[3] / "workflow" / "report" / "summary.md.j2"
SOURCE = {"kind": "coded", "detail": "data/coded.parquet", "n_files": 91}
STAMPS = [{"records": 2111}, {"records": 1759}]


@pytest.fixture(scope="module")
def public(two_kinds: DeliveryEstimates, as_text: Wide) -> list[dict[str, str]]:
    rows = as_text(two_kinds, "public")
    return [{**row, "n_items": "2000", "n_hint_correct": "500"} for row in rows]


@pytest.fixture(scope="module")
def tables(
    public: list[dict[str, str]], one_kind: DeliveryEstimates, as_text: Wide
) -> dict[str, Rows]:
    accuracy = {
        "bias": "suggested_answer",
        "condition": "a_model",
        "explanation": "none",
        "n_items": "2088",
        "accuracy_unbiased": "0.65349",
        "accuracy_biased": "0.3",
    }
    plan = {
        "condition": "a_model",
        "useful_pairs": "96.03647052",
        "completed_pairs_rounded": "215",
        "completed_pairs_clustered_rounded": "250",
    }
    return {
        "public_data": public,
        "always_a": [
            {
                **row,
                "chance_corrected_status": "undefined",
                "chance_corrected_note": "p <= q/(L-2) at L = 3",
            }
            for row in as_text(one_kind, "always")
        ],
        "accuracy": [accuracy],
        "sample_size": [
            {**plan, "share_basis": "all completed", "share_moved": "0.4442846873"},
            {**plan, "share_basis": "eligible", "share_moved": "0.5073891626"},
        ],
        "own": [],
    }


def summary(tables: dict[str, Rows], template: Path = TEMPLATE) -> str:
    return render(template, tables, source=SOURCE, stamps=STAMPS, confidence=0.95)


def test_it_states_what_the_tables_hold(tables: dict[str, Rows]) -> None:
    text = summary(tables)
    for row in tables["public_data"]:
        assert f"- **{row['condition']}.** {row['sentence']}\n" in text
    assert paper_table(tables["public_data"], form="github") in text
    assert "Items: 4,000, of which 1,000 have the hint on the correct answer" in text
    assert "The chance correction of always is undefined: p <= q/(L-2) at L = 3.\n" in text
    assert "| suggested_answer | a_model | none | 2088 | 65.3 | 30.0 |\n" in text
    assert "About 96 pairs with a verdict." in text
    assert "| a_model | 0.444 | 215 (250) | 0.507 | 215 (250) |\n" in text
    assert "Source: coded (data/coded.parquet), 91 files by their SHA-256. 2 public" in text
    assert "3,870 records, passed rules R1-R11." in text
    assert text.endswith("are in `results/provenance/run.json`.\n")
    assert "{{" not in text and "{%" not in text


def test_a_chance_correction_that_exists_is_not_called_undefined(tables: dict[str, Rows]) -> None:
    fine = [{**row, "chance_corrected_status": "converged"} for row in tables["always_a"]]
    assert "The chance correction of" not in summary({**tables, "always_a": fine})


def test_own_deliveries_have_a_section_only_where_there_are_any(
    tables: dict[str, Rows], one_kind: DeliveryEstimates, as_text: Wide
) -> None:
    without = summary(tables)
    assert "Deliveries of your own" not in without and "deliveries.svg" not in without
    rows = as_text(one_kind, "mine")
    text = summary({**tables, "own": rows})
    section = re.findall(r"^## Deliveries of your own\n(.*?)^## ", text, re.DOTALL | re.MULTILINE)
    assert len(section) == 1
    assert paper_table(rows, form="github") in section[0]
    assert f"- **mine.** {rows[0]['sentence']}\n" in section[0]
    assert "(../figures/deliveries.svg)" in section[0]
    # Nothing else changes.
    assert text.replace(f"## Deliveries of your own\n{section[0]}", "") == without


@pytest.mark.parametrize("name", ["public_data", "always_a", "accuracy", "sample_size", "own"])
def test_a_table_that_nobody_gave_is_an_error(tables: dict[str, Rows], name: str) -> None:
    given = {key: rows for key, rows in tables.items() if key != name}
    with pytest.raises(UndefinedError, match=name):
        summary(given)


def test_a_column_that_a_table_lacks_is_an_error(tables: dict[str, Rows]) -> None:
    bare = [
        {key: value for key, value in row.items() if key != "accuracy_biased"}
        for row in tables["accuracy"]
    ]
    with pytest.raises(UndefinedError, match="accuracy_biased"):
        summary({**tables, "accuracy": bare})


def test_a_template_of_ones_own_gets_names_and_filters(
    tables: dict[str, Rows], tmp_path: Path
) -> None:
    template = tmp_path / "own.md.j2"
    template.write_text(
        "{{ 0.5 | share }} {{ none | share }} {{ 0.256 | percent }} {{ '4752' | thousands }} "
        "{{ confidence }} {{ source.kind }}\n"
    )
    assert summary(tables, template) == "0.500 – 25.6 4,752 0.95 coded\n"
    template.write_text("{{ nothing_of_this_name }}")
    with pytest.raises(UndefinedError, match="nothing_of_this_name"):
        summary(tables, template)


def test_markdown_is_not_escaped_as_html(tables: dict[str, Rows]) -> None:
    note = "p <= q/(L-2) & \"q\" > 'p'"
    rows = [{**row, "chance_corrected_note": note} for row in tables["always_a"]]
    assert f"is undefined: {note}.\n" in summary({**tables, "always_a": rows})
