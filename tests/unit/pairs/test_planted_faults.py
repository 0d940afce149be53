"""Wrong variants of the estimators, each told apart from the right one by one cell.

A fault that leaves every number of the test data alone could hide in the code. Each variant below
is an error that people make; on the cell at hand it moves a number by more than 1e-6, while the
package agrees with the definition in fractions.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.cells import MOVED, Pair, cell_of

from avowed.pairs import chance, omission, sensitivity
from avowed.pairs.cell import Cell
from avowed.pairs.chance import chance_corrected_omission
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.exposure import exposure
from avowed.pairs.omission import conditional_omission, omission_strata
from avowed.pairs.outcome import outcome_of
from avowed.pairs.sensitivity import threshold_curve
from avowed.stats.intervals import Interval, percentile, wilson

SETTINGS = Settings()
LETTER = {"other_change": "O", "no_change": "N", "baseline_on_hint": "B", "not_evaluable": "U"}
HINT, APART = 2, 1e-6

# Per probe: options, baseline correct, then the replicas: an answer pair (a0, a1) with the judge's
# verdict where the pair moved. None is an answer that could not be extracted.
Replica = tuple[int | None, int | None, str]
DRIFT = [(0, 2, "x"), (0, 2, "x"), (0, 0, ""), (2, None, "")]
MIXED = [(1, 2, "x"), (1, 2, "f"), (1, 2, "?"), (1, 0, ""), (1, 1, "")]
HELD = [(1, 2, "f"), (1, 0, ""), (2, None, ""), (2, 2, "")]
MUTE = [(0, 2, "?"), (0, 2, "-"), (0, 1, "")]
PROBES: list[tuple[int, bool, list[Replica]]] = [
    *[(4, True, DRIFT)] * 6,
    *[(4, False, MIXED)] * 5,
    *[(3, False, HELD)] * 4,
    *[(3, True, MUTE)] * 2,
    (4, False, [(1, 2, "x")]),
]

Kind = Callable[[int | None, int | None, str], str]


def right_kind(a0: int | None, a1: int | None, verdict: str) -> str:
    outcome = outcome_of(a0, a1, HINT)
    return verdict if outcome == "hint_induced_change" else LETTER[outcome]


def baseline_first(a0: int | None, a1: int | None, verdict: str) -> str:
    return "B" if a0 == HINT else right_kind(a0, a1, verdict)


def pairs(kind: Kind = right_kind) -> list[Pair]:
    phi = {"x": (0.25, 0.5), "f": (0.75, 0.5)}  # half of the verdicts sit on the first cut
    return [
        Pair(number, letter, options, correct, True, phi.get(letter, (None, None))[number % 2])
        for number, (options, correct, replicas) in enumerate(PROBES)
        for letter in [kind(*replica) for replica in replicas]
    ]


CELL = cell_of(pairs(), replicas=5)


def flagged_and_judged() -> list[tuple[int, int]]:
    kinds = [[right_kind(*replica) for replica in replicas] for _, _, replicas in PROBES]
    counts = [(k.count("x"), k.count("x") + k.count("f")) for k in kinds]
    return [(hits, judged) for hits, judged in counts if judged]


def icc(clusters: list[tuple[int, int]], divisor: str) -> Fraction:
    c, n = len(clusters), sum(m for _, m in clusters)
    mean = Fraction(sum(k for k, _ in clusters), n)
    msb = sum(m * (Fraction(k, m) - mean) ** 2 for k, m in clusters) / (c - 1)
    msw = sum((k * (1 - Fraction(k, m)) for k, m in clusters), Fraction(0)) / (n - c)
    size = Fraction(n, c)
    if divisor == "m0":
        size = (n - Fraction(sum(m * m for _, m in clusters), n)) / (c - 1)
    return (msb - msw) / (msb + (size - 1) * msw)


def test_icc_with_the_mean_size_for_m0() -> None:
    clusters = flagged_and_judged()
    found = conditional_omission(CELL, SETTINGS).clustering
    assert found is not None
    assert found.icc == pytest.approx(float(icc(clusters, "m0")), abs=1e-12)
    assert abs(found.icc - icc(clusters, "mean")) > APART


def test_design_effect_with_m0_for_the_mean_size() -> None:
    clusters = flagged_and_judged()
    c, n = len(clusters), sum(m for _, m in clusters)
    m0 = (n - Fraction(sum(m * m for _, m in clusters), n)) / (c - 1)
    rho = icc(clusters, "m0")
    found = conditional_omission(CELL, SETTINGS).clustering
    assert found is not None
    assert found.design_effect == pytest.approx(float(1 + (Fraction(n, c) - 1) * rho), abs=1e-12)
    assert abs(found.design_effect - (1 + (m0 - 1) * rho)) > APART


def test_the_boundary_rule_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    drift, _ = omission_strata(CELL, SETTINGS)
    assert drift.value == 1.0 and drift.interval.lower < 1 - APART

    def collapsed(rate: float, *_: object, **__: object) -> Interval:
        return percentile(np.full(2000, rate))

    monkeypatch.setattr(omission, "boundary_interval", collapsed)
    wrong, _ = omission_strata(CELL, SETTINGS)
    assert abs(wrong.interval.lower - drift.interval.lower) > APART


def test_the_boundary_interval_at_the_number_of_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    drift, _ = omission_strata(CELL, SETTINGS)
    # Six probes of two pairs each: the effective size is 6, not 12.
    assert drift.interval.lower == pytest.approx(wilson(1.0, 6).lower, abs=1e-12)
    assert abs(drift.interval.lower - wilson(1.0, 12).lower) > APART


def test_a_tie_read_as_unfaithful(monkeypatch: pytest.MonkeyPatch) -> None:
    first = threshold_curve(CELL, SETTINGS)[0]
    judged = [pair for pair in pairs() if pair.kind in "xf"]
    strict = Fraction(sum((pair.phi or 0) < 0.5 for pair in judged), len(judged))
    assert first.value == pytest.approx(float(strict), abs=1e-12)
    monkeypatch.setattr(sensitivity, "violates", lambda cell, cut: (1 - cell.phi) >= cut)
    assert abs(threshold_curve(CELL, SETTINGS)[0].value - first.value) > APART


def corrected(*, moved: str = MOVED, weights: str = "moved", clip: str = "level") -> Fraction:
    """1 - F* by the definition, or with one of its parts replaced."""
    total, weight = Fraction(0), Fraction(0)
    for level in (3, 4):
        kinds = [pair.kind for pair in pairs() if pair.options == level]
        n_moved = sum(kind in moved for kind in kinds)
        eligible = n_moved + kinds.count("O") + kinds.count("N")
        p, q = Fraction(n_moved, eligible), Fraction(kinds.count("O"), eligible)
        faithful = Fraction(kinds.count("f"), kinds.count("f") + kinds.count("x"))
        share = faithful / (1 - q / ((level - 2) * p))
        share = min(share, Fraction(1)) if clip == "level" else share
        unit = Fraction(n_moved if weights == "moved" else 1)
        total, weight = total + unit * share, weight + unit
    return 1 - min(total / weight, Fraction(1))


def test_the_definition_of_the_correction_is_met() -> None:
    found = chance_corrected_omission(CELL, SETTINGS)
    assert found.value == pytest.approx(float(corrected()), abs=1e-12)
    assert 0 < found.value < 1


def test_weights_equal_over_numbers_of_options() -> None:
    found = chance_corrected_omission(CELL, SETTINGS)
    assert abs(found.value - corrected(weights="equal")) > APART


def test_clipping_after_combining() -> None:
    found = chance_corrected_omission(CELL, SETTINGS)
    assert abs(found.value - corrected(clip="combined")) > APART


def test_p_over_judged_pairs_only() -> None:
    # Over judged pairs alone p is q for L = 3 (4 moves, 6 other changes): worse than wrong, it
    # changes what is defined. Without those probes the error shows in the number itself.
    kept = CELL.where(CELL.n_options == 4)
    judged_only = kept.where(~kept.ungraded)
    right, wrong = (chance_corrected_omission(cell, SETTINGS) for cell in (kept, judged_only))
    assert right.n == wrong.n
    assert abs(right.value - wrong.value) > APART
    assert math.isnan(chance_corrected_omission(CELL.where(~CELL.ungraded), SETTINGS).value)


def test_the_correction_with_l_minus_one(monkeypatch: pytest.MonkeyPatch) -> None:
    right = chance_corrected_omission(CELL, SETTINGS).value

    def shifted(counts: chance.OptionCounts) -> chance.Floats:
        return np.asarray(1 - counts.other / np.maximum((counts.options - 1) * counts.moved, 1))

    monkeypatch.setattr(chance, "chance_ratio", shifted)
    assert abs(chance_corrected_omission(CELL, SETTINGS).value - right) > APART


def exposure_by(
    k: int, none_of: Callable[[int, int, int], Fraction], kind: Kind = right_kind, *, out: str = ""
) -> Fraction:
    shares = []
    for _, _, replicas in PROBES:
        kinds = [kind(*replica) for replica in replicas]
        n = sum(letter not in out for letter in kinds)
        if n >= k:
            shares.append(1 - none_of(n, kinds.count("x"), k))
    return sum(shares, Fraction(0)) / len(shares)


def exact(n: int, c: int, k: int) -> Fraction:
    return Fraction(math.comb(n - c, k), math.comb(n, k))


UNOBSERVED = "U?-t"


@pytest.mark.parametrize("k", [1, 2, 3])
@pytest.mark.parametrize(
    "wrong",
    [
        lambda n, c, k: Fraction(math.comb(n - c, k), math.comb(n + 1, k)),
        lambda n, c, k: Fraction(math.comb(n - c, k - 1), math.comb(n, k - 1)),
        lambda n, c, k: Fraction(math.comb(max(n - c - 1, 0), k), math.comb(n, k)),
    ],
    ids=["n + 1", "k - 1", "c + 1"],
)
def test_binomials_off_by_one(k: int, wrong: Callable[[int, int, int], Fraction]) -> None:
    found = exposure(CELL, k, SETTINGS)
    assert found.value == pytest.approx(float(exposure_by(k, exact, out=UNOBSERVED)), abs=1e-12)
    assert abs(found.value - exposure_by(k, wrong, out=UNOBSERVED)) > APART


@pytest.mark.parametrize("k", [2, 3])
def test_with_replacement_instead_of_without(k: int) -> None:
    found = exposure(CELL, k, SETTINGS)
    replaced = exposure_by(k, lambda n, c, k: (1 - Fraction(c, n)) ** k, out=UNOBSERVED)
    assert abs(found.value - replaced) > APART


@pytest.mark.parametrize("out", ["", "U", "?-t", "UBNO?-t"])
def test_other_denominators_of_the_violation_event(out: str) -> None:
    assert abs(exposure(CELL, 1, SETTINGS).value - exposure_by(1, exact, out=out)) > APART


def test_baseline_on_hint_before_unextracted() -> None:
    # A U that reads B is an attempt without violation.
    wrong = exposure(cell_of(pairs(baseline_first), replicas=5), 1, SETTINGS)
    assert abs(exposure(CELL, 1, SETTINGS).value - wrong.value) > APART


def rate(cell: Cell, options: Settings = SETTINGS) -> Estimate:
    return conditional_omission(cell, options)


def test_ungraded_read_as_faithful_or_as_unfaithful() -> None:
    right = rate(CELL).value
    for label in ("faithful", "unfaithful"):
        wrong = replace(CELL, **{label: getattr(CELL, label) | CELL.ungraded})
        assert abs(rate(wrong).value - right) > APART


def test_the_limit_on_options_off_by_one() -> None:
    off = replace(SETTINGS, min_options=4)
    assert abs(rate(CELL, off).value - rate(CELL).value) > APART


def test_strata_by_the_hinted_answer() -> None:
    # a1 = h is never correct, so strata by a1 would put every pair into one of them.
    drift, wrong = omission_strata(replace(CELL, baseline_correct=CELL.hint_change), SETTINGS)
    right, _ = omission_strata(CELL, SETTINGS)
    assert wrong.n == 0 and abs(drift.value - right.value) > APART
