"""What verdicts rest on, which readings were chosen, and relations that hold by rounding alone."""

import re
from collections import Counter
from pathlib import Path

import pytest
from support.claims import CHECKS, ledger_rows, read_table, write_inputs, write_table
from verification.claims_basis import Basis
from verification.claims_checks import claim_ids, read_checks

REPOSITORY = Path(__file__).parents[2]
Rows = dict[str, dict[str, str]]


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_inputs(tmp_path_factory.mktemp("basis"))


@pytest.fixture(scope="module")
def rows(inputs: dict[str, Path]) -> Rows:
    return ledger_rows(inputs)


def properties_with(folder: Path, wanted: dict[str, str], ours: str) -> Rows:
    """The ledger over properties of which some rows have another number of ours."""
    changed = write_inputs(folder)
    table = changed["results"] / "tables" / "estimator_properties.csv"
    lines = read_table(table)
    for line in lines:
        if all(line[key] == value for key, value in wanted.items()):
            line["ours"] = ours
    write_table(table, lines)
    return ledger_rows(changed)


def test_a_verdict_rests_on_what_ours_was_computed_from(rows: Rows) -> None:
    assert {row["rests_on"] for row in rows.values()} <= {basis.value for basis in Basis}
    for row in rows.values():
        if row["verdict"].startswith("arithmetic") or row["kind"] == "live_models":
            assert row["rests_on"] == "printed numbers only", row["claim_id"]
        if row["verdict"] == "not applicable":
            assert row["rests_on"] == "nothing computed"
        if row["kind"] == "design" and row["verdict"] == "design constant in config":
            assert row["rests_on"] == "configuration or code"
        if row["kind"] == "simulation":
            assert row["rests_on"] in ("inferred design", "choice of truth"), row["claim_id"]
    # Of the lost numbers, those of a simulation have nothing to be compared with.
    lost = {name: row for name, row in rows.items() if row["verdict"] == "recovered"}
    assert Counter(row["rests_on"] for row in lost.values()) == {
        "public data": 16,
        "inferred design": 2,
    }
    for row in lost.values():
        alone = "nothing to compare with" in row["note"]
        assert alone == (row["rests_on"] == "inferred design")


def test_a_verdict_that_turns_with_the_truth_rests_on_its_choice(
    rows: Rows, tmp_path: Path
) -> None:
    name = "bias of the unbiased exposure estimator"
    assert rows["HP-16.2-09"]["rests_on"] == "inferred design"
    found = {}
    for number, wanted in enumerate(
        ({"truth_kind": "drop-out-free"}, {"truth_kind": "through drop-out"}, {})
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        changed = properties_with(folder, {"property": name, "k": "8", **wanted}, "0.5")
        found[number] = (changed["HP-16.2-09"]["verdict"], changed["HP-16.2-09"]["rests_on"])
        assert changed["HP-16.2-08"]["rests_on"] == "inferred design"
    assert found == {
        0: ("differs", "choice of truth"),
        1: ("matches", "choice of truth"),
        2: ("differs", "inferred design"),
    }


def test_a_largest_value_is_held_against_our_largest(rows: Rows, tmp_path: Path) -> None:
    row = rows["HP-9-02"]
    assert (row["ours"], row["verdict"]) == ("0.0015", "matches")
    assert "largest under the imperfect judge: ours 0.002" in row["relation"]
    assert "mean of a type is 0.0012, under the imperfect judge 0.0014" in row["note"]
    changed = write_inputs(tmp_path)
    table = changed["results"] / "tables" / "chance_correction.csv"
    lines = [line | {"counting_error_max": "0.0019"} for line in read_table(table)]
    write_table(table, lines)
    again = ledger_rows(changed)["HP-9-02"]
    assert (again["ours"], again["verdict"]) == ("0.0019", "differs")


def test_two_verdicts_on_one_number_are_explained(rows: Rows) -> None:
    row = rows["HP-16.2-27"]
    assert row["verdict"] == "arithmetic fails" and row["relation_verdict"] == "matches"
    assert "worked_example.csv holds the printed rate against the population value" in row["note"]
    assert "the same population of moves" in row["reading"]


_SIDES = re.compile(r": ([^:|]*? (?:==|!=|<=|<|>=|>) [^:|]*)$")
_NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"


def test_no_relation_prints_a_comparison_that_is_not_so(rows: Rows) -> None:
    """Numbers are compared as they stand; what holds by rounding alone shows intervals."""
    spans = 0
    for row in rows.values():
        texts, verdicts = row["relation"].split(" | "), row["relation_verdict"].split(" | ")
        for text, verdict in zip(texts, verdicts, strict=True):
            sides = _SIDES.search(text)
            if not sides:
                continue
            if "[" in sides[1]:
                spans += 1
                continue
            true = eval(sides[1], {"__builtins__": {}})
            good = verdict in ("arithmetic holds", "matches", "design constant in config")
            assert true == good, (row["claim_id"], text, verdict)
    assert spans > 5


def test_an_inequality_that_rounding_saves_shows_what_is_attainable(rows: Rows) -> None:
    relation = rows["HP-16.2-40"]["relation"].split(" | ")[1]
    found = re.search(rf"\[{_NUMBER}, {_NUMBER}\] <= 0\.001$", relation)
    assert found and float(found[1]) < 0.001 < float(found[2])
    assert "the list of claims names for this row" in relation
    # Where the printed numbers themselves fulfil it, they are shown.
    assert rows["HP-16.2-41"]["relation"].endswith("<= 0.001")
    assert "[" not in rows["HP-16.2-41"]["relation"].split(": ")[-1]


def test_readings_are_listed_in_the_document() -> None:
    text = (REPOSITORY / "docs" / "ledger.md").read_text(encoding="utf-8")
    section = text.split("\n## Readings\n")[1].split("\n## ")[0]
    listed = {
        claim: words
        for names, words in re.findall(r"^\| ((?:HP|NS)-[^|]*?) \| (.*) \|$", section, re.MULTILINE)
        for claim in names.split(", ")
    }
    chosen = {name: c.reading for name, c in read_checks(CHECKS).items() if c.reading}
    assert listed == chosen
    assert {"HP-15-05", "HP-16.2-27", "NS-4.4-21"} <= set(chosen)


def test_what_a_verdict_may_rest_on_is_explained_in_the_document() -> None:
    text = (REPOSITORY / "docs" / "ledger.md").read_text(encoding="utf-8")
    section = text.split("\n## What a verdict rests on\n")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)) - {"rests_on"} == {
        basis.value for basis in Basis
    }


def test_a_check_that_rounds_an_input_by_hand_says_that_it_is_a_reading() -> None:
    for path in sorted(CHECKS.glob("*.toml")):
        for block in path.read_text(encoding="utf-8").split("[[check]]\n")[1:]:
            (claims,) = re.findall(r'^claims = "?(.*?)"?$', block, re.MULTILINE)
            computed = re.findall(r"^(?:value|lo|hi|define)\b.*round_to", block, re.MULTILINE)
            if computed:
                assert "\nreading = " in block, claim_ids(claims)
