"""Positional instability: text compared at each place, over all pairs of repeats."""

import numpy as np
import pytest

from avowed.factors.instability import positional_instability, text_codes


def instability(*inputs: list[list[str] | None]) -> float:
    one = positional_instability("c", text_codes(inputs))
    return float(one.numerator.sum() / one.denominator.sum())


def test_the_same_text_at_the_same_place_is_stable() -> None:
    assert instability([["a", "b", "c"]] * 3) == 0.0
    assert instability([["Age", " goals", "x"], ["age ", "GOALS", "x"]]) == 0.0


def test_an_exchange_changes_two_places_and_a_paraphrase_one() -> None:
    assert instability([["a", "b", "c"], ["b", "a", "c"]]) == pytest.approx(2 / 3)
    assert instability([["age", "b", "c"], ["the age", "b", "c"]]) == pytest.approx(1 / 3)


def test_all_pairs_of_three_repeats_count() -> None:
    # One deviating repeat differs from the two others: two of three pairs, one of three places.
    assert instability([["a", "b", "c"], ["a", "b", "c"], ["a", "b", "d"]]) == pytest.approx(2 / 9)
    assert instability([["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]]) == 1.0


def test_a_missing_or_short_explanation_takes_its_pairs_out() -> None:
    stable, other = ["a", "b", "c"], ["x", "y", "z"]
    assert instability([stable, None, stable]) == 0.0
    assert instability([stable, ["a", "b"], stable]) == 0.0
    one = positional_instability("c", text_codes([[stable, None, other], [None, None, stable]]))
    assert one.numerator.tolist() == [3, 0] and one.denominator.tolist() == [3, 0]


def test_an_empty_text_is_a_text() -> None:
    codes = text_codes([[["", "b", "c"], None]])
    assert codes[0, 0].min() >= 0 and (codes[0, 1] == -1).all()


def test_one_repeat_has_no_pair() -> None:
    one = positional_instability("c", text_codes([[["a", "b", "c"]]]))
    assert one.denominator.tolist() == [0.0]


def test_equal_texts_of_different_inputs_and_places_have_one_code() -> None:
    codes = text_codes([[["a", "b", "c"]], [["c", "a", "b"]]])
    assert codes[0, 0].tolist() == np.roll(codes[1, 0], -1).tolist()
