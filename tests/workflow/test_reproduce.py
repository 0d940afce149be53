"""The main job from end to end: every number that must hold, and the same bytes every time."""

import json
import math
from collections import Counter

import pyarrow.parquet as pq
import pytest
from workflow.pipeline import SNAKEMAKES_OWN, Copy

from avowed.sources import sha256_of

pytestmark = pytest.mark.slow

CONDITIONS = [
    "claude-v1_zero-shot",
    "claude-v1_few-shot",
    "text-davinci-003_zero-shot",
    "text-davinci-003_few-shot",
]
COLUMNS = (
    "condition, n_items, n_hint_correct, n_pairs, n_two_option, n_analysed, n_hint_change, "
    "n_other_change, n_no_change, n_baseline_on_hint, n_not_evaluable, n_evaluable, n_flagged, "
    "omission, omission_lower, omission_upper, interval_method, clusters, icc, design_effect, "
    "effective_n, status, susceptibility, exposure_1, exposure_1_all_completed, omission_drift, "
    "n_drift, omission_wrong_to_wrong, n_wrong_to_wrong, omission_chance_corrected"
)
OUTCOMES = ("hint_change", "other_change", "no_change", "baseline_on_hint", "not_evaluable")


@pytest.fixture(scope="module")
def rows(completed: Copy) -> list[dict[str, str]]:
    return completed.table("public_data")


def number(row: dict[str, str], column: str) -> float:
    return float(row[column])


@pytest.mark.parametrize(
    "pattern",
    [
        "results/tables/*",
        "results/estimates/*",
        "results/studies/**/*.*",
        "results/pairs/turpin/**/*.*",
        "results/pairs/turpin_always_a/**/*.*",
        "results/pairs/simulated/**/*.*",
        "results/pairs/edge/*",
        "results/verification/*.*",
        "results/verification/exported/**/*.*",
        "results/verification/refused/**/*.*",
        "figures/*.svg",
        "figures/*.png",
        "figures/*.csv",
    ],
)
def test_the_bytes_do_not_depend_on_the_number_of_cores(
    completed: Copy, second: Copy, pattern: str
) -> None:
    one, two = completed.files(pattern), second.files(pattern)
    assert list(one) == list(two)
    assert [name for name in one if one[name] != two[name]] == []


def test_the_summary_differs_in_the_source_alone(completed: Copy, second: Copy) -> None:
    def paragraphs(copy: Copy) -> list[str]:
        text = (copy.root / "results/summary.md").read_text(encoding="utf-8")
        return [part for part in text.split("\n\n") if not part.startswith("Source: ")]

    assert paragraphs(completed) == paragraphs(second)
    assert len(paragraphs(completed)) > 10


def test_a_second_run_has_nothing_to_do(completed: Copy) -> None:
    finished = completed.snakemake()
    assert finished.code == 0
    assert "Nothing to be done" in finished.said


# File -> the rule that makes it.
MAKERS = {
    "results/tables/public_data.md": "wide_table",
    "results/tables/coverage.csv": "study_table",
    "figures/public_data.png": "figure_public_data",
    "figures/coverage.csv": "figure_coverage",
    "results/estimates/turpin_claude-v1_few-shot.parquet": "estimate_delivery",
    "results/validation/turpin_always_a_claude-v1_few-shot.json": "validate_delivery",
    "results/verification/claims_summary.csv": "claims",
    "results/verification/verified.json": "verify",
    "results/report/index.html": "report_page",
}


def test_each_missing_file_is_noticed_on_its_own(working: Copy) -> None:
    for name, maker in MAKERS.items():
        path = working.root / name
        path.rename(working.root / "elsewhere")
        assert working.snakemake("--dry-run").jobs().get(maker) == 1, name
        (working.root / "elsewhere").rename(path)
    assert working.snakemake("--dry-run").jobs() == {}


def test_nothing_unfinished_is_left(completed: Copy) -> None:
    hidden = [
        p for top in ("results", "figures", "data") for p in (completed.root / top).rglob(".*")
    ]
    assert [path for path in hidden if path.name != SNAKEMAKES_OWN] == []


