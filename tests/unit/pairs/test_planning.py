"""Planned sizes against section 16.3, closed forms, exact enumeration and statsmodels."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta, betabinom, binom
from statsmodels.stats.power import normal_power_het
from statsmodels.stats.proportion import power_proportions_2indep

from avowed.pairs.planning.assumptions import Assumptions
from avowed.pairs.planning.assurance import Design, chance, quantile_noise
from avowed.pairs.planning.clusters import beta_binomial, cluster_law
from avowed.pairs.planning.correction import Correction
from avowed.pairs.planning.cost import Prices, optimal_replicas
from avowed.pairs.planning.power import Comparison, difference_error, power_of, size_to_tell_apart
from avowed.pairs.planning.size import Planner, Size, smallest, with_two_options
from avowed.pairs.planning.table import (
    Request,
    budget_rows,
    curve_rows,
    difference_rows,
    half_width_rows,
)
from avowed.pairs.sample_size import to_nearest
from avowed.refusal import Unusable
from avowed.stats.intervals import normal_quantile
from avowed.stats.misclassification import Accuracy, calibration_half_width

ACCURACY = Accuracy(tp=129, fn=21, tn=122, fp=28)


def planner(replicas: int = 1, *, assurance: float | None = 0.9, **assumed: float) -> Planner:
    correction = assumed.pop("correction", None)
    values = {"susceptibility": 0.3, **assumed}
    design = Design(assumed=Assumptions(**values), replicas=replicas, correction=correction)  # type: ignore[arg-type]
    return Planner(design=design, law=design.law(), assurance=assurance)


# Section 16.3: 170 to 355 pairs, 195 to 410 with a design effect of 1.15. The shares are those of
# all completed pairs that moved: 376 / 1391 and 785 / 1391.
@pytest.mark.parametrize(
    ("moved", "plain", "clustered"), [(376 / 1391, 355, 410), (785 / 1391, 170, 195)]
)
def test_no_assurance_gives_the_paper_s_numbers(moved: float, plain: int, clustered: int) -> None:
    one = planner(assurance=None, susceptibility=moved)
    assert to_nearest(one.analysed_by_formula(0.1), 5) == plain
    assert to_nearest(replace(one, design_effect=1.15).analysed_by_formula(0.1), 5) == clustered
    assert one.size_for(0.1).pairs == math.ceil(one.analysed_by_formula(0.1))


@pytest.mark.parametrize("icc", [1e-9, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.97])
def test_the_beta_binomial_law_is_scipy_s(share: float, icc: float) -> None:
    shape = (1 - icc) / icc
    if icc > 1e-6:
        expected = betabinom.pmf(np.arange(13), 12, share * shape, (1 - share) * shape)
    else:
        expected = binom.pmf(np.arange(13), 12, share)
    assert beta_binomial(12, share, icc) == pytest.approx(expected, rel=1e-6, abs=1e-12)


def test_the_beta_binomial_law_at_its_ends() -> None:
    assert beta_binomial(3, 1.0, 0.2).tolist() == [0, 0, 0, 1]
    assert beta_binomial(3, 0.0, 0.2).tolist() == [1, 0, 0, 0]
    assert beta_binomial(3, 0.25, 1.0).tolist() == [0.75, 0, 0, 0.25]
    assert beta_binomial(0, 0.5, 0.5).tolist() == [1]
    with pytest.raises(ValueError, match="must be in"):
        beta_binomial(3, 0.5, -0.1)


@given(
    replicas=st.integers(1, 12),
    share=st.floats(0.05, 1),
    moving=st.floats(0, 0.8),
    loss=st.floats(0, 0.5),
    rate=st.floats(0.05, 0.95),
    icc=st.floats(0, 1),
)
def test_the_closed_forms_are_the_moments_of_the_law(
    *, replicas: int, share: float, moving: float, loss: float, rate: float, icc: float
) -> None:
    assumed = Assumptions(
        susceptibility=share,
        susceptibility_icc=moving,
        loss=loss,
        icc=icc,
        expected_omission=rate,
    )
    law = Design(assumed=assumed, replicas=replicas).law()
    mean = law.mean(law.n)
    assert law.mean(np.ones_like(law.n)) == pytest.approx(1)
    assert mean == pytest.approx(replicas * assumed.useful)
    again = law.mean(law.n * (law.n - 1)) / mean
    assert again == pytest.approx((replicas - 1) * assumed.again, rel=1e-6, abs=1e-9)
    spread = law.mean((law.k - rate * law.n) ** 2) / (rate * (1 - rate) * mean)
    assert spread == pytest.approx(assumed.design_effect(replicas), rel=1e-6)


def test_a_loss_by_chance_thins_the_correlation_of_moving() -> None:
    """Two replicas enumerated: both move with rho p(1-p) + p^2, and each is lost alone."""
    p, rho, loss = 0.3, 0.4, 0.25
    assumed = Assumptions(susceptibility=p, susceptibility_icc=rho, loss=loss)
    both = (p * p + rho * p * (1 - p)) * (1 - loss) ** 2
    law = cluster_law(
        replicas=2, useful=assumed.useful, useful_icc=assumed.useful_icc, rate=0.5, icc=0
    )
    assert law.mean((law.n == 2).astype(float)) == pytest.approx(both)


def test_quantile_noise_is_that_of_simulated_quantiles() -> None:
    draws = np.random.default_rng([3, 0, 0, 0]).normal(size=(4000, 1000))
    low, high = np.quantile(draws, [0.025, 0.975], axis=1)
    half = (high - low) / 2
    # The standard deviation of 4,000 values has a relative error of 1.1 %.
    assert half.std() / half.mean() == pytest.approx(quantile_noise(1000, 0.95), rel=0.05)


def exact_chance(share: float, rate: float, probes: int, half_width: float) -> float:
    """One replica, exactly: z sqrt(q (1 - q) / N) over all N and k, without steps and resamples."""
    z, reached = normal_quantile(0.95), 0.0
    for n in range(2, probes + 1):
        k = np.arange(1, n)
        narrow = z * np.sqrt(k / n * (1 - k / n) / n) <= half_width
        reached += binom.pmf(n, probes, share) * float(binom.pmf(k, n, rate) @ narrow)
    return reached


@pytest.mark.parametrize(("rate", "probes"), [(0.5, 340), (0.5, 370), (0.8, 225), (0.8, 260)])
def test_one_replica_against_exact_enumeration(rate: float, probes: int) -> None:
    """Without resampling noise and steps (a huge B, many small probes) the expansion is exact."""
    one = planner(expected_omission=rate, resamples=10**9)
    found = chance(one.design, one.law, probes, 0.1, cautious=False)
    # Steps of 1 / N blur the curve; the enumeration knows none.
    assert found == pytest.approx(exact_chance(0.3, rate, probes, 0.1), abs=0.04)


def test_more_assurance_probes_or_width_never_lower_the_chance() -> None:
    for replicas in (1, 3, 8):
        one = planner(replicas)
        found = [one.reached_with(probes, 0.1) for probes in range(2, 600, 4)]
        assert all(after >= before - 1e-3 for before, after in itertools.pairwise(found))
        sizes = [replace(one, assurance=a).size_for(0.1).pairs for a in (0.5, 0.8, 0.9, 0.99)]
        assert sizes == sorted(sizes) and len(set(sizes)) > 2
        widths = [one.size_for(h).pairs for h in (0.05, 0.1, 0.2)]
        assert widths == sorted(widths, reverse=True)


@pytest.mark.parametrize("replicas", [1, 2, 5])
@pytest.mark.parametrize("assurance", [0.9, None])
def test_a_size_and_its_half_width_are_each_other_s_inverse(
    replicas: int, assurance: float | None
) -> None:
    one = planner(replicas, assurance=assurance, two_options=0.1)
    size = one.size_for(0.08)
    reached = one.half_width_of(size.probes)
    assert reached is not None and reached <= 0.08 + 1e-5
    smaller = one.half_width_of(size.probes - 2)
    assert smaller is not None and smaller > 0.08


@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("rate", [0.5, 0.8, 0.95])
def test_a_study_far_too_small_is_never_enough(share: float, rate: float) -> None:
    """An expansion goes wild with few probes; a plan must not fall for it."""
    for replicas, icc in itertools.product((1, 2, 20), (0.0, 0.6, 1.0)):
        one = planner(replicas, susceptibility=share, expected_omission=rate, icc=icc)
        for half_width in (0.03, 0.1, 0.3):
            small = int(0.3 * one.analysed_by_formula(half_width))
            for probes in {2, 3, 5, 8, 16, small} & set(range(2, small + 1)):
                assert one.reached_with(probes, half_width) < 0.5


def test_the_icc_makes_no_difference_with_one_replica() -> None:
    sizes = {planner(icc=icc).size_for(0.1) for icc in (-0.5, 0, 0.3, 1)}
    assert len(sizes) == 1
    assert planner(4, icc=-0.5).size_for(0.1) == planner(4, icc=0).size_for(0.1)
    assert planner(4, icc=1).size_for(0.1).pairs > 1.5 * planner(4, icc=0).size_for(0.1).pairs


def test_with_everything_agreeing_a_probe_is_one_pair() -> None:
    """ICC 1 and everything moves: m replicas are worth one, so that probes stay, pairs grow."""
    alone = planner(1, susceptibility=1, assurance=None).size_for(0.1)
    copies = planner(5, susceptibility=1, icc=1, assurance=None).size_for(0.1)
    assert copies.probes == alone.probes and copies.pairs == 5 * alone.pairs


def test_losses_and_two_options_only_stretch_the_study() -> None:
    plain = planner(assurance=None, susceptibility=0.5)
    lossy = planner(assurance=None, susceptibility=0.5, loss=0.2, baseline_on_hint=0.1)
    stretched = plain.analysed_by_formula(0.1) / (0.8 * 0.9)
    assert lossy.analysed_by_formula(0.1) == pytest.approx(stretched)
    half = planner(assurance=None, susceptibility=0.5, two_options=0.5).size_for(0.1)
    assert half.probes == 2 * half.analysed == 2 * plain.size_for(0.1).analysed


@given(st.integers(1, 5000), st.just(0.0) | st.floats(0.001, 0.95))
def test_enough_probes_are_left_whatever_has_two_options(analysed: int, share: float) -> None:
    probes = with_two_options(analysed, share)
    assert probes - math.ceil(round(share * probes, 6)) >= analysed
    fewer = probes - 1
    assert fewer - math.ceil(round(share * fewer, 6)) < analysed


def test_what_no_study_reaches_is_refused() -> None:
    with pytest.raises(Unusable, match=r"takes more than 1,000,000,000 pairs at 1 replica per"):
        planner().size_for(1e-6)
    with pytest.raises(Unusable, match="2 replicas per probe"):
        smallest(lambda probes: False, replicas=2, what="it")


@pytest.mark.parametrize("rate", [0.1, 0.5, 0.9])
def test_h_c_is_a_parabola_and_combines_in_quadrature(rate: float) -> None:
    found = Correction(accuracy=ACCURACY, rate=rate)
    assert found.half_width == pytest.approx(calibration_half_width(rate, ACCURACY, z=1.96))
    step = 1e-4
    high, low = found.squared(rate + step), found.squared(rate - step)
    assert found.slope == pytest.approx((high - low) / (2 * step), rel=1e-5)
    assert found.bend == pytest.approx((high - 2 * found.squared(rate) + low) / step**2, rel=1e-3)
    left = found.left_for_sample(0.12)
    assert math.hypot(left / ACCURACY.youden, found.half_width) == pytest.approx(0.12)
    assert found.left_for_sample(found.half_width) == 0


def test_the_calibration_s_size_that_would_do() -> None:
    found = Correction(accuracy=ACCURACY, rate=0.5)
    positives, negatives = found.items_needed(0.05)
    grown = Accuracy(tp=129 * positives, fn=21 * positives, tn=122 * positives, fp=28 * positives)
    # A calibration with 150 times as many items, scaled back to the size that is asked for.
    width = calibration_half_width(0.5, grown, z=1.96) * math.sqrt(150)
    assert positives == negatives and width <= 0.05
    assert width * math.sqrt(positives / (positives - 1)) > 0.05


def test_a_perfect_large_calibration_changes_little() -> None:
    sure = Accuracy(tp=10**6, fn=0, tn=10**6, fp=0)
    assert planner(2, correction=Correction(accuracy=sure, rate=0.5)).size_for(0.1) == planner(
        2
    ).size_for(0.1)


@given(st.floats(0.01, 0.9), st.floats(0.5, 100), st.floats(0.5, 10))
def test_the_best_number_of_replicas_is_the_closed_form(
    rho: float, probe: float, pair: float
) -> None:
    """Every pair useful: the textbook's two-stage optimum, found here by search as well."""
    assumed = Assumptions(susceptibility=1, icc=rho)
    best = optimal_replicas(
        icc=assumed.again * assumed.verdict_icc, probe_cost=probe, pair_cost=pair
    )
    assert best == pytest.approx(max(1, math.sqrt((1 - rho) / rho * probe / pair)))

    def variance_for_cost(m: float) -> float:
        return (rho + (1 - rho) / m) * (probe + pair * m)

    grid = np.linspace(1, max(2, 3 * best), 2001)
    assert variance_for_cost(best) <= min(map(variance_for_cost, grid)) * (1 + 1e-9)


