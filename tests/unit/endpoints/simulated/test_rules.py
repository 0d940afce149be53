"""Decision rules against decisions worked out by hand."""

import numpy as np
import pytest
from support.factors_scenario_cases import profile_case, segments_case

from avowed.endpoints.simulated.calls import Calls
from avowed.endpoints.simulated.prescribed import Graded, Quota
from avowed.endpoints.simulated.rules import (
    Additive,
    Conjunction,
    Constant,
    Linear,
    Maximum,
    Single,
    Softmax,
    best_places,
)
from avowed.factors.inputs import ABSENT, BLANK
from avowed.factors.usecase import Feature

PROFILE, SEGMENTS = profile_case(), segments_case()


def calls(codes, *, kind="original", trial=0, feature=None, source=None):
    rows = np.array(codes, np.int16)
    return Calls(
        kind,
        trial,
        rows,
        np.zeros(len(rows), np.int16),
        np.full(len(rows), -1) if feature is None else np.array(feature),
        rows if source is None else np.array(source, np.int16),
    )


def decisions(rule, case, given):
    law = rule.law(case, given)
    assert np.array_equal(law.sum(axis=1), np.ones(len(law)))
    assert set(np.unique(law)) <= {0.0, 1.0}
    return law.argmax(axis=1).tolist()


def profile(**codes):
    """Codes of a profile, BLANK where nothing is said."""
    return [codes.get(key[-1], BLANK) for key in PROFILE.keys]


def prompt(**codes):
    """Codes of a prompt, ABSENT where nothing is said."""
    return [codes.get(key[-1], ABSENT) for key in SEGMENTS.keys]


def test_single_spreads_values_and_keeps_the_last_decision_for_the_unknown():
    rows = [profile(a=value) for value in range(4)] + [profile(b=1)]
    assert decisions(Single("field_a"), PROFILE, calls(rows)) == [0, 0, 1, 2, 3]
    assert decisions(Single("risk_b"), SEGMENTS, calls([prompt(b=1), prompt(a=0)])) == [4, 0]


def test_linear_adds_weighted_affinities():
    # field_c is binary and third: places of 4 decisions are ((j * 1 + 2) mod 4) / 3.
    assert np.allclose(best_places(2, 4), [2 / 3, 1, 0, 1 / 3])
    assert decisions(Linear({"field_c": 1}), PROFILE, calls([profile(c=0), profile(c=1)])) == [2, 1]
    # field_a at 1 wants decision 3; twice the weight of field_c at 0 outvotes it.
    row = calls([profile(a=3, c=0)])
    score = Linear({"field_a": 1, "field_c": 2}).scores(PROFILE, row)[0]
    affinity_a = 1 - np.abs(1 - np.array([0, 1, 2, 3]) / 3)
    affinity_c = 1 - np.array([2 / 3, 1, 0, 1 / 3])
    assert np.allclose(score, affinity_a + 2 * affinity_c)


def test_ties_go_to_the_first_decision():
    assert decisions(Linear({"field_a": 1}), PROFILE, calls([profile(b=2)])) == [0]
    # Half way between two levels: the lower one.
    assert decisions(Additive({"risk_a": 1.5}), SEGMENTS, calls([prompt(a=0)])) == [1]
    # 0.1 + 1.1 + 0.3 is 1.5000000000000002 in floating point, and is the same level.
    rule = Additive({"risk_a": 0.1, "risk_b": 1.1, "risk_c": 0.3})
    assert decisions(rule, SEGMENTS, calls([prompt(a=0, b=0, c=0)])) == [1]


def test_additive_clips_at_both_ends_and_reads_points_by_expression():
    rule = Additive({"risk_a": (3, 1), "risk_b": 2, "risk_c": -9}, start=1)
    rows = [prompt(a=0), prompt(a=1), prompt(a=0, b=0), prompt(c=0), prompt(d=0)]
    assert decisions(rule, SEGMENTS, calls(rows)) == [4, 2, 4, 0, 1]


def test_additive_on_a_profile_takes_the_place_on_the_scale():
    rule = Additive({"field_d": 3})
    rows = [profile(d=0), profile(d=9), profile(d=3), profile(a=1)]
    assert decisions(rule, PROFILE, calls(rows)) == [0, 3, 1, 0]


def test_maximum_takes_the_gravest():
    rule = Maximum({"risk_a": 3, "risk_b": 1}, start=0)
    rows = [prompt(a=0, b=0), prompt(b=0), prompt(c=0), prompt(a=1)]
    assert decisions(rule, SEGMENTS, calls(rows)) == [3, 1, 0, 3]


def test_conjunction_asks_for_all_or_for_enough():
    rows = calls([prompt(a=0, b=0, c=0), prompt(a=0, b=0), prompt(a=0)])
    both = ("risk_a", "risk_b", "risk_c")
    assert decisions(Conjunction(both, then="5", other="2"), SEGMENTS, rows) == [4, 1, 1]
    assert decisions(Conjunction(both, "5", "2", least=2), SEGMENTS, rows) == [4, 4, 1]


def test_conjunction_on_a_profile_asks_for_the_upper_half():
    three = Feature("size", "Size", "ordinal", ("small", "middle", "large"))
    case = profile_case(features=(three,))
    rule = Conjunction(("size",), then="north", other="west")
    assert decisions(rule, case, calls([[0], [1], [2], [BLANK]])) == [3, 0, 0, 3]


def test_constant_looks_at_nothing():
    assert decisions(Constant("south"), PROFILE, calls([profile(a=1), profile()])) == [2, 2]


def test_softmax_is_the_softmax_of_the_scores():
    rule = Additive({"risk_a": 2})
    law = Softmax(rule, 0.5).law(SEGMENTS, calls([prompt(a=0)]))[0]
    weights = np.exp(-np.abs(np.arange(5) - 2) / 0.5)
    assert np.allclose(law, weights / weights.sum())


@pytest.mark.parametrize("trial", [0, 1, 2])
def test_quota_changes_by_the_number_of_the_trial(trial):
    rule = Quota(("risk_c", "risk_a", "risk_b"), (3, 1, 0), (2, 0, 3))
    source = [prompt(a=0, b=0)] * 3
    # Priority among the active ones: a is first, b second; c is not there.
    first = sum(source[0]) % 5
    given = calls(source, kind="blank", trial=trial, feature=[0, 1, 3], source=source)
    changed = [found != first for found in decisions(rule, SEGMENTS, given)]
    assert changed == [True, trial < 1, False]
    alone = calls(source, kind="sufficiency", trial=trial, feature=[0, 1, 3], source=source)
    kept = [found == first for found in decisions(rule, SEGMENTS, alone)]
    assert kept == [trial < 2, False, False]
    for kind in ("original", "similar"):
        given = calls(source, kind=kind, trial=trial, feature=[0, 1, 3], source=source)
        assert decisions(rule, SEGMENTS, given) == [first] * 3


def test_graded_changes_with_a_probability():
    rule = Graded(("risk_a", "risk_b"), (0.9, 0.5), (0.2, 1))
    source = [prompt(a=0, b=0, c=0)] * 3
    first = sum(source[0]) % 5
    given = calls(source, kind="blank", feature=[0, 1, 2], source=source)
    assert np.allclose(rule.law(SEGMENTS, given)[:, first], [0.1, 0.5, 1])
    alone = calls(source, kind="sufficiency", feature=[0, 1, 2], source=source)
    assert np.allclose(rule.law(SEGMENTS, alone)[:, first], [0.2, 1, 0])
