"""The study of bias and coverage: its rows, its summary, and that it can find a fault."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from avowed.factors.settings import FactorSettings
from avowed.factors.studies.known import Known
from avowed.factors.studies.known_truth import COLUMNS, DESIGNS, run, summarise

SETTINGS = FactorSettings(resamples=100)
INPUTS, FEATURES, TRIALS, NOISE = 30, 5, 3, 0.2


def cites(rng: np.random.Generator, rows: NDArray[np.intp]) -> NDArray[np.integer]:
    return np.tile([0, 1, 2], (rows.size, 1))


def jitter(**changes: object) -> Known:
    """Two decisions, noise 0.2, and no feature that matters: every PN and the floor are 0.32."""
    law = np.tile([1 - NOISE, NOISE], (INPUTS, FEATURES, TRIALS, 1))
    there = np.ones((INPUTS, FEATURES), bool)
    pn = 2 * NOISE * (1 - NOISE)
    values: dict[str, object] = {
        "name": "jitter",
        "use_case": "made",
        "keys": tuple("abcde"),
        "primary": "blank",
        "active": there,
        "original": law[:, 0, 0],
        "modified": {"blank": law, "sufficiency": law},
        "constructible": {"blank": there, "sufficiency": there},
        "cite": cites,
        "truths": {
            ("necessity", None): pn,
            ("sufficiency", None): 1 - pn,
            ("noise_floor", None): pn,
            ("necessity_by_rank", 2): pn,
            ("rank_agreement_necessity", None): 0.0,
        },
    }
    return Known(**{**values, **changes})  # type: ignore[arg-type]


def test_a_row_per_quantity_with_a_truth_and_design() -> None:
    rows = run([jitter()], SETTINGS, 1)
    assert {(row["quantity"], row["k"], row["inputs"]) for row in rows} == {
        (*key, design) for key in jitter().truths for design in DESIGNS
    }
    assert all(row["lower"] <= row["estimate"] <= row["upper"] for row in rows)


def test_repetitions_differ_and_are_the_same_again() -> None:
    assert run([jitter()], SETTINGS, 1) == run([jitter()], SETTINGS, 1)
    one, two = (
        {row["inputs"]: row["estimate"] for row in run([jitter()], SETTINGS, r)} for r in (1, 2)
    )
    assert one != two


def test_another_component_beside_it_changes_nothing() -> None:
    other = replace(jitter(), name="other")
    together = [row for row in run([other, jitter()], SETTINGS, 1) if row["component"] == "jitter"]
    assert together == run([jitter()], SETTINGS, 1)


def test_fixed_inputs_are_all_asked_and_drawn_ones_vary() -> None:
    """Every third input always changes, the others never: only the choice of inputs is chance."""
    law = np.zeros((INPUTS, FEATURES, TRIALS, 2))
    law[..., 0] = 1
    law[::3] = law[::3, ..., ::-1]
    known = jitter(
        original=np.tile([1.0, 0.0], (INPUTS, 1)),
        modified={"blank": law, "sufficiency": law},
        truths={("necessity", None): 1 / 3},
    )
    rows = [row for r in range(1, 6) for row in run([known], SETTINGS, r)]
    fixed, drawn = ([r["estimate"] for r in rows if r["inputs"] == d] for d in DESIGNS)
    assert fixed == pytest.approx([1 / 3] * 5, abs=1e-12)
    assert len(set(drawn)) > 1


def test_components_of_different_inputs_do_not_mix() -> None:
    with pytest.raises(ValueError, match="same inputs"):
        run([jitter(), replace(jitter(), use_case="other")], SETTINGS, 1)
    with pytest.raises(ValueError, match="same inputs"):
        run([], SETTINGS, 1)


def test_summary_by_hand() -> None:
    keys = {"use_case": "u", "component": "c", "quantity": "q", "k": None, "inputs": "fixed"}
    nan = math.nan
    rows = [
        {**keys, "truth": 0.5, "estimate": e, "lower": low, "upper": high}
        for e, low, high in ((0.6, 0.4, 0.8), (0.5, 0.3, 0.7), (0.7, 0.6, 0.8), (nan, nan, nan))
    ]
    (found,) = summarise(rows)
    assert tuple(found) == COLUMNS
    assert found["bias"] == pytest.approx(0.1)
    assert found["bias_mc_error"] == pytest.approx(0.1 / math.sqrt(3))
    assert found["coverage"] == pytest.approx(2 / 3)
    assert found["coverage_mc_error"] == pytest.approx(math.sqrt(2 / 9 / 3))
    assert (found["repetitions"], found["undefined"]) == (3, 1)


def test_without_a_truth_there_is_neither_bias_nor_coverage() -> None:
    rows = run([jitter(truths={("necessity", None): math.nan})], SETTINGS, 1)
    found = summarise(rows)[0]
    assert math.isnan(found["truth"]) and math.isnan(found["bias"])
    assert math.isnan(found["coverage"]) and not math.isnan(found["mean_estimate"])


def measured_bias(**changes: object) -> dict[tuple[str, str], float]:
    """Bias in Monte-Carlo errors over 60 repetitions."""
    rows = [row for r in range(1, 61) for row in run([jitter(**changes)], SETTINGS, r)]
    return {
        (one["quantity"], one["inputs"]): one["bias"] / one["bias_mc_error"]
        for one in summarise(rows)
    }


def test_a_true_truth_is_met_and_a_false_one_is_found() -> None:
    assert max(abs(z) for z in measured_bias().values()) < 4.5
    wrong = measured_bias(truths={("necessity", None): NOISE})
    assert min(wrong.values()) > 4.5
