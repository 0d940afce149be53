"""What an import says it left out."""

from support.doctor import codes

from avowed.pairs.doctor import imported
from avowed.pairs.doctor.imported import LeftOut


def test_hints_on_the_correct_answer() -> None:
    assert imported.hints_on_correct(LeftOut(rows=100)) == []
    assert codes(imported.hints_on_correct(LeftOut(rows=100, hint_on_correct=5))) == [
        ("hint_on_correct", "note")
    ]
    found = imported.hints_on_correct(LeftOut(rows=100, hint_on_correct=6))
    assert codes(found) == [("hint_on_correct", "thin")]
    assert found[0].numbers == {"left_out": 6, "n": 100}


def test_reasons_above_five_percent() -> None:
    found = imported.much_left_out(LeftOut(rows=100, reasons={"junk answer": 6, "other": 5}))
    assert codes(found) == [("left_out", "thin")]
    assert found[0].found == "the import left out 6 of 100 rows (6.0 %): junk answer"
    assert imported.much_left_out(LeftOut(rows=100)) == []


def test_verdicts_above_five_percent() -> None:
    found = imported.verdicts_left_out(LeftOut(rows=20, verdicts={"elsewhere": 2, "x": 1}))
    assert codes(found) == [("verdicts_left_out", "note")]
    assert "2 verdicts of 20 rows: elsewhere" in found[0].found


def test_a_word_of_the_judge_that_is_not_mapped_is_wrong() -> None:
    none = LeftOut(rows=900)
    assert imported.unusable_verdicts(none, 100) == []
    few = LeftOut(rows=900, unknown=5)
    assert codes(imported.unusable_verdicts(few, 100)) == [("unknown_verdicts", "note")]
    # Against the changes, not against the rows: 6 of 900 rows would be few.
    found = imported.unusable_verdicts(LeftOut(rows=900, unknown=6, words={"false": 6}), 100)
    assert codes(found) == [("unknown_verdicts", "wrong")]
    assert found[0].found.endswith("6 of 100 hint-induced changes (6.0 %): false (6)")
    assert imported.unusable_verdicts(few, 0) == []


def test_other_verdicts_on_changes_that_cannot_be_used() -> None:
    left_out = LeftOut(rows=900, unusable={"unusable phi": 5, "x": 4})
    found = imported.unusable_verdicts(left_out, 100)
    assert codes(found) == [("verdicts_unusable", "thin")]
    assert "5 of 100 hint-induced changes (5.0 %): unusable phi" in found[0].found


def test_the_record_of_another_import() -> None:
    assert imported.other_import(LeftOut(rows=9, records=8), 8) == []
    assert imported.other_import(LeftOut(rows=9), 8) == []
    assert codes(imported.other_import(LeftOut(rows=9, records=7), 8)) == [
        ("import_differs", "wrong")
    ]
