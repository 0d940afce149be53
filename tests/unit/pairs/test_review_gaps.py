"""Faults that single-line changes of the library could have hidden."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.cells import cell_of, probes
from support.deliveries import header, valid_records, write_lines

from avowed.pairs.chance import chance_corrected_omission
from avowed.pairs.estimate import Settings
from avowed.pairs.exposure import longest_curve
from avowed.pairs.omission import FEW_PROBES, conditional_omission, wilson_reference
from avowed.pairs.part_one import estimate_cell, pair_counts
from avowed.pairs.rules import validate
from avowed.pairs.sample_size import completed_pairs
from avowed.refusal import Unusable
from avowed.stats.intervals import wilson
from avowed.stats.seeds import Study

SETTINGS = Settings()


def test_the_reference_interval_takes_the_level() -> None:
    cell = cell_of(probes("xxf", "xff", "xx"))
    found = wilson_reference(cell, Settings(confidence=0.8)).interval
    expected = wilson(5 / 8, 8, confidence=0.8)
    assert (found.lower, found.upper) == (expected.lower, expected.upper)


def test_everything_that_moves_can_be_all_of_the_pairs() -> None:
    assert completed_pairs(96.0, share_moved=1.0, design_effect=1.0).completed == 96.0


@pytest.mark.parametrize("field", ["study", "cell", "replicate", "seed"])
def test_streams_differ_in_every_id(field: str) -> None:
    base = SETTINGS.stream(Study.OMISSION, "a").integers(2**32, size=4)
    other = {
        "study": lambda: SETTINGS.stream(Study.OMISSION_DRIFT, "a"),
        "cell": lambda: SETTINGS.stream(Study.OMISSION, "b"),
        "replicate": lambda: Settings(replicate=1).stream(Study.OMISSION, "a"),
        "seed": lambda: Settings(seed=2).stream(Study.OMISSION, "a"),
    }[field]()
    assert not np.array_equal(base, other.integers(2**32, size=4))


def test_estimates_of_one_cell_do_not_share_a_stream() -> None:
    # Every stratum holds the same counts, so equal streams would give equal interval ends.
    rows = estimate_cell(cell_of(probes(*["xxf", "xff", "xNN"] * 8)), SETTINGS, name="c").estimates
    ends = [
        (one.interval.lower, one.interval.upper)
        for one in rows
        if one.quantity in ("omission", "omission_drift") and one.interval.defined
    ]
    assert len(ends) == 2
    assert ends[0] != ends[1]


def test_a_collapsed_rate_maps_the_corrected_interval() -> None:
    # Ten probes with one faithful and one unfaithful move each: q is 1/2 in every resample, and
    # what the corrected rate's own resamples vary in is the chance ratio alone.
    pairs = [*probes(*["xfO", "xfN"] * 5)]
    plain = conditional_omission(cell_of(pairs), SETTINGS)
    found = chance_corrected_omission(cell_of(pairs), SETTINGS)
    assert plain.interval.method == "wilson at effective n"
    assert "fixed chance ratio" in found.interval.method
    ratio = 1 - 5 / (2 * 20)
    assert found.interval.lower == pytest.approx(1 - min((1 - plain.interval.lower) / ratio, 1))
    assert found.interval.upper == pytest.approx(1 - (1 - plain.interval.upper) / ratio)


def test_few_probes_are_said() -> None:
    few = conditional_omission(cell_of(probes(*["xxf", "xff"] * 5)), SETTINGS)
    many = conditional_omission(cell_of(probes(*["xxf", "xff"] * FEW_PROBES)), SETTINGS)
    assert any(note.startswith("few probes (10)") for note in few.notes)
    assert not any(note.startswith("few probes") for note in many.notes)


def test_the_curve_ends_where_no_probe_was_asked_more_often() -> None:
    cell = cell_of(probes("xf", "xxx"), replicas=10**9)
    assert longest_curve(cell) == 3


@pytest.mark.parametrize("cuts", [[0.5, 0.50000001], [0.6, 0.5], [0.5, 0.5]])
def test_cuts_that_share_a_name_are_refused(cuts: list[float]) -> None:
    with pytest.raises(Unusable, match=r"sensitivity\.cuts"):
        Settings.from_config({"sensitivity": {"cuts": cuts}})


def test_a_truncated_answer_is_not_an_ungraded_explanation() -> None:
    cell = cell_of(probes("xtU", "f?U"))
    cell = replace(cell, truncated=cell.truncated | cell.not_evaluable)
    counts = {one.quantity: one.value for one in pair_counts(cell, SETTINGS)}
    assert counts["n_ungraded_truncated"] == 1
    assert counts["n_ungraded_undetermined"] == 1
    assert counts["n_not_evaluable"] == 2


@pytest.mark.parametrize("excess", [-1, 1])
def test_planned_pairs_that_are_off_in_either_direction(tmp_path: Path, excess: int) -> None:
    records = valid_records()
    declared = header(records)
    declared["coverage"][0]["planned"] += excess
    write_lines(tmp_path, records, declared)
    assert [v.rule for v in validate(tmp_path).violations] == ["R10"]


def test_a_hint_type_with_two_coverage_entries(tmp_path: Path) -> None:
    records = valid_records()
    declared = header(records)
    declared["coverage"].append(dict(declared["coverage"][0]))
    write_lines(tmp_path, records, declared)
    found = list(validate(tmp_path).violations)
    assert found
    assert {v.rule for v in found} == {"R10"}


def test_an_undetermined_label_has_its_own_reason(tmp_path: Path) -> None:
    records = valid_records()
    (row,) = [row for row in records if row["judge_label"] == "undetermined"][:1]
    row["reason_not_evaluable"] = "judge_unavailable"
    write_lines(tmp_path, records, header(records))
    found = [(v.rule, v.field) for v in validate(tmp_path).violations]
    assert found == [("R5", "reason_not_evaluable")]
