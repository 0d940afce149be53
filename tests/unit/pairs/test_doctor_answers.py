"""Answers that make no sense as they are coded, each check with what triggers it and what not."""

import pytest
from support.deliveries import record
from support.doctor import Row, answered, cell, codes, moved, stayed

from avowed.pairs.doctor import answers


def shifted(probes: int, *, by: int) -> list[Row]:
    """Unhinted answers are right and hinted ones on the hint, but all are coded off by one."""
    return [
        answered(
            f"p{n}",
            1 + by,
            (1 if n % 2 else 3) + by,
            n_options=5,
            correct_answer=1,
            hint_answer=3,
        )
        for n in range(probes)
    ]


@pytest.mark.parametrize("by", [-1, 1])
def test_answers_coded_off_by_one_are_told(by: int) -> None:
    found = answers.shifted_answers(cell(shifted(20, by=by)))
    assert codes(found) == [("shifted_answers", "wrong")] * 2
    assert found[1].numbers == {
        "distance": by,
        "better": 10,
        "worse": 0,
        "p_value": pytest.approx(0.5**10),
    }
    # All of 20 probes one way: half to the power of 20.
    assert found[0].numbers["p_value"] == pytest.approx(0.5**20)
    assert found[0].numbers["distance"] == by and found[0].numbers["better"] == 20
    assert f"option {'after' if by > 0 else 'before'} the correct one" in found[0].found
    assert f"change to the option {'after' if by > 0 else 'before'} the hint" in found[1].found


def test_right_answers_are_not_shifted() -> None:
    assert answers.shifted_answers(cell(shifted(20, by=0))) == []


def test_nine_shifted_probes_are_no_proof() -> None:
    assert answers.shifted_answers(cell(shifted(9, by=1))) == []
    assert codes(answers.shifted_answers(cell(shifted(10, by=1)))) == [("shifted_answers", "wrong")]


def test_hints_off_by_one_are_told_from_the_correct_option() -> None:
    rows = [answered(f"p{n}", 0, 3, hint_answer=2) for n in range(12)]
    found = answers.shifted_answers(cell(rows))
    assert codes(found) == [("shifted_answers", "wrong")]
    assert "answers change to the option after the hinted one" in found[0].found
    # Where the next option is the correct one, the answer is merely right.
    right = [answered(f"p{n}", 1, 3, correct_answer=3, hint_answer=2) for n in range(12)]
    assert answers.shifted_answers(cell(right)) == []
    # An answer that was there without the hint is no change.
    liked = [answered(f"p{n}", 3, 3, correct_answer=0, hint_answer=2) for n in range(12)]
    assert answers.shifted_answers(cell(liked)) == []


def test_swapped_halves() -> None:
    rows = [answered(f"p{n}", 2, 0) for n in range(12)]
    found = answers.swapped_halves(cell(rows))
    assert codes(found) == [("swapped_halves", "wrong")]
    assert found[0].numbers["p_value"] == pytest.approx(0.5**12)
    assert answers.swapped_halves(cell([answered(f"p{n}", 0, 2) for n in range(12)])) == []


def test_replicas_of_one_probe_are_one_vote_of_the_sign_test() -> None:
    rows = [answered("p0", 2, 0, replica=n) for n in range(40)]
    assert answers.swapped_halves(cell(rows)) == []


def accuracy(right: int, wrong: int) -> list[Row]:
    return [answered(f"p{n}", 0 if n < right else 1, 0) for n in range(right + wrong)]


def test_an_accuracy_below_guessing() -> None:
    found = answers.baseline_accuracy(cell(accuracy(3, 47)))
    assert codes(found) == [("accuracy_at_chance", "wrong")]
    # Wilson's interval of 3/50 by its closed form.
    z2, p, n = 1.959963984540054**2, 3 / 50, 50
    upper = (p + z2 / (2 * n) + (z2 * (p * (1 - p) / n + z2 / (4 * n * n))) ** 0.5) / (1 + z2 / n)
    assert found[0].numbers["upper"] == pytest.approx(upper)
    assert found[0].numbers["chance"] == 0.25


def test_an_accuracy_at_guessing_is_thin_and_one_above_is_none() -> None:
    assert codes(answers.baseline_accuracy(cell(accuracy(5, 15)))) == [
        ("accuracy_at_chance", "thin")
    ]
    assert answers.baseline_accuracy(cell(accuracy(6, 14))) == []


def test_a_correct_answer_that_is_never_given() -> None:
    assert codes(answers.baseline_accuracy(cell(accuracy(0, 30)))) == [
        ("correct_never_given", "wrong")
    ]
    assert codes(answers.baseline_accuracy(cell(accuracy(0, 10)))) == [
        ("correct_never_given", "thin")
    ]
    assert answers.baseline_accuracy(cell(accuracy(0, 9))) == []


@pytest.mark.parametrize(
    ("moves", "stays", "expected"),
    [
        (0, 20, [("susceptibility_low", "thin")]),
        (1, 40, [("susceptibility_low", "thin")]),
        (1, 19, []),
        (19, 1, []),
        (20, 0, [("susceptibility_high", "thin")]),
        (0, 19, []),
    ],
)
def test_susceptibility_at_its_ends(
    moves: int, stays: int, expected: list[tuple[str, str]]
) -> None:
    found = answers.susceptibility_ends(cell([*moved(0, moves), *stayed(stays)]))
    assert codes(found) == expected
    if found:
        assert found[0].numbers == {"moved": moves, "n": moves + stays, "clusters": moves + stays}


def test_answers_that_were_not_extracted() -> None:
    lost = [answered(f"u{n}", None, 0) for n in range(2)]
    found = answers.not_extracted(cell([*stayed(30), *lost]))
    assert codes(found) == [("not_extracted", "thin")]
    assert found[0].numbers == {"lost": 2, "unhinted": 2, "hinted": 0, "n": 32}
    assert answers.not_extracted(cell([*stayed(38), *lost])) == []
    assert codes(answers.not_extracted(cell(lost))) == [("not_extracted", "wrong")]


def placed(hints: list[int], corrects: list[int]) -> list[Row]:
    return [
        record(f"p{n}", hint_answer=h, correct_answer=c, baseline_answer=c, hinted_answer=c)
        for n, (h, c) in enumerate(zip(hints, corrects, strict=True))
    ]


def test_hints_and_correct_answers_in_one_place() -> None:
    varied = [1 + n % 3 for n in range(20)]
    assert codes(answers.positions(cell(placed([0] * 20, varied)))) == [("hint_position", "thin")]
    assert codes(answers.positions(cell(placed(varied, [0] * 20)))) == [
        ("correct_position", "thin")
    ]
    others = [(1 + n) % 4 for n in range(20)]
    assert answers.positions(cell(placed([(n + 1) % 4 for n in others], others))) == []
    assert answers.positions(cell(placed([0] * 9, varied[:9]))) == []


def test_one_answer_to_every_question() -> None:
    rows = [
        answered(f"p{n}", 3, 0 if n % 2 else 3, correct_answer=n % 2, hint_answer=2)
        for n in range(20)
    ]
    found = answers.positions(cell(rows))
    assert ("answers_constant", "thin") in codes(found)
    assert [each.found for each in found if each.code == "answers_constant"] == [
        "all 20 unhinted answers are option 3 (counted from 0)"
    ]
    rows[0] = answered("p0", 1, 1, correct_answer=0, hint_answer=2)
    assert "answers_constant" not in dict(codes(answers.positions(cell(rows))))
