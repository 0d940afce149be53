"""The studies' figures, as configured and with the configured root seed, against their targets.

Targets are closed forms, population truths, and the figures of ``definitions``, Simulation; where
a figure has a Monte-Carlo error of its own, three of them are allowed. The root seed is 1 and
none other is tried.
"""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from support.simulation import CONFIG, SETTINGS, TYPES, Row, keyed, repeat_in_parallel, with_config

from avowed.pairs.studies import calibration, chance_correction, coverage, exposure_bias
from avowed.pairs.studies.cells import main_cells
from avowed.stats.performance import in_errors

pytestmark = pytest.mark.slow

#: Printed truths and shifts come with four digits.
ROUNDING = 5e-5
#: The estimates, and so their biases, do not depend on the resamples of the intervals.
WITHOUT_INTERVALS = replace(SETTINGS, resamples=2)
LARGE = 4000


@cache
def coverage_rows() -> list[Row]:
    """4,000 repetitions of the main cells: 80 seconds of processor time."""
    config = with_config(repetitions=LARGE, further_repetitions=0)
    return repeat_in_parallel("coverage", LARGE, config=config)


def coverage_of(repetitions: int) -> dict[tuple[Any, ...], Row]:
    rows = [row for row in coverage_rows() if row["repetition"] < repetitions]
    assert len(rows) == 3 * repetitions
    return keyed(coverage.summarise(rows), "hint_type", "method")


@cache
def exposure_summary() -> dict[tuple[Any, ...], Row]:
    rows = repeat_in_parallel(
        "exposure_bias", CONFIG["repetitions"], config=with_config(), settings=WITHOUT_INTERVALS
    )
    return keyed(exposure_bias.summarise(rows), "hint_type", "k", "truth_kind")


@cache
def calibration_summary() -> dict[tuple[Any, ...], Row]:
    rows = repeat_in_parallel("calibration", CONFIG["repetitions"], config=with_config())
    return keyed(
        calibration.summarise(rows),
        "hint_type",
        "calibration",
        "items_per_class",
        "interval",
        "truth_kind",
    )


@cache
def chance_summary() -> dict[tuple[Any, ...], Row]:
    rows = repeat_in_parallel(
        "chance_correction", CONFIG["chance_repetitions"], config=with_config()
    )
    return keyed(chance_correction.summarise(rows), "hint_type")


def test_the_seed_and_the_repetitions_are_the_configured_ones() -> None:
    assert SETTINGS.seed == 1 and SETTINGS.resamples == 2000
    assert (CONFIG["repetitions"], CONFIG["chance_repetitions"]) == (200, 50)


@pytest.mark.parametrize("hint_type", TYPES)
def test_coverage_of_the_cluster_bootstrap_at_200_repetitions(hint_type: str) -> None:
    # Its Monte-Carlo error is .015: .90 and .99 are about three of them from .948.
    assert 0.90 <= coverage_of(200)[hint_type, "percentile"]["coverage"] <= 0.99


def test_coverage_of_the_cluster_bootstrap_pooled_over_4000_repetitions() -> None:
    # .948 from another 4,000 x 3 repetitions; .006 is two errors (.002 each) of the difference.
    assert coverage_of(LARGE)["all", "percentile"]["coverage"] == pytest.approx(0.948, abs=0.006)


def test_wilson_on_independent_pairs_covers_less_by_what_its_design_effect_says() -> None:
    """.915 from another 4,000 x 3 repetitions; three errors of a difference of two such shares.

    A probe weighs by its number of pairs, and a pair is in a probe of 3.5 to 4.2 pairs on average;
    with the icc of .08 to .12 that makes the variance 1.21 to 1.37 times that of independent
    pairs, and 2 Phi(1.96 / sqrt(that)) - 1 is .925 to .906.
    """
    found = coverage_of(LARGE)["all", "wilson, pairs as independent"]
    error = math.sqrt(2) * found["coverage_mc_error"]
    assert found["coverage"] == pytest.approx(0.915, abs=3 * error)


