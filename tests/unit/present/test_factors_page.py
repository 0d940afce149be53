"""The report's section on cited factors shows what stands in the study's folder."""

from pathlib import Path

from avowed.factors.across import ALL as MEASURED_ALL
from avowed.present.csvfile import write_rows
from avowed.present.factors_csv import SHAPES, VERDICT_COLUMNS
from avowed.present.factors_page import (
    ALL,
    SHOWN,
    coverage_of,
    coverage_row,
    factor_study,
    measure_text,
    shown_rows,
)


def written(folder: Path) -> Path:
    for name, shape in SHAPES.items():
        write_rows(folder / f"{name}.csv", shape.columns, [])
    row = dict.fromkeys(SHAPES["rank_agreement"].columns)
    counts = {"rho_necessity_n": 27, "rho_necessity_constant": 22, "rho_necessity_unscored": 51}
    values = counts | {
        "rho_necessity": 0.5,
        "rho_necessity_lower": 0.25,
        "rho_necessity_upper": 0.75,
    }
    write_rows(
        folder / "rank_agreement.csv",
        SHAPES["rank_agreement"].columns,
        [row | values | {"component": "one", "rho_sufficiency_status": "undefined"}],
    )
    write_rows(
        folder / "verdicts.csv",
        VERDICT_COLUMNS,
        [{"study": "mine", "component": "one", "verdict": "It agrees.", "evidence": ""}],
    )
    return folder


def test_tables_with_rows_are_shown_with_a_link(tmp_path: Path) -> None:
    found = factor_study("mine", written(tmp_path / "mine"), tmp_path / "index.html")
    ((shown, table),) = found.tables
    assert not found.simulated and found.coverage is None
    assert shown is SHOWN["rank_agreement"]
    assert table.href == "mine/rank_agreement.csv"
    assert found.verdicts[0]["verdict"] == "It agrees."
    # Recorded responses have no truth.
    assert not found.truth.rows
    assert table.rows is not None
    (row,) = table.rows
    assert row["Component"] == "one" and row["Necessity"] == "0.500 [0.250, 0.750]"
    assert row["Sufficiency"] == "undefined"
    assert row["Necessity: n / equal / unscored"] == "27 / 22 / 51"
    assert row["Sufficiency: n / equal / unscored"] == "– / – / –"


def test_every_table_of_the_page_names_columns_that_exist() -> None:
    for name, shown in SHOWN.items():
        columns = SHAPES[name].columns
        named = {one.removesuffix("!") for what in shown.heads.values() for one in what.split("/")}
        assert named <= set(columns)
        assert shown_rows(name, [dict.fromkeys(columns, "")])


def test_bias_and_coverage_stand_with_their_errors() -> None:
    row = {
        "component": "one",
        "quantity": "noise_floor",
        "truth": "0.1",
        "mean_estimate": "0.102",
        "bias": "0.002",
        "bias_mc_error": "0.001",
        "coverage": "",
        "coverage_mc_error": "",
    }
    found = coverage_row(row)
    assert found["Bias"] == "0.002 ± 0.001"
    assert found["Coverage"] == "–"


def truth(coverage: str, **other: str) -> dict[str, str]:
    return {
        "use_case": "loan",
        "component": "one",
        "quantity": "noise_floor",
        "k": "",
        "inputs": "drawn",
        "truth": "0.1",
        "mean_estimate": "0.1",
        "bias": "0",
        "bias_mc_error": "0",
        "coverage": coverage,
        "coverage_mc_error": "0.02",
        "repetitions": "40",
        "undefined": "0",
    } | other


def test_coverage_is_summed_up_over_all_measures() -> None:
    rows = [
        truth("0.95"),
        truth("0.775", quantity="necessity_by_rank", k="2", coverage_mc_error="0.0296"),
        truth("", component="two"),
        truth("0.1", inputs="fixed"),
    ]
    found = coverage_of(rows)
    assert found is not None and (found.count, found.mean) == (2, "0.863")
    assert (found.least, found.least_of) == ("0.775", "necessity at rank 2, one")
    assert (found.most, found.error) == ("0.950", "0.030")
    assert coverage_of(rows[2:]) is None


def test_a_study_with_a_truth_is_simulated(tmp_path: Path) -> None:
    folder = written(tmp_path / "mine")
    row = truth("0.95")
    write_rows(folder / "truth.csv", list(row), [row])
    found = factor_study("mine", folder, tmp_path / "index.html")
    assert found.simulated and found.coverage is not None and found.coverage.count == 1


def test_the_status_of_an_estimate_without_an_interval_is_told() -> None:
    row = {"a": "-1", "a_lower": "", "a_upper": ""}
    assert measure_text(row | {"a_status": "undefined"}, "a") == "−1.000 (no interval)"
    assert measure_text(row | {"a_status": "insufficient"}, "a") == "−1.000 (insufficient)"


def test_a_mean_names_the_components_it_rests_on_and_one_has_no_mean() -> None:
    empty = dict.fromkeys(SHAPES["noise_floor"].columns, "")
    rows = [
        empty | {"component": name, "noise_floor": value, "noise_floor_status": "converged"}
        for name, value in (("one", "0.5"), ("two", ""), (ALL, "0.5"), ("a group", "0.5"))
    ]
    found = {
        row["Component"]: row["Floor"] for row in shown_rows("noise_floor", rows, ["one", "two"])
    }
    assert found == {"one": "0.500", "two": "converged", ALL: "0.500 (1 of 2)", "a group": "0.500"}
    (alone,) = shown_rows("noise_floor", [rows[0], rows[2]], ["one"])
    assert alone["Component"] == "one"
    assert ALL == MEASURED_ALL
