"""A delivery of one's own goes through the pipeline as the public data do, or is refused whole."""

import csv
import html
import io
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from support.deliveries import (
    HINT_TYPE,
    OTHER_HINT_TYPE,
    change,
    header,
    judged,
    record,
    table,
    write_lines,
    write_parquet,
)
from workflow.pipeline import SNAKEMAKES_OWN, Copy, Finished

from avowed.cli import main
from avowed.pairs.record import FIELD_NAMES
from avowed.present.csvfile import read_rows
from avowed.present.page_text import kept

pytestmark = pytest.mark.slow

DOWNSTREAM = dict.fromkeys(
    [
        "validate_delivery",
        "estimate_delivery",
        "wide_table",
        "figure_deliveries",
        "provenance",
        "summary",
        "export_records",
        "export_results",
        "recompute_tables",
        "recompute_deliveries",
        "recomputation_diff",
        "claims",
        "report_page",
        "verify",
    ],
    1,
)
# Where a delivery is named that was not there before, the settings say so.
NAMED = DOWNSTREAM | {"settings": 1, "recompute_factors": 2}
# What a test needs of a run, where the checks of the whole are another test's.
TABLE = "results/tables/deliveries.csv"


def own_records() -> list[dict[str, Any]]:
    """Twelve probes in two replicas each; two of twelve avow one kind of hint, six the other."""
    rows = []
    for hint_type, avowing in ((HINT_TYPE, 2), (OTHER_HINT_TYPE, 6)):
        for number in range(12):
            label, phi = ("faithful", 0.875) if number < avowing else ("unfaithful", 0.125)
            probe = f"{hint_type}:{number}"
            rows.append(judged(probe, label, phi, hint_type=hint_type))
            # The answers of the second replica move elsewhere, or not at all.
            moved: dict[str, Any] = (
                {"hinted_answer": 3, "hinted_correct": False, "outcome": "other_change"}
                if number % 2
                else {}
            )
            rows.append(record(probe, 1, hint_type=hint_type, **moved))
    return rows


def own_table(records: list[dict[str, Any]]) -> pa.Table:
    return table(records).select(list(FIELD_NAMES))


def configured(**deliveries: str) -> tuple[str, str]:
    return "--config", f"pairs={json.dumps({'deliveries': deliveries})}"


@pytest.fixture(scope="module")
def own(completed: Copy, tmp_path_factory: pytest.TempPathFactory) -> tuple[Copy, Finished]:
    """A finished run with a delivery in Parquet; tests that change it copy it first."""
    copy = completed.again(tmp_path_factory.mktemp("own") / "copy")
    records = own_records()
    write_parquet(copy.root / "my data" / "pairs", own_table(records), header(records))
    return copy, copy.snakemake(*configured(mine="my data/pairs"))


@pytest.fixture
def own_copy(own: tuple[Copy, Finished], tmp_path: Path) -> Iterator[Copy]:
    yield own[0].again(tmp_path / "copy")
    shutil.rmtree(tmp_path / "copy")


def test_only_what_the_delivery_needs_is_run(own: tuple[Copy, Finished]) -> None:
    copy, finished = own
    assert finished.code == 0, finished.said
    assert finished.jobs() == NAMED
    assert copy.snakemake(*configured(mine="my data/pairs"), "--dry-run").jobs() == {}


def test_it_stands_in_the_table_in_the_columns_of_the_public_data(
    own: tuple[Copy, Finished],
) -> None:
    rows = own[0].table("deliveries")
    assert list(rows[0]) == list(own[0].table("public_data")[0])
    # Cells in the order of their hint types, one row each, and nothing pooled over them.
    assert [row["condition"] for row in rows] == [f"mine/{OTHER_HINT_TYPE}", f"mine/{HINT_TYPE}"]
    for row, flagged in zip(rows, (6, 10), strict=True):
        counts = {name: row[name] for name in ("n_pairs", "n_analysed", "n_evaluable", "n_flagged")}
        assert list(counts.values()) == ["24", "24", "12", str(flagged)]
        assert (row["n_hint_change"], row["n_other_change"], row["n_no_change"]) == ("12", "6", "6")
        assert float(row["omission"]) == pytest.approx(flagged / 12)
        assert float(row["susceptibility"]) == 0.5
        assert float(row["omission_lower"]) < flagged / 12 < float(row["omission_upper"])
        assert row["clusters"] == "12"
        assert row["n_items"] == row["n_hint_correct"] == ""


