"""The claims ledger: what it says of the known inconsistencies, and when it refuses to say."""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from support.claims import CHECKS, CLAIMS, ledger_rows, read_table, write_inputs, write_table
from verification import claims
from verification.claims_checks import read_checks
from verification.claims_verdicts import Verdict

Rows = dict[str, dict[str, str]]

#: Claims whose verdict is a failure, and those with a relation that fails (definitions.md).
FAILING = {
    "HP-16.2-27",
    "HP-16.3-27",
    "HP-16.3-34",
    "HP-16.3-35",
    "NS-4.4-21",
}
FAILING_RELATION = {
    "HP-15-05": "with the exact Se",
    "NS-4.4-07": "mean of ranks 1 and 2",
    "NS-D.5-01": "mean of ranks 1 and 2",
    "NS-4.4-08": "mean of ranks 1 to 3",
    "NS-D.5-03": "mean of ranks 1 to 3",
    "NS-4.5-05": "of all responses of the pilot",
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_inputs(tmp_path_factory.mktemp("ledger"))


@pytest.fixture(scope="module")
def rows(inputs: dict[str, Path]) -> Rows:
    return ledger_rows(inputs)


def relations(row: dict[str, str]) -> dict[str, str]:
    """Verdicts of a row's relations by their text."""
    texts, verdicts = (row[key].split(" | ") for key in ("relation", "relation_verdict"))
    return dict(zip(texts, verdicts, strict=True))


def test_the_claims_are_those_of_the_papers() -> None:
    digest = hashlib.sha256(CLAIMS.read_bytes()).hexdigest()
    assert digest == "f517587541cdb74b72d2f0ca0de03063b7064996ef4f1eba95076ed4935a8c26"


def test_every_claim_has_one_check_and_one_row(rows: Rows) -> None:
    ids = [row["claim_id"] for row in read_table(CLAIMS)]
    assert len(ids) == len(set(ids)) == 398
    assert set(read_checks(CHECKS)) == set(ids)
    assert list(rows) == ids
    assert {row["verdict"] for row in rows.values()} <= {verdict.value for verdict in Verdict}


def test_no_check_holds_a_verdict() -> None:
    for path in CHECKS.glob("*.toml"):
        text = path.read_text(encoding="utf-8").lower()
        assert [verdict.value for verdict in Verdict if verdict.value.lower() in text] == []


def test_the_known_inconsistencies_fail_by_computation(rows: Rows) -> None:
    assert {name for name, row in rows.items() if row["verdict"] == "arithmetic fails"} == FAILING
    failing = {
        name: text.partition(":")[0].partition(" against")[0]
        for name, row in rows.items()
        for text, verdict in (relations(row).items() if row["relation"] else ())
        if verdict == "arithmetic fails"
    }
    assert failing == FAILING_RELATION


@pytest.mark.parametrize(
    ("claim", "relation", "verdict"),
    [
        ("HP-16.3-27", "per model and prompting condition", "arithmetic holds"),
        ("HP-16.3-34", "from the share of all completed pairs", "matches"),
        ("HP-16.3-35", "from the share of all completed pairs", "matches"),
        ("NS-4.4-21", "uncited minus cited", "arithmetic holds"),
        ("NS-4.5-05", "of one fewer", "arithmetic holds"),
    ],
)
def test_the_other_reading_of_a_failing_statement_holds(
    rows: Rows, claim: str, relation: str, verdict: str
) -> None:
    (found,) = (v for text, v in relations(rows[claim]).items() if text.startswith(relation))
    assert found == verdict


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("HP-16.2-27", "exact 0.1875 + 0.625 x 0.729 = 0.643125"),
        ("HP-15-05", "printed 0.071"),
        ("HP-16.2-46", "printed 0.598"),
        ("HP-16.2-38", "m/2 = 4"),
        ("HP-13-02", "the code reads positive as omission"),
        ("NS-4.2-05", "32 of 32 are, and 48 of 48"),
        ("NS-4.3-18", "PN 0.014, PS 0.354, descriptive mean 0.069"),
        ("NS-abstract-09", "3 + 1 + 1 = 5, of which one enters 4 times"),
        ("NS-C-01", "5 becomes 6, not 10"),
        ("NS-4.5-06", "of one fewer: none"),
    ],
)
def test_wording_is_noted_with_the_computed_fact(rows: Rows, claim: str, words: str) -> None:
    assert words in rows[claim]["note"]


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("NS-4.1-01", ": 94"),
        ("NS-4.1-02", ": 186"),
        ("NS-4.1-03", ": 26"),
        ("NS-4.1-04", ": 42"),
        ("NS-4.4-01", ": 461"),
        ("NS-4.4-02", ": 465"),
        ("NS-4.4-03", ": 206"),
        ("NS-4.4-04", ": 71"),
        ("NS-4.3-19", ": 161"),
        ("NS-4.3-21", ": 346"),
        ("NS-4.3-23", ": 113"),
        ("NS-4.3-08", ": 22"),
        ("NS-4.5-03", ": 13 (14/39), 26 (28/78), 39 (42/117)"),
        ("NS-4.5-05", ": 3/39"),
        ("NS-4.5-06", ": 22/40"),
        ("NS-4.5-07", ": 33 (20/99, 3/99)"),
        ("HP-15-02", ": 129/150 and 122/150"),
        ("HP-10-06", ": 151/746"),
    ],
)
def test_searches_find_what_a_printed_number_can_rest_on(
    rows: Rows, claim: str, words: str
) -> None:
    assert any(text.endswith(words) for text in relations(rows[claim]))


