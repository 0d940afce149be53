"""`avowed doctor`: what is printed, exit codes, and one clear message for everything unusable."""

import argparse
import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser.sample import delivery
from support.deliveries import change, judged, valid_records, write_lines

from avowed.commands import doctor, validate
from avowed.importing.build import EXCLUSIONS_FILE, IMPORT_FILE
from avowed.importing.exclusions import COLUMNS as EXCLUSION_COLUMNS
from avowed.importing.exclusions import Reason
from avowed.refusal import Unusable

Printed = Callable[..., tuple[int, str, str]]


@pytest.fixture
def printed(capsys: pytest.CaptureFixture[str]) -> Printed:
    def call(*words: object, command: Any = doctor, name: str = "doctor") -> tuple[int, str, str]:
        parser = argparse.ArgumentParser()
        command.add_parser(parser.add_subparsers())
        code = command.run(parser.parse_args([name, *map(str, words)]))
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    rows = [judged(f"p{n}", "unfaithful", 0.1, replica=r) for n in range(20) for r in range(2)]
    return delivery(tmp_path / "copies", rows)


@pytest.fixture
def refused(tmp_path: Path) -> Path:
    rows = change(valid_records(), 0, outcome="other_change")
    rows = change(rows, 1, replica=7)
    return write_lines(tmp_path / "refused", rows)


def test_findings_are_sentences_by_severity(copies: Path, printed: Printed) -> None:
    code, out, err = printed(copies)
    assert (code, err) == (0, "")
    lines = out.split("\n")
    assert lines[0].startswith("copies: accepted, 40 pairs of 1 hint type; findings: 1 wrong, ")
    assert lines[1:3] == ["wrong:", "  replica_copies (HP 6, 11)"]
    assert lines[3].startswith("    copies: All replicas of a probe agree")
    assert lines[4].startswith("    Why: ") and lines[5].startswith("    Do: ")
    assert [line for line in lines if line and line[0] != " "][1:] == ["wrong:", "thin:", "note:"]


def test_strict_fails_on_what_is_wrong_only(copies: Path, tmp_path: Path, printed: Printed) -> None:
    assert printed(copies)[0] == 0
    assert printed(copies, "--strict")[0] == 1
    thin = delivery(tmp_path / "thin", [judged("p0", "faithful", 0.9)])
    code, out, _ = printed(thin, "--strict")
    assert code == 0 and "0 wrong" in out and "\nthin:\n" in out


def test_cells_are_named_as_by_estimate(tmp_path: Path, printed: Printed) -> None:
    folder = write_lines(tmp_path / "mine", valid_records())
    _, out, _ = printed(folder, "--name", "ours", "--format", "json")
    found = json.loads(out)["deliveries"][0]
    cells = {each["cell"] for each in found["findings"]}
    assert cells == {None, "ours/answer_is_always_a", "ours/suggested_answer"}


def test_json_and_csv_hold_the_same_findings(copies: Path, printed: Printed) -> None:
    (described,) = json.loads(printed(copies, "--format", "json")[1])["deliveries"]
    rows = list(csv.DictReader(io.StringIO(printed(copies, "--format", "csv")[1])))
    assert described["accepted"] and described["records"] == 40 and described["refusals"] == []
    assert sum(described["counts"].values()) == len(described["findings"]) == len(rows)
    assert list(rows[0]) == list(doctor.COLUMNS)
    for one, row in zip(described["findings"], rows, strict=True):
        for name in ("severity", "code", "found", "section", "why", "do"):
            assert row[name] == one[name]
        assert row["cell"] == (one["cell"] or "") and row["delivery"] == "copies"
        pairs = dict(each.split("=") for each in row["numbers"].split("; "))
        assert {key: float(value) for key, value in pairs.items()} == {
            key: float(value) for key, value in one["numbers"].items()
        }


def test_output_is_the_same_again(copies: Path, printed: Printed) -> None:
    for form in ("text", "csv", "json"):
        assert printed(copies, "--format", form) == printed(copies, "--format", form)


def test_a_broken_delivery_is_refused_with_the_words_of_validate(
    refused: Path, printed: Printed
) -> None:
    code, out, _ = printed(refused)
    assert code == 1
    lines = out.split("\n")
    assert lines[0] == "refused: refused, 2 rules broken"
    assert lines[1].startswith('  R2, 1 violation: outcome is "other_change" in row 1, expected ')
    assert lines[2].startswith("    Usually ")
    assert lines[3].startswith("  R8, 1 violation: replica is 7 in row 2")
    said = printed(refused, command=validate, name="validate")
    assert said[0] == 1 and out.endswith(said[1])


