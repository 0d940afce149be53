"""The control of interventions: by rank, and paired by feature."""

import numpy as np
import pytest
from support.factors import component_of

from avowed.factors.bootstrap import statistics
from avowed.factors.controls import control_of_interventions
from avowed.factors.scored import Scored


def values(one: Scored) -> dict[tuple[str, int | None], tuple[float, int]]:
    found = statistics(control_of_interventions(one), np.ones((1, one.inputs)))
    return {(each.quantity, each.k): (float(each.draws[0]), each.n) for each in found}


def test_both_means_of_a_pair_are_over_features_scored_under_both() -> None:
    one = component_of(
        primary="contrast",
        pn=[[1, 1 / 3, 0], [0, None, 1]],
        others={"blank": [[0, 1 / 3, None], [1, 1, 1]]},
        cited=["abc", "abc"],
    )
    found = values(one)
    # Rank 2 is scored under both in the first response only, rank 3 in the second only.
    assert found["control_blank_contrast", 1] == (0.5, 2)
    assert found["control_blank_blank", 1] == (0.5, 2)
    assert found["control_blank_difference", 1] == (0.0, 2)
    assert found["control_blank_contrast", 2] == (pytest.approx(1 / 3), 1)
    assert found["control_blank_difference", 2] == (0.0, 1)
    assert found["control_blank_contrast", 3] == found["control_blank_blank", 3] == (1.0, 1)
    # Alone, every intervention has the mean over all its scores.
    assert found["necessity_contrast_by_rank", 3] == (0.5, 2)
    assert found["necessity_blank_by_rank", 2] == (pytest.approx(2 / 3), 2)
    assert not [key for key in found if "similar" in key[0]]


def test_an_intervention_that_was_not_run_has_no_rows() -> None:
    alone = component_of(pn=[[1, 0, 0]], cited=["abc"])
    assert {key for key, _ in values(alone)} == {"necessity_blank_by_rank"}
    two = component_of(pn=[[1, 0, 0]], others={"similar": [[0, 0, 0]]}, cited=["abc"])
    assert {key for key, _ in values(two)} == {
        "necessity_blank_by_rank",
        "necessity_similar_by_rank",
    }


def test_a_response_without_explanation_is_at_no_rank() -> None:
    one = component_of(pn=[[1, 1, 1], [0, 0, 0]], cited=[None, "abc"])
    assert values(one)["necessity_blank_by_rank", 1] == (0.0, 1)
