"""Would a misprint be noticed? The measured shares against brute force."""

import csv
from fractions import Fraction
from pathlib import Path

import pytest
from support.claims import ledger_rows, read_inputs, read_table, write_inputs, write_table
from verification.claims_entries import judge
from verification.claims_sensitivity import Change, dependents, sensitivity, summarised


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_inputs(tmp_path_factory.mktemp("sensitivity"))


@pytest.fixture(scope="module")
def changes(inputs: dict[str, Path]) -> list[Change]:
    context, checks = read_inputs(inputs)
    entries = {claim: judge(context, check) for claim, check in checks.items()}
    return list(sensitivity(context, checks, entries))


#: Claim, column, the printed text with five units of the last place added or taken off.
FLIPS = [
    ("HP-16.2-22", "published", "0.651"),
    ("HP-16.2-22", "published", "0.641"),
    ("HP-16.2-23", "published_lo", "0.604"),
    ("HP-16.2-48", "published", "0.734"),
    ("HP-15-02", "published", "0.91"),
    ("HP-16.3-26", "published", "725"),
    ("NS-D.1-02", "published", "0.576"),
    ("NS-D.1-03", "published", "0.158"),
    ("NS-4.4-03", "published", "26.3"),
    ("NS-4.5-05", "published", "8.2"),
    ("NS-4.5-06", "published", "54.5"),
    ("NS-D.4-03", "published", "0.734"),
]


@pytest.mark.parametrize("flip", FLIPS, ids=" ".join)
def test_a_change_moves_what_a_whole_new_ledger_says(
    inputs: dict[str, Path], changes: list[Change], tmp_path: Path, flip: tuple[str, str, str]
) -> None:
    claim, column, text = flip
    lines = read_table(inputs["claims"])
    for line in lines:
        if line["claim_id"] == claim:
            line[column] = text
    write_table(tmp_path / "claims.csv", lines)
    before, after = ledger_rows(inputs), ledger_rows({**inputs, "claims": tmp_path / "claims.csv"})
    said = ("verdict", "relation_verdict")
    moved = {name for name in before if any(before[name][k] != after[name][k] for k in said)}
    part = {"published": "value", "published_lo": "lo"}[column]
    (change,) = (c for c in changes if (c.claim, c.part, c.after) == (claim, part, Fraction(text)))
    assert set(change.moved) == moved


def test_a_flipped_number_flips_its_verdict(changes: list[Change]) -> None:
    moved = {(change.claim, change.units): change.moved for change in changes}
    assert "HP-16.2-22" in moved["HP-16.2-22", 5]
    assert "NS-abstract-01" in moved["NS-abstract-01", -5]
    # Sonnet 5's cell is printed four times more, and is the column's largest.
    assert {"NS-4.2-07", "NS-D.3-04"} <= set(moved["NS-D.1-02", 5])


def test_an_unnoticed_change_says_why(changes: list[Change]) -> None:
    unnoticed = {(c.claim, c.units): c.why for c in changes if not c.moved}
    # One of eight cells moves their mean by 0.005 / 8, less than the rounding leaves free.
    assert "takes 0.000625 of a slack of 0.00075" in unnoticed["NS-D.1-03", 5]
    assert all(unnoticed.values())
    assert not any(change.why for change in changes if change.moved)


def test_every_number_that_arithmetic_rests_on_is_changed_both_ways(
    inputs: dict[str, Path], changes: list[Change]
) -> None:
    context, checks = read_inputs(inputs)
    users = dependents(context, checks)
    assert {(c.claim, c.part, c.units) for c in changes} == {
        (claim, part, units) for claim, part in users for units in (5, -5)
    }
    # Numbers that an arithmetic row names by itself.
    for claim in ("HP-16.2-20", "HP-16.2-21", "HP-16.2-22"):
        assert "HP-16.2-22" in users[claim, "value"]
    assert set(users["NS-D.2-01", "hi"]) >= {"NS-4.2-11", "NS-D.2-01"}


def test_the_shares_are_counted_by_kind(inputs: dict[str, Path], changes: list[Change]) -> None:
    with inputs["claims"].open(encoding="utf-8", newline="") as file:
        kinds = {row["claim_id"]: row["kind"] for row in csv.DictReader(file)}
    rows = {row["kind"]: row for row in summarised(changes)}
    for kind in ("arithmetic", "live_models"):
        some = [bool(change.moved) for change in changes if kinds[change.claim] == kind]
        assert int(rows[kind]["changes"]) == len(some)
        assert int(rows[kind]["moving"]) == sum(some)
        assert float(rows[kind]["share"]) == pytest.approx(sum(some) / len(some))
        others = [set(c.moved) - {c.claim} for c in changes if kinds[c.claim] == kind]
        assert int(rows[kind]["moving_elsewhere"]) == sum(map(bool, others)) < sum(some)
    assert int(rows["all"]["changes"]) == len(changes)
    assert sum(int(row["changes"]) for row in rows.values()) == 2 * len(changes)