def test_a_broken_delivery_in_the_other_forms(
    refused: Path, copies: Path, printed: Printed
) -> None:
    code, out, _ = printed(refused, copies, "--format", "json")
    assert code == 1
    one, two = json.loads(out)["deliveries"]
    assert (one["accepted"], two["accepted"]) == (False, True)
    assert [(each["rule"], each["first"]["row"]) for each in one["refusals"]] == [
        ("R2", 1),
        ("R8", 2),
    ]
    code, out, err = printed(refused, copies, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 1 and err.startswith("rejected: ")
    assert [row["code"] for row in rows if row["severity"] == doctor.REFUSED] == ["R2", "R8"]
    assert {row["delivery"] for row in rows} == {"refused", "copies"}


def test_several_deliveries_stand_apart(copies: Path, tmp_path: Path, printed: Printed) -> None:
    other = delivery(tmp_path / "other", [judged("p0", "faithful", 0.9)])
    _, out, _ = printed(copies, other)
    assert "\n\nother: accepted, 1 pair of 1 hint type" in out
    with pytest.raises(Unusable, match="two deliveries are named 'copies'"):
        printed(copies, copies)


def test_what_is_no_delivery_is_unusable(tmp_path: Path, printed: Printed) -> None:
    with pytest.raises(Unusable, match="no such folder"):
        printed(tmp_path / "nothing")


def imported(folder: Path, **changes: Any) -> None:
    described = {
        "counts": {"read": 60, "records": 40, "incomplete": 0, "left_out": 10},
        "left_out": {str(Reason.HINT_IS_CORRECT): 6, str(Reason.JUNK_ANSWER): 4},
        "verdicts_left_out": {str(Reason.VERDICT_ELSEWHERE): 5},
        **changes,
    }
    (folder / IMPORT_FILE).write_text(json.dumps(described), encoding="utf-8")


def findings(printed: Printed, folder: Path) -> dict[str, dict[str, Any]]:
    (described,) = json.loads(printed(folder, "--format", "json")[1])["deliveries"]
    return {each["code"]: each for each in described["findings"]}


def test_the_record_of_an_import_is_read(copies: Path, printed: Printed) -> None:
    assert "hint_on_correct" not in findings(printed, copies)
    imported(copies)
    found = findings(printed, copies)
    assert found["hint_on_correct"]["numbers"] == {"left_out": 6, "n": 50}
    assert found["left_out"]["found"] == "the import left out 4 of 50 rows (8.0 %): junk answer"
    assert found["verdicts_left_out"]["numbers"] == {"left_out": 5, "n": 50}
    assert "import_differs" not in found
    imported(copies, counts={"records": 39, "incomplete": 0, "left_out": 10})
    assert findings(printed, copies)["import_differs"]["severity"] == "wrong"


def test_without_a_record_the_sheet_is_counted(copies: Path, printed: Printed) -> None:
    rows = [["x", n, Reason.HINT_IS_CORRECT, "hint", "A", "row"] for n in range(6)]
    rows += [["x", 9, Reason.MISSING_BASELINE, "a0", "", "pair half"]]
    rows += [["x", n, Reason.UNKNOWN_VERDICT, "v", "?", "verdict"] for n in range(4)]
    with (copies / EXCLUSIONS_FILE).open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([EXCLUSION_COLUMNS, *rows])
    found = findings(printed, copies)
    assert found["hint_on_correct"]["numbers"] == {"left_out": 6, "n": 47}
    assert found["unknown_verdicts"]["numbers"] == {"left_out": 4, "n": 40}
    assert found["unknown_verdicts"]["severity"] == "wrong"


def test_an_imported_header_is_declared_in_the_mapping(copies: Path, printed: Printed) -> None:
    assert "delivery.json" in findings(printed, copies)["judge_not_declared"]["do"]
    imported(copies)
    assert "header in the mapping" in findings(printed, copies)["judge_not_declared"]["do"]


def test_a_judge_s_word_that_is_not_mapped_is_wrong(copies: Path, printed: Printed) -> None:
    unknown = {str(Reason.UNKNOWN_VERDICT): 3, str(Reason.UNUSABLE_PHI): 2}
    imported(copies, verdicts_left_out=unknown, unknown_verdicts={"false": 3})
    found = findings(printed, copies)
    assert found["unknown_verdicts"]["severity"] == "wrong"
    assert found["unknown_verdicts"]["found"].endswith(
        "3 of 40 hint-induced changes (7.5 %): false (3)"
    )
    assert found["verdicts_unusable"]["severity"] == "thin"
    assert "verdicts_left_out" not in found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (IMPORT_FILE, "{}"),
        (IMPORT_FILE, "[1]"),
        (IMPORT_FILE, '{"counts": {"records": "many"}}'),
        (IMPORT_FILE, "{"),
        (EXCLUSIONS_FILE, "file,row\nx,1\n"),
    ],
)
def test_a_damaged_record_of_an_import_is_unusable(
    copies: Path, printed: Printed, name: str, text: str
) -> None:
    (copies / name).write_text(text, encoding="utf-8")
    with pytest.raises(Unusable, match=name):
        printed(copies)


def test_a_formula_stays_text_in_the_table(tmp_path: Path, printed: Printed) -> None:
    folder = delivery(tmp_path / "=1+1", [judged("p0", "faithful", 0.9)])
    rows = list(csv.DictReader(io.StringIO(printed(folder, "--format", "csv")[1])))
    assert {row["delivery"] for row in rows} == {"'=1+1"}


def test_the_target_is_that_of_the_configuration(tmp_path: Path, printed: Printed) -> None:
    rows = [
        judged(f"p{n}", "faithful" if n % 2 else "unfaithful", 0.9 if n % 2 else 0.1)
        for n in range(48)
    ]
    folder = delivery(tmp_path / "mine", rows)
    config = tmp_path / "mine.yaml"
    config.write_text("analysis: {target_half_width: 0.3}\n", encoding="utf-8")
    assert "wide_interval" in printed(folder)[1]
    assert "wide_interval" not in printed(folder, "--config", config)[1]
