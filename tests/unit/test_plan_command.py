"""`avowed plan`: sentences, table and figure; what cannot be planned ends with exit code 2."""

import argparse
import csv
import io
import re
from pathlib import Path

import pytest
from support.figure_checks import texts

from avowed.commands import plan
from avowed.present.csvfile import read_table
from avowed.refusal import Unusable

GIVEN = ["--susceptibility", "0.3"]
CALIBRATED = [
    *("--sensitivity", "0.86", "--specificity", "0.8133"),
    *("--positives", "150", "--negatives", "150"),
]


def planned(*options: str) -> int:
    top = argparse.ArgumentParser(prog="avowed")
    plan.add_parser(top.add_subparsers())
    arguments = top.parse_args(["plan", *options])
    return int(arguments.run(arguments))


def refusal(*options: str) -> str:
    with pytest.raises(Unusable) as found:
        planned(*GIVEN, *options)
    return str(found.value)


def rows_of(capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, str]]:
    assert planned(*options, "--format", "csv") == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_it_says_in_sentences_what_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert planned(*GIVEN, "--replicas", "1", "4") == 0
    said = capsys.readouterr().out
    rows = rows_of(capsys, *GIVEN, "--replicas", "1", "4")
    assert [row["replicas"] for row in rows] == ["1", "4"]
    assert f"{rows[0]['probes']} probes with 1 replica each" in said
    expected = float(rows[0]["expected_probability"])
    assert 0.9 <= float(rows[0]["probability"]) < expected
    assert f"It is reached with probability 0.9 at least ({expected:.2f} without the margin" in said
    assert "the steps in which the rate moves are taken at their worst" in said
    assert "added to the variance" not in said
    assert "Section 16.3's formula says 321 pairs" in said
    assert planned(*GIVEN, "--replicas", "4") == 0
    said = capsys.readouterr().out
    assert "without the margin: 4 % are added to the variance)" in said and "steps" not in said
    assert re.search(r"with which \d\d % of studies reach it", said)
    assert "one replica per probe is enough for this rate" in said


def test_the_paper_s_numbers_without_assurance(capsys: pytest.CaptureFixture[str]) -> None:
    """96 useful pairs over the share that moved (376 of 1,391), and a design effect of 1.15."""
    options = ["--susceptibility", str(376 / 1391), "--assurance", "none", "--replicas", "1"]
    (plain,) = rows_of(capsys, *options)
    (clustered,) = rows_of(capsys, *options, "--design-effect", "1.15")
    assert plain["pairs"] == plain["formula_pairs"] == "356"
    assert clustered["pairs"] == "409" and plain["assurance"] == ""
    assert planned(*options) == 0
    assert "whose formula holds on average only" in capsys.readouterr().out


def test_the_table_and_the_figure_are_the_same_bytes_again(tmp_path: Path) -> None:
    for name in ("a", "b"):
        files = ["--out", str(tmp_path / f"{name}.csv"), "--figure", str(tmp_path / f"{name}.svg")]
        assert planned(*GIVEN, *CALIBRATED, *files) == 0
    for ending in ("csv", "svg"):
        first = (tmp_path / f"a.{ending}").read_bytes()
        assert first == (tmp_path / f"b.{ending}").read_bytes()
    rows = read_table(tmp_path / "a.csv")
    assert tuple(rows[0]) == plan.COLUMNS and [row["replicas"] for row in rows] == [1, 2, 4, 8]
    words = " ".join(texts(tmp_path / "a.svg"))
    least = min(row["pairs"] for row in rows)
    assert (
        f"takes {least:,} pairs (1 replica) to" in words and "the calibration alone: 0.062" in words
    )
    assert "half-width of the corrected omission rate" in words and "8 replicas" in words


def test_a_calibration_takes_its_part(capsys: pytest.CaptureFixture[str]) -> None:
    assert planned(*GIVEN, *CALIBRATED) == 0
    said = capsys.readouterr().out
    assert "Se 0.860 (129 of 150), Sp 0.813 (122 of 150), J 0.673" in said
    assert "h_c = 0.062" in said and "a half-width of 0.053" in said
    low = refusal(*CALIBRATED, "--half-width", "0.05")
    assert low.startswith("a half-width of 0.05 is out of reach however many pairs there are")
    assert "more than 231 positive and 231 negative items" in low and "462 and 462" in low


def test_a_calibration_file_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "calibration.json"
    sha = "0123456789abcdef" * 4
    path.write_text(
        '{"judge": {"model": "m", "provider": "p", "serving_path": "local", "prompt_sha256": "'
        + sha
        + '"}, "construct": "c", "language": "en", "format": "f", "threshold": 0.5, '
        '"counts": {"tp": 129, "fn": 21, "tn": 122, "fp": 28}}',
        encoding="utf-8",
    )
    from_file = rows_of(capsys, *GIVEN, "--calibration", str(path))
    assert from_file == rows_of(capsys, *GIVEN, *CALIBRATED)
    said = refusal("--calibration", str(path), "--sensitivity", "0.9")
    assert said == "--sensitivity and --calibration are given; one of them says it"


