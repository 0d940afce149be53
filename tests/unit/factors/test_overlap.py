"""Overlap of what two components cite, and agreement on the order of what they share."""

import numpy as np
import pytest
from support.factors import component_of

from avowed.factors.overlap import Overlap, compare_explanations
from avowed.factors.scored import Scored


def citing(*words: str | None, unusable: tuple[int, ...] = ()) -> Scored:
    return component_of(pn=[[0] * 6] * len(words), cited=words, unusable=unusable)


def compare(first: str | None, second: str | None) -> Overlap:
    return compare_explanations(citing(first), citing(second))


@pytest.mark.parametrize(
    ("first", "second", "shared", "ordering"),
    [
        ("abc", "abc", 3, 1.0),
        ("abc", "cba", 3, 0.0),
        ("abc", "acb", 3, 2 / 3),
        ("abc", "bca", 3, 1 / 3),
        ("abc", "adb", 2, 1.0),
        ("abc", "bda", 2, 0.0),
        ("abc", "cde", 1, np.nan),
        ("abc", "def", 0, np.nan),
    ],
)
def test_overlap_from_none_to_all(first: str, second: str, shared: int, ordering: float) -> None:
    for one, other in ((first, second), (second, first)):
        found = compare(one, other)
        assert found.jaccard[0] == pytest.approx(shared / (6 - shared))
        assert found.coefficient[0] == pytest.approx(shared / 3)
        assert found.ordering[0] == pytest.approx(ordering, nan_ok=True)


def test_an_input_needs_two_valid_explanations_and_no_valid_decision() -> None:
    found = compare_explanations(
        citing("abc", None, "abc", unusable=(0,)), citing("abc", "abc", None)
    )
    assert found.jaccard[0] == 1.0
    assert np.isnan(found.jaccard[1:]).all() and np.isnan(found.coefficient[1:]).all()
    # Two missing explanations share nothing.
    assert np.isnan(compare(None, None).jaccard[0]) and np.isnan(compare(None, None).ordering[0])


def test_the_number_of_shared_features_can_be_raised_and_not_lowered_below_two() -> None:
    two = compare_explanations(citing("abc"), citing("abd"), min_shared=3)
    assert np.isnan(two.ordering[0])
    one = compare_explanations(citing("abc"), citing("ade"), min_shared=1)
    assert np.isnan(one.ordering[0])


def test_components_of_other_inputs_are_refused() -> None:
    with pytest.raises(ValueError, match="did not see the same inputs: 1 and 2 inputs"):
        compare_explanations(citing("abc"), citing("abc", "abc"))
