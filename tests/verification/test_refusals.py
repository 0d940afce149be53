"""Both programs refuse the same deliveries, and the comparison says so when they do not."""

import csv
import json
from pathlib import Path

import pytest
from verification import diff, refusals

from avowed.pairs.refused import COLUMNS, refusal_rows, write_refused
from avowed.pairs.refused_cases import CASES
from avowed.present.csvfile import write_rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("refused")
    write_refused(folder)
    write_rows(folder / "refusals.csv", COLUMNS, refusal_rows(folder))
    return folder


def test_every_case_is_refused_for_the_same_rules(folder: Path) -> None:
    rows = refusals.rows(folder / "refusals.csv", folder)
    assert len(rows) == len(CASES)
    assert [row for row in rows if row["verdict"] != "agrees"] == []
    assert {row["quantity"] for row in rows if row["main"] == "none"} == {
        case.name for case in CASES if not case.rule
    }


def test_another_rule_a_missing_rule_and_a_missing_case_fail(folder: Path) -> None:
    with (folder / "refusals.csv").open(encoding="utf-8", newline="") as file:
        main = list(csv.DictReader(file))
    found = refusals.independent_rules(folder)
    main[2]["rules"] = ""
    main[0]["rules"] = "R4"
    gone, added = main.pop(5)["case"], "another_case"
    main.append({"case": added, "rules": "R1"})
    wrong = {
        row["quantity"]: row["verdict"]
        for row in refusals.compare_refusals(main, found)
        if row["verdict"] != "agrees"
    }
    assert wrong == {
        main[0]["case"]: "fails",
        main[2]["case"]: "fails",
        gone: "no counterpart in the pipeline",
        added: "no counterpart in the recomputation",
    }


def test_order_of_the_rules_does_not_matter(folder: Path) -> None:
    case = next(case for case in CASES if " " in case.rule)
    turned = " ".join(reversed(case.rule.split()))
    (row,) = refusals.compare_refusals(
        [{"case": case.name, "rules": turned}], {case.name: case.rule}
    )
    assert row["verdict"] == "agrees"


def test_written_rows_are_taken_by_the_diff(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "rows.jsonl"
    given = ["--table", str(folder / "refusals.csv"), "--folder", str(folder), "--out", str(out)]
    assert refusals.main(given) == 0
    assert len(diff.extra_rows(out)) == len(CASES)


def test_unusable_input_is_named_with_exit_2(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = str(folder / "refusals.csv")
    (tmp_path / "list" / "case").mkdir(parents=True)
    (tmp_path / "list" / "case" / "delivery.json").write_text(json.dumps([]))
    for given, words in (
        (["--table", "none.csv", "--folder", str(folder)], "none.csv cannot be read"),
        (["--table", table, "--folder", str(tmp_path / "none")], "no refused deliveries"),
        (["--table", table, "--folder", str(tmp_path / "list")], "found list, not one object"),
    ):
        assert refusals.main([*given, "--out", str(tmp_path / "rows.jsonl")]) == 2
        assert words in capsys.readouterr().err