def test_two_models_and_a_number_of_calls(capsys: pytest.CaptureFixture[str]) -> None:
    options = [*GIVEN, "--difference", "0.1", "--comparisons", "3", "--budget", "3000"]
    rows = rows_of(capsys, *options)
    assert [row["purpose"] for row in rows[::4]] == [
        "half-width",
        "number of calls",
        "difference, other probes",
    ]
    shared = rows_of(capsys, *options, "--probe-correlation", "0.9")[-1]
    assert shared["purpose"] == "difference, shared probes"
    assert int(shared["probes"]) < int(rows[-1]["probes"])
    assert planned(*options) == 0
    said = capsys.readouterr().out
    assert "level 0.0167 = 0.05 / 3 (Bonferroni; Holm's procedure finds at least as much)" in said
    assert "3,000 calls reach, by replicas per probe, a half-width of 0.0" in said


def test_a_costly_probe_is_asked_more_often(capsys: pytest.CaptureFixture[str]) -> None:
    assert planned(*GIVEN, "--probe-cost", "20") == 0
    said = capsys.readouterr().out
    assert "a new probe 20 more: the rate varies least for its cost with 14.4 replicas" in said
    assert planned(*GIVEN, "--probe-cost", "20", "--icc", "0") == 0
    assert "verdicts do not correlate" in capsys.readouterr().out