def test_one_target_can_be_asked_for_alone(pristine: Copy) -> None:
    jobs = pristine.snakemake("figures/public_data.svg", "--dry-run").jobs()
    assert jobs["figure_public_data"] == jobs["wide_table"] == 1
    assert not {"summary", "sample_size", "turpin_accuracy", "verify"} & set(jobs)


def test_one_figure_is_drawn_again_alone(working: Copy) -> None:
    before = working.files("figures/*")
    (working.root / "figures/coverage.svg").unlink()
    drawn = working.snakemake("figures/coverage.svg")
    assert drawn.code == 0, drawn.said
    assert drawn.jobs() == {"figure_coverage": 1}
    assert working.files("figures/*") == before
    forced = working.snakemake("figures/clustering.png", "--forcerun", "figure_clustering", "-n")
    assert forced.jobs() == {"figure_clustering": 1}


def test_the_named_columns_come_first(completed: Copy) -> None:
    for name in ("public_data", "always_a"):
        assert ", ".join(completed.table(name)[0]).startswith(f"{COLUMNS}, ")
    by_task = ", ".join(completed.table("public_data_by_task")[0])
    assert by_task.startswith(f"{COLUMNS}, ".replace("condition, ", "condition, task, "))


def test_there_is_one_row_per_condition(completed: Copy, rows: list[dict[str, str]]) -> None:
    assert [row["condition"] for row in rows] == CONDITIONS
    assert [row["condition"] for row in completed.table("always_a")] == [
        "claude-v1_few-shot",
        "text-davinci-003_few-shot",
    ]


def test_item_counts(rows: list[dict[str, str]]) -> None:
    assert sum(int(row["n_items"]) for row in rows) == 13196
    assert sum(int(row["n_hint_correct"]) for row in rows) == 4752
    assert {row["n_pairs"] for row in rows} == {"2111"}
    assert {row["n_two_option"] for row in rows} == {"720"}


def test_exclusions_are_counted_in_their_own_file(completed: Copy) -> None:
    text = completed.files("results/pairs/turpin/exclusions.csv")
    (content,) = text.values()
    lines = content.decode().splitlines()
    assert lines[0] == "condition,n_items,n_hint_correct,n_pairs,rule,reason"
    reason = "R4,the hint points to the correct answer"
    assert lines[1:] == [f"{name},3299,1188,2111,{reason}" for name in CONDITIONS]
    (other,) = completed.files("results/pairs/turpin_always_a/exclusions.csv").values()
    assert other.decode().splitlines()[1] == f"claude-v1_few-shot,3130,1371,1759,{reason}"


def test_intervals_of_the_flagged_omission(rows: list[dict[str, str]]) -> None:
    starts = {row["condition"]: f"{number(row, 'omission_lower'):.3f}" for row in rows}
    expected = ["0.994", "0.990", "0.995", "0.992"]
    assert starts == dict(zip(CONDITIONS, expected, strict=True))
    assert {row["omission"] for row in rows} == {row["omission_upper"] for row in rows} == {"1"}
    assert {row["status"] for row in rows} == {"converged"}


def test_susceptibilities(rows: list[dict[str, str]]) -> None:
    found = sorted(number(row, "susceptibility") for row in rows)
    assert (f"{found[0]:.2f}", f"{found[-1]:.2f}") == ("0.29", "0.67")


def test_sample_sizes(completed: Copy) -> None:
    plan = completed.table("sample_size")
    paper = [row for row in plan if row["share_basis"] == "all completed"]
    for column, low, high in (
        ("completed_pairs_rounded", 170, 355),
        ("completed_pairs_clustered_rounded", 195, 410),
    ):
        sizes = [int(row[column]) for row in paper]
        assert (min(sizes), max(sizes)) == (low, high)
        assert all(size % 5 == 0 for size in sizes)
    for row in plan:
        for column in ("completed_pairs", "completed_pairs_clustered"):
            assert int(row[f"{column}_at_least"]) == math.ceil(number(row, column))
    assert {row["share_basis"] for row in plan} == {"all completed", "eligible"}


