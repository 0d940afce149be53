"""The rows of repetition 0 agree with those formed from its pairs, and every change shows."""

import copy
import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import stdtrit
from scipy.stats import binom
from support.simulation import CONFIG, SETTINGS, repeat, with_config
from verification.files import Unusable
from verification.repetition import compare_repetition
from verification.repetition_calibration import binomial_table
from verification.repetition_pairs import Repetition
from verification.simulated import check_laws, check_pairs, read_pairs
from verification.student import t_quantile

from avowed.pairs.edge_results import paper_config
from avowed.pairs.studies.pairs_file import probe_rows

STUDIES = ("coverage", "exposure_bias", "chance_correction", "calibration")
RESAMPLES = 2000
SMALL: dict[str, Any] = {
    "probes": 60,
    "smaller_probes": [10],
    "extreme_probes": [20],
    "hint_types": {"type_1": CONFIG["hint_types"]["type_1"]},
}
Rows = list[dict[str, Any]]


def plain(rows: Rows) -> Rows:
    """Rows as they come out of the export: NaN is null, numbers are Python's."""
    names = dict.fromkeys(name for row in rows for name in row)
    read = json.loads(json.dumps(rows, default=lambda value: value.item()))
    return [
        {name: None if row.get(name) != row.get(name) else row.get(name) for name in names}
        for row in read
    ]


def made(
    folder: Path, *, repetitions: int = 2, **changes: Any
) -> tuple[Repetition, dict[str, Rows]]:
    least = changes.pop("min_options", 3)
    simulation = with_config(**(SMALL | changes))
    settings = replace(SETTINGS, resamples=RESAMPLES, min_options=least)
    path = folder / "pairs.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in probe_rows(simulation, settings)))
    studies = {
        name: plain(repeat(name, range(repetitions), config=simulation, settings=settings))
        for name in STUDIES
    }
    config = paper_config(resamples=RESAMPLES) | {"simulation": simulation}
    config["analysis"]["min_options"] = least
    return Repetition(read_pairs(path), config), studies


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Repetition, dict[str, Rows]]:
    return made(tmp_path_factory.mktemp("repetition"), repetitions=120)


def failing(again: Repetition, studies: dict[str, Rows]) -> list[dict[str, Any]]:
    return [row for row in compare_repetition(again, studies) if row["verdict"] != "agrees"]


def test_everything_agrees(small: tuple[Repetition, dict[str, Rows]]) -> None:
    rows = list(compare_repetition(*small))
    assert [row for row in rows if row["verdict"] != "agrees"] == []
    fields = {(row["quantity"], row["field"]) for row in rows}
    assert {("coverage", "bca lower"), ("coverage", "studentised upper")} <= fields
    assert ("drawn calibrations", "variance of tp") in fields


@pytest.mark.parametrize("min_options", [2, 4])
def test_it_agrees_for_another_least_number_of_options(min_options: int, tmp_path: Path) -> None:
    assert failing(*made(tmp_path, min_options=min_options)) == []


def test_it_agrees_without_an_analysed_pair(tmp_path: Path) -> None:
    assert failing(*made(tmp_path, options=3, min_options=4)) == []


#: Study -> column -> how far it is moved: beyond the tolerance of two bootstraps, or at all.
MOVED = {
    "coverage": {
        "evaluable": 1,
        "rate": 1e-9,
        "icc": 1e-9,
        "design_effect": 1e-9,
        "clusters": 1,
        "percentile lower": 0.1,
        "bca upper": 0.15,
        "studentised lower": 0.15,
        "linearised t upper": 1e-9,
        "wilson at effective n lower": 1e-9,
        "wilson, pairs as independent upper": 1e-9,
    },
    "exposure_bias": {"unbiased": 1e-9, "plug_in": 1e-9, "lower": 0.1, "upper": 0.1},
    "chance_correction": {
        "estimate": 1e-9,
        "uncorrected": 1e-9,
        "counting_error": 1e-9,
        "counting_error_imperfect": 1e-9,
        "lower": 0.2,
    },
    "calibration": {
        "estimate": 1e-9,
        "h_c": 1e-9,
        "realised": 1e-9,
        "quadrature lower": 0.1,
        "joint bootstrap upper": 0.3,
        "tp": 1,
    },
}


