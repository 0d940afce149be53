"""The full-ranking pilot, with the two denominators that the paper's figures imply."""

from typing import Any

import numpy as np
import pytest
from support.factors import component_of, rows_by_key, toy_case

from avowed.factors.pilot import measure_pilot, standard_error
from avowed.factors.settings import FactorSettings

CASE = toy_case(7)
SETTINGS = FactorSettings(resamples=50)


def pilot(**parts: Any) -> dict[tuple[str, int | None], Any]:
    found = rows_by_key(measure_pilot(CASE, component_of(**parts), SETTINGS))
    return {(quantity, k): row for (_, quantity, k), row in found.items()}


def test_scores_by_stated_rank_with_standard_error_and_n() -> None:
    found = pilot(
        pn=[[1, 0, 0, 0, 0, 0, 0], [1 / 3, 1, 0, None, 0, 0, 0]], cited=["abcdefg", "bacdefg"]
    )
    assert found["pilot_necessity_by_rank", 1]["estimate"] == 1.0
    second = found["pilot_necessity_by_rank", 2]
    assert (second["estimate"], second["n"]) == (pytest.approx(1 / 6), 2)
    # Two values 0 and 1/3: standard deviation 1 / (3 sqrt 2), error 1/6.
    error = found["pilot_necessity_standard_error", 2]
    assert (error["estimate"], error["n"]) == (pytest.approx(1 / 6), 2)
    assert found["pilot_necessity_by_rank", 4]["n"] == 1
    assert found["pilot_necessity_standard_error", 4]["estimate"] is None
    assert ("pilot_necessity_by_rank", 7) in found and ("pilot_sufficiency_by_rank", 7) in found


def test_an_inversion_needs_both_ranks_scored_and_a_minimum_takes_every_response() -> None:
    # 40 responses, one with rank 3 unscored: 3 of 39 and 22 of 40, as the paper prints.
    plain = [2 / 3, 1 / 3, 1 / 3, 0, 0, 0, 0]
    higher_fourth = [2 / 3, 1 / 3, 1 / 3, 2 / 3, 0, 0, 0]
    higher_fifth = [2 / 3, 1 / 3, 1 / 3, 0, 2 / 3, 0, 0]
    no_third = [2 / 3, 1 / 3, None, 1 / 3, 0, 0, 0]
    scores = [higher_fourth] * 3 + [higher_fifth] * 18 + [no_third] + [plain] * 18
    found = pilot(pn=scores, cited=["abcdefg"] * 40)
    inversion = found["pilot_necessity_inversion", 4]
    assert (inversion["estimate"], inversion["n"]) == (pytest.approx(3 / 39), 39)
    above = found["pilot_necessity_lower_above_minimum", None]
    assert (above["estimate"], above["n"]) == (pytest.approx(22 / 40), 40)
    assert found["pilot_necessity_inversion", 5]["estimate"] == pytest.approx(18 / 40)
    assert ("pilot_necessity_inversion", 1) not in found


def test_a_planted_inversion_is_found_at_its_rank() -> None:
    found = pilot(
        pn=[[1, 2 / 3, 0, 1, 0, 0, 0]] * 4, ps=[[1, 1, 1, 0, 0, 0, 0]] * 4, cited=["abcdefg"] * 4
    )
    shares = [found["pilot_necessity_inversion", k]["estimate"] for k in range(2, 8)]
    assert shares == [0, 0, 1, 0, 0, 0]
    assert found["pilot_necessity_lower_above_minimum", None]["estimate"] == 1
    assert found["pilot_sufficiency_inversion", 4]["estimate"] == 0
    assert found["pilot_sufficiency_lower_above_minimum", None]["estimate"] == 0


def test_cited_ranks_against_lower_ones_over_observations() -> None:
    found = pilot(
        pn=[[1, 1, None, 0, 1, 1 / 3, 1], [0, 0, 0, 1 / 3, None, None, 1]], cited=["abcdefg"] * 2
    )
    assert found["pilot_necessity_cited", None]["estimate"] == pytest.approx(2 / 5)
    assert found["pilot_necessity_cited", None]["n"] == 5
    # Rank 7 is no lower rank of the comparison.
    assert found["pilot_necessity_lower", None]["estimate"] == pytest.approx((4 / 3 + 1 / 3) / 4)
    gap = found["pilot_necessity_cited_difference", None]
    assert gap["estimate"] == pytest.approx(2 / 5 - 5 / 12) and gap["n"] == 9


def test_a_ranking_that_ends_early_has_no_lower_feature() -> None:
    found = pilot(pn=[[0, 0, 0, 1, 1, 1, 1]] * 3, cited=["abc", "abcd", None])
    above = found["pilot_necessity_lower_above_minimum", None]
    assert (above["estimate"], above["n"]) == (0.5, 2)
    assert found["pilot_necessity_by_rank", 4]["n"] == 1
    one = component_of(pn=[[0, 0, 0, 1, 1, 1, 1]] * 3, cited=["abc", "abcd", None])
    left_out = FactorSettings(resamples=50, no_uncited_counts=False)
    rows = rows_by_key(measure_pilot(CASE, one, left_out))
    above = rows["component", "pilot_necessity_lower_above_minimum", None]
    assert (above["estimate"], above["n"]) == (1.0, 1)


def test_the_standard_error_of_one_value_is_undefined() -> None:
    assert np.isnan(standard_error(np.array([0.5, np.nan])))
    assert standard_error(np.array([1.0, 1.0])) == 0.0