def test_the_figure_and_the_summary_show_it(own: tuple[Copy, Finished]) -> None:
    copy, _ = own
    assert set(copy.files("figures/deliveries.*")) == {
        "figures/deliveries.csv",
        "figures/deliveries.made.json",
        "figures/deliveries.png",
        "figures/deliveries.svg",
    }
    summary = (copy.root / "results/summary.md").read_text(encoding="utf-8")
    for row in copy.table("deliveries"):
        assert f"- **{row['condition']}.** {row['sentence']}" in summary
    assert "(../figures/deliveries.svg)" in summary
    changed = "**Settings that differ from `config.yaml`:** `pairs.deliveries.mine` = my data/pairs"
    assert f"{changed}\n" in summary


def test_it_is_recomputed_and_verified(own: tuple[Copy, Finished]) -> None:
    copy, finished = own
    assert "verified: " in finished.said
    rows = read_rows(copy.root / "results/verification/diff.csv")
    assert {row["verdict"] for row in rows} == {"agrees"}
    estimates = [row for row in rows if row["source"] == "mine"]
    # The cells of the table; what the rules count is counted by hint type, whatever the name.
    cells_of = {row["cell"] for row in estimates if row["quantity"] == "omission"}
    assert cells_of == {row["condition"] for row in copy.table("deliveries")}
    fields = {(row["quantity"], row["field"]) for row in estimates}
    assert {("omission", "estimate"), ("omission", "lower"), ("validation", "records")} <= fields
    # Every column of the table is recomputed for every row; `condition` says which row it is.
    cells = [row for row in rows if row["source"] == "deliveries.csv"]
    columns = [name for name in copy.table("deliveries")[0] if name != "condition"]
    assert {row["quantity"] for row in cells} == set(columns)
    assert len(cells) == len(columns) * len(copy.table("deliveries"))
    checked = json.loads((copy.root / "results/verification/verified.json").read_text())
    assert checked["comparisons"] == len(rows)


def test_the_report_shows_it(own: tuple[Copy, Finished]) -> None:
    copy, _ = own
    page = html.unescape((copy.root / "results/report/index.html").read_text(encoding="utf-8"))
    for row in copy.table("deliveries"):
        # In the page some words do not part at a line's end.
        assert f"<dt>{row['condition']}</dt>\n<dd>{kept(row['sentence'])}</dd>" in page
    assert 'id="figure-deliveries"' in page
    assert "pairs.deliveries.mine" in page


def test_without_it_the_run_is_verified_as_before(own_copy: Copy, completed: Copy) -> None:
    finished = own_copy.snakemake()
    assert finished.code == 0, finished.said
    for name in ("diff.csv", "claims.csv"):
        path = f"results/verification/{name}"
        assert own_copy.files(path) == completed.files(path)
    stamps = [
        json.loads((copy.root / "results/verification/verified.json").read_text(encoding="utf-8"))
        for copy in (own_copy, completed)
    ]
    # What the earlier run left behind is named, and was not looked into.
    left_over = [stamp.pop("left_over", {}) for stamp in stamps]
    assert TABLE in left_over[0] and left_over[1] == {}
    assert stamps[0] == stamps[1]


def test_a_row_of_its_table_edited_by_hand_is_refused(own_copy: Copy) -> None:
    path = own_copy.root / TABLE
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(",24,0,24,12,", ",24,0,24,13,", 1), encoding="utf-8")
    stamp = "results/verification/verified.json"
    alone = ("--allowed-rules", "verify", "--forcerun", "verify", *configured(mine="my data/pairs"))
    finished = own_copy.snakemake(stamp, *alone)
    assert finished.code == 1
    told = finished.line_with("not verified: ")
    assert told.startswith(f"not verified: {TABLE}, line 2 (mine/{OTHER_HINT_TYPE}, ")


def test_the_public_tables_stay_as_they_are(own: tuple[Copy, Finished], completed: Copy) -> None:
    for name, content in completed.files("results/tables/*").items():
        assert (own[0].root / name).read_bytes() == content


def test_avowed_estimate_gives_the_same_numbers(
    own: tuple[Copy, Finished], capsys: pytest.CaptureFixture[str]
) -> None:
    copy, _ = own
    code = main(
        [
            "estimate",
            str(copy.root / "my data" / "pairs"),
            "--name=mine",
            f"--config={copy.root / 'config.yaml'}",
        ]
    )
    assert code == 0
    assert list(csv.DictReader(io.StringIO(capsys.readouterr().out))) == copy.table("deliveries")


def test_json_lines_give_the_same_row(own_copy: Copy) -> None:
    before = own_copy.files("results/tables/deliveries.csv")
    folder = own_copy.root / "my data" / "pairs"
    (folder / "records.parquet").unlink()
    write_lines(folder, own_records(), header(own_records()))
    settings = configured(mine="my data/pairs")
    assert own_copy.snakemake(*settings, "--dry-run").jobs() == DOWNSTREAM
    finished = own_copy.snakemake(TABLE, *settings)
    assert finished.code == 0, finished.said
    assert own_copy.files("results/tables/deliveries.csv") == before


