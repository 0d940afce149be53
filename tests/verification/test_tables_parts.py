"""Parts of the recomputation of tables: comparing, measuring, wording, verdicts."""

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.simulation import CONFIG, SETTINGS, with_config
from verification.comparison import AGREES
from verification.estimates import Settings as Chosen
from verification.files import Unusable
from verification.records import cells_of
from verification.tables_compare import (
    Expected,
    Table,
    as_printed,
    compare_table,
    compare_value,
    printing_tolerance,
    text_of,
)
from verification.tables_inputs import Cell, Inputs
from verification.tables_measures import coverage_of, mean_of, mean_of_figures, share_of
from verification.tables_properties import verdict_of as property_verdict
from verification.tables_public import condition_cells, recomputed, task_of
from verification.tables_worked import Spread, spread_of
from verification.tables_worked import verdict_of as example_verdict

from avowed.pairs.part_one import estimate_delivery
from avowed.pairs.simulated_delivery import simulated_delivery
from avowed.pairs.studies.cells import main_cells
from avowed.present.csvfile import cell_text
from avowed.present.wide import wide_rows
from avowed.stats import performance

numbers = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False)


@given(numbers)
def test_a_printed_number_is_within_its_tolerance(value: float) -> None:
    assert text_of(value) == cell_text(value)
    assert abs(as_printed(value) - value) <= printing_tolerance(as_printed(value))


@given(st.floats(min_value=1e-3, max_value=1e6), st.integers(0, 3))
def test_a_unit_in_an_early_place_is_beyond_it(value: float, place: int) -> None:
    unit = 10.0 ** (math.floor(math.log10(value)) - place)
    found = compare_value(text_of(value + unit), Expected(value, "changed"))
    assert found["verdict"] != AGREES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", 0),
        ("0", None),
        ("", 0.0),
        ("", "text"),
        ("text", None),
        ("text", 1.0),
        ("Text", "text"),
        ("3", 4),
        ("nan", 1.0),
        ("inf", 1.0),
        ("1_0", 10),
        (" 5", 5),
    ],
)
def test_what_is_not_the_same_fails(text: str, expected: str | float | None) -> None:
    assert compare_value(text, Expected(expected, "as it is"))["verdict"] == "fails"


@pytest.mark.parametrize(
    ("text", "expected"), [("", None), ("", ""), ("a", "a"), ("3", 3), ("0.5", 0.5), ("1", 1.0)]
)
def test_what_is_the_same_agrees(text: str, expected: str | float | None) -> None:
    assert compare_value(text, Expected(expected, "as it is"))["verdict"] == AGREES


def test_two_recomputed_rows_with_one_name_are_an_error() -> None:
    row = {"name": Expected("a", "names the row")}
    with pytest.raises(ValueError, match="same name"):
        list(compare_table(Table("t", ("name",), (row, row)), ["name"], []))


values = st.lists(st.one_of(st.none(), numbers), max_size=20)


def _same(ours: float | None, theirs: float) -> bool:
    return math.isnan(theirs) if ours is None else ours == pytest.approx(theirs, abs=1e-6)


@given(values)
def test_means_agree_with_the_pipelines(given_values: list[float | None]) -> None:
    ours = mean_of(given_values)
    theirs = performance.mean_of([math.nan if one is None else one for one in given_values])
    assert ours.repetitions == theirs.repetitions
    assert _same(ours.value, theirs.value)
    assert _same(ours.error, theirs.mc_error)


@given(st.lists(st.booleans(), max_size=20))
def test_shares_agree_with_the_pipelines(happened: list[bool]) -> None:
    ours, theirs = share_of(happened), performance.proportion(happened)
    assert ours.repetitions == theirs.repetitions
    assert _same(ours.value, theirs.value)
    assert _same(ours.error, theirs.mc_error)


def test_both_ends_of_an_interval_count_in() -> None:
    truth = 0.7 + 3e-14
    ends = [(0.6, 0.7, truth), (0.7, 0.8, truth), (0.6, 0.69, truth), (None, 0.8, truth)]
    found = coverage_of(ends)
    assert (found.value, found.repetitions) == (2 / 3, 3)


def test_a_mean_of_hint_types_is_undefined_with_one_of_them() -> None:
    found = mean_of_figures([{"bias": mean_of([1.0, 3.0])}, {"bias": mean_of([])}])["bias"]
    assert (found.value, found.error, found.repetitions) == (None, None, 2)


