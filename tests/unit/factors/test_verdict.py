"""The words and the evidence follow the rows: every branch, and nothing that is not in them."""

from typing import Any

import numpy as np
import pytest
from support.factors import component_of, toy_case

from avowed.factors.beyond import beyond_rows
from avowed.factors.measures import measure_component
from avowed.factors.settings import FactorSettings
from avowed.factors.verdict import evidence, verdict


def row(quantity: str, estimate: float | None, **changes: Any) -> dict[str, Any]:
    """A row of the long table, its interval 0.05 to both sides."""
    known = estimate is not None
    return {
        "cell": "c",
        "quantity": quantity,
        "k": None,
        "estimate": estimate,
        "lower": estimate - 0.05 if known else None,
        "upper": estimate + 0.05 if known else None,
        "status": "converged" if known else "undefined",
        "note": None,
        **changes,
    }


def rows(**changes: Any) -> list[dict[str, Any]]:
    values: dict[str, float | None] = {
        "rank_agreement_necessity": 0.35,
        "rank_agreement_sufficiency": 0.58,
        "uncited_rate_necessity": 0.58,
        "uncited_rate_sufficiency": 0.1,
        "selection_independent_necessity": 0.25,
        "selection_agreeing_necessity": 0.43,
        "selection_excess_independent_necessity": 0.33,
        "selection_excess_agreeing_necessity": 0.15,
        "split_difference_necessity": 0.12,
    }
    values.update(changes)
    found = [row(name, value) for name, value in values.items()]
    return found + [
        row("necessity_above_floor_p_adjusted", p, cell=f"c · {key}")
        for key, p in (("a", 0.001), ("b", 0.05), ("c", 0.2), ("d", None))
    ]


def test_both_lines_as_a_whole() -> None:
    assert verdict(rows(), "c") == (
        "The order of the cited features follows necessity and sufficiency; on held-out trials the "
        "best uncited one leads under necessity and nothing can be said under sufficiency; 2 of 3 "
        "features change the decision more often than repeats of the unchanged input do."
    )
    assert evidence(rows(), "c") == (
        "order of citation: rho 0.35 [0.30, 0.40] with necessity (weak), rho 0.58 [0.53, 0.63] "
        "with sufficiency (moderate); necessity: an uncited feature scores higher in 58 % of "
        "responses, by selection alone in 25 to 43 % if inputs were alike, held-out difference "
        "0.12 [0.07, 0.17]; sufficiency: an uncited feature scores higher in 10 % of responses"
    )


@pytest.mark.parametrize(
    ("rho", "words", "strength"),
    [
        (0.1, "follows", "very weak"),
        (0.2, "follows", "weak"),
        (0.7, "follows", "strong"),
        (0.8, "follows", "very strong"),
        (-0.5, "runs against", "moderate"),
        (0.04, "shows no clear relation to", "very weak"),
        (-0.04, "shows no clear relation to", "very weak"),
    ],
)
def test_strength_and_direction(rho: float, words: str, strength: str) -> None:
    found = rows(rank_agreement_necessity=rho, rank_agreement_sufficiency=None)
    assert f"{words} necessity and cannot be compared with sufficiency" in verdict(found, "c")
    told = evidence(found, "c")
    assert f"rho {rho:.2f} [" in told
    assert f"with necessity ({strength})" in told


def test_selection_alone_is_a_reference_and_not_a_judgement() -> None:
    """Inputs differ and share y: components without influence lie clearly below it."""
    for excess in (0.3, -0.3):
        found = rows(
            selection_excess_independent_necessity=excess,
            selection_excess_agreeing_necessity=excess,
        )
        assert (verdict(found, "c"), evidence(found, "c")) == (
            verdict(rows(), "c"),
            evidence(rows(), "c"),
        )


def test_held_out_trials_can_favour_either_or_neither() -> None:
    both = {"split_difference_necessity": -0.2, "split_difference_sufficiency": -0.1}
    line = verdict(rows(**both), "c")
    assert "the weakest cited one leads under necessity and sufficiency;" in line
    assert "difference -0.20 [-0.25, -0.15]" in evidence(rows(**both), "c")
    line = verdict(rows(split_difference_necessity=0.01), "c")
    assert "neither clearly leads under necessity" in line


def test_a_difference_without_an_interval_is_told_and_not_judged() -> None:
    found = [
        one | ({"lower": None, "upper": None} if one["quantity"].startswith("split_") else {})
        for one in rows(split_difference_sufficiency=0.3)
    ]
    assert "nothing can be said under necessity and sufficiency" in verdict(found, "c")
    assert "held-out difference 0.12; " in evidence(found, "c")


def test_what_is_undefined_is_said_to_be() -> None:
    found = [
        one | ({"note": "left out: 9 with equal scores"} if one["estimate"] is None else {})
        for one in rows(rank_agreement_necessity=None, uncited_rate_necessity=None)
    ]
    assert "cannot be compared with necessity and follows sufficiency" in verdict(found, "c")
    told = evidence(found, "c")
    assert "no rho with necessity (left out: 9 with equal scores)" in told
    assert "necessity: whether an uncited feature scores higher cannot be said" in told
    assert "cannot be compared with necessity and sufficiency" in verdict([], "c")
    assert "no rho with necessity (not measured)" in evidence([], "c")
    assert "no feature could be compared with repeats" in verdict([], "c")
    insufficient = [row("rank_agreement_necessity", 0.9, status="insufficient", note="one")]
    assert "cannot be compared with necessity and sufficiency" in verdict(insufficient, "c")
    assert "no rho with necessity (one)" in evidence(insufficient, "c")


def test_other_components_and_ranks_do_not_matter() -> None:
    others = [row("uncited_rate_necessity", 0.99, cell="other")]
    others += [row("uncited_rate_necessity", 0.99, k=2)]
    others += [row("necessity_above_floor_p_adjusted", 0.0, cell="cc · a")]
    assert verdict([*rows(), *others], "c") == verdict(rows(), "c")
    assert evidence([*rows(), *others], "c") == evidence(rows(), "c")


def test_from_the_rows_of_a_component() -> None:
    """A component whose first cited feature alone matters, and one that nothing moves."""
    case, settings = toy_case(), FactorSettings(resamples=200)
    moved = component_of(
        pn=[[1, 0, 0, 0, 0]] * 30,
        ps=[[1, 0, 0, 0, 0]] * 30,
        cited=["abc"] * 30,
        repeats=[[0, 0, 0]] * 30,
    )
    still = component_of(
        pn=[[0] * 5] * 30, ps=[[1] * 5] * 30, cited=["abc"] * 30, repeats=[[0, 0, 0]] * 30
    )
    lines = []
    for scored in (moved, still):
        found = measure_component(case, scored, settings) + beyond_rows(case, scored, settings)
        lines.append(verdict(found, "component"))
    assert "follows necessity" in lines[0]
    assert "1 of 5 features changes the decision" in lines[0]
    assert "cannot be compared with necessity" in lines[1]
    assert "0 of 5 features change the decision" in lines[1]
    assert all("\n" not in line and "nan" not in line for line in lines)
    assert np.unique(lines).size == 2