ACCURACIES = {
    ("text-davinci-003_zero-shot", "requested"): ("59.6", "23.3"),
    ("text-davinci-003_few-shot", "requested"): ("75.8", "51.7"),
    ("claude-v1_zero-shot", "requested"): ("65.3", "34.7"),
    ("claude-v1_few-shot", "requested"): ("81.6", "60.1"),
    ("text-davinci-003_zero-shot", "none"): ("57.1", "39.5"),
    ("text-davinci-003_few-shot", "none"): ("62.0", "35.0"),
    ("claude-v1_zero-shot", "none"): ("59.2", "37.3"),
    ("claude-v1_few-shot", "none"): ("64.2", "38.9"),
}


def test_accuracies_are_those_of_the_datas_own_paper(completed: Copy) -> None:
    found = {
        (row["condition"], row["explanation"]): tuple(
            f"{100 * number(row, column):.1f}"
            for column in ("accuracy_unbiased", "accuracy_biased")
        )
        for row in completed.table("turpin_accuracy")
        if row["bias"] == "suggested_answer"
    }
    assert found == ACCURACIES
    for row in completed.table("turpin_accuracy"):
        printed = ACCURACIES.get((row["condition"], row["explanation"]))
        columns = ("published_unbiased_percent", "published_biased_percent", "agrees")
        expected = (
            ("", "", "") if row["bias"] == "answer_is_always_a" else (*(printed or ()), "yes")
        )
        assert tuple(row[column] for column in columns) == expected
    summary = (completed.root / "results/summary.md").read_text(encoding="utf-8")
    for (condition, explanation), (unbiased, biased) in ACCURACIES.items():
        start = f"| suggested_answer | {condition} | {explanation} | "
        (line,) = [line for line in summary.splitlines() if line.startswith(start)]
        printed = f"{unbiased} → {biased}"
        assert line.endswith(f" | {unbiased} | {biased} | {printed} | yes |")
    assert "(8 of 8 printed rows agree)" in summary


def test_counts_add_up(completed: Copy) -> None:
    tables = ("public_data", "always_a", "public_data_by_task")
    for row in (row for name in tables for row in completed.table(name)):
        count = {key: int(text) for key, text in row.items() if key.startswith("n_")}
        assert count["n_items"] - count["n_hint_correct"] == count["n_pairs"]
        assert count["n_two_option"] + count["n_analysed"] == count["n_pairs"]
        assert sum(count[f"n_{name}"] for name in OUTCOMES) == count["n_analysed"]
        assert count["n_evaluable"] + count["n_ungraded"] == count["n_hint_change"]
        assert count["n_drift"] + count["n_wrong_to_wrong"] == count["n_evaluable"]
        assert count["n_flagged"] <= count["n_evaluable"]


def test_shares_are_the_counts_divided(completed: Copy) -> None:
    for row in completed.table("public_data") + completed.table("always_a"):
        count = {key: int(text) for key, text in row.items() if key.startswith("n_")}
        analysed, flagged = count["n_analysed"], count["n_flagged"]
        eligible = count["n_hint_change"] + count["n_other_change"] + count["n_no_change"]
        observed = analysed - count["n_not_evaluable"] - count["n_ungraded"]
        for column, share in (
            ("omission", flagged / count["n_evaluable"]),
            ("susceptibility", count["n_hint_change"] / eligible),
            ("exposure_1", flagged / observed),
            ("exposure_1_all_completed", flagged / analysed),
        ):
            assert math.isclose(number(row, column), share, rel_tol=1e-9), column


def test_tasks_add_up_to_their_condition(completed: Copy, rows: list[dict[str, str]]) -> None:
    totals: Counter[tuple[str, str]] = Counter()
    by_task = completed.table("public_data_by_task")
    for row in by_task:
        totals.update({(row["condition"], c): int(row[c]) for c in row if c.startswith("n_")})
    assert len(by_task) == 4 * len({row["task"] for row in by_task}) == 4 * 13
    for row in rows:
        for column in (name for name in row if name.startswith("n_")):
            assert totals[row["condition"], column] == int(row[column]), column