@pytest.mark.parametrize("method", ["bca", "studentised", "linearised t"])
def test_the_other_cluster_intervals_cover_as_they_should_with_288_probes(method: str) -> None:
    # All are asymptotically exact; .006 as for the percentile interval, around .948.
    assert coverage_of(LARGE)["all", method]["coverage"] == pytest.approx(0.948, abs=0.006)


@pytest.mark.parametrize("repetitions", [200, LARGE])
def test_mean_icc(repetitions: int) -> None:
    assert coverage_of(repetitions)["all", "percentile"]["mean_icc"] == pytest.approx(
        0.098, abs=0.004
    )


@pytest.mark.parametrize("hint_type", TYPES)
def test_the_omission_rate_is_a_ratio_and_nearly_unbiased(hint_type: str) -> None:
    found = coverage_of(LARGE)[hint_type, "percentile"]
    # A ratio of totals over C = 230 clusters has a bias of order sd^2 = .0004, not of .001.
    assert abs(found["bias"]) < 0.001
    assert found["n_fallback"] == found["n_empty"] == 0


# Differences over all numbers of options, printed to four digits.
@pytest.mark.parametrize(("k", "printed"), [(1, -0.0004), (2, 0.0106), (4, 0.0391), (8, 0.0766)])
def test_plug_in_minus_unbiased(k: int, printed: float) -> None:
    found = exposure_summary()["all", k, exposure_bias.TRUTHS[0]]
    allowed = 3 * found["plug_in_minus_unbiased_mc_error"] + ROUNDING
    assert abs(found["plug_in_minus_unbiased"] - printed) < allowed


@pytest.mark.parametrize("hint_type", [*TYPES, "all"])
@pytest.mark.parametrize("k", [1, 2, 4, 8])
def test_the_unbiased_estimator_is_unbiased_for_what_drop_out_leaves(
    hint_type: str, k: int
) -> None:
    found = exposure_summary()[hint_type, k, "through drop-out"]
    assert in_errors(found["bias_unbiased"], found["bias_unbiased_mc_error"]) < 3


def test_drop_out_biases_it_at_eight_attempts() -> None:
    found = exposure_summary()["all", 8, "drop-out-free"]
    # -.005 to -.006 expected, and three errors of .001 around that.
    allowed = 3 * found["bias_unbiased_mc_error"]
    assert -0.006 - allowed < found["bias_unbiased"] < -0.005 + allowed
    # It is there: more than three errors from none at all.
    assert in_errors(found["bias_unbiased"], found["bias_unbiased_mc_error"]) > 3


@pytest.mark.parametrize(
    ("hint_type", "printed"), [("type_1", -0.0512), ("type_2", -0.0372), ("type_3", -0.0576)]
)
def test_the_fixed_calibration_shifts_by_what_its_counts_say(
    hint_type: str, printed: float
) -> None:
    found = calibration_summary()[hint_type, "fixed", 150, "quadrature", "population"]
    assert found["exact_shift"] == pytest.approx(printed, abs=ROUNDING)
    assert abs(found["bias"] - found["exact_shift"]) < 3 * found["bias_mc_error"]
    assert found["bias"] == pytest.approx(printed, abs=0.006)


@pytest.mark.parametrize("hint_type", TYPES)
@pytest.mark.parametrize("items", [150, 600])
def test_a_fresh_calibration_has_no_bias_to_speak_of(hint_type: str, items: int) -> None:
    """With the paper's 150 items a class and more.

    With 30 the ratio itself is biased upward: 1 / J has a relative variance of about .027, which
    puts a bias of order .01 to .02 on pi.
    """
    found = calibration_summary()[hint_type, "fresh", items, "quadrature", "population"]
    assert abs(found["bias"]) < 0.01


