"""The ledger, the diff and the planted faults as they are arranged for the page."""

import pytest
from browser.sample import CLAIMS, DIFF, FAULTS, compared

from avowed.present.page_checks import (
    ALGEBRA,
    LARGEST_SHOWN,
    UNDEFINED,
    alarms,
    comparison,
    counted,
    fails,
    faults,
    kind_of,
    ledger,
    section_key,
)
from avowed.present.page_text import MEANINGS, fixed, in_order, number, tone


def test_the_ledger_counts_every_claim_once() -> None:
    found = ledger(CLAIMS)
    assert found.papers == ("HP", "NS")
    assert found.by_paper.total() == len(CLAIMS)
    assert found.by_paper.total(column="HP") == 5
    assert found.by_paper.at("needs live models", "NS") == 2
    assert found.by_paper.at("needs live models", "HP") == 0
    assert found.sections["HP"] == ("7", "16.2", "16.3")
    assert found.sections["NS"] == ("abstract", "3.2", "D.1")
    assert [row["claim_id"] for row in found.failing] == ["NS-abstract-05", "HP-16.2-10"]
    assert [row["claim_id"] for row in found.readings] == ["NS-abstract-05"]


def test_live_claims_are_counted_by_what_their_relation_says() -> None:
    found = ledger(CLAIMS).live_by_section
    assert found.rows == ("NS D.1",)
    assert found.at("NS D.1", "arithmetic holds") == found.at("NS D.1", "no relation") == 1
    assert found.total() == 2


def test_a_relation_that_fails_is_bad_news_too() -> None:
    row = {"verdict": "needs live models", "relation_verdict": "arithmetic fails"}
    assert fails(row) and not fails({**row, "relation_verdict": "arithmetic holds"})
    # One of several is enough, and it is what the claim is counted under.
    mixed = CLAIMS[6] | {"relation_verdict": "arithmetic holds | arithmetic fails"}
    assert fails(mixed)
    assert ledger([mixed]).live_by_section.at("NS D.1", "arithmetic fails") == 1
    assert not fails({"verdict": "agrees"})


def test_sections_stand_in_the_order_of_a_paper() -> None:
    given = ["D.5", "16.2", "A.1", "abstract", "3.1", "10", "D.10", "C", "3"]
    assert sorted(given, key=section_key) == [
        "abstract", "3", "3.1", "10", "16.2", "A.1", "C", "D.5", "D.10"
    ]  # fmt: skip


def test_differences_are_ranked_by_the_share_of_their_tolerance() -> None:
    found = comparison(DIFF)
    assert found.n == len(DIFF) and found.by_source.total() == len(DIFF)
    assert [row["quantity"] for row in found.failing] == ["exposure", "n_flagged"]
    assert [share for share, _ in found.largest] == [pytest.approx(0.3), pytest.approx(0.1)]
    many = [compared("s", "q", f"{-n}e-15") for n in range(1, 40)]
    largest = comparison(many).largest
    assert len(largest) == LARGEST_SHOWN
    assert largest[0][1]["difference"] == "-39e-15"
    # Neither no difference nor no tolerance has a share.
    assert (
        comparison([compared("s", "q", "0"), compared("s", "q", "1", tolerance="0")]).largest == []
    )


def test_only_a_yes_counts_as_caught() -> None:
    found = faults(FAULTS)
    assert (found.caught, found.missed, found.false_alarms) == (2, 1, 0)
    assert len(found.rows) == 3 and len(found.controls) == 1
    assert faults([{"caught": ""}, {"caught": "Yes"}]).missed == 1
    unknown = faults([{"fault": "x"}])
    assert unknown.caught is None and unknown.missed == 0


def test_a_failure_without_a_fault_is_a_false_alarm() -> None:
    found = faults([*FAULTS[:2], {**FAULTS[3], "caught": "yes"}])
    assert (found.missed, found.false_alarms) == (0, 1)
    (alarm,) = alarms(None, None, found, None)
    assert "false alarm" in alarm.text and alarm.anchor == "faults"


def test_sums_of_a_summary_are_not_counted_again() -> None:
    rows = [{"kind": "design", "n": "3"}, {"kind": "lost", "n": "2"}, {"kind": "all", "n": "5"}]
    assert counted(rows) == 5


def test_alarms_name_the_number_and_the_place() -> None:
    claims, diff, planted = ledger(CLAIMS), comparison(DIFF), faults(FAULTS)
    found = alarms(claims, diff, planted, len(CLAIMS))
    assert [(one.text[0], one.anchor) for one in found] == [
        ("2", "recomputation"),
        ("1", "faults"),
    ]
    assert alarms(None, None, None, None) == []
    assert alarms(None, comparison(DIFF[:3]), faults(FAULTS[:2]), 5) == []
    assert alarms(claims, None, None, len(CLAIMS)) == []
    (apart,) = alarms(ledger(CLAIMS[:4]), None, None, 5)
    assert apart.text == "The ledger has 4 claims, its summary speaks of 5"


def test_comparisons_are_counted_by_what_they_compare() -> None:
    found = comparison(DIFF).by_kind
    assert found.total() == len(DIFF)
    assert found.total(column=UNDEFINED) == 1
    assert found.total(row=ALGEBRA) == 1
    assert found.at("estimates of the delivery made for the recomputation", "compared") == 2
    assert [kind_of(name) for name in ("refused deliveries", "coverage.csv", "mine")] == [
        "deliveries that have to be refused",
        "cells of the other tables",
        "estimates of deliveries",
    ]


def test_the_rounding_of_the_computer_is_no_difference() -> None:
    noise = compared("s", "q", "-4.4e-17", tolerance="1e-12")
    assert comparison([noise]).largest == []
    assert number(noise["difference"], 3) == "0"
    assert number("2e-15", 3) == "2e−15"


@pytest.mark.parametrize(
    ("verdict", "expected"),
    [
        ("arithmetic fails", "bad"),
        ("fails", "bad"),
        ("differs", "bad"),
        ("no counterpart in the pipeline", "bad"),
        ("no counterpart in the recomputation", "bad"),
        ("needs live models", "open"),
        ("not applicable", "open"),
        ("not printed", "open"),
        ("", "open"),
        ("matches", "good"),
        ("agrees", "good"),
        ("within Monte-Carlo error", "good"),
        ("design constant in config", "good"),
    ],
)
def test_the_tone_of_a_verdict(verdict: str, expected: str) -> None:
    assert tone(verdict) == expected


def test_verdicts_come_in_a_fixed_order_and_unknown_ones_last() -> None:
    given = ["zebra", "needs live models", "matches", "matches", "arithmetic fails"]
    assert in_order(given) == ["matches", "arithmetic fails", "needs live models", "zebra"]
    assert in_order(MEANINGS) == list(MEANINGS)


def test_nothing_undefined_is_shown_as_a_number() -> None:
    for value in ("", None, "nan", float("nan")):
        assert fixed(value) == "–"
    assert number(None) == number("") == "–"
    assert number("0") == "0" and fixed("0") == "0.000"
    assert number("0.00000012345", 3) == "1.23e−7" and number("1e+20") == "1e20"
