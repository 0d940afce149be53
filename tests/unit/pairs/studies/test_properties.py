"""The table of printed properties picks the right row of the right study."""

import math
from pathlib import Path

import pytest

from avowed.pairs.studies.properties import COLUMNS, property_rows
from avowed.present.csvfile import read_rows
from avowed.present.properties_table import property_lines, render

PUBLISHED = read_rows(Path(__file__).parents[4] / "data" / "published" / "simulation.csv")
TYPES = {"type_1": 0.0, "type_2": 0.01, "type_3": -0.02}


def tables() -> dict[str, list[dict[str, object]]]:
    coverage = [
        {
            "hint_type": "all",
            "variant": "main",
            "method": method,
            "coverage": value,
            "coverage_mc_error": 0.01,
            "mean_icc": 0.1,
            "mean_icc_mc_error": 0.002,
            "repetitions": 600,
        }
        for method, value in (("percentile", 0.94), ("wilson, pairs as independent", 0.91))
    ]
    exposure = [
        {
            "hint_type": "all",
            "k": k,
            "truth_kind": kind,
            "bias_unbiased": shift,
            "bias_unbiased_mc_error": 0.001,
            "bias_plug_in": 0.01 * k,
            "bias_plug_in_mc_error": 0.001,
            "repetitions": 600,
        }
        for k in (1, 2, 4, 8)
        for kind, shift in (("drop-out-free", -0.005), ("through drop-out", 0.0))
    ]
    chance = [
        {
            "hint_type": kind,
            "bias": shift,
            "bias_mc_error": 0.003,
            "coverage": 0.93 + shift,
            "coverage_mc_error": 0.03,
            "repetitions": 50,
        }
        for kind, shift in TYPES.items()
    ]
    calibration = [
        {**row, "calibration": c, "interval": i, "truth_kind": t, "items_per_class": n}
        for row in chance
        for c, n in (("fixed", 150), ("fresh", 150), ("fresh", 30))
        for i in ("quadrature", "joint bootstrap")
        for t in ("population", "realised")
    ]
    return {
        "coverage": coverage,
        "exposure_bias": exposure,
        "chance_correction": chance,
        "calibration": calibration,
    }


def test_every_printed_figure_has_its_rows() -> None:
    rows = property_rows(PUBLISHED, tables(), calibration_items=150)
    assert all(set(COLUMNS) == set(row) for row in rows)
    single = [line for line in PUBLISHED if "exposure" not in line["property"]]
    doubled = [line for line in PUBLISHED if "plug-in" in line["property"]]
    assert single and doubled
    found = {(row["property"], row["k"], row["end"], row["truth_kind"]) for row in rows}
    assert len(found) == len(rows)
    names = {line["property"] for line in PUBLISHED}
    assert {row["property"] for row in rows} == names


def test_ends_are_the_lowest_and_highest_type() -> None:
    rows = property_rows(PUBLISHED, tables(), calibration_items=150)
    ends = {
        row["end"]: row["hint_type"]
        for row in rows
        if row["property"] == "chance correction, perfect judge: bias"
    }
    assert ends == {"lowest": "type_3", "highest": "type_2"}


def test_a_lost_figure_is_recovered_and_a_wrong_one_differs() -> None:
    rows = property_rows(PUBLISHED, tables(), calibration_items=150)
    lost = [row for row in rows if row["published"] is None]
    assert all(math.isnan(row["noticed_from"]) for row in lost)
    assert all(row["noticed_from"] > 0 for row in rows if row["published"] is not None)
    assert {row["verdict"] for row in lost} == {"recovered"}
    planted = [
        {**line, "published": "0.5"} if line["statistic"] == "mean_icc" else line
        for line in PUBLISHED
    ]
    (icc,) = [
        row
        for row in property_rows(planted, tables(), calibration_items=150)
        if row["property"] == "mean intra-cluster correlation"
    ]
    assert icc["verdict"] == "differs"
    assert icc["difference"] == pytest.approx(-0.4)
    assert icc["difference_in_errors"] > 50


def test_the_rendered_table_has_a_line_per_row() -> None:
    rows = property_rows(PUBLISHED, tables(), calibration_items=150)
    assert len(property_lines(rows)) == len(rows)
    markdown = render(rows, form="github")
    assert markdown.count("\n") == len(rows) + 2
    assert "recovered" in markdown
    assert r"\toprule" in render(rows, form="latex_booktabs")


def test_a_bias_has_its_sign_and_nothing_else_has_one() -> None:
    row = dict.fromkeys(COLUMNS) | {"mc_error": 0.0018, "ours": 0.1, "published": -0.2}
    shown = {}
    for name in (line["property"] for line in PUBLISHED):
        ((_, _, _, printed, ours, error, _, _, _),) = property_lines([row | {"property": name}])
        assert (printed, error) == ("-0.2000", "0.0018")
        shown[name] = ours
    assert {name for name, ours in shown.items() if ours == "+0.1000"} == {
        line["property"] for line in PUBLISHED if "bias" in line["statistic"]
    }
    assert set(shown.values()) == {"+0.1000", "0.1000"}


def test_an_undefined_bias_is_a_dash() -> None:
    row = dict.fromkeys(COLUMNS) | {"property": "bias of the plug-in form", "ours": math.nan}
    assert property_lines([row])[0][3:6] == ["–", "–", "–"]


def test_a_figure_that_is_undefined_or_left_out_is_said() -> None:
    found = tables()
    found["exposure_bias"] = [row for row in found["exposure_bias"] if row["k"] != 8]
    for row in found["calibration"]:
        if row["calibration"] == "fixed":
            row["bias"] = None
    verdicts = {
        (row["property"], row["k"]): row["verdict"]
        for row in property_rows(PUBLISHED, found, calibration_items=150)
    }
    assert verdicts["bias of the plug-in form", 8] == "not in this run"
    assert verdicts["corrected rate, one fixed calibration set: bias", None] == "undefined"
