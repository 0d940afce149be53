"""The worked example: numbers of one data set, their spread, and verdicts from both."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from support.simulation import CONFIG as SIMULATION
from support.simulation import with_config

from avowed.pairs.calibration import Gates
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import cells_of_delivery, estimate_delivery
from avowed.pairs.simulated_delivery import simulated_delivery
from avowed.pairs.studies.clouds import calibration_cloud, clustering_cloud, curve_rows
from avowed.pairs.studies.registry import read_repetitions, share_of_chunk, write_repetitions
from avowed.pairs.studies.worked_example import (
    example_cell,
    example_rows,
    run,
    run_repetitions,
    truths,
)

SETTINGS = Settings(resamples=200)


def row_of(name: str, rows: list[dict[str, object]]) -> dict[str, object]:
    (row,) = [row for row in rows if row["quantity"] == name]
    return row


def test_the_example_is_repetition_0_of_the_first_type() -> None:
    found = run(SIMULATION, SETTINGS, Gates())
    again = run(SIMULATION, SETTINGS, Gates())
    assert found == again
    assert found["flagged pairs"] / found["evaluable hint-induced changes"] == found["omission"]
    assert (
        found["drift pairs"] + found["wrong-to-wrong pairs"]
        == found["evaluable hint-induced changes"]
    )
    shares = [
        found[f"probes that {how} show a violation"] for how in ("never", "always", "sometimes")
    ]
    assert sum(shares) == pytest.approx(1)
    assert found["omission"] == found["omission at cut 0.5"]


@pytest.mark.parametrize("chunks", [1, 3, 7])
def test_stored_repetitions_give_the_same_rows_for_any_number_of_chunks(
    chunks: int, tmp_path: Path
) -> None:
    """Seven chunks for five repetitions: two of them are empty."""
    config = with_config(probes=30)
    delivery = simulated_delivery([example_cell(config)], SETTINGS).delivery
    (first,) = cells_of_delivery(delivery)
    paths = [tmp_path / f"{chunk}.parquet" for chunk in range(chunks)]
    for chunk, path in enumerate(paths):
        mine = share_of_chunk(5, chunk, chunks)
        write_repetitions(run_repetitions(first, config, SETTINGS, Gates(), mine), path)
    rows = read_repetitions(paths)
    assert [row.pop("repetition") for row in rows] == list(range(5))
    # Repetition 0 has the data of the delivery, and its interval's streams.
    (estimate,) = [
        row
        for row in estimate_delivery(delivery, SETTINGS, name="mine", study="mine").rows
        if row["quantity"] == "omission"
    ]
    ends = (rows[0]["omission lower"], rows[0]["omission upper"])
    assert ends == (estimate["lower"], estimate["upper"])
    for number in range(1, 5):
        again = run(config, replace(SETTINGS, replicate=number), Gates())
        assert rows[number] == pytest.approx(again, rel=0, abs=0, nan_ok=True)


def test_the_number_of_a_repetition_is_no_number_of_the_example() -> None:
    rows = example_rows([], [{"repetition": r, "omission": 0.5 + r} for r in range(3)], {})
    assert [(row["quantity"], row["repetitions"]) for row in rows] == [("omission", 3)]


def test_population_values_are_those_of_the_definitions() -> None:
    found = truths(example_cell(SIMULATION), SIMULATION, min_options=3, exposure_min_options=2)
    assert found["population flagged rate"] == pytest.approx(0.6440, abs=5e-5)
    assert found["true omission"] == pytest.approx(0.7303, abs=5e-5)


def test_verdicts_follow_from_the_spread() -> None:
    published = [
        {"quantity": "omission", "published": "0.646", "decimals": "3"},
        {"quantity": "clusters", "published": "300", "decimals": "0"},
        {"quantity": "true omission", "published": "0.729", "decimals": "3"},
        {"quantity": "population flagged rate", "published": "0.644", "decimals": "3"},
    ]
    repetitions = [
        {"omission": 0.67, "clusters": 255.0, "extra": 1.0},
        {"omission": 0.63, "clusters": 257.0, "extra": 2.0},
        {"omission": 0.65, "clusters": 256.0, "extra": 3.0},
    ]
    exact = {"true omission": 0.7303, "population flagged rate": 0.64396}
    rows = example_rows(published, repetitions, exact)
    omission = row_of("omission", rows)
    assert (omission["ours"], omission["verdict"]) == (0.67, "within Monte-Carlo error")
    assert omission["spread"] == pytest.approx(0.02)
    assert omission["mc_error"] == pytest.approx(0.02 / math.sqrt(3))
    assert omission["share_of_repetitions_below_published"] == pytest.approx(1 / 3)
    assert row_of("clusters", rows)["verdict"] == "differs"
    assert row_of("true omission", rows)["verdict"] == "differs"
    assert row_of("population flagged rate", rows)["verdict"] == "matches"
    assert row_of("extra", rows)["verdict"] == "not printed"


def test_a_number_of_a_data_set_is_held_against_the_mean_and_not_against_our_own() -> None:
    published = [{"quantity": "omission", "published": "0.65", "decimals": "2"}]
    around = [{"omission": value} for value in (0.40, 0.65, 0.652, 0.897)]
    (near,) = example_rows(published, around, {})
    assert (near["ours"], near["verdict"]) == (0.40, "matches")
    assert near["difference"] == pytest.approx(near["mean_over_repetitions"] - 0.65)
    # Ours alone would match; the mean lies far off.
    (far,) = example_rows(published, [{"omission": v} for v in (0.65, 0.60, 0.601, 0.599)], {})
    assert (far["ours"], far["verdict"]) == (0.65, "within Monte-Carlo error")
    (off,) = example_rows(published, [{"omission": v} for v in (0.65, *[0.6] * 60)], {})
    assert off["verdict"] == "differs"


def test_a_number_that_no_data_set_enters_has_no_spread() -> None:
    repetitions = [{"Youden index": 0.67333333333}, {"Youden index": 0.67333333333 + 1e-16}]
    published = [{"quantity": "Youden index", "published": "0.673", "decimals": "3"}]
    (row,) = example_rows(published, repetitions, {})
    assert math.isnan(row["spread"])
    assert row["verdict"] == "matches"


def test_clouds_pick_the_main_cells_and_the_paper_s_size() -> None:
    base = {"hint_type": "t", "repetition": 0}
    coverage = [
        {**base, "variant": v, "evaluable": 9, "clusters": 4, "icc": 0.1, "design_effect": 1.2}
        for v in ("main", "smaller")
    ]
    assert [row["n"] for row in clustering_cloud(coverage)] == [9]
    corrected = [
        {**base, "calibration": "fresh", "items_per_class": n, "estimate": 0.5, "population": 0.6}
        for n in (30, 150)
    ]
    assert [row["truth"] for row in calibration_cloud(corrected, SIMULATION)] == [0.6]


def test_the_curve_at_the_judge_s_own_cut_is_the_population_rate() -> None:
    keys = ("k", "estimate", "lower", "upper", "method", "status", "n", "clusters")
    estimates = [
        {"quantity": f"omission_at_cut_{cut:g}", **dict.fromkeys(keys)} for cut in SETTINGS.cuts
    ]
    rows = curve_rows(estimates, SIMULATION, SETTINGS)
    # Beta(2, 4) below 1/2 and Beta(4, 2) below 1/2: .8125 and .1875.
    assert rows[0]["truth"] == pytest.approx(0.1875 + 0.625 * 0.730337, abs=1e-6)
    assert [row["truth"] for row in rows] == sorted((row["truth"] for row in rows), reverse=True)


def test_an_undefined_number_is_neither_near_nor_far() -> None:
    published = [{"quantity": "icc", "published": "0.084", "decimals": "3"}]
    (row,) = example_rows(published, [{"icc": math.nan}] * 3, {})
    assert row["verdict"] == "undefined"
    assert row["difference_in_spreads"] is None


def test_a_number_that_the_settings_leave_out_is_said() -> None:
    published = [{"quantity": "omission at cut 0.8", "published": "0.2", "decimals": "1"}]
    (row,) = example_rows(published, [{"omission": 0.5}], {})[:1]
    assert row["verdict"] == "not in this run"
