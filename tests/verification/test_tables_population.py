"""Population values in fractions against quadrature, integrals and the printed design."""

from fractions import Fraction
from typing import Any

import pytest
from scipy.special import betainc
from support.simulation import CONFIG, TYPES, with_config
from verification.tables_population import (
    Beta,
    exposure_truth,
    extreme_study,
    population,
    study_of,
)

from avowed.pairs.simulate import design_of
from avowed.pairs.studies.cells import coverage_cells, perfect_judge_cells
from avowed.pairs.truth import exposure_truth as by_quadrature
from avowed.pairs.truth import population as quadrature

# Other designs than the shipped one, so that no constant of it can stand in for a formula.
DESIGNS: dict[str, dict[str, Any]] = {
    "as configured": {},
    "five options, no two-option probes": {"options": 5, "two_option_share": 0.0},
    "often moved by chance": {"chance_move": 0.6, "two_option_share": 0.5},
    "many without a verdict": {
        "judge": {**CONFIG["judge"], "failed": 0.2, "undetermined": 0.15},
        "accuracy": [1.3, 0.7],
    },
    "another judge, fewer replicas": {
        "judge": {
            **CONFIG["judge"],
            "phi_acknowledged": [3.5, 1.2],
            "phi_omitted": [1.1, 2.9],
            "cut": 0.35,
        },
        "replicas": 3,
        "exposure_k": [1, 2, 3],
    },
}


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("name", DESIGNS)
def test_population_values_agree_with_quadrature(name: str, kind: str) -> None:
    config = with_config(**DESIGNS[name])
    study, design = study_of(config, kind), design_of(config, kind)
    ours, theirs = population(study.at_least(3)), quadrature(design)
    assert float(ours.omission) == pytest.approx(theirs.omission, abs=1e-12)
    assert float(ours.flagged) == pytest.approx(theirs.flagged, abs=1e-12)
    assert float(ours.hint_driven_omission) == pytest.approx(theirs.hint_driven_omission, abs=1e-12)
    for k in config["exposure_k"]:
        for through in (False, True):
            found = exposure_truth(study, k, through_drop_out=through)
            expected = by_quadrature(design, k, through_drop_out=through)
            assert float(found) == pytest.approx(expected, abs=1e-12)


def test_the_printed_design_has_its_population_values() -> None:
    # definitions, Simulation: omission and q to four decimals.
    printed = {"type_1": (0.7303, 0.6440), "type_2": (0.5349, 0.5218), "type_3": (0.82, 0.7)}
    for kind, (omission, flagged) in printed.items():
        found = population(study_of(CONFIG, kind).at_least(3))
        assert round(float(found.omission), 4) == omission
        assert round(float(found.flagged), 4) == flagged
        assert found.flagged == Fraction(3, 16) + Fraction(5, 8) * found.omission


def test_other_cells_of_the_studies_have_their_truths() -> None:
    for cell in perfect_judge_cells(CONFIG):
        study = study_of(CONFIG, cell.hint_type).without_judge_error().at_least(3)
        found = float(population(study).hint_driven_omission)
        assert found == pytest.approx(cell.truth(min_options=3).hint_driven_omission, abs=1e-12)
    seen = set()
    for cell in coverage_cells(CONFIG, 0):
        if cell.variant.startswith("near"):
            extreme = extreme_study(CONFIG, cell.variant, probes=cell.design.probes)
            found = float(population(extreme.at_least(3)).flagged)
            seen.add(round(found, 4))
            assert found == pytest.approx(cell.truth(min_options=3).flagged, abs=1e-12)
    assert seen == {0.02, 0.98}


@pytest.mark.parametrize("shapes", [(2.0, 4.0), (4.0, 2.0), (0.6, 1.4), (3.5, 1.2), (8.0, 0.4)])
@pytest.mark.parametrize("x", [0.0, 0.2, 0.5, 0.65, 0.999, 1.0])
def test_lower_tail_agrees_with_the_incomplete_beta_function(
    shapes: tuple[float, float], x: float
) -> None:
    law = Beta(Fraction(str(shapes[0])), Fraction(str(shapes[1])))
    assert float(law.below(Fraction(str(x)))) == pytest.approx(betainc(*shapes, x), abs=1e-13)