def test_a_chance_correction_that_does_not_exist_is_empty_and_named(completed: Copy) -> None:
    claude, davinci = completed.table("always_a")
    assert claude["omission_chance_corrected"] == claude["chance_corrected_lower"] == ""
    assert claude["chance_corrected_status"] == "undefined"
    assert "p <= q/(L-2) at L = 3" in claude["chance_corrected_note"]
    assert number(davinci, "omission_chance_corrected") == 1
    assert davinci["chance_corrected_note"] == ""
    summary = (completed.root / "results/summary.md").read_text(encoding="utf-8")
    sentence = f"of claude-v1_few-shot is undefined: {claude['chance_corrected_note']}."
    assert sentence in summary


def test_no_table_writes_an_undefined_value_as_a_number(completed: Copy) -> None:
    for name, content in completed.files("results/tables/*.csv").items():
        cells = {cell for row in completed.table(name[15:-4]) for cell in row.values()}
        assert not {cell.lower() for cell in cells} & {"nan", "inf", "-inf", "<na>", "null"}
        assert content.endswith(b"\n") and b"\r" not in content


def test_the_long_tables_have_the_common_layout(completed: Copy) -> None:
    layout = (
        "study, cell, quantity, k, estimate, lower, upper, method, status, n, clusters, icc, deff, "
        "effective_n, mc_error, repetitions, note"
    )
    paths = sorted((completed.root / "results/estimates").glob("*.parquet"))
    # Six of the public data, the worked example of the simulation, and what is made for checking.
    assert len(paths) == 8
    for path in paths:
        table = pq.read_table(path)
        assert ", ".join(table.column_names) == layout
        for row in table.to_pylist():
            assert row["estimate"] is None or math.isfinite(row["estimate"])
            if row["lower"] is not None:
                assert 0 <= row["lower"] <= row["estimate"] <= row["upper"] <= 1, row


def test_the_sentence_is_the_same_everywhere(completed: Copy, rows: list[dict[str, str]]) -> None:
    summary = (completed.root / "results/summary.md").read_text(encoding="utf-8")
    for row in rows:
        path = completed.root / f"results/estimates/turpin_{row['condition']}.json"
        (cell,) = json.loads(path.read_text(encoding="utf-8"))
        assert cell["sentence"] == row["sentence"]
        assert f"- **{row['condition']}.** {row['sentence']}" in summary


def test_the_paper_tables_show_what_the_csv_holds(completed: Copy) -> None:
    for suffix, dash in (("md", " | "), ("tex", " & ")):
        path = completed.root / f"results/tables/public_data.{suffix}"
        text = " ".join(path.read_text(encoding="utf-8").replace("\\_", "_").split())
        for row in completed.table("public_data"):
            name = row["condition"]
            counts = dash.join(row[c] for c in ("n_analysed", "n_hint_change", "n_evaluable"))
            interval = f"[{number(row, 'omission_lower'):.3f}, 1.000]"
            assert dash.join([name, counts, "1.000", interval]) in text


def test_the_summary_says_where_the_data_came_from(completed: Copy) -> None:
    summary = " ".join((completed.root / "results/summary.md").read_text("utf-8").split())
    assert "Source: the coded answers in the repository, checked against their own" in summary
    assert "files of `data/sources.tsv`, which this run did not read." in summary
    assert "Settings that differ" not in summary


def test_the_source_is_recorded_with_hashes(completed: Copy) -> None:
    source = json.loads((completed.root / "results/provenance/source.json").read_text())
    assert (source["kind"], source["n_files"], source["tried"]) == ("coded", 91, [])
    run = json.loads((completed.root / "results/provenance/run.json").read_text())
    assert run["source"] == source
    assert run["settings"]["seed"] == 1
    tables = {*completed.files("results/tables/*.csv"), *completed.files("results/factors/*/*.csv")}
    assert set(run["tables"]) == tables
    for name, expected in {**run["tables"], **run["inputs"]}.items():
        assert sha256_of(completed.root / name) == expected
    assert run["packages"]["snakemake"] and run["packages"]["pyarrow"]
