"""The list of checks: what it may say, and how a slip in it is reported."""

from pathlib import Path

import pytest
from support.claims import CHECKS, read_inputs, write_inputs
from verification.claims import ledger
from verification.claims_checks import claim_ids, read_checks
from verification.claims_expressions import CheckError

from avowed import facts
from avowed.pairs.record import FIELD_NAMES


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_inputs(tmp_path_factory.mktemp("checks"))


def checks_with(folder: Path, claim: str, replacement: str) -> Path:
    """All checks, with the one of a claim replaced by other text."""
    folder.mkdir()
    for path in CHECKS.glob("*.toml"):
        blocks = path.read_text(encoding="utf-8").split("[[check]]\n")
        kept = [block for block in blocks if f'claims = "{claim}"\n' not in block]
        (folder / path.name).write_text("[[check]]\n".join(kept), encoding="utf-8")
    (folder / "replaced.toml").write_text(replacement, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("", "claim HP-16.2-22 has no check"),
        ('[[check]]\nclaims = "HP-0-01"\nvalue = "1"', "claim HP-16.2-22 has no check"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = "1 +"', "not an expression"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = "os.remove"', "Attribute is not allowed"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = "{HP-16.2-99}"', "HP-16.2-99, which does not"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = "{settings no.key}"', "has no no.key"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalues = "1"', "unknown key values"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = 1', "value must be a text"),
        ('[[check]]\nclaims = "HP-16.2-22"\nlo = "1"', "lo and hi belong together"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = "1"\nreason = "x"', "exclude each other"),
        ('[[check]]\nclaims = "HP-16.2-22"\nnote = "nothing"', "give a value or a reason"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = "x"\ndefine = {x = "x"}', "defined by itself"),
        ('[[check]]\nclaims = "HP-16.2-22"\nexample = "omission"', "printed numbers alone"),
        ('[[check]]\nclaims = "HP-16.2-22"\nvalue = "1"\nrelations = ["1 + 1"]', "no comparison"),
        ("[[check]\n", "cannot be read"),
        (
            '[[check]]\nclaims = ["HP-16.2-22", "HP-16.2-25"]\nvalue = "1"',
            "claim HP-16.2-25 has two checks",
        ),
    ],
)
def test_a_slip_in_the_checks_is_one_message(
    inputs: dict[str, Path], tmp_path: Path, check: str, message: str
) -> None:
    folder = checks_with(tmp_path / "checks", "HP-16.2-22", check)
    with pytest.raises(CheckError, match=message.replace(".", r"\.").replace("+", r"\+")):
        ledger(**inputs, checks=folder)


def test_a_check_of_an_unknown_claim_is_refused(inputs: dict[str, Path], tmp_path: Path) -> None:
    folder = checks_with(tmp_path / "checks", "none", '[[check]]\nclaims = "HP-0-01"\nvalue = "1"')
    with pytest.raises(CheckError, match="the check of HP-0-01 belongs to no claim"):
        ledger(**inputs, checks=folder)


def test_a_live_claim_takes_no_value(inputs: dict[str, Path], tmp_path: Path) -> None:
    folder = checks_with(
        tmp_path / "checks", "NS-C-13", '[[check]]\nclaims = "NS-C-13"\nvalue = "0.412"'
    )
    with pytest.raises(CheckError, match="relations only"):
        ledger(**inputs, checks=folder)


def test_ranges_of_ids_are_written_out() -> None:
    assert claim_ids("HP-10-01..03") == ["HP-10-01", "HP-10-02", "HP-10-03"]
    found = read_checks(CHECKS)
    assert found["HP-10-04"].computation.value == "{settings sensitivity.cuts.3}"


def test_no_printed_number_is_repeated_as_a_literal(inputs: dict[str, Path]) -> None:
    # A check that held the printed number itself would be true whatever is printed.
    context, checks = read_inputs(inputs)
    for claim, check in checks.items():
        printed = context.claims[claim].row["published"]
        if "." in printed and check.computation.value:
            assert printed not in check.computation.value, claim


def test_facts_of_the_design_come_from_the_code() -> None:
    found = facts.design_facts([])
    assert len(found["record_fields"]) == 10
    assert sorted(c for line in found["record_fields"].values() for c in line) == sorted(
        FIELD_NAMES
    )
    assert found["rules"] == [f"R{i}" for i in range(1, 12)]
    assert found["phi_range"] == [0.0, 1.0]
    assert found["rejected_by_r1"] == ["3.0", '"3"', "3e0", "true"]
    assert (found["least_clusters"], found["least_pairs"]) == (2, 2)
    gate = found["youden_gate"]
    assert gate["largest_refused"] <= 0 < gate["smallest_passed"]
    assert found["positive_class"] == "omission"


def test_a_new_column_of_the_record_must_be_placed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(facts.RECORD_LINES, "Outcome", ("outcome", "colour"))
    with pytest.raises(ValueError, match="every column"):
        facts.design_facts([])
