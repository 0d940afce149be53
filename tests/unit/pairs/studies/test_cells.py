"""The cells of the studies: which ones a repetition has, their truths and their streams."""

from dataclasses import replace

import numpy as np
import pytest
from support.simulation import CONFIG, SETTINGS, TYPES, repeat, with_config

from avowed.pairs.calibration import Gates
from avowed.pairs.simulate import BetaLaw, design_of
from avowed.pairs.studies import calibration, worked_example
from avowed.pairs.studies.cells import coverage_cells, main_cells, perfect_judge_cells
from avowed.pairs.truth import population


def test_the_main_cells_are_the_configured_hint_types() -> None:
    cells = main_cells(CONFIG)
    assert [cell.hint_type for cell in cells] == list(TYPES) == ["type_1", "type_2", "type_3"]
    assert [cell.name for cell in cells] == [f"{name}/320/main" for name in TYPES]
    assert all(cell.design == design_of(CONFIG, cell.hint_type) for cell in cells)
    assert [round(cell.truth(min_options=3).omission, 4) for cell in cells] == [
        0.7303,
        0.5349,
        0.8200,
    ]
    assert [round(cell.truth(min_options=3).flagged, 4) for cell in cells] == [
        0.6440,
        0.5218,
        0.7000,
    ]


def test_perfect_judge_cells_differ_in_the_judge_alone() -> None:
    for cell, plain in zip(perfect_judge_cells(CONFIG), main_cells(CONFIG), strict=True):
        assert cell.design == plain.design.with_perfect_judge() != plain.design
        assert cell.truth(min_options=3).flagged == pytest.approx(
            plain.truth(min_options=3).omission, rel=1e-12
        )
        assert cell.name != plain.name


def test_the_cells_of_a_coverage_repetition() -> None:
    cells = list(coverage_cells(CONFIG, 0))
    names = [(cell.hint_type, cell.design.probes, cell.variant) for cell in cells]
    main = [(name, 320, "main") for name in TYPES]
    smaller = [(name, probes, "smaller") for name in TYPES for probes in (10, 20, 40, 80)]
    extreme = [
        ("type_1", probes, variant)
        for variant in CONFIG["extreme_acknowledgement"]
        for probes in (20, 80, 320)
    ]
    assert names == main + smaller + extreme
    assert len({cell.name for cell in cells}) == len(cells)


@pytest.mark.parametrize(
    ("repetition", "main", "further"),
    [(0, True, True), (2, True, True), (3, True, False), (4, True, False), (5, False, False)],
)
def test_further_cells_run_for_their_own_number_of_repetitions(
    repetition: int, main: bool, further: bool
) -> None:
    config = with_config(repetitions=5, further_repetitions=3)
    cells = list(coverage_cells(config, repetition))
    assert len(cells) == 3 * main + (12 + 6) * further
    more = list(coverage_cells(with_config(repetitions=1, further_repetitions=9), 4))
    assert {cell.variant for cell in more} == {"smaller", *CONFIG["extreme_acknowledgement"]}


def test_extreme_rates_are_those_of_their_acknowledgement_laws() -> None:
    """With a perfect judge and no chance move, q is one minus the mean acknowledgement."""
    found = {
        cell.variant: cell.truth(min_options=3)
        for cell in coverage_cells(CONFIG, 0)
        if cell.variant in CONFIG["extreme_acknowledgement"]
    }
    for variant, law in CONFIG["extreme_acknowledgement"].items():
        expected = 1 - BetaLaw(*law).mean
        assert found[variant].flagged == pytest.approx(expected, rel=1e-12)
        assert found[variant].omission == pytest.approx(expected, rel=1e-12)
    assert sorted(round(truth.flagged, 6) for truth in found.values()) == [0.02, 0.98]


def test_a_smaller_design_has_the_same_rate_and_fewer_pairs() -> None:
    for cell in coverage_cells(CONFIG, 0):
        if cell.variant == "smaller":
            full = population(design_of(CONFIG, cell.hint_type))
            assert cell.truth(min_options=3).flagged == pytest.approx(full.flagged, rel=1e-12)
            ratio = cell.truth(min_options=3).expected_evaluable / full.expected_evaluable
            assert ratio == pytest.approx(cell.design.probes / 320, rel=1e-12)


