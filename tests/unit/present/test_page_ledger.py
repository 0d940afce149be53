"""What the ledger finds against the papers, and how its rows are tied to other tables."""

import pytest
from browser.sample import CLAIMS, PROPERTIES, claim

from avowed.present.page_checks import ledger
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
from avowed.present.page_text import KEYWORD_CAVEAT, RESTS_ON, kept

FAILS = "arithmetic fails"
LIVE = claim(1, "NS", "4.4", "needs live models", relation="a", relation_verdict=FAILS)
READ = claim(2, "HP", "15", FAILS)
DESIGN = claim(3, "HP", "16.2", "differs", rests_on="inferred design")
TRUTH = claim(4, "HP", "16.2", "differs", rests_on="choice of truth")
SETTING = claim(5, "HP", "7", "differs", rests_on="configuration or code")


def said(*rows: dict[str, str]) -> list[str]:
    found = findings(ledger([*rows, claim(9, "HP", "7", "matches")]))
    assert all(one.of_the_papers and one.anchor == "ledger" for one in found)
    return [one.text for one in found]


def test_errors_of_arithmetic_and_differences_from_a_simulation_are_told_apart() -> None:
    assert said(LIVE, READ, DESIGN, TRUTH, SETTING) == [
        "2 fail by the papers’ own arithmetic: 1 as read here, 1 in another reading or with "
        "further printed numbers",
        "3 differ from ours, which need not be an error of the papers: 1 under laws that we "
        "inferred, 1 under one of two truths only, 1 by configuration or code",
    ]
    assert said(READ) == ["1 fails by the papers’ own arithmetic: 1 as read here"]
    assert len(said(DESIGN)) == 1 and said() == [] and findings(None) == []


def test_every_failing_row_is_in_one_of_the_two() -> None:
    found = ledger([LIVE, READ, DESIGN, TRUTH, SETTING])
    assert [*by_arithmetic(found), *differing(found)] == list(found.failing)
    # A relation with ours that differs is no arithmetic of the paper.
    apart = claim(6, "HP", "9", "matches", relation="ours 2 (x)", relation_verdict="differs")
    assert by_arithmetic(ledger([apart])) == [] and differing(ledger([apart])) == [apart]


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        (("0.10", "", ""), "0.10"),
        (("-0.0021", "", ""), "−0.0021"),
        (("Beta(4, 2)", "", ""), "Beta(4, 2)"),
        (("", "0.609", "0.684"), "[0.609, 0.684]"),
        (("", "-0.059", "-0.030"), "[−0.059, −0.030]"),
        (("", "", ""), "–"),
        (("0.2", "0.1", "0.3"), "0.2"),
    ],
)
def test_a_range_is_shown_where_a_range_is_printed(row: tuple[str, str, str], shown: str) -> None:
    cells = dict(zip(("published", "published_lo", "published_hi"), row, strict=True))
    assert with_ends(cells, "published") == shown


def test_what_verdicts_rest_on_comes_in_the_order_of_its_explanation() -> None:
    found = bases(ledger([TRUTH, DESIGN, READ, claim(7, "HP", "1", "matches", rests_on="else")]))
    assert found == ["printed numbers only", "inferred design", "choice of truth", "else"]
    assert set(found) - {"else"} <= set(RESTS_ON)


def test_numbers_of_the_worked_example_find_their_claims() -> None:
    place = "tables/worked_example.csv: "
    both = claim(1, "HP", "16.2", "matches")
    both["source"] = f"{place}mean where quantity = omission lower and omission upper"
    part = claim(2, "HP", "16.2", "matches")
    part["source"] = f"100 * x; x: {place}spread where quantity = clusters; y: other.csv: z"
    found = about_the_example([*CLAIMS, both, part])
    assert {name: [row["claim_id"] for row in rows] for name, rows in found.items()} == {
        "flagged pairs": ["NS-abstract-05"],
        "omission lower": ["HP-16.2-01"],
        "omission upper": ["HP-16.2-01"],
        "clusters": ["HP-16.2-02"],
    }


def test_the_comparison_of_least_power_is_the_one_that_notices_least() -> None:
    rows = [{**PROPERTIES[1], "noticed_from": text} for text in ("0.003", "0.13", "", "0.02")]
    assert hardest_to_notice(rows) is rows[1]
    assert hardest_to_notice([PROPERTIES[0]]) is None


def test_a_note_of_all_rows_is_said_once() -> None:
    rows = [
        {"condition": name, "omission_note": f"icc is 0/0; {n} pairs are left out"}
        for name, n in (("a", 3), ("b", 4))
    ]
    assert shared_notes(rows, "omission_note", "condition") == [
        ("all", "icc is 0/0"),
        ("a", "3 pairs are left out"),
        ("b", "4 pairs are left out"),
    ]
    assert shared_notes(rows[:1], "omission_note", "condition")[0] == ("a", "icc is 0/0")


def test_no_line_ends_within_95_ci() -> None:
    assert kept("95 % CI: 4 pairs") == "95\u00a0%\u00a0CI: 4 pairs"
    assert "upward" in KEYWORD_CAVEAT
