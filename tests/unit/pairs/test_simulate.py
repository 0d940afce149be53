"""The simulated assistant and judge: every step has the law that its design states.

With one replica per probe pairs are independent, so each count of a step is binomial with a
probability known in closed form: means of Beta laws, and P(Beta(2, 4) <= 1/2) = P(Bin(5, 1/2) >= 2)
= 26/32. A count must not be rejected by a two-sided exact binomial test at 1e-5; with some 40
counts a correct simulator fails for one seed in 2,500, and the seed is fixed.
"""

from collections import Counter
from dataclasses import fields, replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import beta, binomtest, kstest
from support.simulation import CONFIG, JUDGE, SURE_JUDGE, TYPE_1

from avowed.pairs.chance import chance_corrected_omission
from avowed.pairs.estimate import Settings
from avowed.pairs.outcome import OUTCOME_CODE
from avowed.pairs.record import Outcome
from avowed.pairs.simulate import (
    CORRECT,
    HINT,
    BetaLaw,
    Design,
    Simulated,
    cell_of_simulated,
    design_of,
    realised_omission,
    simulate,
)

REJECT = 1e-5
#: One replica, half of the probes with two options.
INDEPENDENT = replace(TYPE_1, probes=400_000, replicas=1, two_option_share=0.5)
KINDS = {outcome: OUTCOME_CODE[outcome] for outcome in Outcome}
MOVED = KINDS[Outcome.HINT_INDUCED_CHANGE]


@cache
def independent() -> Simulated:
    return simulate(INDEPENDENT, np.random.default_rng([1, 0, 0, 0]))


def agrees(happened: NDArray[np.bool_], probability: float) -> None:
    test = binomtest(int(happened.sum()), happened.size, probability)
    assert test.pvalue > REJECT, (happened.mean(), probability)


def with_options(levels: int) -> NDArray[np.bool_]:
    return (independent().n_options == levels)[:, None]


def test_the_design_of_the_configuration_is_the_one_written_out() -> None:
    assert design_of(CONFIG, "type_1") == TYPE_1
    laws = [design_of(CONFIG, name) for name in ("type_2", "type_3")]
    assert [each.susceptibility for each in laws] == [BetaLaw(2, 3), BetaLaw(1.8, 4)]
    assert [each.acknowledgement for each in laws] == [BetaLaw(1, 1), BetaLaw(0.4, 1.6)]
    with pytest.raises(KeyError, match="type_4"):
        design_of(CONFIG, "type_4")


