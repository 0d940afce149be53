"""The one-page summary: every name must be given, and text is passed on as it is."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.sample import CLAIMS, DIFF, FAULTS
from jinja2 import UndefinedError

from avowed.pairs.part_one import DeliveryEstimates
from avowed.present.page_text import KEYWORD_CAVEAT, PRINTED_STATEMENT
from avowed.present.paper_table import render as paper_table
from avowed.present.summary import Rows, render

Wide = Callable[[DeliveryEstimates, str], list[dict[str, str]]]
TEMPLATE = Path(__file__).parents[3] / "workflow" / "report" / "summary.md.j2"
CODED = {"kind": "coded", "detail": "data/coded.parquet", "n_files": 91}
MIRROR = {"kind": "mirror", "detail": "91 files of a/mirror", "n_files": 91}
STAMPS = [{"records": 2111}, {"records": 1759}]


VERDICTS = {"matches": 7, "within Monte-Carlo error": 5, "differs": 1, "recovered": 3}


def coverage_row(method: str, **changes: str) -> dict[str, str]:
    return {
        "hint_type": "all",
        "variant": "main",
        "method": method,
        "repetitions": "200",
        "coverage": "0.9483333333",
        "coverage_mc_error": "0.00903",
        "mean_width": "0.0825",
        **changes,
    }


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
        "published_unbiased_percent": "65.3",
        "published_biased_percent": "31.0",
        "agrees": "no",
    }
    agreeing = accuracy | {
        "condition": "another",
        "published_biased_percent": "30.0",
        "agrees": "yes",
    }
    unprinted = accuracy | {
        "bias": "answer_is_always_a",
        "published_unbiased_percent": "",
        "published_biased_percent": "",
        "agrees": "",
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
        "accuracy": [accuracy, agreeing, unprinted],
        "sample_size": [
            {**plan, "share_basis": "all completed", "share_moved": "0.4442846873"},
            {**plan, "share_basis": "eligible", "share_moved": "0.5073891626"},
        ],
        "own": [],
        "claims": CLAIMS,
        "diff": DIFF,
        "planted_faults": FAULTS,
        "properties": [
            {"verdict": verdict} for verdict, count in VERDICTS.items() for _ in range(count)
        ],
        "coverage": [
            coverage_row("percentile"),
            coverage_row("wilson", coverage="0.871", mean_width="0.0504"),
            coverage_row("of one hint type", hint_type="type_1"),
            coverage_row("of few probes", variant="smaller"),
        ],
    }


def summary(tables: dict[str, Rows], template: Path = TEMPLATE, **changes: Any) -> str:
    given: dict[str, Any] = {
        "source": CODED,
        "stamps": STAMPS,
        "confidence": 0.95,
        "changed": {},
        **changes,
    }
    return render(template, tables, **given)


def test_it_states_what_the_tables_hold(tables: dict[str, Rows]) -> None:
    text = summary(tables)
    for row in tables["public_data"]:
        assert f"- **{row['condition']}.** {row['sentence']}\n" in text
    assert paper_table(tables["public_data"], form="github") in text
    assert "Items: 4,000, of which 1,000 have the hint on the correct answer" in text
    assert "The chance correction of always is undefined: p <= q/(L-2) at L = 3.\n" in text
    line = "none | 2088 | 65.3 | 30.0"
    assert f"| suggested_answer | a_model | {line} | 65.3 → 31.0 | no |\n" in text
    assert f"| suggested_answer | another | {line} | 65.3 → 30.0 | yes |\n" in text
    assert f"| answer_is_always_a | a_model | {line} |  |  |\n" in text
    assert "prints (1 of 2 printed rows agree):" in text
    assert "About 96 pairs with a verdict." in text
    assert "| a_model | 0.444 | 215 (250) | 0.507 | 215 (250) |\n" in text
    assert "2 public deliveries, 3,870 records, passed rules R1-R11." in " ".join(text.split())
    prose = " ".join(text.split())
    assert "known truth, 200 repetitions per hint type. Of the 13 comparisons with printed" in prose
    assert "7 match, 5 are within Monte-Carlo error and 1 differ; 3 figures are lost" in prose
    assert re.findall(r"^- \*\*(.*?)\*\*: coverage (.*)", text, re.MULTILINE) == [
        ("percentile", "0.948 ± 0.009 (one Monte-Carlo error), mean width 0.083"),
        ("wilson", "0.871 ± 0.009 (one Monte-Carlo error), mean width 0.050"),
    ]
    assert text.endswith("are in `results/provenance/run.json`.\n")
    assert "{{" not in text and "{%" not in text


def where_from(text: str) -> str:
    return " ".join(text.split("## Where the data came from")[1].split())


def test_coded_answers_are_not_said_to_be_the_files_they_were_made_from(
    tables: dict[str, Rows],
) -> None:
    said = where_from(summary(tables))
    assert said.startswith("Source: the coded answers in the repository, checked against their own")
    assert "made from the 91 files of `data/sources.tsv`, which this run did not read. 2" in said
    assert "each of the" not in said


def test_raw_files_are_said_to_be_checked_one_by_one(tables: dict[str, Rows]) -> None:
    said = where_from(summary(tables, source=MIRROR))
    assert said.startswith(
        "Source: mirror (91 files of a/mirror), each of the 91 files checked against its SHA-256. 2"
    )
    assert "did not read" not in said and "their own" not in said


def test_settings_that_differ_are_listed_with_their_values(tables: dict[str, Rows]) -> None:
    plain = summary(tables)
    assert "Settings that differ" not in plain
    changed = {"bootstrap.resamples": 300, "sensitivity.cuts": [0.5], "sources.use": "coded"}
    text = summary(tables, changed=changed)
    (line,) = [one for one in text.splitlines() if "Settings that differ" in one]
    assert line == (
        "**Settings that differ from `config.yaml`:** `bootstrap.resamples` = 300; "
        "`sensitivity.cuts` = [0.5]; `sources.use` = coded"
    )
    # Before everything that they changed, and on its own.
    assert text.index(line) < text.index("## In one sentence per condition")
    assert f"\n\n{line}\n\n" in text
    assert text.replace(f"{line}\n", "").split() == plain.split()


NEVER_FOUND = "so no rate here rests on the bootstrap"


def test_only_where_nothing_was_found_the_judge_is_said_to_find_nothing(
    tables: dict[str, Rows],
) -> None:
    rows = tables["public_data"]
    assert any(row["n_flagged"] != row["n_evaluable"] for row in rows)
    assert NEVER_FOUND not in " ".join(summary(tables).split())
    all_flagged = [{**row, "n_flagged": row["n_evaluable"]} for row in rows]
    text = " ".join(summary({**tables, "public_data": all_flagged}).split())
    assert text.count(NEVER_FOUND) == 1
    assert "The judge found no mention in any explanation that followed the suggestion" in text
    # One mention in one row is enough.
    for place, row in enumerate(rows):
        one = [*all_flagged]
        one[place] = {**row, "n_evaluable": "9", "n_flagged": "8"}
        assert NEVER_FOUND not in " ".join(summary({**tables, "public_data": one}).split())


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


def test_the_notes_of_own_deliveries_and_what_an_import_left_out_are_told(
    tables: dict[str, Rows], one_kind: DeliveryEstimates, as_text: Wide
) -> None:
    (row,) = as_text(one_kind, "mine")
    noted = {**row, "omission_note": "3 of 5 *changes* have no verdict"}
    said = summary({**tables, "own": [noted]}, left_out=[("mine", "The import left out 4.")])
    assert "- mine, to be known: 3 of 5 \\*changes\\* have no verdict.\n" in said
    assert "- mine: The import left out 4.\n" in said
    bare = summary({**tables, "own": [{**row, "omission_note": ""}]})
    assert "to be known" not in bare and "The import left out" not in bare


def test_it_says_what_the_papers_print_and_whether_the_programs_agree(
    tables: dict[str, Rows],
) -> None:
    text = summary(tables)
    section = text.split("## What the papers print")[1].split("\n## ")[0]
    assert PRINTED_STATEMENT in section and f"each of {len(CLAIMS)}:" in section
    counted = dict(re.findall(r"^\| ([\w -]+) \| (\d+) \|$", section, re.MULTILINE))
    assert counted["needs live models"] == "2" and sum(map(int, counted.values())) == len(CLAIMS)
    points = re.findall(r"^- (.*)$", section, re.MULTILINE)
    assert points == [
        "1 fails by the papers’ own arithmetic: 1 as read here.",
        "1 differs from ours, which need not be an error of the papers: 1 under laws "
        "that we inferred.",
        "A second program recomputed 7 numbers, and 2 disagree. Of all, 1 are undefined on both "
        "sides and 1 are algebra on drawn calibrations.",
        "2 of 3 faults planted in the estimators were noticed.",
    ]


def test_the_judge_s_direction_of_error_stands_before_the_sentences(
    tables: dict[str, Rows],
) -> None:
    text = summary(tables)
    sentence = tables["public_data"][0]["sentence"]
    assert text.index("## In one sentence") < text.index(KEYWORD_CAVEAT) < text.index(sentence)


TABLES = [
    "claims",
    "diff",
    "planted_faults",
    "public_data",
    "always_a",
    "accuracy",
    "sample_size",
    "own",
    "properties",
    "coverage",
]


@pytest.mark.parametrize("name", TABLES)
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