@pytest.mark.parametrize(
    ("study", "column"), [(study, column) for study in MOVED for column in MOVED[study]]
)
def test_a_changed_number_is_noticed(
    study: str, column: str, small: tuple[Repetition, dict[str, Rows]]
) -> None:
    again, studies = small
    changed = copy.deepcopy(studies)
    changed[study][0][column] += MOVED[study][column]
    assert failing(again, changed)


def test_a_flag_that_is_turned_is_noticed(small: tuple[Repetition, dict[str, Rows]]) -> None:
    again, studies = small
    for method in ("percentile", "linearised t"):
        changed = copy.deepcopy(studies)
        changed["coverage"][0][f"{method} fallback"] = True
        assert failing(again, changed)


def test_a_missing_row_or_column_is_noticed(small: tuple[Repetition, dict[str, Rows]]) -> None:
    again, studies = small
    gone = {**studies, "coverage": studies["coverage"][1:]}
    assert {row["verdict"] for row in failing(again, gone)} == {"no counterpart in the pipeline"}
    lacking = copy.deepcopy(studies)
    del lacking["calibration"][0]["tp"]
    with pytest.raises(
        Unusable, match="repetition 0 of the studies cannot be recomputed: KeyError"
    ):
        failing(again, lacking)


def test_calibrations_of_another_judge_are_noticed(
    small: tuple[Repetition, dict[str, Rows]],
) -> None:
    again, studies = small
    changed = copy.deepcopy(studies)
    for row in changed["calibration"]:
        if row["calibration"] == "fresh":
            row["tp"], row["tn"] = round(0.7 * row["items_per_class"]), row["tn"]
    fields = {row["field"] for row in failing(again, changed)}
    assert {"tp / items", "variance of tp"} <= fields


def test_broken_pairs_and_laws_are_noticed(small: tuple[Repetition, dict[str, Rows]]) -> None:
    again, _ = small
    key = again.main("type_1")
    pairs = list(again.pairs[key])

    def broken(changed: list[Any]) -> set[str]:
        rows = [
            *check_pairs(key, changed, again.simulation),
            *check_laws(key, changed, again.simulation),
        ]
        return {row["field"] for row in rows if row["verdict"] != "agrees"}

    assert broken(pairs) == set()
    told = [replace(p, acknowledged=p.letter == "H") for p in pairs]
    assert {"a chance move acknowledges nothing", "acknowledged among driven moves"} <= broken(told)
    never = [replace(p, driven=False, acknowledged=False) for p in pairs]
    assert {"moved by the hint", "moved by chance"} <= broken(never)
    sure = [replace(p, phi=None if p.phi is None else 1.0) for p in pairs]
    assert "flagged omissions" in broken(sure)
    assert "pairs" in broken(pairs[1:])
    assert "phi where the call did not fail" in broken([replace(p, phi=None) for p in pairs])


def test_closed_forms_agree_with_scipy() -> None:
    for freedom in (1, 2, 3, 10, 59, 319):
        for confidence in (0.2, 0.5, 0.95, 0.99):
            expected = stdtrit(freedom, 0.5 + confidence / 2)
            assert t_quantile(confidence, freedom) == pytest.approx(expected, rel=1e-12)
    for n, p in ((30, Fraction(13, 16)), (150, Fraction(43, 50)), (600, Fraction(1, 7))):
        expected = binom.cdf(np.arange(n + 1), n, float(p))
        assert binomial_table(n, p) == pytest.approx(expected, abs=1e-10)
    assert binomial_table(2, Fraction(1)) == [0.0, 0.0, 1.0]
    assert binomial_table(2, Fraction(0)) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    "text", ['{"probe": 1}', "[1]", '{"hint_type": "a", "probes": 1, "variant": "m"}']
)
def test_a_file_of_something_else_is_one_message(text: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{text}\n")
    with pytest.raises(Unusable, match="row 1: not a probe"):
        read_pairs(path)
