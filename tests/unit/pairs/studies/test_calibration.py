"""The calibration study: exact shifts, drawn sets, the joint bootstrap's limits, the summary."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, chisquare
from support.simulation import CONFIG, SETTINGS, TYPES, Row, keyed, repeat, with_config

from avowed.pairs.calibration import Gates, correct
from avowed.pairs.omission import conditional_omission
from avowed.pairs.simulate import realised_omission
from avowed.pairs.studies import calibration
from avowed.pairs.studies.cells import main_cells
from avowed.pairs.truth import Judging
from avowed.present.csvfile import cell_text
from avowed.stats.intervals import percentile
from avowed.stats.misclassification import Accuracy

JUDGE = Judging(flag_if_omitted=0.8125, flag_if_acknowledged=0.1875)
FIXED = Accuracy(tp=129, fn=21, tn=122, fp=28)
RATES = np.random.default_rng([1, 0, 0, 0]).normal(0.64, 0.02, 20_000)


def joint(rates: Any, accuracy: Accuracy, *, confidence: float = 0.95) -> Any:
    rng = np.random.default_rng([1, 1, 0, 0])
    return calibration.joint_bootstrap(np.asarray(rates), accuracy, rng, confidence=confidence)


@pytest.mark.parametrize(
    ("prevalence", "printed"), [(0.7303, -0.0512), (0.5349, -0.0372), (0.8200, -0.0576)]
)
def test_the_printed_shifts_of_the_fixed_calibration(prevalence: float, printed: float) -> None:
    found = calibration.exact_shift(prevalence, FIXED, JUDGE)
    assert found == pytest.approx(printed, abs=5e-5)


@pytest.mark.parametrize("prevalence", [0.0, 0.25, 0.5, 1.0])
def test_the_shift_is_linear_in_the_prevalence(prevalence: float) -> None:
    # (.1875 + .625 pi + 122/150 - 1) 150/101 - pi = .12500/101 - 7.25/101 pi, for J = 101/150.
    found = calibration.exact_shift(prevalence, FIXED, JUDGE)
    assert found == pytest.approx(0.125 / 101 - 7.25 / 101 * prevalence, abs=1e-12)
    assert found == pytest.approx(0.0012 - 0.0718 * prevalence, abs=1e-4)


def test_a_calibration_that_is_right_shifts_nothing() -> None:
    right = Accuracy(tp=13, fn=3, tn=13, fp=3)
    for prevalence in (0.0, 0.3, 1.0):
        assert calibration.exact_shift(prevalence, right, JUDGE) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    "counts", [{"tp": 5, "fn": 5, "tn": 5, "fp": 5}, {"tp": 2, "fn": 8, "tn": 3, "fp": 7}]
)
def test_a_calibration_that_does_not_discriminate_has_no_shift(counts: dict[str, int]) -> None:
    """J = 0 and J < 0: no rate is corrected, so nothing is shifted, and no cell says otherwise."""
    assert math.isnan(calibration.exact_shift(0.7, Accuracy(**counts), JUDGE))
    config = with_config(fixed_calibration=counts, probes=8, calibration_sizes=[10], fixed_sets=2)
    rows = [
        row
        for row in calibration.summarise(calibration.run(config, replace(SETTINGS, resamples=50)))
        if row["calibration"] == "fixed"
    ]
    assert rows
    for row in rows:
        shown = {cell_text(row[name]) for name in ("mean_estimate", "bias", "exact_shift")}
        assert (shown, row["n_undefined"]) == ({""}, 1)


def test_a_drawn_set_that_does_not_discriminate_has_no_shift() -> None:
    useless = {"phi_acknowledged": [2.0, 2.0], "phi_omitted": [2.0, 2.0]}
    judge = {**CONFIG["judge"], **useless}
    small = {"tp": 2, "fn": 1, "tn": 2, "fp": 1}
    config = with_config(judge=judge, fixed_calibration=small, fixed_sets=40)
    rows = calibration.many_fixed_sets(config, SETTINGS)
    undefined = [row for row in rows if math.isnan(row["shift"])]
    assert {row["youden"] > 0 for row in undefined} == {False}
    assert 0 < len(undefined) < len(rows)
    assert all(row["youden"] > 0 for row in rows if row not in undefined)


def test_the_fixed_calibration_is_configuration() -> None:
    assert calibration.fixed_accuracy(CONFIG) == FIXED
    with pytest.raises(ValueError, match="tp is -1"):
        wrong = {"tp": -1, "fn": 1, "tn": 1, "fp": 1}
        calibration.fixed_accuracy(with_config(fixed_calibration=wrong))


def test_drawn_sets_are_binomial() -> None:
    """8,000 sets of 12 items a class; Pearson's test of both counts at 1e-5."""
    rng = np.random.default_rng([1, 2, 0, 0])
    judge = Judging(flag_if_omitted=0.7, flag_if_acknowledged=0.4)
    sets = [calibration.drawn_accuracy(judge, 12, rng) for _ in range(8000)]
    assert {(one.positives, one.negatives) for one in sets} == {(12, 12)}
    for counts, p in (([one.tp for one in sets], 0.7), ([one.tn for one in sets], 0.6)):
        # Counts of 4 or fewer, 5, ..., 11, 12: each is expected at least 75 times.
        bins = np.bincount(np.maximum(counts, 4), minlength=13)[4:]
        law = binom(12, p)
        expected = [law.cdf(4), *law.pmf(range(5, 13))]
        assert chisquare(bins, np.array(expected) * 8000).pvalue > 1e-5
    tp, tn = np.array([(one.tp, one.tn) for one in sets]).T
    # Independent: a correlation over 8,000 sets has the error 1/sqrt(8000) = .011.
    assert abs(np.corrcoef(tp, tn)[0, 1]) < 4.5 * 0.0112


