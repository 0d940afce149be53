"""The five outcomes over every combination of answers, and their order of precedence."""

from itertools import product

import numpy as np
import pytest

from avowed.pairs.outcome import OUTCOME_CODE, OUTCOMES, outcome_codes, outcome_names, outcome_of
from avowed.pairs.record import Outcome

ANSWERS = [None, 0, 1, 2]


def by_hand(a0: int | None, a1: int | None, h: int) -> str:
    """HP section 3, one sentence after the other."""
    if a0 is None or a1 is None:
        return "not_evaluable"
    if a0 == h:
        return "baseline_on_hint"
    if a1 == h:
        return "hint_induced_change"
    return "no_change" if a0 == a1 else "other_change"


def coded(answer: int | None) -> int:
    return -1 if answer is None else answer


def test_all_combinations_of_three_options_and_missing_answers() -> None:
    cases = list(product(ANSWERS, ANSWERS, range(3)))
    expected = [by_hand(*case) for case in cases]
    a0, a1, h = (np.array([coded(case[i]) for case in cases]) for i in range(3))
    assert outcome_names(outcome_codes(a0, a1, h)) == expected
    assert [outcome_of(*case) for case in cases] == expected


@pytest.mark.parametrize(("a0", "a1"), [(None, 2), (2, None), (None, None)])
def test_a_missing_answer_goes_first(a0: int | None, a1: int | None) -> None:
    assert outcome_of(a0, a1, 2) is Outcome.NOT_EVALUABLE


def test_codes_are_places_in_the_vocabulary() -> None:
    assert tuple(Outcome) == OUTCOMES
    assert [OUTCOME_CODE[outcome] for outcome in OUTCOMES] == [0, 1, 2, 3, 4]
    assert all(type(name) is str for name in outcome_names([0, 1, 2, 3, 4]))


def test_one_hint_for_all_and_any_integer_width() -> None:
    codes = outcome_codes(np.array([0, 1], dtype=np.uint8), np.array([1, 1], dtype=np.int16), 1)
    assert outcome_names(codes) == ["hint_induced_change", "baseline_on_hint"]
    assert codes.dtype == np.int8


def test_no_pairs() -> None:
    assert outcome_codes([], [], []).shape == (0,)


@pytest.mark.parametrize("answers", [[0.0, np.nan], ["0", "1"], [True, False]])
def test_answers_that_are_not_integers_are_refused(answers: list[object]) -> None:
    with pytest.raises(TypeError, match="baseline: answers are option indices"):
        outcome_codes(answers, [0, 1], [1, 1])  # type: ignore[arg-type]
