"""The measures of cited factors against SciPy, and against loops over exact fractions.

The loops follow the sentences of NS 3.3 to 3.5 and definitions NS 1 to 10, one response at a time,
with fractions instead of floating point; nothing of the package computes in them.
"""

import math
import warnings
from fractions import Fraction
from itertools import combinations
from statistics import mean
from typing import Any

import numpy as np
import pytest
from scipy import stats
from support.factors import rows_by_key, toy_case

from avowed.factors.across import ALL
from avowed.factors.bootstrap import draw_weights
from avowed.factors.component import measured
from avowed.factors.measures import measure_all
from avowed.factors.ranking import midranks, spearman
from avowed.factors.scored import Scored, scored_from
from avowed.factors.settings import FactorSettings

FEATURES, INPUTS, TRIALS, NONE = 6, 14, 3, -1
CASE = toy_case(FEATURES, primary="contrast")
SETTINGS = FactorSettings(resamples=40)


def random_component(seed: int, name: str = "c") -> Scored:
    """Random decisions with invalid ones, inactive features and invalid explanations."""
    rng = np.random.default_rng(seed)
    shape = (INPUTS, FEATURES, TRIALS)
    original = rng.integers(NONE, 2, INPUTS)
    active = rng.random((INPUTS, FEATURES)) < 0.85
    cited = np.argsort(rng.random((INPUTS, FEATURES)), axis=1)[:, :3]
    cited[rng.random(INPUTS) < 0.2] = NONE
    decisions = {
        intervention: np.where(active[:, :, None], rng.integers(NONE, 2, shape), NONE)
        for intervention in ("contrast", "blank", "sufficiency")
    }
    again = np.argsort(rng.random((INPUTS, 3, FEATURES)), axis=2)[:, :, :3]
    again[rng.random((INPUTS, 3)) < 0.2] = NONE
    return scored_from(
        component=name,
        keys=CASE.keys,
        active=active,
        original=original,
        cited=cited,
        decisions=decisions,
        repeats=rng.integers(NONE, 2, (INPUTS, 3)),
        repeat_cited=again,
    )


def share(trials: list[int], hit: int) -> Fraction | None:
    valid = [trial for trial in trials if trial != NONE]
    return Fraction(valid.count(hit), len(valid)) if valid else None


def rho_of(first: list[Any], second: list[Any]) -> float | None:
    """SciPy's Spearman correlation; None where it is undefined."""
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    # Ranks of exact fractions: rounding cannot break a tie.
    ranks = [
        [sorted(side).index(value) + side.count(value) / 2 for value in side]
        for side in (first, second)
    ]
    return float(stats.spearmanr(*ranks).statistic)


def average(values: list[Any]) -> float | None:
    there = [value for value in values if value is not None]
    return float(mean(there)) if there else None


Found = dict[tuple[str, int | None], list[Any]]


def exact_scores(one: Scored, i: int) -> dict[str, list[Fraction | None]]:
    """PN and PS of every feature of an input."""
    return {
        name: [share(one.changed[source][i, f].tolist(), hit) for f in range(FEATURES)]
        for name, source, hit in (("necessity", "contrast", 1), ("sufficiency", "sufficiency", 0))
    }


def add_criterion(found: Found, name: str, named: list[Any], others: list[Fraction]) -> None:
    """What one response says under one criterion; ``others`` from the highest down."""
    zeroed = [value or Fraction(0) for value in named]
    add(found, f"uncited_rate_{name}", int(bool(others) and others[0] > min(zeroed)))
    add(found, f"highest_uncited_{name}", others[0] if others else None)
    add(found, f"rank_agreement_{name}", None if None in named else rho_of([3, 2, 1], named))
    for rank, value in enumerate(named, start=1):
        add(found, f"{name}_by_rank", value, rank)
    for k in (2, 3):
        if len(others) >= k:
            cited, uncited = mean(zeroed[:k]), mean(others[:k])
            add(found, f"set_cited_{name}", cited, k)
            add(found, f"set_uncited_{name}", uncited, k)
            add(found, f"set_difference_{name}", cited - uncited, k)


def add(found: Found, quantity: str, value: Any, k: int | None = None) -> None:
    found.setdefault((quantity, k), []).append(value)


def brute_force(one: Scored) -> Found:
    """Values per response of every measure of one component, by the sentences of the paper."""
    found: Found = {}
    for i in range(one.inputs):
        for early, late in combinations(one.repeat_cited[i].tolist(), 2):
            if NONE not in early + late:
                for before, after in zip(early, late, strict=True):
                    add(found, "positional_instability", int(before != after))
        cited = one.cited[i].tolist()
        if not one.usable[i] or cited[0] == NONE:
            continue
        rest = [f for f in range(FEATURES) if f not in cited and one.active[i, f]]
        both = []
        for name, values in exact_scores(one, i).items():
            named = [values[f] for f in cited]
            others = [value for f in rest if (value := values[f]) is not None]
            add_criterion(found, name, named, sorted(others, reverse=True))
            both.append(named)
        whole = None not in both[0] + both[1]
        halves = [(a + b) / 2 for a, b in zip(*both, strict=True)] if whole else []
        add(found, "rank_agreement_mean", rho_of([3, 2, 1], halves) if whole else None)
        add(found, "criteria_agreement", rho_of(*both) if whole else None)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_every_measure_agrees_with_a_loop_over_fractions(seed: int) -> None:
    one = random_component(seed)
    rows = rows_by_key(measure_all(CASE, {"c": one}, SETTINGS))
    found = brute_force(one)
    assert len(found) == 27
    for (quantity, k), values in found.items():
        value, row = average(values), rows["c", quantity, k]
        expected = None if value is None else pytest.approx(value, abs=1e-12)
        assert row["estimate"] == expected, (quantity, k)
        assert row["n"] == sum(one is not None for one in values), (quantity, k)