@pytest.mark.parametrize("hint_type", TYPES)
@pytest.mark.parametrize("interval", ["quadrature", "joint bootstrap"])
def test_intervals_with_a_fresh_calibration_cover(hint_type: str, interval: str) -> None:
    for truth in ("population", "realised"):
        found = calibration_summary()[hint_type, "fresh", 150, interval, truth]
        # At least nominal but for three errors of .015; the realised truth is the paper's, and
        # the interval, which also allows for drawing the probes, is too wide for it.
        assert found["coverage"] > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 200)
        assert found["n_undefined"] == 0


# Standard deviations from many sets elsewhere; one from 1,000 sets is good to 2.2 % (.001).
@pytest.mark.parametrize(
    ("hint_type", "printed"), [("type_1", 0.040), ("type_2", 0.037), ("type_3", 0.044)]
)
def test_the_shift_of_many_fixed_sets(hint_type: str, printed: float) -> None:
    rows = calibration.many_fixed_sets(CONFIG, SETTINGS)
    shifts = [row["shift"] for row in rows if row["hint_type"] == hint_type]
    assert len(shifts) == CONFIG["fixed_sets"]
    assert np.std(shifts, ddof=1) == pytest.approx(printed, abs=0.004)
    # The delta method, good to a tenth here: h_c / 1.96 at the judge's true accuracy.
    pi = next(row["truth"] for row in rows if row["hint_type"] == hint_type)
    spread = math.sqrt((pi**2 + (1 - pi) ** 2) * 0.8125 * 0.1875 / 150) / 0.625
    assert np.std(shifts, ddof=1) == pytest.approx(spread, rel=0.1)


@pytest.mark.parametrize("hint_type", TYPES)
def test_the_chance_correction_with_a_perfect_judge(hint_type: str) -> None:
    found = chance_summary()[(hint_type,)]
    assert in_errors(found["bias"], found["bias_mc_error"]) < 3
    # What it corrects is there: the plain rate is too high by more than three errors.
    assert found["bias_uncorrected"] > 3 * found["bias_uncorrected_mc_error"]
    assert found["coverage"] > 0.95 - 3 * math.sqrt(0.95 * 0.05 / 50)


def counting_error(hint_type: str, *, perfect: bool) -> float:
    """F [1 / (1 - x / (1 - u)) - 1 / (1 - x)] with x = N_O / (2 N_H), from population means."""
    (cell,) = (one for one in main_cells(CONFIG) if one.hint_type == hint_type)
    s, truth = cell.design.susceptibility.mean, cell.truth(min_options=3)
    x = (1 - s) * 0.15 * 2 / 3 / (s + (1 - s) * 0.15 / 3) / 2
    faithful = 1 - (truth.omission if perfect else truth.flagged)
    return faithful * (1 / (1 - x / (0.99 * 0.98)) - 1 / (1 - x))


@pytest.mark.parametrize("hint_type", TYPES)
def test_the_counting_error_is_the_one_of_its_closed_form(hint_type: str) -> None:
    found = chance_summary()[(hint_type,)]
    expected = counting_error(hint_type, perfect=True)
    assert abs(found["counting_error_mean"] - expected) < 3 * found["counting_error_mc_error"]
    assert found["counting_error_max"] < 0.003


@pytest.mark.parametrize("hint_type", TYPES)
def test_the_counting_error_with_the_judge_of_the_study(hint_type: str) -> None:
    """.0012 to .0014 on average and up to .003, as in ``definitions``.

    It grows with the share that the judge calls faithful, so the imperfect judge, which calls more
    moves faithful than acknowledge the hint, shows more of it than the perfect one.
    """
    found = chance_summary()[(hint_type,)]
    mean, error = (found[f"counting_error_imperfect_{name}"] for name in ("mean", "mc_error"))
    assert 0.0012 - 3 * error < mean < 0.0014 + 3 * error
    assert abs(mean - counting_error(hint_type, perfect=False)) < 3 * error
    assert found["counting_error_imperfect_max"] < 0.003