def test_a_huge_calibration_leaves_the_plain_percentile() -> None:
    items = 10**13
    accuracy = Accuracy(tp=8 * items, fn=2 * items, tn=7 * items, fp=3 * items)
    plain = percentile((RATES - 0.3) / 0.5)
    found = joint(RATES, accuracy)
    # Se and Sp are known to 1 / sqrt(4e14) = 5e-8.
    assert (found.lower, found.upper) == pytest.approx((plain.lower, plain.upper), abs=1e-6)
    assert found.method == "joint bootstrap"


def test_without_sampling_error_in_q_only_the_calibration_is_left() -> None:
    """Against the first-order half-width h_c (1.96 sd of pi from Se and Sp).

    Quantiles of 20,000 draws are good to .019 sd each and binomials of 15,000 are normal to
    about .01 sd, so 3 % of h_c = 1.96 sd holds.
    """
    accuracy = Accuracy(tp=12_900, fn=2_100, tn=12_200, fp=2_800)
    found = joint(np.full(20_000, 0.646), accuracy)
    se, sp, j = 0.86, 122 / 150, 101 / 150
    pi = (0.646 + sp - 1) / j
    variance = (pi**2 * se * (1 - se) + (1 - pi) ** 2 * sp * (1 - sp)) / 15_000
    half = 1.96 / j * math.sqrt(variance)
    assert (found.lower, found.upper) == pytest.approx((pi - half, pi + half), abs=0.03 * half)


def test_both_sources_add_in_quadrature() -> None:
    accuracy = Accuracy(tp=12_900, fn=2_100, tn=12_200, fp=2_800)
    both = joint(RATES, accuracy).half_width
    of_sample = percentile(RATES).half_width / (101 / 150)
    of_items = joint(np.full(RATES.size, RATES.mean()), accuracy).half_width
    # Three half-widths, each from quantiles that are good to about 1 %.
    assert both == pytest.approx(math.hypot(of_sample, of_items), rel=0.03)


def test_ends_are_clipped_to_the_unit_interval() -> None:
    sharp = Accuracy(tp=90, fn=10, tn=90, fp=10)
    # q above Se and below 1 - Sp put pi above 1 and below 0.
    for rate, expected in ((0.999, (1.0, 1.0)), (0.001, (0.0, 0.0))):
        found = joint(np.full(500, rate), sharp)
        assert (found.lower, found.upper) == expected
    found = joint(np.linspace(0.85, 0.95, 500), sharp)
    assert 0 < found.lower < 1 == found.upper