def test_the_best_number_of_replicas_where_few_pairs_move() -> None:
    """Then replicas hardly ever meet, and more of them pay: against the sizes of the planner."""
    assumed, prices = Assumptions(susceptibility=0.3, icc=0.3), Prices(probe_cost=15)
    best = optimal_replicas(
        icc=assumed.again * 0.3, probe_cost=15, pair_cost=prices.per_pair(assumed)
    )
    costs = {}
    for replicas in range(1, 25):
        analysed = 1e4 * assumed.design_effect(replicas) / replicas
        costs[replicas] = prices.cost(
            assumed, Size(probes=round(analysed), analysed=round(analysed), replicas=replicas)
        )
    assert abs(min(costs, key=lambda m: costs[m]) - best) <= 1


def test_the_ends_of_the_best_number_of_replicas() -> None:
    assert optimal_replicas(icc=0, probe_cost=3, pair_cost=1) == math.inf
    assert optimal_replicas(icc=0.5, probe_cost=0, pair_cost=1) == 1
    assert optimal_replicas(icc=1, probe_cost=3, pair_cost=1) == 1
    with pytest.raises(ValueError, match="must cost something"):
        optimal_replicas(icc=0.1, probe_cost=1, pair_cost=0)


@pytest.mark.parametrize("rate", [0.5, 0.7, 0.1])
@pytest.mark.parametrize("difference", [0.05, 0.2])
@pytest.mark.parametrize(("alpha", "comparisons"), [(0.05, 1), (0.05, 6), (0.01, 3)])
def test_power_against_statsmodels(
    rate: float, difference: float, alpha: float, comparisons: int
) -> None:
    compared = Comparison(rate=rate, difference=difference, alpha=alpha, comparisons=comparisons)
    every = Assumptions(susceptibility=1)
    pairs = size_to_tell_apart(compared, every, replicas=1).pairs
    spread = math.sqrt(rate * (1 - rate) + compared.other * (1 - compared.other))
    level = alpha / comparisons
    for n in (pairs, pairs - 1, pairs // 2):
        ours = power_of(compared, every, analysed=n, replicas=1)
        theirs = normal_power_het(difference, n, level, std_null=spread, std_alternative=spread)
        assert ours == pytest.approx(theirs, abs=1e-9)
    assert power_of(compared, every, analysed=pairs, replicas=1) >= 0.8
    assert power_of(compared, every, analysed=pairs - 1, replicas=1) < 0.8
    # statsmodels pools the variance under the null, which the interval of a difference does not.
    pooled = power_proportions_2indep(
        rate - compared.other, compared.other, pairs, alpha=level, return_results=False
    )
    assert power_of(compared, every, analysed=pairs, replicas=1) == pytest.approx(pooled, abs=0.03)


def test_a_difference_of_clustered_rates() -> None:
    """deff inflates it, correlated probes give some of it back; nothing to give without an ICC."""
    assumed = Assumptions(susceptibility=1, icc=0.2)
    other = Comparison(rate=0.5, difference=0.1)
    errors = {
        r: difference_error(replace(other, probe_correlation=r), assumed, analysed=100, replicas=6)
        for r in (0.0, 0.5, 1.0)
    }
    plain = difference_error(other, assumed, analysed=100, replicas=6)
    assert plain == pytest.approx(math.sqrt((0.25 + 0.24) * 2 / 600))
    assert errors[0.0] == plain > errors[0.5] > errors[1.0]
    # deff is 2. At most the tendencies, of laws Beta(2, 2) and Beta(1.6, 2.4), rise together.
    u = (np.arange(20_000) + 0.5) / 20_000
    most = np.corrcoef(beta(2, 2).ppf(u), beta(1.6, 2.4).ppf(u))[0, 1]
    common = 2 * most * 0.2 * math.sqrt(0.25 * 0.24) / 100
    assert errors[1.0] == pytest.approx(math.sqrt((0.25 + 0.24) * 2 / 600 - common))
    independent = replace(assumed, icc=0)
    shared = replace(other, probe_correlation=1.0)
    assert difference_error(shared, independent, analysed=9, replicas=6) == difference_error(
        other, independent, analysed=9, replicas=6
    )


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"difference": 0}, "difference is 0"),
        ({"difference": 0.6}, "no rate in"),
        ({"alpha": 0}, "alpha is 0"),
        ({"power": 1}, "power is 1"),
        ({"power": 0.04}, "above the level"),
        ({"comparisons": 0}, "comparisons is 0"),
        ({"probe_correlation": 2}, "probe_correlation is 2"),
    ],
)
def test_what_is_no_comparison_is_refused(values: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Comparison(**{"rate": 0.5, "difference": 0.1, **values})  # type: ignore[arg-type]


def request(**more: object) -> Request:
    values = {
        "assumed": Assumptions(susceptibility=0.3, two_options=0.1, loss=0.03),
        "replicas": [1, 2, 8],
        "half_width": 0.1,
        **more,
    }
    return Request(**values)  # type: ignore[arg-type]


def test_the_same_calls_buy_less_with_more_replicas() -> None:
    rows = budget_rows(request(), 3000)
    widths = [row["half_width"] for row in rows]
    assert widths == sorted(widths) and len(set(widths)) == 3
    assert all(row["calls"] <= 3000 for row in rows)
    (none,) = budget_rows(request(replicas=[8]), 10)
    assert none["half_width"] is None and none["status"] == "not reached"


def test_the_planned_sizes_lie_on_the_curves() -> None:
    asked = request()
    planned = half_width_rows(asked)
    rows = curve_rows(asked, planned)
    for row in planned:
        curve = [
            (each["pairs"], each["half_width"])
            for each in rows
            if each["shown"] == "curve" and each["replicas"] == row["replicas"]
        ]
        pairs, widths = zip(*[each for each in curve if each[1] is not None], strict=True)
        at = np.interp(math.log(row["pairs"]), np.log(pairs), widths)
        assert at == pytest.approx(0.1, abs=0.004)


def test_the_rows_count_what_they_say() -> None:
    (row,) = half_width_rows(request(replicas=[4]))
    assert row["pairs"] == 4 * row["probes"]
    assert row["expected_useful"] == pytest.approx(row["analysed_probes"] * 4 * 0.3 * 0.97)
    assert row["calls"] == pytest.approx(row["pairs"] * 2.3)
    assert 0.9 <= row["probability"] < 0.95 and row["formula_probability"] < 0.6
    (two,) = difference_rows(request(replicas=[4]), Comparison(rate=0.5, difference=0.1))
    assert two["purpose"] == "difference, other probes" and two["half_width"] is None