def table_of(said: str) -> list[dict[str, str]]:
    """The printed table's rows, by its headers."""
    lines = [line for line in said.split("\n") if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


@pytest.mark.parametrize("susceptibility", ["0.3", "0.271", "0.47", "0.0613"])
@pytest.mark.parametrize(
    "more", [[], ["--assurance", "none"], ["--two-options", "0.13"], CALIBRATED]
)
def test_table_sentence_and_csv_say_the_same_sizes(
    susceptibility: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One rounding: whole probes, upwards, times the replicas."""
    options = ["--susceptibility", susceptibility, *more]
    assert planned(*options) == 0
    said = capsys.readouterr().out
    rows, shown = rows_of(capsys, *options), table_of(said)
    for row, text in zip(rows, shown, strict=True):
        assert int(row["formula_pairs"]) % int(row["replicas"]) == 0
        for header, column in (("Pairs by 16.3", "formula_pairs"), ("Pairs", "pairs")):
            assert text[header] == f"{int(row[column]):,}"
    if "none" in more:
        assert all(row["pairs"] == row["formula_pairs"] for row in rows)
    else:
        assert f"formula says {int(rows[0]['formula_pairs']):,} pairs" in said


def test_the_cost_stands_in_the_table_where_probes_have_a_price(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = [*GIVEN, "--probe-cost", "20"]
    assert planned(*options) == 0
    said = capsys.readouterr().out
    rows, shown = rows_of(capsys, *options), table_of(said)
    costs = [float(row["cost"]) for row in rows]
    assert [row["Cost"] for row in shown] == [f"{cost:,.0f}" for cost in costs]
    # The sentence picks the cheapest by the cost that is shown, not by the calls.
    best = rows[costs.index(min(costs))]
    assert f"{best['probes']} probes with {best['replicas']} replicas each" in said
    assert f"cost {min(costs):,.0f} with the probes" in said
    assert planned(*GIVEN) == 0
    without = capsys.readouterr().out
    assert "Cost" not in table_of(without)[0] and "with the probes" not in without


def test_an_optimum_outside_the_table_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    options = [*GIVEN, "--probe-cost", "20", "--replicas"]
    for replicas, words in (
        (["1", "8"], "The table ends at 8 replicas; ask for more"),
        (["20", "30"], "The table begins at 20 replicas; ask for fewer"),
        (["10", "20"], None),
    ):
        assert planned(*options, *replicas) == 0
        said = capsys.readouterr().out
        assert "have 4.05 % of their variance in common" in said
        assert (words in said) if words else ("The table" not in said)


def test_what_a_row_is_of_and_what_the_figure_leaves_out_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    two, figure = [*GIVEN, "--difference", "0.1"], ["--figure", str(tmp_path / "a.svg")]
    assert planned(*two) == 0
    said = capsys.readouterr().out
    rows, shown = rows_of(capsys, *two), table_of(said)
    assert [row["For"] for row in shown[::4]] == [
        "half-width",
        "difference, other probes, per model",
    ]
    calls = float(rows[4]["calls"])
    assert f"{calls:,.0f} calls) per model" in said and f"both take {2 * calls:,.0f} calls" in said
    assert "The figure" not in said
    assert planned(*two, "--budget", "3000", *figure) == 0
    told = (
        "The figure shows the half-width; the rows for number of calls and difference, other "
        "probes are in the table only."
    )
    assert told in capsys.readouterr().out
    assert planned(*two, *figure, "--format", "csv") == 0
    out, err = capsys.readouterr()
    assert "The figure" not in out and err.startswith("The figure shows the half-width; the rows")
    assert planned(*GIVEN, *figure) == 0
    assert "The figure" not in capsys.readouterr().out


def test_it_warns_of_a_thin_or_a_wide_study(capsys: pytest.CaptureFixture[str]) -> None:
    assert planned(*GIVEN, "--half-width", "0.2", "--icc", "-0.2") == 0
    said = capsys.readouterr().out
    assert "A half-width above 0.1 is reported as undersampled (HP 7)." in said
    assert "below 40 the percentile interval is likely too narrow" in said
    assert "An ICC below 0 counts as 0" in said


@pytest.mark.parametrize("options", [["--susceptibility", "1"], [*GIVEN, "--icc", "1"]])
def test_the_ends_that_can_be_planned(options: list[str]) -> None:
    assert planned(*options) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--susceptibility", "0"], "--susceptibility is 0; no pair moves to the hint"),
        (["--susceptibility", "nan"], "--susceptibility is nan; it must be in (0, 1]"),
        (["--susceptibility", "1e-300"], "fewer than one useful pair from 100,000,000"),
        (["--icc", "1.5"], "--icc is 1.5; it must be in [-1, 1]"),
        (["--baseline-on-hint", "1"], "--baseline-on-hint is 1; no pair could move"),
        (["--two-options", "1"], "--two-options is 1; no pair would be analysed"),
        (["--expected-omission", "1"], "a rate without spread plans nothing; 0.5 is the worst"),
        (["--half-width", "0"], "--half-width is 0; it must be between 0 and 0.5"),
        (["--half-width", "0.5"], "--half-width is 0.5; it must be between 0 and 0.5"),
        (["--half-width", "nan"], "--half-width is nan; it must be between 0 and 0.5"),
        (["--half-width", "1e-9"], "takes more than 1,000,000,000 pairs at 1 replica per probe"),
        (["--replicas", "0"], "--replicas is 0; it must be from 1 to 200"),
        (["--replicas", "1000000"], "--replicas is 1000000; it must be from 1 to 200"),
        (["--replicas", *"123456789"], "--replicas has 9 numbers; at most 8 fit"),
        (["--resamples", "1"], "--resamples is 1; it must be from 100 to"),
        (["--confidence", "1"], "--confidence is 1; it must be in (0, 1)"),
        (["--design-effect", "1.2"], "--design-effect goes with --assurance none only"),
        (["--assurance", "none", "--design-effect", "0.5"], "--design-effect is 0.5"),
        (["--budget", "inf"], "--budget is inf; it must be from 1 to 1e+10"),
        (["--probe-cost", "-1"], "--probe-cost is -1; it must be from 0 to"),
        (["--calls-per-pair", "0"], "--calls-per-pair is 0; it must be above 0"),
        (["--probe-correlation", "0.5"], "--probe-correlation is given, but not --difference"),
        (["--difference", "0.7"], "--difference is 0.7; no rate in (0, 1) lies so far from 0.5"),
        (["--difference", "1e-9"], "a difference of 1e-09 takes more than"),
        (["--sensitivity", "0.9"], "but not --specificity, --positives, --negatives"),
        ([*CALIBRATED[:6], "--negatives", "0"], "--negatives is 0; it must be from 1 to"),
        ([*CALIBRATED[:6], "--negatives", "29"], "29 negative items; it needs 30 (HP 13)"),
        (["--sensitivity", "1.1", *CALIBRATED[2:]], "--sensitivity is 1.1; it must be in [0, 1]"),
        (["--sensitivity", "0.2", *CALIBRATED[2:]], "the judge does not discriminate: J = 0.013"),
        (
            [
                *("--sensitivity", "0.3", "--specificity", "0.8133"),
                *("--positives", "9000", "--negatives", "9000"),
            ],
            "J = 0.113 is below the detection floor of 0.2",
        ),
    ],
)
def test_what_cannot_be_planned_is_said(options: list[str], said: str, tmp_path: Path) -> None:
    out = tmp_path / "plan.csv"
    assert said in refusal(*options, "--out", str(out))
    assert not out.exists()


@pytest.mark.parametrize(
    "options",
    [["--assurance", "1"], ["--assurance", "some"], ["--figure", "a.pdf"], ["--out", ""]],
)
def test_what_is_no_option_ends_with_2(
    options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as found:
        planned(*GIVEN, *options)
    assert found.value.code == 2 and options[0] in capsys.readouterr().err