def test_verdicts_follow_from_what_a_number_rests_on(rows: Rows) -> None:
    by_kind = Counter((row["kind"], row["verdict"]) for row in rows.values())
    kinds = Counter(row["kind"] for row in rows.values())
    assert by_kind["lost", "recovered"] == kinds["lost"]
    assert by_kind["live_models", "needs live models"] == kinds["live_models"]
    assert {row["ours"] for row in rows.values() if row["kind"] == "live_models"} == {""}
    of_hp = [row for row in rows.values() if row["paper"] == "HP" and row["kind"] == "design"]
    assert Counter(row["verdict"] for row in of_hp) == {
        "design constant in config": 47,
        "not applicable": 2,
    }
    assert all(row["note"] for row in rows.values() if row["verdict"] == "not applicable")
    assert all(row["relation"] for row in rows.values() if row["kind"] == "live_models")


def test_ours_is_held_against_print(tmp_path: Path) -> None:
    verdicts = {}
    for shift in ("0", "0.008", "0.05"):
        (tmp_path / shift).mkdir()
        changed = write_inputs(tmp_path / shift)
        table = changed["results"] / "tables" / "worked_example.csv"
        lines = read_table(table)
        for line in lines:
            if line["quantity"] == "exposure at k = 4":
                line["mean_over_repetitions"] = str(float(line["ours"]) + float(shift))
        write_table(table, lines)
        verdicts[shift] = ledger_rows(changed)["HP-16.2-37"]["verdict"]
    assert list(verdicts.values()) == ["matches", "within Monte-Carlo error", "differs"]


def test_a_setting_that_differs_is_said_so(inputs: dict[str, Path], tmp_path: Path) -> None:
    settings = json.loads(inputs["settings"].read_text())
    settings["bootstrap"]["resamples"] = 500
    settings["factors"]["trials"] = 4
    del settings["factors"]["pilot"]
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    rows = ledger_rows({**inputs, "settings": tmp_path / "settings.json"})
    assert rows["HP-7-02"]["verdict"] == "differs"
    assert rows["HP-7-02"]["difference"] == "-1500"
    # What the use cases fix does not depend on the settings.
    assert rows["NS-3.1-01"]["verdict"] == "design constant in config"
    assert rows["NS-3.3-01"]["verdict"] == rows["NS-3.4-01"]["verdict"] == "differs"
    # The second paper's keys are those of a part that a run may not have.
    assert rows["NS-4.5-01"]["verdict"] == "not applicable"
    assert "no key factors.pilot.samples" in rows["NS-4.5-01"]["note"]


