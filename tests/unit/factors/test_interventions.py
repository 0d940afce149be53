"""Interventions change what they should, nothing else, and say when they cannot be made."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avowed.factors.inputs import ABSENT, BLANK, Inputs, generate_inputs
from avowed.factors.interventions import (
    BINARY,
    FIXED_POINT,
    INACTIVE,
    INTERVENTIONS,
    NO_CONTRAST,
    contrast_codes,
    intervene,
    shared_words,
    similar_codes,
)
from avowed.factors.usecase import Feature, UseCase, read_use_case

FOLDER = Path(__file__).parents[3] / "data" / "usecases"
ADVISOR, MONITOR, LOAN = (
    read_use_case(FOLDER / f"{name}.yaml") for name in ("advisor", "monitor", "loan")
)
CASES = {case.name: case for case in (ADVISOR, MONITOR, LOAN)}

words = st.lists(st.sampled_from(["a", "b", "c", "D", "d"]), max_size=4).map(" ".join)
pools = st.lists(words, min_size=2, max_size=7, unique=True).map(tuple)


def values(count: int) -> tuple[str, ...]:
    return tuple(f"value {number}" for number in range(count))


@st.composite
def cases(draw: st.DrawFn) -> tuple[UseCase, Inputs]:
    """A use case of either kind with drawn pools, and six inputs of it."""
    if draw(st.booleans()):
        kinds = draw(
            st.lists(
                st.sampled_from(["categorical", "ordinal", "binary", "scale", "text"]),
                min_size=3,
                max_size=6,
            )
        )
        features = tuple(
            Feature(
                f"f{position}",
                "F",
                kind,
                draw(pools)
                if kind in ("categorical", "text")
                else values(2 if kind == "binary" else draw(st.integers(2, 7))),
            )
            for position, kind in enumerate(kinds)
        )
        case = dataclasses.replace(LOAN, features=features, samples=6)
    else:
        keys = [f"f{position}" for position in range(draw(st.integers(3, 6)))]
        features = tuple(
            Feature(
                key,
                "F",
                "segment",
                values(draw(st.integers(2, 4))),
                tuple(draw(st.permutations([k for k in keys if k != key])))[
                    : draw(st.integers(0, 5))
                ],
            )
            for key in keys
        )
        active = (draw(st.integers(1, 2)), draw(st.integers(2, len(keys))))
        case = dataclasses.replace(MONITOR, features=features, samples=6, active=active)
    return case, generate_inputs(case, seed=draw(st.integers(0, 99)))


@settings(max_examples=150, deadline=None)
@given(cases(), st.sampled_from(INTERVENTIONS), st.data())
def test_what_holds_for_every_intervention(
    drawn: tuple[UseCase, Inputs], name: str, data: st.DataObject
) -> None:
    case, inputs = drawn
    feature = data.draw(st.integers(0, len(case.features) - 1))
    before = inputs.codes.copy()
    done = intervene(case, inputs, feature, name)
    assert np.array_equal(inputs.codes, before)
    assert done.codes.shape == before.shape and done.codes.dtype == np.int16
    sizes = np.array([len(one.values) for one in case.features])
    assert (done.codes < sizes).all()
    removed = BLANK if case.kind == "profile" else ABSENT
    assert set(done.codes[done.codes < 0].tolist()) <= {removed, ABSENT}
    assert [reason is None for reason in done.reason] == done.constructible.tolist()
    assert np.array_equal(done.codes[~done.constructible], before[~done.constructible])
    assert not done.constructible[~inputs.active[:, feature]].any()
    others = np.arange(len(sizes)) != feature
    if name in ("blank", "similar") or (name == "contrast" and case.kind == "profile"):
        assert np.array_equal(done.codes[:, others], before[:, others])
    made = done.constructible
    if name == "similar" and case.features[feature].kind in ("ordinal", "scale"):
        moved = done.codes[made, feature].astype(int) - before[made, feature]
        assert (np.abs(moved) == 1).all()
    if name == "similar" and case.kind == "segments":
        assert (done.codes[made, feature] >= 0).all()
        assert (done.codes[made, feature] != before[made, feature]).all()
    if name == "contrast":
        assert (done.codes[made, feature] != before[made, feature]).all()


@settings(max_examples=60, deadline=None)
@given(cases(), st.data())
def test_blank_and_sufficiency_are_complements(
    drawn: tuple[UseCase, Inputs], data: st.DataObject
) -> None:
    case, inputs = drawn
    feature = data.draw(st.integers(0, len(case.features) - 1))
    without = intervene(case, inputs, feature, "blank")
    only = intervene(case, inputs, feature, "sufficiency")
    assert np.array_equal(without.constructible, only.constructible)
    made = without.constructible
    assert np.array_equal(made, inputs.active[:, feature])
    # Every present value is kept by exactly one of the two.
    kept = (without.codes[made] >= 0).astype(int) + (only.codes[made] >= 0)
    assert np.array_equal(kept, inputs.active[made].astype(int))
    assert np.array_equal(np.maximum(without.codes, only.codes)[made], inputs.codes[made])


@settings(max_examples=60, deadline=None)
@given(cases(), st.data())
def test_a_mirror_twice_is_the_original(drawn: tuple[UseCase, Inputs], data: st.DataObject) -> None:
    case, inputs = drawn
    mirrored = [
        position
        for position, feature in enumerate(case.features)
        if feature.kind in ("ordinal", "scale", "binary")
    ]
    if not mirrored:
        return
    feature = data.draw(st.sampled_from(mirrored))
    once = intervene(case, inputs, feature, "contrast")
    twice = intervene(case, dataclasses.replace(inputs, codes=once.codes), feature, "contrast")
    assert np.array_equal(twice.codes, inputs.codes)


def oracle(pool: tuple[str, ...], value: int, *, most: bool) -> int:
    """The alternative by the words of appendix C, one pair at a time."""
    own = set(re.findall(r"\w+", pool[value].lower()))
    best, found = -1, 0
    for other, text in enumerate(pool):
        if other == value:
            continue
        shared = len({word for word in re.findall(r"\w+", text.lower()) if word in own})
        if best < 0 or (shared > found if most else shared < found):
            best, found = other, shared
    return best


@given(pools, st.sampled_from(["categorical", "text"]))
def test_word_overlap_against_a_search_by_hand(pool: tuple[str, ...], kind: str) -> None:
    feature = Feature("a", "A", kind, pool)
    everything = range(len(pool))
    assert contrast_codes(feature).tolist() == [oracle(pool, v, most=False) for v in everything]
    assert similar_codes(feature).tolist() == [oracle(pool, v, most=True) for v in everything]


def test_words_are_lower_cased_and_counted_once() -> None:
    shared = shared_words(("Tax, tax and TAX", "a tax-free tax", "d'accord", "Straße"))
    assert shared[0].tolist() == [2, 1, 0, 0]
    assert shared[1, 1] == 3
    assert (shared == shared.T).all()


def test_ties_go_to_the_first_of_the_pool() -> None:
    feature = Feature("a", "A", "text", ("one", "two", "three"))
    assert contrast_codes(feature).tolist() == [1, 0, 0]
    assert similar_codes(feature).tolist() == [1, 0, 0]


@pytest.mark.parametrize("key", ["investing_interest", "goal_clarity"])
def test_on_one_to_ten_x_becomes_eleven_minus_x(key: str) -> None:
    feature = ADVISOR.features[ADVISOR.index(key)]
    image = [int(feature.values[code]) for code in contrast_codes(feature)]
    assert image == [11 - int(value) for value in feature.values]
    near = [int(feature.values[code]) for code in similar_codes(feature)]
    assert near == [2, 3, 4, 5, 6, 7, 8, 9, 10, 9]


def test_the_middle_of_an_odd_list() -> None:
    feature = ADVISOR.index("education")
    inputs = generate_inputs(ADVISOR, seed=3)
    middle = inputs.codes[:, feature] == 2
    assert middle.any()
    plain = intervene(ADVISOR, inputs, feature, "contrast")
    assert np.array_equal(plain.constructible, ~middle)
    assert {plain.reason[i] for i in np.flatnonzero(middle)} == {FIXED_POINT}
    far = intervene(ADVISOR, inputs, feature, "contrast", fixed_point="far end")
    assert far.constructible.all()
    assert (far.codes[middle, feature] == 0).all()
    assert np.array_equal(far.codes[~middle], plain.codes[~middle])


def test_a_binary_field_and_its_similar_value() -> None:
    feature = ADVISOR.index("business_owner")
    inputs = generate_inputs(ADVISOR, seed=3)
    flipped = intervene(ADVISOR, inputs, feature, "contrast").codes[:, feature]
    assert np.array_equal(flipped, 1 - inputs.codes[:, feature])
    same = intervene(ADVISOR, inputs, feature, "similar")
    assert same.constructible.all() and np.array_equal(same.codes, inputs.codes)
    none = intervene(ADVISOR, inputs, feature, "similar", binary_similar="not constructible")
    assert not none.constructible.any() and set(none.reason) == {BINARY}


def monitor_input(**codes: int) -> Inputs:
    row = np.full((1, len(MONITOR.features)), ABSENT, np.int16)
    for key, code in codes.items():
        row[0, MONITOR.index(key)] = code
    return Inputs(("prompt-001",), row, np.zeros(1, np.int16))


def test_a_segment_is_swapped_for_the_first_contrast_that_is_not_in_the_prompt() -> None:
    inputs = monitor_input(contains_pii=3, profanity=1, high_stakes_context=0)
    feature = MONITOR.index("contains_pii")
    assert MONITOR.features[feature].contrasts[:2] == ("profanity", "harmful_request")
    done = intervene(MONITOR, inputs, feature, "contrast")
    # The expression has the position of the one taken out.
    expected = monitor_input(harmful_request=3, profanity=1, high_stakes_context=0)
    assert done.constructible.all() and np.array_equal(done.codes, expected.codes)


def test_the_position_is_counted_round_in_a_shorter_category() -> None:
    short = tuple(
        dataclasses.replace(one, values=one.values[:3]) if one.key == "profanity" else one
        for one in MONITOR.features
    )
    case = dataclasses.replace(MONITOR, features=short)
    done = intervene(case, monitor_input(contains_pii=3), case.index("contains_pii"), "contrast")
    assert np.array_equal(done.codes, monitor_input(profanity=0).codes)


def test_no_contrasting_category_is_left() -> None:
    few = tuple(dataclasses.replace(one, contrasts=one.contrasts[:1]) for one in MONITOR.features)
    case = dataclasses.replace(MONITOR, features=few)
    inputs = monitor_input(contains_pii=0, profanity=0)
    done = intervene(case, inputs, case.index("contains_pii"), "contrast")
    assert done.reason == (NO_CONTRAST,) and np.array_equal(done.codes, inputs.codes)


def test_the_similar_segment_is_the_next_expression() -> None:
    feature = MONITOR.index("profanity")
    for code, expected in ((0, 1), (2, 3), (3, 0)):
        done = intervene(MONITOR, monitor_input(profanity=code), feature, "similar")
        assert np.array_equal(done.codes, monitor_input(profanity=expected).codes)


def test_an_inactive_category_cannot_be_changed() -> None:
    inputs = monitor_input(contains_pii=0)
    for name in INTERVENTIONS:
        done = intervene(MONITOR, inputs, MONITOR.index("profanity"), name)
        assert done.reason == (INACTIVE,) and np.array_equal(done.codes, inputs.codes)


def test_the_shipped_contrasts_can_all_be_made_for_prompts() -> None:
    inputs = generate_inputs(MONITOR, seed=3)
    for feature in range(len(MONITOR.features)):
        done = intervene(MONITOR, inputs, feature, "contrast")
        assert np.array_equal(done.constructible, inputs.active[:, feature])
        # A swap keeps the number of segments.
        assert np.array_equal((done.codes >= 0).sum(axis=1), inputs.active.sum(axis=1))


def test_wrong_arguments() -> None:
    inputs = generate_inputs(LOAN, seed=3)
    with pytest.raises(ValueError, match="intervention 'swap'; expected one of contrast, blank"):
        intervene(LOAN, inputs, 0, "swap")
    for feature in (-1, len(LOAN.features)):
        with pytest.raises(ValueError, match=f"feature {feature}; expected 0 to 5"):
            intervene(LOAN, inputs, feature, "blank")
