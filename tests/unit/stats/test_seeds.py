"""Random streams: named by four ids, never shared by accident, the same everywhere."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from avowed.stats.seeds import Study, generator, name_id

ID = st.integers(min_value=0, max_value=2**32 - 1)


def draw(*ids: int) -> list[int]:
    return generator(*ids).integers(2**63, size=4).tolist()


def test_a_stream_is_numpy_s_default_generator_on_the_four_ids() -> None:
    expected = np.random.default_rng([3, 1, 4, 1]).integers(2**63, size=4).tolist()
    assert draw(3, 1, 4, 1) == expected


def test_numpy_takes_short_and_padded_id_lists_for_the_same() -> None:
    # The reason why the number of ids is fixed.
    short, padded = np.random.default_rng([7, 1]), np.random.default_rng([7, 1, 0, 0])
    assert short.integers(2**63) == padded.integers(2**63)


@given(first=st.tuples(ID, ID, ID, ID), second=st.tuples(ID, ID, ID, ID))
@settings(max_examples=50, derandomize=True, deadline=None)
def test_other_ids_give_another_stream(
    first: tuple[int, int, int, int], second: tuple[int, int, int, int]
) -> None:
    assert (draw(*first) == draw(*second)) == (first == second)


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("wrong", [-1, 2**32])
def test_an_id_out_of_range_is_refused_by_name(place: int, wrong: int) -> None:
    ids = [1, 1, 1, 1]
    ids[place] = wrong
    name = ("root", "study", "condition", "replicate")[place]
    with pytest.raises(ValueError, match=rf"seed id {name} is {wrong}"):
        generator(*ids)


def test_the_ids_of_the_studies_differ_and_are_fixed() -> None:
    # A changed id moves printed interval ends, so the ids are pinned here.
    assert {study.name: int(study) for study in Study} == {
        "OMISSION": 1,
        "OMISSION_DRIFT": 2,
        "OMISSION_WRONG_TO_WRONG": 3,
        "CHANCE_CORRECTION": 4,
        "THRESHOLD_CURVE": 5,
        "EXPOSURE": 6,
        "EXPOSURE_SHARES": 7,
        "SIMULATED_PAIRS": 8,
        "COVERAGE": 9,
        "CALIBRATION_ITEMS": 10,
        "JOINT_BOOTSTRAP": 11,
        "OPTION_LABELS": 12,
        "FACTOR_INPUTS": 13,
        "FACTOR_BOOTSTRAP": 14,
        "FACTOR_NOISE": 15,
        "FACTOR_POLICY": 16,
        "FACTOR_STUDY": 17,
        "COMPARISON": 18,
        "JUDGE_AGREEMENT": 19,
    }


def test_a_name_s_id_is_its_crc_and_the_same_in_another_process() -> None:
    # 0xCBF43926 is the check value that defines CRC-32 (of the digits 1 to 9).
    assert name_id("123456789") == 0xCBF43926
    code = "from avowed.stats.seeds import name_id; print(name_id('suggested_answer'))"
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": "17"},
    )
    assert int(told.stdout) == name_id("suggested_answer")
    assert 0 <= name_id("für Ärzte") < 2**32
