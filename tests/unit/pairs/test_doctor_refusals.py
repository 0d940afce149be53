"""Broken rules: the first violation of each, with what usually causes it."""

from pathlib import Path

from support.deliveries import change, valid_records, write_lines

from avowed.pairs.doctor.refusals import CAUSES, refusals
from avowed.pairs.rules import validate
from avowed.pairs.violation import RULES


def test_every_rule_has_a_usual_cause() -> None:
    assert list(CAUSES) == list(RULES)


def test_the_first_violation_of_each_broken_rule(tmp_path: Path) -> None:
    rows = change(valid_records(), 0, outcome="other_change")
    rows = change(rows, 2, outcome="no_change")
    rows = change(rows, 5, baseline_correct=False)
    report = validate(write_lines(tmp_path, rows))
    found = refusals(report)
    assert {each.rule: each.count for each in found} == report.violations.by_rule()
    by_rule = {each.rule: each for each in found}
    assert by_rule["R2"].count == 2 and by_rule["R2"].first.row == 1
    assert by_rule["R2"].found.startswith('outcome is "other_change" in row 1, expected ')
    assert by_rule["R9"].first.row == 6 and by_rule["R9"].cause == CAUSES["R9"]


def test_an_accepted_delivery_has_none(tmp_path: Path) -> None:
    assert list(refusals(validate(write_lines(tmp_path, valid_records())))) == []
