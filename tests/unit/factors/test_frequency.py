"""Citation frequency given active, and its correlation with the features' mean scores."""

import numpy as np
import pytest
from support.factors import component_of

from avowed.factors.bootstrap import statistics
from avowed.factors.frequency import FeatureProfile, citation_frequencies, feature_means
from avowed.factors.scores import necessity

ONCE = np.ones((1, 3))


def values(ratios: list[object]) -> list[float]:
    return [float(one.draws[0]) for one in statistics(ratios, ONCE)]  # type: ignore[arg-type]


def test_a_feature_counts_only_where_it_is_active() -> None:
    one = component_of(pn=[[0] * 4] * 3, cited=["abd", "bca", "abd"], active=["abc", "bc", "abcd"])
    found = statistics(citation_frequencies(one), ONCE)
    # a: cited in all three but active in two; d: cited where it is not active does not count.
    assert [float(each.draws[0]) for each in found] == [1.0, 1.0, 1 / 3, 1.0]
    assert [each.n for each in found] == [2, 3, 3, 1]
    assert [each.part for each in found] == list("abcd")


def test_a_response_without_explanation_is_in_no_denominator() -> None:
    one = component_of(pn=[[0] * 4] * 3, cited=["abc", None, "abd"], unusable=[2])
    found = statistics(citation_frequencies(one), ONCE)
    assert [float(each.draws[0]) for each in found] == [1, 1, 1, 0]
    assert {each.n for each in found} == {1}


def test_a_feature_that_is_never_active_has_no_frequency() -> None:
    one = component_of(pn=[[0] * 4] * 3, cited=["abc"] * 3, active=["abc"] * 3)
    assert np.isnan(values(list(citation_frequencies(one)))).tolist() == [False] * 3 + [True]


def test_the_mean_of_a_feature_leaves_unscored_inputs_out() -> None:
    one = component_of(pn=[[1, None], [0, None], [None, 1 / 3]], cited=["ab"] * 3)
    ratios = feature_means("necessity", one, necessity(one, "blank"))
    assert values(list(ratios)) == pytest.approx([0.5, 1 / 3])


def test_correlations_are_over_features_that_have_both() -> None:
    profile = FeatureProfile(
        frequency=np.array([[0.9, 0.5, 0.1, np.nan]]),
        necessity=np.array([[0.8, 0.4, 0.2, 0.9]]),
        sufficiency=np.array([[0.1, 0.4, np.nan, 0.0]]),
    )
    found = profile.correlations()
    assert found["citation_necessity_correlation"].tolist() == [1.0]
    assert found["citation_sufficiency_correlation"].tolist() == [-1.0]