def test_a_number_that_this_run_lacks_is_named(tmp_path: Path) -> None:
    changed = write_inputs(tmp_path)
    table = changed["results"] / "tables" / "estimator_properties.csv"
    lines = [
        {**line, "ours": "" if line["k"] == "8" else line["ours"]} for line in read_table(table)
    ]
    write_table(table, lines)
    row = ledger_rows(changed)["HP-16.2-09"]
    assert row["verdict"] == "not applicable"
    assert "no value in this run: tables/estimator_properties.csv" in row["note"]


def run(inputs: dict[str, Path], out: Path) -> int:
    arguments = [part for name, path in inputs.items() for part in (f"--{name}", str(path))]
    return claims.main([*arguments, "--out", str(out)])


def test_the_command_writes_the_same_bytes_twice(inputs: dict[str, Path], tmp_path: Path) -> None:
    assert [run(inputs, tmp_path / name) for name in "ab"] == [0, 0]
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == [
        "claims.csv",
        "claims_sensitivity.csv",
        "claims_sensitivity_summary.csv",
        "claims_summary.csv",
    ]
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_the_summary_adds_up(inputs: dict[str, Path], rows: Rows, tmp_path: Path) -> None:
    assert run(inputs, tmp_path) == 0
    summary = {
        (row["paper"], row["kind"], row["verdict"]): int(row["n"])
        for row in read_table(tmp_path / "claims_summary.csv")
    }
    detailed = {key: n for key, n in summary.items() if "all" not in key}
    found = Counter((r["paper"], r["kind"], r["verdict"]) for r in rows.values())
    assert detailed == dict(found)
    assert summary["all", "all", "all"] == sum(detailed.values()) == 398
    assert summary["HP", "all", "all"] + summary["NS", "all", "all"] == 398


def changed_claims(folder: Path, edit: dict[str, dict[str, str]]) -> Path:
    lines = [{**row, **edit.get(row["claim_id"], {})} for row in read_table(CLAIMS)]
    write_table(folder / "claims.csv", lines)
    return folder / "claims.csv"


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        ({"HP-7-01": {"claim_id": "HP-7-99"}}, "claim HP-7-99 has no check"),
        ({"HP-7-01": {"claim_id": "HP-7-02"}}, "claim HP-7-02 stands twice"),
        ({"HP-7-01": {"kind": "guess"}}, "kind: found 'guess'"),
        ({"HP-16.2-22": {"published": "about 0.6"}}, "found 'about 0.6'"),
    ],
)
def test_a_damaged_list_of_claims_is_refused(
    inputs: dict[str, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    edit: dict[str, dict[str, str]],
    message: str,
) -> None:
    changed = {**inputs, "claims": changed_claims(tmp_path, edit)}
    assert run(changed, tmp_path / "out") == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "keep", "message"),
    [
        ("public_data.csv", r"text-davinci.*", "no rows where condition = claude-v1_zero-shot"),
        ("worked_example.csv", r"(?!flagged pairs).*", "no rows where quantity = flagged pairs"),
    ],
)
def test_a_missing_row_of_the_results_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, keep: str, message: str
) -> None:
    changed = write_inputs(tmp_path)
    table = changed["results"] / "tables" / name
    lines = [line for line in read_table(table) if re.fullmatch(keep, next(iter(line.values())))]
    write_table(table, lines)
    assert run(changed, tmp_path / "out") == 2
    assert message in capsys.readouterr().err


def test_a_doubled_row_and_a_missing_file_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = write_inputs(tmp_path)
    table = changed["results"] / "tables" / "worked_example.csv"
    lines = read_table(table)
    write_table(table, [*lines, lines[0]])
    assert run(changed, tmp_path / "out") == 2
    assert "2 rows where quantity = flagged pairs" in capsys.readouterr().err
    table.unlink()
    assert run(changed, tmp_path / "out") == 2
    assert "worked_example.csv cannot be read" in capsys.readouterr().err


def test_rows_that_should_agree_and_do_not_are_said_so(tmp_path: Path) -> None:
    changed = write_inputs(tmp_path)
    table = changed["results"] / "tables" / "public_data.csv"
    lines = read_table(table)
    lines[0]["n_two_option"] = "1"
    write_table(table, lines)
    row = ledger_rows(changed)["HP-16.3-26"]
    assert row["verdict"] == "not applicable"
    assert "the rows differ" in row["note"]
