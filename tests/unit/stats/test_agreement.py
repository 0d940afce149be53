"""Agreement of two raters against statsmodels, published tables and closed forms."""

import math
from fractions import Fraction

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa as statsmodels_kappa

from avowed.stats.agreement import (
    bias_index,
    cohens_kappa,
    expected_agreement,
    gwet_ac1,
    gwet_expected,
    observed_agreement,
    prevalence_index,
)

SEEDS = range(25)


def table(seed: int) -> list[int]:
    return [int(n) for n in np.random.default_rng([33, seed, 0, 0]).integers(1, 40, 4)]


@pytest.mark.parametrize("seed", SEEDS)
def test_kappa_against_statsmodels(seed: int) -> None:
    a, b, c, d = table(seed)
    found = statsmodels_kappa(np.array([[a, b], [c, d]]))
    assert cohens_kappa([a, b, c, d]).item() == pytest.approx(found.kappa, abs=1e-12)
    # kappa by its definition, from the two agreements.
    chance = expected_agreement([a, b, c, d]).item()
    observed = observed_agreement([a, b, c, d]).item()
    assert (observed - chance) / (1 - chance) == pytest.approx(found.kappa, abs=1e-12)


@pytest.mark.parametrize(
    ("counts", "agreement", "kappa"),
    # Feinstein and Cicchetti (1990), the two tables of the paradox: equal agreement, other kappa.
    [([40, 9, 6, 45], 0.85, 0.70), ([80, 10, 5, 5], 0.85, 0.32)],
)
def test_the_paradox_as_published(counts: list[int], agreement: float, kappa: float) -> None:
    assert observed_agreement(counts).item() == pytest.approx(agreement, abs=1e-12)
    assert cohens_kappa(counts).item() == pytest.approx(kappa, abs=0.005)


def test_ac1_as_published() -> None:
    # Gwet (2002), Kappa statistic is not satisfactory: 118, 5, 2, 0 of 125.
    assert gwet_ac1([118, 5, 2, 0]).item() == pytest.approx(0.9408, abs=5e-5)
    assert cohens_kappa([118, 5, 2, 0]).item() == pytest.approx(-0.0234, abs=5e-5)


@pytest.mark.parametrize("seed", SEEDS)
def test_ac1_and_the_indices_in_fractions(seed: int) -> None:
    a, b, c, d = table(seed)
    n = a + b + c + d
    # Gwet (2008): p_e = 1/(Q - 1) sum pi_k (1 - pi_k), with Q = 2 categories.
    share = (Fraction(a + b, n) + Fraction(a + c, n)) / 2
    chance = share * (1 - share) + (1 - share) * share
    ac1 = (Fraction(a + d, n) - chance) / (1 - chance)
    assert gwet_expected([a, b, c, d]).item() == pytest.approx(float(chance), abs=1e-12)
    assert gwet_ac1([a, b, c, d]).item() == pytest.approx(float(ac1), abs=1e-12)
    assert bias_index([a, b, c, d]).item() == pytest.approx(
        float(Fraction(a + b, n) - Fraction(a + c, n)), abs=1e-12
    )
    # Byrt, Bishop and Carlin (1993): kappa follows from agreement, prevalence and bias.
    pabak = 2 * observed_agreement([a, b, c, d]).item() - 1
    pi, bi = prevalence_index([a, b, c, d]).item(), bias_index([a, b, c, d]).item()
    kappa = (pabak - pi**2 + bi**2) / (1 - pi**2 + bi**2)
    assert cohens_kappa([a, b, c, d]).item() == pytest.approx(kappa, abs=1e-12)


def test_kappa_is_undefined_where_chance_agreement_is_1() -> None:
    for counts in ([9, 0, 0, 0], [0, 0, 0, 9]):
        assert expected_agreement(counts).item() == 1
        assert math.isnan(cohens_kappa(counts).item())
        assert gwet_ac1(counts).item() == 1
    # One rater with one category only: agreement is exactly what chance gives.
    assert cohens_kappa([7, 2, 0, 0]).item() == 0


def test_an_empty_table_has_no_measure() -> None:
    for measure in (observed_agreement, cohens_kappa, gwet_ac1, prevalence_index, bias_index):
        assert math.isnan(measure([0, 0, 0, 0]).item())


def test_tables_are_taken_on_the_last_axis() -> None:
    tables = np.array([[table(1), table(2)], [table(3), [5, 0, 0, 0]]])
    found = cohens_kappa(tables)
    assert found.shape == (2, 2)
    assert found[0, 1] == cohens_kappa(table(2)).item() and math.isnan(found[1, 1])


@pytest.mark.parametrize("wrong", [[1, 2, 3], [1, 2, -1, 4]])
def test_what_is_no_table_is_refused(wrong: list[int]) -> None:
    with pytest.raises(ValueError, match="four counts"):
        cohens_kappa(wrong)