@pytest.mark.parametrize("seed", range(4))
def test_features_agree_with_a_loop_and_with_scipy(seed: int) -> None:
    one = random_component(seed)
    rows = rows_by_key(measure_all(CASE, {"c": one}, SETTINGS))
    table: dict[str, list[Any]] = {"citation_frequency": [], "necessity": [], "sufficiency": []}
    for f, key in enumerate(CASE.keys):
        shown = [i for i in range(INPUTS) if one.explained[i] and one.active[i, f]]
        table["citation_frequency"].append(
            Fraction(sum(f in one.cited[i].tolist() for i in shown), len(shown))
        )
        for name in ("necessity", "sufficiency"):
            scores = [exact_scores(one, i)[name][f] for i in range(INPUTS)]
            table[name].append(mean([score for score in scores if score is not None]))
        for name, values in table.items():
            estimate = rows[f"c · {key}", name, None]["estimate"]
            assert estimate == pytest.approx(float(values[f]), abs=1e-12)
    for name in ("necessity", "sufficiency"):
        row = rows["c", f"citation_{name}_correlation", None]
        expected = rho_of(table["citation_frequency"], table[name])
        assert row["estimate"] == pytest.approx(expected, abs=1e-12)
        # With one component the pooled correlation is its own.
        pooled = rows[ALL, f"pooled_citation_{name}_correlation", None]
        assert pooled["estimate"] == pytest.approx(expected, abs=1e-12)


def test_overlap_and_ordering_agree_with_a_loop_over_pairs() -> None:
    parts = {name: random_component(seed, name) for seed, name in enumerate("xyz")}
    rows = rows_by_key(measure_all(CASE, parts, SETTINGS))
    means: dict[str, list[float | None]] = {}
    for first, second in combinations(parts, 2):
        values: dict[str, list[Any]] = {
            "overlap_jaccard": [],
            "overlap_coefficient": [],
            "ordering_agreement": [],
        }
        for i in range(INPUTS):
            a, b = (parts[name].cited[i].tolist() for name in (first, second))
            if NONE in a + b:
                continue
            both = [f for f in a if f in b]
            values["overlap_jaccard"].append(Fraction(len(both), len(set(a) | set(b))))
            values["overlap_coefficient"].append(Fraction(len(both), 3))
            if len(both) >= 2:
                same = [b.index(f) < b.index(g) for f, g in combinations(both, 2)]
                values["ordering_agreement"].append(Fraction(sum(same), len(same)))
        for quantity, each in values.items():
            row = rows[f"{first} · {second}", quantity, None]
            assert (row["estimate"], row["n"]) == (pytest.approx(average(each)), len(each))
            means.setdefault(quantity, []).append(average(each))
    for quantity, over_pairs in means.items():
        assert rows[ALL, quantity, None]["estimate"] == pytest.approx(average(over_pairs))


@pytest.mark.parametrize("seed", range(3))
def test_a_resample_is_the_measure_on_the_drawn_inputs(seed: int) -> None:
    # Every statistic at once, for the weights of the first resamples.
    one = random_component(seed)
    weights = draw_weights(CASE.name, INPUTS, SETTINGS)
    whole = measured(CASE, one, SETTINGS, weights)
    for resample in range(1, 9):
        drawn = np.repeat(np.arange(INPUTS), weights[resample].astype(int))
        again = Scored(
            component=one.component,
            keys=one.keys,
            inputs=INPUTS,
            active=one.active[drawn],
            usable=one.usable[drawn],
            cited=one.cited[drawn],
            changed={name: trials[drawn] for name, trials in one.changed.items()},
            repeats=one.repeats[drawn],
            repeat_cited=one.repeat_cited[drawn],
        )
        single = measured(CASE, again, SETTINGS, np.ones((1, INPUTS)))
        for expected, found in zip(single.statistics, whole.statistics, strict=True):
            assert expected.key == found.key
            assert found.draws[resample] == pytest.approx(
                expected.draws[0], abs=1e-10, nan_ok=True
            ), found.key


def test_spearman_and_midranks_are_scipy_s() -> None:
    rng = np.random.default_rng(1)
    for places in (2, 3, 18):
        x, y = rng.integers(0, 5, (2, 60, places)) / 3
        assert (midranks(x) == stats.rankdata(x, axis=1)).all()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.ConstantInputWarning)
            expected = [stats.spearmanr(a, b).statistic for a, b in zip(x, y, strict=True)]
        assert spearman(x, y) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_every_score_pattern_of_three_trials_agrees_with_scipy() -> None:
    grid = [Fraction(hits, valid) for valid in (1, 2, 3) for hits in range(valid + 1)]
    triples = [(a, b, c) for a in set(grid) for b in set(grid) for c in set(grid)]
    found = spearman([3, 2, 1], np.array(triples, dtype=float))
    for value, triple in zip(found, triples, strict=True):
        expected = rho_of([3, 2, 1], list(triple))
        assert math.isnan(value) if expected is None else value == pytest.approx(expected)
