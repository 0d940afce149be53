"""The dense arrays: what counts as a trial, and what the layout makes of a table of responses."""

from typing import Any

import numpy as np
import pytest
from support.factors import component_of, response, response_table, toy_case

from avowed.factors.inputs import Inputs
from avowed.factors.responses import RESPONSES
from avowed.factors.scored import MODIFIED, scored_from, scored_of

CASE = toy_case(4)
INPUTS = Inputs(
    ids=("i1", "i2"),
    codes=np.array([[0, 1, 0, 0], [1, 1, 0, 1]], dtype=np.int16),
    base=np.zeros(2, dtype=np.int16),
)


def scored(*rows: dict[str, Any], case: Any = CASE) -> Any:
    return scored_of(case, INPUTS, response_table(rows, RESPONSES), "component")


def test_a_trial_is_compared_with_the_original_decision_of_its_own_input() -> None:
    found = scored(
        response(decision="1"),
        response(input="i2", decision="2"),
        response(feature="b", intervention="blank", decision="1", explanation="not_asked"),
        response(feature="b", intervention="blank", trial=1, decision="2"),
        response(input="i2", feature="b", intervention="blank", trial=1, decision="2"),
        response(input="i2", feature="d", intervention="sufficiency", decision="3"),
    )
    assert found.changed["blank"][:, 1].tolist() == [[0, 1], [-1, 0]]
    assert found.changed["sufficiency"][1, 3].tolist() == [1]
    assert found.changed["contrast"].shape == (2, 4, 0)
    assert found.usable.tolist() == [True, True]
    assert found.keys == ("a", "b", "c", "d") and found.inputs == 2


def test_an_invalid_response_has_no_trial_and_is_counted_by_kind() -> None:
    found = scored(
        response(),
        response(input="i2"),
        response(feature="a", intervention="blank", decision=None, validity="not_json"),
        response(feature="a", intervention="blank", trial=1, decision=None, validity="failed"),
        response(feature="a", intervention="blank", trial=2, decision="1"),
    )
    assert found.changed["blank"][0, 0].tolist() == [-1, -1, 0]
    assert found.invalid == {"response_failed": 1, "response_not_json": 1}


def test_an_invalid_original_makes_every_trial_of_its_input_worthless() -> None:
    found = scored(
        response(decision=None, validity="decision_outside", citations=["c", "a", "b"]),
        response(input="i2"),
        response(feature="a", intervention="blank", decision="1"),
        response(intervention="repeat", decision="1"),
        response(input="i2", intervention="repeat", decision="2"),
    )
    assert found.usable.tolist() == [False, True]
    assert found.changed["blank"][0, 0].tolist() == [-1]
    assert found.repeats.tolist() == [[-1], [1]]
    # What it cites can still be compared between components, but has no scores.
    assert found.cited[0].tolist() == [2, 0, 1]
    assert found.explained.tolist() == [False, True]


def test_a_missing_original_is_like_an_invalid_one() -> None:
    found = scored(response(), response(input="i2", intervention="repeat"))
    assert found.usable.tolist() == [True, False]
    assert found.cited[1].tolist() == [-1, -1, -1] and found.repeats[1].tolist() == [-1]


def test_an_invalid_explanation_leaves_the_decision_alone() -> None:
    found = scored(
        response(citations=None, explanation="too_few"),
        response(input="i2", citations=["d", "a", "b"]),
        response(input="i2", intervention="repeat", citations=["a", "d", "b"]),
        response(input="i2", intervention="repeat", trial=1, citations=None, explanation="missing"),
    )
    assert found.cited.tolist() == [[-1, -1, -1], [3, 0, 1]]
    assert found.usable.all() and found.explained.tolist() == [False, True]
    assert found.repeat_cited[1].tolist() == [[0, 3, 1], [-1, -1, -1]]
    # Repeats are no explanations of the decision: only the original's kind is counted.
    assert found.invalid == {"explanation_too_few": 1}


def test_a_ranking_is_as_wide_as_the_longest_one() -> None:
    found = scored(response(citations=list("bcda")), response(input="i2", citations=list("ab")))
    assert found.cited.tolist() == [[1, 2, 3, 0], [0, 1, -1, -1]]


def test_other_components_and_use_cases_in_the_table_are_left_alone() -> None:
    found = scored(
        response(decision="1"),
        response(input="i2"),
        response(component="other", decision="3", citations=list("dcb")),
        response(use_case="monitor", decision="2", feature="a", intervention="blank"),
    )
    assert found.cited[0].tolist() == [0, 1, 2]
    assert all(found.changed[name].size == 0 for name in MODIFIED)


def test_active_is_what_the_inputs_say() -> None:
    inputs = Inputs(
        ids=("i1",),
        codes=np.array([[0, -1, 1, -1]], dtype=np.int16),
        base=np.zeros(1, dtype=np.int16),
    )
    found = scored_of(CASE, inputs, response_table([response()], RESPONSES), "component")
    assert found.active.tolist() == [[True, False, True, False]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (response(input="i9"), "input 'i9'"),
        (response(feature="z", intervention="blank"), "feature 'z'"),
        (response(citations=["a", "b", "zz"]), "cited feature 'zz'"),
    ],
)
def test_a_name_that_does_not_exist_is_named(row: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        scored(response(input="i2"), row)


def test_a_component_without_responses_is_named() -> None:
    with pytest.raises(ValueError, match="component: there is no original response"):
        scored(response(component="other"))


def test_the_builder_of_the_tests_gives_the_scores_it_was_given() -> None:
    one = component_of(pn=[[1 / 3, None, 1]], ps=[[0, 2 / 3, None]], cited=["ac"])
    assert one.changed["blank"].tolist() == [[[1, 0, 0], [-1, -1, -1], [1, 1, 1]]]
    assert one.changed["sufficiency"].tolist() == [[[1, 1, 1], [0, 0, 1], [-1, -1, -1]]]
    assert one.cited.tolist() == [[0, 2, -1]]


def test_arrays_that_are_not_given_have_no_trial_and_no_text() -> None:
    one = scored_from(
        component="c",
        keys=("a",),
        active=np.array([[True]]),
        original=np.array([0]),
        cited=np.array([[0]]),
        decisions={},
        repeats=np.array([[0, 1]]),
    )
    assert one.changed["blank"].shape == (1, 1, 0)
    assert one.repeat_cited.tolist() == [[[-1], [-1]]] and dict(one.invalid) == {}