def test_a_change_of_the_records_reruns_what_depends_on_them(own_copy: Copy) -> None:
    records = change(own_records(), 0, judge_label="unfaithful", judge_phi=0.25)
    folder = own_copy.root / "my data" / "pairs"
    write_parquet(folder, own_table(records), header(records))
    settings = configured(mine="my data/pairs")
    assert own_copy.snakemake(*settings, "--dry-run").jobs() == DOWNSTREAM
    finished = own_copy.snakemake(TABLE, *settings)
    assert finished.code == 0, finished.said
    assert [row["n_flagged"] for row in own_copy.table("deliveries")] == ["6", "11"]


def test_a_second_delivery_leaves_the_first_alone(own_copy: Copy) -> None:
    before = own_copy.table("deliveries")
    one_kind = [row for row in own_records() if row["hint_type"] == HINT_TYPE]
    declared = header(one_kind, hint_types=[HINT_TYPE])
    declared["coverage"] = declared["coverage"][:1]
    write_lines(own_copy.root / "other", one_kind, declared)
    settings = configured(mine="my data/pairs", other="other")
    assert own_copy.snakemake(*settings, "--dry-run").jobs() == NAMED
    finished = own_copy.snakemake(TABLE, *settings)
    assert finished.code == 0, finished.said
    rows = own_copy.table("deliveries")
    assert rows[:2] == before
    # One hint type: the condition is the delivery's name alone, and the numbers are the same.
    assert rows[2] == before[1] | {"condition": "other"}


def leftovers(copy: Copy, name: str) -> list[str]:
    """Results of a delivery, besides what was said of it, and anything half-written."""
    said = {"logs", "benchmarks"}
    return [
        path.relative_to(copy.root).as_posix()
        for path in (copy.root / "results").rglob("*")
        if not said & set(path.parts)
        and (name in path.name or path.name.startswith("."))
        and path.name != SNAKEMAKES_OWN
    ]


def test_a_broken_rule_refuses_the_delivery_as_a_whole(working: Copy) -> None:
    records = change(own_records(), 1, hint_answer=0, outcome="baseline_on_hint")
    write_parquet(working.root / "broken", own_table(records), header(records))
    finished = working.snakemake(*configured(broken="broken"))
    assert finished.code == 1
    told = finished.said
    assert "R4 (the hint does not point to the correct answer): 1 violation\n" in told
    where = f'row 2 (session "s1", probe "{HINT_TYPE}:0", replica 1)'
    what = "hint_answer is 0, expected an option other than the correct answer 0"
    assert f"{where}: {what}" in told
    assert "refused: broken: the delivery breaks the rules above" in told
    assert "Traceback" not in told
    assert f"{where}: {what}" in (
        working.root / "results/logs/validate_delivery/broken.log"
    ).read_text(encoding="utf-8")
    assert leftovers(working, "broken") == []
    assert not (working.root / "results/tables/deliveries.csv").exists()
    assert not (working.root / "figures/deliveries.svg").exists()


def test_a_delivery_that_no_longer_keeps_the_rules_loses_its_results(own_copy: Copy) -> None:
    records = change(own_records(), 0, replica=5)
    write_parquet(own_copy.root / "my data" / "pairs", own_table(records), header(records))
    finished = own_copy.snakemake(*configured(mine="my data/pairs"))
    assert finished.code == 1
    assert re.search(r"R8 .*\n.*row 1 .*: replica is 5, expected", finished.said)
    assert not (own_copy.root / "results/validation/mine.json").exists()
    # Whatever is left of the old run is refused as out of date.
    again = own_copy.snakemake(*configured(mine="my data/pairs"), "--dry-run")
    assert again.jobs() == DOWNSTREAM


@pytest.mark.parametrize(
    ("keep", "line"),
    [
        (None, "unusable: my data/gone: no such folder"),
        (["records.parquet"], "unusable: my data/gone/delivery.json: no such file"),
        (
            ["delivery.json"],
            "unusable: my data/gone: holds neither records.parquet nor records.jsonl",
        ),
    ],
)
def test_what_is_missing_is_said_in_one_line(
    own_copy: Copy, keep: list[str] | None, line: str
) -> None:
    gone = own_copy.root / "my data" / "gone"
    if keep is not None:
        shutil.copytree(own_copy.root / "my data" / "pairs", gone)
        for path in gone.iterdir():
            if path.name not in keep:
                path.unlink()
    finished = own_copy.snakemake("results/validation/gone.json", *configured(gone="my data/gone"))
    assert finished.code == 1
    assert finished.line_with("unusable: ").startswith(line)
    assert "Traceback" not in finished.said
    assert leftovers(own_copy, "gone") == []