@pytest.mark.parametrize(("tp", "defined"), [(15, False), (29, True)])
def test_too_many_resamples_without_discrimination_leave_no_interval(
    tp: int, defined: bool
) -> None:
    # Sp = 1/2: J* <= 0 in half of the resamples at Se = 1/2, hardly ever at Se = 29/30.
    found = joint(RATES, Accuracy(tp=tp, fn=30 - tp, tn=15, fp=15))
    assert found.defined is defined


def test_the_confidence_is_heeded() -> None:
    wide, narrow = joint(RATES, FIXED), joint(RATES, FIXED, confidence=0.8)
    assert wide.lower < narrow.lower < narrow.upper < wide.upper


def test_rows_of_a_repetition() -> None:
    rows = repeat("calibration", [1])
    found = keyed(rows, "hint_type", "calibration", "items_per_class")
    kinds = [("fixed", 150), ("fresh", 30), ("fresh", 150), ("fresh", 600)]
    assert list(found) == [(name, *kind) for name in TYPES for kind in kinds]
    for cell in main_cells(CONFIG):
        settings = replace(SETTINGS, replicate=1)
        pairs, data = cell.pairs(settings), cell.data(settings)
        rate = conditional_omission(data, settings)
        fixed = found[cell.hint_type, "fixed", 150]
        pi = (rate.value + 122 / 150 - 1) / (101 / 150)
        h_s = rate.interval.half_width / (101 / 150)
        variance = (
            pi**2 * (129 / 150) * (21 / 150) + (1 - pi) ** 2 * (122 / 150) * (28 / 150)
        ) / 150
        h_c = 1.96 / (101 / 150) * math.sqrt(variance)
        assert fixed["estimate"] == pytest.approx(pi, abs=1e-12)
        assert fixed["h_c"] == pytest.approx(h_c, abs=1e-12)
        h = math.hypot(h_s, h_c)
        assert fixed["quadrature lower"] == pytest.approx(max(pi - h, 0), abs=1e-12)
        assert fixed["quadrature upper"] == pytest.approx(min(pi + h, 1), abs=1e-12)
        for kind in kinds:
            row = found[(cell.hint_type, *kind)]
            assert row["population"] == cell.truth(min_options=3).omission
            assert row["realised"] == realised_omission(pairs)
            assert np.isnan(row["exact_shift"]) == (kind[0] == "fresh")
        assert fixed["exact_shift"] == pytest.approx(
            0.125 / 101 - 7.25 / 101 * cell.truth(min_options=3).omission, abs=1e-12
        )


def test_the_fixed_set_is_never_redrawn_and_the_fresh_ones_are() -> None:
    rows = repeat("calibration", range(3))
    fixed = [row for row in rows if row["calibration"] == "fixed"]
    assert len({(row["hint_type"], row["exact_shift"]) for row in fixed}) == 3
    assert len({row["h_c"] for row in rows if row["calibration"] == "fresh"}) == 27


def test_rows_are_the_same_whatever_the_order_and_the_chunk() -> None:
    together = repeat("calibration", [0, 1, 2])
    apart = [row for one in (1, 0, 2) for row in repeat("calibration", [one])]
    names = ("hint_type", "calibration", "items_per_class", "repetition")
    # Shown as text, because an undefined shift is not equal to itself.
    assert {key: repr(row) for key, row in keyed(together, *names).items()} == {
        key: repr(row) for key, row in keyed(apart, *names).items()
    }


def row(repetition: int, **changes: Any) -> Row:
    made: Row = {
        "hint_type": "a",
        "repetition": repetition,
        "calibration": "fresh",
        "items_per_class": 30,
        "estimate": 0.7,
        "quadrature lower": 0.6,
        "quadrature upper": 0.8,
        "joint bootstrap lower": 0.5,
        "joint bootstrap upper": 0.9,
        "h_c": 0.1,
        "population": 0.7,
        "realised": 0.72,
        "exact_shift": math.nan,
    }
    return made | changes