def test_cells_and_repetitions_have_streams_of_their_own() -> None:
    cells = [*main_cells(CONFIG), *perfect_judge_cells(CONFIG)]
    drawn = [
        cell.pairs(replace(SETTINGS, replicate=repetition)).baseline
        for cell in cells
        for repetition in (0, 1)
    ]
    for number, one in enumerate(drawn):
        assert not any(np.array_equal(one, other) for other in drawn[:number])
    again = cells[0].pairs(SETTINGS)
    assert np.array_equal(again.baseline, drawn[0])
    other_root = cells[0].pairs(replace(SETTINGS, seed=SETTINGS.seed + 1))
    assert not np.array_equal(other_root.baseline, drawn[0])


def test_the_data_are_the_pairs() -> None:
    cell = main_cells(CONFIG)[0]
    pairs, data = cell.pairs(SETTINGS), cell.data(SETTINGS)
    assert data.hint_type == cell.name and len(data) == 2560
    assert np.array_equal(data.flagged, pairs.flagged.ravel())


@pytest.mark.parametrize("min_options", [2, 3, 4])
def test_the_truth_is_over_the_probes_that_are_analysed(min_options: int) -> None:
    """A tenth of the probes have two options: there a chance move can only go to the hint."""
    cell = main_cells(CONFIG)[0]
    assert cell.truth(min_options=min_options) == population(cell.design, min_options=min_options)
    full, analysed = (cell.truth(min_options=least).omission for least in (2, 3))
    assert full > analysed == cell.truth(min_options=4).omission


@pytest.mark.parametrize("min_options", [2, 3, 4])
@pytest.mark.parametrize("study", ["coverage", "calibration", "chance_correction"])
def test_every_study_aims_at_the_truth_of_its_own_pairs(study: str, min_options: int) -> None:
    column, wanted = {
        "coverage": ("truth", "flagged"),
        "calibration": ("population", "omission"),
        "chance_correction": ("truth", "hint_driven_omission"),
    }[study]
    settings = replace(SETTINGS, min_options=min_options, resamples=20)
    rows = repeat(study, [0], config=with_config(further_repetitions=0), settings=settings)
    for row in rows:
        truth = population(design_of(CONFIG, row["hint_type"]), min_options=min_options)
        assert row[column] == pytest.approx(getattr(truth, wanted), rel=1e-12)


@pytest.mark.parametrize("min_options", [2, 3, 4])
def test_fixed_sets_shift_the_truth_of_the_analysed_pairs(min_options: int) -> None:
    settings = replace(SETTINGS, min_options=min_options)
    for row in calibration.many_fixed_sets(with_config(fixed_sets=1), settings):
        design = design_of(CONFIG, row["hint_type"])
        assert row["truth"] == population(design, min_options=min_options).omission


def test_without_an_analysed_pair_everything_is_undefined_and_nothing_stops() -> None:
    config = with_config(options=3, further_repetitions=0, fixed_sets=1)
    settings = replace(SETTINGS, min_options=4, resamples=20)
    for study, columns in (
        ("coverage", ["truth"]),
        ("calibration", ["population", "estimate", "realised", "quadrature lower"]),
        ("chance_correction", ["truth", "estimate", "uncorrected", "counting_error"]),
    ):
        rows = repeat(study, [0], config=config, settings=settings)
        assert all(np.isnan(row[name]) for row in rows for name in columns)
    assert all(np.isnan(row["shift"]) for row in calibration.many_fixed_sets(config, settings))
    found = worked_example.run(config, settings, Gates())
    assert found["evaluable hint-induced changes"] == 0
    assert np.isnan([found["omission"], found["corrected rate"], found["corrected lower"]]).all()
    truth = main_cells(config)[0].truth(min_options=4)
    assert np.isnan([truth.omission, truth.flagged, truth.hint_driven_omission]).all()
    assert truth.expected_evaluable == 0
