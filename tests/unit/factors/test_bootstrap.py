"""The bootstrap over inputs: one draw for everything, and statistics that hold together."""

import numpy as np
import pytest

from avowed.factors.bootstrap import (
    Ratio,
    Statistic,
    difference,
    draw_weights,
    mean_of,
    mean_over,
    ratio_draws,
    statistics,
)
from avowed.factors.settings import FactorSettings
from avowed.stats.seeds import Study, generator, name_id

SETTINGS = FactorSettings(resamples=200)


def weights(inputs: int = 5) -> np.ndarray:
    return draw_weights("toy", inputs, SETTINGS)


def one_of(values: list[float], **labels: object) -> Statistic:
    column = mean_of("q", "c", np.array(values), **labels)
    return statistics([column], weights(len(values)))[0]


def test_row_0_is_the_sample_and_every_resample_has_as_many_inputs() -> None:
    drawn = weights()
    assert drawn.shape == (201, 5) and (drawn[0] == 1).all()
    assert (drawn.sum(axis=1) == 5).all() and (drawn >= 0).all()
    # The mean number of occurrences is 1: a binomial(1000, 1/5) is within five deviations.
    assert np.abs(drawn[1:].sum(axis=0) - 200).max() < 5 * np.sqrt(1000 * 0.2 * 0.8)


def test_the_draw_is_the_stream_of_seed_use_case_and_repetition() -> None:
    rng = generator(SETTINGS.seed, Study.FACTOR_BOOTSTRAP, name_id("toy"), 0)
    expected = rng.multinomial(5, [0.2] * 5, size=200)
    assert (weights()[1:] == expected).all()
    for other in (
        draw_weights("other", 5, SETTINGS),
        draw_weights("toy", 5, FactorSettings(resamples=200, seed=2)),
        draw_weights("toy", 5, FactorSettings(resamples=200, replicate=1)),
    ):
        assert (other != weights()).any()


@pytest.mark.parametrize(("inputs", "resamples"), [(0, 10), (5, 0)])
def test_nothing_to_draw_is_an_error(inputs: int, resamples: int) -> None:
    with pytest.raises(ValueError, match="at least one of each"):
        draw_weights("toy", inputs, FactorSettings(resamples=resamples))


def test_a_ratio_resamples_numerator_and_denominator_together() -> None:
    above, below = np.array([1.0, 0.0, 2.0]), np.array([2.0, 1.0, 3.0])
    ratio = Ratio(quantity="q", component="c", numerator=above, denominator=below)
    drawn = weights(3)
    assert ratio_draws([ratio], drawn)[:, 0] == pytest.approx((drawn @ above) / (drawn @ below))


def test_a_resample_without_an_observation_is_undefined_and_not_0() -> None:
    one = one_of([1.0, np.nan, np.nan])
    absent = weights(3)[:, 0] == 0
    assert absent.any() and (np.isnan(one.draws) == absent).all()
    assert (one.draws[~absent] == 1.0).all()
    assert (one.n, one.used.tolist()) == (1, [True, False, False])


def test_the_estimate_is_the_correctly_rounded_ratio() -> None:
    # Ten tenths added one by one are not 1.
    assert sum([0.1] * 10) != 1
    assert float(one_of([0.1] * 10).draws[0]) == 0.1


def test_resamples_do_not_depend_on_the_order_of_the_sum() -> None:
    values = np.random.default_rng(1).random(40)
    order = np.random.default_rng(2).permutation(40)
    drawn = weights(40)
    plain = ratio_draws([mean_of("q", "c", values)], drawn)
    shuffled = ratio_draws([mean_of("q", "c", values[order])], drawn[:, order])
    assert (plain == shuffled).all()


def test_rounding_to_the_grid_is_far_below_what_is_printed() -> None:
    values = np.random.default_rng(1).normal(size=100)
    drawn = weights(100)
    found = ratio_draws([mean_of("q", "c", values)], drawn)[:, 0]
    assert np.abs(found - drawn @ values / 100).max() < 1e-12


def test_a_mean_over_columns_pools_the_observations() -> None:
    one = mean_of("q", "c", np.array([[1.0, np.nan], [0.0, 0.5]]))
    assert one.numerator.tolist() == [1.0, 0.5] and one.denominator.tolist() == [1.0, 2.0]


def test_the_headline_is_the_unweighted_mean_of_the_defined_components() -> None:
    parts = [one_of([1.0, 1, 1, 1]), one_of([0.0, np.nan, np.nan, np.nan]), one_of([np.nan] * 4)]
    found = mean_over(parts, component="all", words="components")
    assert found.draws[0] == 0.5 and found.note == "mean over 2 of 3 components"
    assert (found.n, found.component) == (5, "all")
    # Where the second component's only input is not drawn, the first stands alone.
    absent = weights(4)[:, 0] == 0
    assert (found.draws[absent] == 1.0).all() and (found.draws[~absent] == 0.5).all()


def test_a_headline_over_nothing_is_undefined() -> None:
    found = mean_over([one_of([np.nan] * 4)] * 2, component="all", words="components")
    assert np.isnan(found.draws).all() and (found.n, found.used.any()) == (0, False)


def test_a_difference_is_paired_by_resample() -> None:
    first, second = one_of([1.0, 0, 1, 0]), one_of([1.0, 0, 0, np.nan])
    gap = difference(first, second, component="a", part="b")
    assert gap.draws == pytest.approx(first.draws - second.draws, nan_ok=True)
    assert (gap.quantity, gap.lowest, gap.highest) == ("q_difference", -1.0, 1.0)
    assert (gap.n, int(gap.used.sum()), gap.is_mean) == (3, 3, False)
    same = difference(first, first, component="a", part="b")
    assert not same.draws.any()


def test_no_ratio_gives_no_statistic() -> None:
    assert statistics([], weights()) == []