@pytest.mark.parametrize(
    ("published", "ours", "verdict"),
    [
        (None, 0.2, "recovered"),
        (0.20, 0.204, "matches"),
        (0.20, 0.224, "within Monte-Carlo error"),
        (0.20, 0.234, "differs"),
    ],
)
def test_verdict_on_a_property(published: float | None, ours: float, verdict: str) -> None:
    # Errors of the difference: 0.01 x sqrt(2); 0.234 is 2.05 of them beyond 0.205.
    found, _ = property_verdict(published, ours, 0.01, 100, decimals=2, printed_repetitions=100)
    assert found == verdict


@pytest.mark.parametrize(
    ("published", "ours", "mean", "run", "verdict"),
    [
        (None, 0.2, 0.2, True, "not printed"),
        (0.20, 0.5, 0.204, True, "matches"),
        (0.20, 0.20, 0.5, True, "differs"),
        (0.20, 0.20, 0.22, True, "within Monte-Carlo error"),
        (0.20, 0.25, 0.23, True, "differs"),
        (0.20, None, 0.20, True, "undefined"),
        (0.20, None, None, False, "not in this run"),
    ],
)
def test_verdict_on_the_worked_example(
    published: float | None, ours: float | None, mean: float | None, run: bool, verdict: str
) -> None:
    said = Spread(mean, 0.01, 10)
    assert example_verdict(published, 2, ours, said, run=run)[0] == verdict


def test_a_number_that_never_varies_has_no_spread() -> None:
    assert spread_of([0.1 + 0.2, 0.3, 0.3], 0.3) == Spread()


def test_a_probe_of_an_unknown_task_is_unusable() -> None:
    with pytest.raises(Unusable, match="no task"):
        task_of("navigate", ["navigate"])


def compared(cell: Cell, inputs: Inputs, wide: Mapping[str, Any]) -> list[str]:
    """Columns of a condition row that disagree with the pipeline's, and its sentence."""
    found = recomputed(cell.pairs, Chosen.from_config(SETTINGS_FILE), name=cell.name)
    cells = condition_cells(found, cell, inputs, None)
    assert cells.keys() | {"condition"} == wide.keys()
    return [
        name
        for name, expected in cells.items()
        if compare_value(cell_text(wide[name]), expected)["verdict"] != AGREES
    ]


def found_by_draws(off: list[str]) -> set[str]:
    """Of the given columns, those that may differ between two bootstraps."""
    words = {name for name in off if name.endswith(("status", "note", "sentence"))}
    # With an interval in one program only, its ends and its method differ too.
    refused = {"chance_corrected_lower", "chance_corrected_upper", "chance_corrected_method"}
    return words | (refused if refused <= set(off) else set())


SETTINGS_FILE: dict[str, Any] = {
    "seed": 1,
    "bootstrap": {"resamples": 400, "confidence": 0.95},
    "analysis": {"min_options": 3, "target_half_width": 0.10},
    "sensitivity": {"cuts": [0.5, 0.8]},
    "chance": {"max_undefined_share": 0.05},
    "exposure": {"min_options": 3},
    "simulation": CONFIG,
}


@pytest.mark.parametrize("probes", [2, 6, 10, 30, 60])
@pytest.mark.parametrize("channel", ["user_message", "metadata"])
def test_rows_without_stored_estimates_agree_within_two_bootstraps(
    probes: int, channel: str
) -> None:
    """Every wording and status: insufficient cells, few probes, too few options, no verdicts."""
    settings = replace(SETTINGS, resamples=400)
    kinds = main_cells(with_config(probes=probes, two_option_share=0.3))
    made = simulated_delivery(kinds, settings).delivery
    delivery = replace(made, header=replace(made.header, hint_channel=channel))
    estimates = estimate_delivery(delivery, settings, name="mine", study="deliveries")
    inputs = Inputs(Path(), Path(), Path(), SETTINGS_FILE)
    header = {"hint_types": [kind.hint_type for kind in kinds]}
    parts = cells_of("mine", header, delivery.records.to_pylist())
    wide = wide_rows("mine", estimates.rows, estimates.cells)
    for (kind, pairs), row in zip(parts.items(), wide, strict=True):
        cell = Cell("deliveries", f"mine/{kind}", kind, channel, tuple(pairs), {})
        off = compared(cell, inputs, row)
        # What is said of a bootstrap end, and a share of undefined resamples near its limit, may
        # differ between two bootstraps; a value, a count or an end beyond their error may not.
        assert set(off) <= found_by_draws(off)
        stated = {one["quantity"]: one for one in estimates.rows if one["cell"] == f"mine/{kind}"}
        assert compared(replace(cell, estimates=stated), inputs, row) == []