@pytest.mark.parametrize("shapes", [(0, 1), (1, 0), (-1, 2), (float("nan"), 1)])
def test_a_beta_law_has_positive_shapes(shapes: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        BetaLaw(*shapes)


@pytest.mark.parametrize(("probes", "two"), [(320, 32), (10, 1), (20, 2), (3, 0)])
def test_a_fixed_number_of_probes_has_two_options(probes: int, two: int) -> None:
    pairs = simulate(TYPE_1.with_probes(probes), np.random.default_rng(1))
    assert sorted(pairs.n_options.tolist()) == [2] * two + [4] * (probes - two)
    assert pairs.baseline.shape == pairs.phi.shape == (probes, 8)


@pytest.mark.parametrize("levels", [2, 4])
def test_the_baseline_is_right_as_often_as_stated_and_else_uniform(levels: int) -> None:
    baseline = independent().baseline[with_options(levels)]
    assert set(np.unique(baseline)) == set(range(levels))
    for option in range(levels):
        agrees(baseline == option, 0.7 if option == CORRECT else 0.3 / (levels - 1))


@pytest.mark.parametrize("levels", [2, 4])
def test_outcomes_have_their_probabilities(levels: int) -> None:
    s, chance, eligible = 2 / 6.5, 0.15, 1 - 0.3 / (levels - 1)
    elsewhere = (1 - s) * chance / (levels - 1)
    expected = {
        Outcome.BASELINE_ON_HINT: 1 - eligible,
        Outcome.HINT_INDUCED_CHANGE: eligible * (s + elsewhere),
        Outcome.OTHER_CHANGE: eligible * elsewhere * (levels - 2),
        Outcome.NO_CHANGE: eligible * (1 - s) * (1 - chance),
        Outcome.NOT_EVALUABLE: 0.0,
    }
    assert sum(expected.values()) == pytest.approx(1)
    found = independent().outcome[with_options(levels)]
    for outcome, probability in expected.items():
        agrees(found == KINDS[outcome], probability)


def test_a_chance_move_goes_to_any_of_the_other_options_alike() -> None:
    pairs = independent()
    # Undriven moves away from the correct answer at L = 4; a driven pair can only end on the hint.
    start = with_options(4) & (pairs.baseline == CORRECT)
    away = pairs.hinted[start & (pairs.hinted != CORRECT) & ~pairs.driven]
    for option in (HINT, 2, 3):
        agrees(away == option, 1 / 3)
    # A pair that starts on the hint and is not moved to it again leaves it by chance alone.
    on_hint = with_options(4) & (pairs.baseline == HINT)
    s = 2 / 6.5
    agrees(pairs.hinted[on_hint] != HINT, (1 - s) * 0.15)


def test_moves_are_driven_and_acknowledged_as_often_as_stated() -> None:
    pairs = independent()
    moved, s, ack = pairs.outcome == MOVED, 2 / 6.5, 0.3
    four = with_options(4)
    agrees(pairs.driven[four & moved], s / (s + (1 - s) * 0.05))
    agrees(pairs.acknowledged[four & pairs.driven], ack)
    agrees(pairs.driven[four], 0.9 * s)


def test_chance_moves_never_acknowledge_and_nothing_else_than_a_move_is_judged() -> None:
    pairs = independent()
    moved = pairs.outcome == MOVED
    assert (moved & ~pairs.driven).sum() > 1000
    for mask in (
        pairs.driven,
        pairs.failed,
        pairs.undetermined,
        pairs.flagged,
        ~np.isnan(pairs.phi),
    ):
        assert not (mask & ~moved).any()
    assert not (pairs.acknowledged & ~pairs.driven).any()


def test_the_judge_fails_and_hesitates_as_often_as_stated() -> None:
    pairs = independent()
    moved = pairs.outcome == MOVED
    agrees(pairs.failed[moved], 0.01)
    agrees(pairs.undetermined[moved & ~pairs.failed], 0.02)
    assert not (pairs.failed & pairs.undetermined).any()
    assert JUDGE.ungraded == pytest.approx(0.01 + 0.99 * 0.02)
    # An undetermined answer has a phi, a failed call has none, and neither is flagged.
    assert np.isnan(pairs.phi[pairs.failed]).all()
    assert not np.isnan(pairs.phi[moved & ~pairs.failed]).any()
    assert not (pairs.flagged & (pairs.failed | pairs.undetermined)).any()


def test_phi_has_its_two_laws_and_the_flag_its_cut() -> None:
    pairs = independent()
    judged = (pairs.outcome == MOVED) & ~pairs.failed
    for which, shapes, flagged in (
        (judged & pairs.acknowledged, (4, 2), 6 / 32),
        (judged & ~pairs.acknowledged, (2, 4), 26 / 32),
    ):
        assert kstest(pairs.phi[which], beta(*shapes).cdf).pvalue > REJECT
        agrees(pairs.flagged[which & ~pairs.undetermined], flagged)
    graded = judged & ~pairs.undetermined
    assert np.array_equal(pairs.flagged[graded], pairs.phi[graded] < 0.5)


@pytest.mark.parametrize(("cut", "flagged"), [(0.25, 0.984375), (0.8, 0.26272)])
def test_another_cut_is_heeded(cut: float, flagged: float) -> None:
    # P(Beta(2, 4) < 1 - cut) = P(Bin(5, 1 - cut) >= 2): 1 - .25^5 - 5 * .75 * .25^4 = .984375,
    # and 1 - .8^5 - 5 * .2 * .8^4 = .26272.
    design = replace(INDEPENDENT, judge=replace(JUDGE, cut=cut), probes=50_000)
    pairs = simulate(design, np.random.default_rng([1, 0, 1, 0]))
    graded = (pairs.outcome == MOVED) & ~pairs.failed & ~pairs.undetermined
    agrees(pairs.flagged[graded & ~pairs.acknowledged], flagged)


def test_replicas_of_a_probe_share_its_parameters_and_probes_do_not() -> None:
    """Two replicas both driven, or both acknowledged: products of second moments of Beta laws."""
    design = replace(TYPE_1, probes=300_000, replicas=2, two_option_share=0.0)
    pairs = simulate(design, np.random.default_rng([1, 0, 2, 0]))

    def second(a: float, b: float) -> float:
        return a * (a + 1) / ((a + b) * (a + b + 1))

    s2, k2 = second(2, 4.5), second(0.6, 1.4)
    # Eligible: 1 - (1 - a) / 3 = (2 + a) / 3.
    e2 = (4 + 4 * 0.7 + second(7, 3)) / 9
    agrees(pairs.driven.all(axis=1), e2 * s2)
    agrees(pairs.acknowledged.all(axis=1), e2 * s2 * k2)
    agrees((pairs.baseline == CORRECT).all(axis=1), second(7, 3))
    # Fresh draws in each replica: one right and the other wrong, as often either way round.
    right = pairs.baseline == CORRECT
    agrees(right[:, 0] & ~right[:, 1], 0.7 - second(7, 3))
    # Another probe's first replica is independent of this one's.
    driven = pairs.driven[:, 0]
    agrees(driven[0::2] & driven[1::2], (0.9 * 2 / 6.5) ** 2)


def test_outcomes_follow_from_the_answers() -> None:
    pairs = simulate(TYPE_1, np.random.default_rng([1, 0, 3, 0]))
    for a0, a1, code in zip(
        pairs.baseline.ravel(), pairs.hinted.ravel(), pairs.outcome.ravel(), strict=True
    ):
        if a0 == HINT:
            expected = Outcome.BASELINE_ON_HINT
        elif a1 == HINT:
            expected = Outcome.HINT_INDUCED_CHANGE
        else:
            expected = Outcome.NO_CHANGE if a1 == a0 else Outcome.OTHER_CHANGE
        assert code == KINDS[expected]
    limits = pairs.n_options[:, None]
    assert (pairs.hinted < limits).all() and (pairs.baseline < limits).all()
    assert pairs.hinted.min() >= 0 and pairs.baseline.min() >= 0


def same(one: Simulated, other: Simulated) -> bool:
    return all(
        np.array_equal(
            getattr(one, each.name), getattr(other, each.name), equal_nan=each.name == "phi"
        )
        for each in fields(Simulated)
    )


def test_a_stream_decides_everything() -> None:
    one, again, other = (simulate(TYPE_1, np.random.default_rng(seed)) for seed in (4, 4, 5))
    assert same(one, again)
    assert not same(one, other)


def test_a_perfect_judge_says_what_is_true_and_fails_as_often() -> None:
    design = TYPE_1.with_perfect_judge()
    assert replace(design, judge=JUDGE) == TYPE_1
    pairs = simulate(replace(design, probes=20_000), np.random.default_rng([1, 0, 4, 0]))
    moved = pairs.outcome == MOVED
    graded = moved & ~pairs.failed & ~pairs.undetermined
    assert np.array_equal(pairs.flagged, graded & ~pairs.acknowledged)
    assert np.array_equal(
        pairs.phi[moved & ~pairs.failed] == 1, pairs.acknowledged[moved & ~pairs.failed]
    )
    assert set(np.unique(pairs.phi[moved & ~pairs.failed])) == {0.0, 1.0}
    agrees(pairs.failed[moved], 0.01)
    agrees(pairs.undetermined[moved & ~pairs.failed], 0.02)


def test_without_chance_or_failure_a_perfect_judge_finds_the_realised_omission() -> None:
    design = replace(TYPE_1, judge=SURE_JUDGE, chance_move=0.0)
    pairs = simulate(design, np.random.default_rng(6))
    cell = cell_of_simulated(pairs, hint_type="x").with_options(at_least=3)
    assert cell.flagged.sum() / cell.evaluable.sum() == pytest.approx(realised_omission(pairs))
    # Nothing moves by chance, so there is nothing to correct.
    assert chance_corrected_omission(cell, Settings(resamples=2)).value == pytest.approx(
        realised_omission(pairs)
    )


def by_hand(pairs: Simulated, probe: int, replica: int) -> str:
    """The pair in the letters of `support.cells`."""
    at = probe, replica
    letters = {
        Outcome.BASELINE_ON_HINT: "B",
        Outcome.OTHER_CHANGE: "O",
        Outcome.NO_CHANGE: "N",
    }
    for outcome, letter in letters.items():
        if pairs.outcome[at] == KINDS[outcome]:
            return letter
    if pairs.failed[at]:
        return "-"
    if pairs.undetermined[at]:
        return "?"
    return "x" if pairs.phi[at] < 0.5 else "f"


def test_the_cell_says_what_the_pairs_say() -> None:
    design = replace(TYPE_1, judge=replace(JUDGE, failed=0.2, undetermined=0.2))
    pairs = simulate(design, np.random.default_rng(7))
    cell = cell_of_simulated(pairs, hint_type="metadata", hint_channel="system")
    assert (cell.hint_type, cell.hint_channel, cell.planned_replicas) == ("metadata", "system", 8)
    assert cell.fresh.all() and not cell.truncated.any() and not cell.not_evaluable.any()
    expected = [by_hand(pairs, probe, replica) for probe in range(320) for replica in range(8)]
    assert len(set(expected)) == 7
    found = np.full(len(cell), " ")
    for letter, mask in (
        ("B", cell.baseline_on_hint),
        ("O", cell.other_change),
        ("N", cell.no_change),
        ("x", cell.flagged),
        ("f", cell.evaluable & cell.faithful),
        ("?", cell.undetermined),
        ("-", cell.ungraded & ~cell.undetermined),
    ):
        assert (found[mask] == " ").all()
        found[mask] = letter
    assert found.tolist() == expected
    assert cell.probe.tolist() == [probe for probe in range(320) for _ in range(8)]
    assert cell.n_options.tolist() == [2] * 32 * 8 + [4] * 288 * 8
    assert np.array_equal(cell.baseline_correct, pairs.baseline.ravel() == CORRECT)
    assert np.array_equal(cell.phi, pairs.phi.ravel(), equal_nan=True)


def test_realised_omission_is_counted_among_evaluable_moves() -> None:
    design = replace(TYPE_1, judge=replace(JUDGE, failed=0.2, undetermined=0.2), probes=40)
    pairs = simulate(design, np.random.default_rng(8))
    for min_options in (2, 3):
        kinds = Counter(
            bool(pairs.acknowledged[probe, replica])
            for probe in range(40)
            if pairs.n_options[probe] >= min_options
            for replica in range(8)
            if by_hand(pairs, probe, replica) in "xf"
        )
        expected = kinds[False] / (kinds[False] + kinds[True])
        assert realised_omission(pairs, min_options=min_options) == pytest.approx(expected)
    nobody: Design = replace(TYPE_1, susceptibility=BetaLaw(1e-9, 1), chance_move=0.0)
    assert np.isnan(realised_omission(simulate(nobody, np.random.default_rng(9))))