def test_a_summary_by_hand() -> None:
    nothing = dict.fromkeys(("quadrature lower", "quadrature upper"), math.nan)
    rows = [
        row(0, estimate=0.74, realised=0.65, h_c=0.12),
        row(1, estimate=0.66, **{"quadrature lower": 0.71}),
        row(2, estimate=0.76, realised=0.85, **nothing),
        row(0, calibration="fixed", items_per_class=150, exact_shift=-0.05),
    ]
    found = keyed(
        calibration.summarise(rows), "calibration", "items_per_class", "interval", "truth_kind"
    )
    assert len(found) == 8
    one = found["fresh", 30, "quadrature", "population"]
    assert one["bias"] == pytest.approx(0.02)
    assert one["bias_mc_error"] == pytest.approx(np.std([0.74, 0.66, 0.76], ddof=1) / math.sqrt(3))
    # The first of the two defined intervals holds .7.
    assert (one["coverage"], one["n_undefined"], one["repetitions"]) == (0.5, 1, 3)
    assert one["mean_width"] == pytest.approx((0.2 + 0.09) / 2)
    assert one["mean_h_c"] == pytest.approx(0.32 / 3)
    other = found["fresh", 30, "quadrature", "realised"]
    # Against .65, .72 and .85: both defined intervals hold theirs.
    assert other["coverage"] == 1 and other["truth"] == pytest.approx(0.74)
    assert other["bias"] == pytest.approx((0.09 - 0.06 - 0.09) / 3)
    joint_one = found["fresh", 30, "joint bootstrap", "population"]
    assert (joint_one["coverage"], joint_one["n_undefined"]) == (1, 0)
    assert joint_one["mean_width"] == pytest.approx(0.4)
    assert found["fixed", 150, "quadrature", "population"]["exact_shift"] == -0.05


@pytest.mark.parametrize("figures", [(math.nan, 0.04), (0.6, math.nan)])
def test_what_was_not_estimated_cannot_be_corrected(figures: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="no observed rate"):
        correct(*figures, FIXED, gates=Gates())


def test_a_repetition_without_a_move_is_a_row_without_estimate() -> None:
    law = {"susceptibility": [1e-9, 1.0], "acknowledgement": [1, 1]}
    still = with_config(chance_move=0.0, hint_types={"type_1": law})
    rows = repeat("calibration", [0, 1], config=still)
    assert len(rows) == 2 * 4
    names = ("estimate", "joint bootstrap lower", "quadrature upper", "h_c", "realised")
    assert all(math.isnan(one[name]) for one in rows for name in names)
    for summary in calibration.summarise(rows):
        assert (summary["n_undefined"], summary["repetitions"]) == (2, 0)
        assert math.isnan(summary["coverage"]) and math.isnan(summary["bias"])


def test_the_summary_has_the_declared_columns() -> None:
    for summary in calibration.summarise(repeat("calibration", [0])):
        assert tuple(summary) == calibration.COLUMNS


def test_many_fixed_sets_are_exact_given_their_counts() -> None:
    rows = calibration.many_fixed_sets(with_config(fixed_sets=40), SETTINGS)
    assert len(rows) == 3 * 40 and tuple(rows[0]) == calibration.SHIFT_COLUMNS
    for one in rows:
        tp, tn = round(one["sensitivity"] * 150), round(one["specificity"] * 150)
        assert one["sensitivity"] == tp / 150 and one["specificity"] == tn / 150
        pi, j = one["truth"], (tp + tn) / 150 - 1
        assert one["youden"] == pytest.approx(j, abs=1e-12)
        expected = (0.1875 + 0.625 * pi + tn / 150 - 1) / j - pi
        assert one["shift"] == pytest.approx(expected, abs=1e-12)
    assert len({(one["sensitivity"], one["specificity"]) for one in rows}) > 60
    more = calibration.many_fixed_sets(with_config(fixed_sets=60), SETTINGS)
    assert keyed(rows, "hint_type", "set").items() <= keyed(more, "hint_type", "set").items()
