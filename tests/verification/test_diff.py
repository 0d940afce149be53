"""The comparison: what agrees, what fails, what has no counterpart; the command line."""

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest
from support.deliveries import coverage, header, judged, lines, record
from verification import diff
from verification.comparison import AGREES, FAILS, ONLY_PIPELINE, ONLY_RECOMPUTATION, compare
from verification.recompute import recompute_delivery

CONFIG = {
    "bootstrap": {"resamples": 200, "confidence": 0.95},
    "analysis": {"min_options": 3, "target_half_width": 0.1},
    "sensitivity": {"cuts": [0.5, 0.6]},
    "chance": {"max_undefined_share": 0.05},
    "exposure": {"min_options": 3},
}
LONG = ("study", "cell", "quantity", "k", "estimate", "lower", "upper", "method", "status", "n")
LONG = (*LONG, "clusters", "icc", "deff", "effective_n", "mc_error", "repetitions")


def row(**changes: Any) -> dict[str, Any]:
    """A recomputed row: a share with bootstrap ends that have a standard error of 0.01."""
    return {
        **dict.fromkeys(LONG),
        "study": "s",
        "cell": "c",
        "quantity": "omission",
        "estimate": 0.5,
        "lower": 0.42,
        "upper": 0.58,
        "method": "percentile cluster bootstrap",
        "status": "converged",
        "n": 40,
        "clusters": 10,
        "icc": 0.25,
        "lower_error": 0.01,
        "upper_error": 0.01,
        "lower_step": 0.0,
        "upper_step": 0.0,
        "target_half_width": 0.1,
        "resamples": 2000,
        "undefined_resamples": 0,
        "alternative": None,
        "facts": {},
        **changes,
    }


def verdicts(main: dict[str, Any], independent: dict[str, Any]) -> dict[str, str]:
    """Field -> verdict, of the fields that do not agree."""
    found = compare([main], [independent], source="d")
    return {each["field"]: each["verdict"] for each in found if each["verdict"] != AGREES}


def field(main: dict[str, Any], independent: dict[str, Any], name: str) -> dict[str, Any]:
    return next(r for r in compare([main], [independent], source="d") if r["field"] == name)


def test_a_row_agrees_with_itself_field_by_field() -> None:
    found = compare([row()], [row()], source="d")
    assert {each["field"] for each in found} == set(LONG) - {"cell", "quantity", "k"}
    assert {each["verdict"] for each in found} == {AGREES}
    assert all(tuple(each) == diff.COLUMNS for each in found)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("estimate", 0.5 + 2e-12),
        ("icc", 0.25 - 2e-12),
        ("icc", math.nan),
        ("icc", math.inf),
        ("n", 41),
        ("clusters", 9),
        ("method", "wilson"),
        ("study", "other"),
        ("icc", None),
        ("deff", 1.0),
        ("mc_error", 0.01),
        ("icc", "0.25"),
    ],
)
def test_a_planted_difference_fails_in_its_field_only(name: str, value: object) -> None:
    assert verdicts(row(**{name: value}), row()) == {name: FAILS}


@pytest.mark.parametrize(("name", "value"), [("estimate", 0.5 + 5e-13), ("icc", 0.25 - 5e-13)])
def test_rounding_agrees(name: str, value: float) -> None:
    assert verdicts(row(**{name: value}), row()) == {}


def test_above_one_the_tolerance_is_relative() -> None:
    assert verdicts(row(effective_n=618.0 + 5e-10), row(effective_n=618.0)) == {}
    assert verdicts(row(effective_n=618.0 + 7e-10), row(effective_n=618.0)) != {}


def test_whole_numbers_are_equal_or_fail_though_the_table_holds_floats() -> None:
    count = row(estimate=2_560_000)
    assert verdicts(row(estimate=2_560_000.0), count) == {}
    assert verdicts(row(estimate=2_560_000.000000001), count) == {"estimate": FAILS}


def test_undefined_on_both_sides_agrees_and_says_so() -> None:
    found = field(row(icc=None), row(icc=None), "icc")
    assert (found["verdict"], found["basis"]) == (AGREES, "undefined on both sides")
    one = field(row(icc=None), row(), "icc")
    assert (one["verdict"], one["basis"]) == (FAILS, "undefined on one side")


@pytest.mark.parametrize("end", ["lower", "upper"])
def test_bootstrap_ends_agree_within_the_error_of_two(end: str) -> None:
    """6 sqrt(2) times 0.01 is 0.0849; a lattice step adds to it."""
    ours = row()
    near, far = ours[end] + 0.084, ours[end] + 0.086
    assert verdicts(row(**{end: near}), ours).get(end) is None
    assert verdicts(row(**{end: far}), ours)[end] == FAILS
    assert verdicts(row(**{end: far}), row(**{f"{end}_step": 0.01})).get(end) is None
    found = field(row(**{end: near}), ours, end)
    assert found["tolerance"] == pytest.approx(0.01 * 6 * math.sqrt(2))
    assert found["basis"].startswith("Monte-Carlo error of two bootstraps: 6 sqrt(2)")


def test_ends_that_nothing_was_drawn_for_are_exact() -> None:
    exact = dict.fromkeys(("lower_error", "upper_error", "lower_step", "upper_step"))
    assert verdicts(row(lower=0.42 + 2e-12), row(**exact)) == {"lower": FAILS}


def test_a_status_follows_from_the_pipelines_own_half_width() -> None:
    """Ours is converged by a hair; theirs may lie beyond the limit if it then says so."""
    ours = row(lower=0.401, upper=0.6, status="converged")
    wide = {"lower": 0.399, "upper": 0.6}
    assert verdicts(row(**wide, status="undersampled"), ours) == {}
    assert verdicts(row(**wide, status="converged"), ours) == {"status": FAILS}
    assert verdicts(row(lower=0.401, upper=0.6, status="undersampled"), ours) == {"status": FAILS}
    assert verdicts(row(**wide, status="insufficient"), ours) == {"status": FAILS}


def test_either_side_of_the_limit_of_undefined_resamples_will_do_if_it_is_near() -> None:
    nothing = {"lower": None, "upper": None, "method": None, "status": "undefined"}
    missing = row(**nothing, lower_error=None, upper_error=None)
    near = row(alternative=missing, undefined_resamples=99)
    note = "101 of 2000 resamples undefined"
    assert verdicts(row(**nothing, note=note), near | {"alternative": missing | {"facts": {}}}) == {
        "undefined resamples": FAILS
    }
    both = missing | {"undefined_resamples": 99}
    assert verdicts(row(**nothing, note=note), near | {"alternative": both}) == {}
    assert "method" in verdicts(row(**nothing), row())


@pytest.mark.parametrize(
    ("note", "dropped", "agrees"),
    [
        ("100 of 2000 resamples undefined", 90, True),
        ("200 of 2000 resamples undefined", 90, False),
        ("", 90, False),
        ("", 0, True),
        ("3 of 2000 resamples undefined", 0, True),
        ("300 of 2000 resamples undefined", 0, False),
    ],
)
def test_undefined_resamples_are_counted(note: str, dropped: int, agrees: bool) -> None:
    found = verdicts(row(note=note), row(undefined_resamples=dropped))
    assert (found == {}) is agrees


@pytest.mark.parametrize(
    ("fact", "value", "note"),
    [
        (
            "undefined at L (N_H)",
            "3 (9), 5 (2)",
            "p <= q/(L-2) at L = 3 (N_H = 9); p <= q/(L-2) at L = 5 (N_H = 2)",
        ),
        ("left out at L (N_H)", "5 (3)", "L = 5 left out: N_H = 3, none with a verdict"),
        ("beyond reliable k", "yes", "beyond reliable k"),
        ("probes left out", "1200", "1,200 probes left out: a replica was not fresh"),
    ],
)
def test_what_a_note_says_is_compared(fact: str, value: str, note: str) -> None:
    ours = row(facts={fact: value})
    assert verdicts(row(note=note), ours) == {}
    assert verdicts(row(note=None), ours) == {fact: FAILS}
    assert verdicts(row(note=note), row()) == {fact: FAILS}
    assert verdicts(
        row(note=note.replace("3", "4").replace("beyond", "in").replace("1,", "2,")), ours
    )


def test_every_estimate_needs_a_counterpart() -> None:
    found = compare([row(), row(k=1)], [row(), row(cell="d")], source="d")
    alone = [(r["cell"], r["k"], r["verdict"]) for r in found if r["verdict"] != AGREES]
    assert alone == [("c", 1, ONLY_PIPELINE), ("d", None, ONLY_RECOMPUTATION)]


def test_a_row_that_stands_twice_has_one_counterpart() -> None:
    found = compare([row(), row()], [row()], source="d")
    assert [r["verdict"] for r in found if r["verdict"] != AGREES] == [ONLY_PIPELINE]


class Exported:
    """A delivery as the export writes it, with estimates made by the recomputation itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = [
            judged(f"p{i}", *(("faithful", 0.9), ("unfaithful", 0.1))[i % 3 > 0]) for i in range(30)
        ] + [record(f"n{i}") for i in range(5)]
        self.header = header(self.records, coverage=coverage(self.records))
        rows = recompute_delivery(
            "mine", self.header, self.records, CONFIG, study="deliveries", cell_name="mine"
        )
        self.main = [{name: each[name] for name in LONG} for each in rows]
        (folder / "settings.json").write_text(json.dumps(CONFIG))
        (folder / "stamps").mkdir()
        self.stamp = {"accepted": True, "records": len(self.records)}
        self.write()

    def write(self) -> None:
        deliveries, estimates = self.folder / "deliveries", self.folder / "estimates"
        deliveries.mkdir(exist_ok=True)
        estimates.mkdir(exist_ok=True)
        (deliveries / "mine.header.json").write_text(json.dumps(self.header))
        (deliveries / "mine.jsonl").write_bytes(lines(self.records))
        (estimates / "mine.jsonl").write_bytes(lines(self.main))
        (self.folder / "stamps/mine.json").write_text(json.dumps(self.stamp))

    def run(self, *more: str, out: str = "diff.csv") -> int:
        where = ["--exported", str(self.folder), "--settings", str(self.folder / "settings.json")]
        return diff.main([*where, "--out", str(self.folder / out), *more])

    def table(self) -> list[dict[str, str]]:
        with (self.folder / "diff.csv").open(newline="") as file:
            return list(csv.DictReader(file))


@pytest.fixture
def exported(tmp_path: Path) -> Exported:
    return Exported(tmp_path)


def test_everything_agrees(exported: Exported, capsys: pytest.CaptureFixture[str]) -> None:
    assert exported.run("--validation", str(exported.folder / "stamps")) == 0
    table = exported.table()
    assert {each["verdict"] for each in table} == {AGREES}
    assert {"R1", "R11", "accepted", "records"} <= {each["field"] for each in table}
    assert {"coverage", "omission", "exposure"} <= {each["quantity"] for each in table}
    assert capsys.readouterr().out == f"{len(table)} comparisons of 1 sources: all agree\n"


def test_the_same_input_gives_the_same_bytes(exported: Exported) -> None:
    for out in ("diff.csv", "again.csv"):
        exported.run(out=out)
    one, other = ((exported.folder / out).read_bytes() for out in ("diff.csv", "again.csv"))
    assert one == other
    assert [path.name for path in exported.folder.glob(".*")] == []


def test_a_difference_is_named_and_exits_1(
    exported: Exported, capsys: pytest.CaptureFixture[str]
) -> None:
    omission = next(each for each in exported.main if each["quantity"] == "omission")
    omission["n"] += 1
    exported.write()
    assert exported.run() == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2
    expected = f"{omission['n']} in the pipeline, {omission['n'] - 1} recomputed (equal): fails"
    assert told[0].startswith("mine: omission of mine")
    assert told[0].endswith(f", n: {expected}")
    assert told[1].endswith("1 do not agree")
    assert exported.run("--report-only") == 0


@pytest.mark.parametrize("kept", [0, 10])
def test_estimates_that_are_missing_fail(exported: Exported, kept: int) -> None:
    missing = len(exported.main) - kept
    exported.main = exported.main[:kept]
    exported.write()
    assert exported.run() == 1
    assert [r["verdict"] for r in exported.table()].count(ONLY_RECOMPUTATION) == missing


def test_the_pipeline_is_held_to_the_rules(exported: Exported) -> None:
    exported.records[0]["outcome"] = "no_change"
    exported.write()
    assert exported.run("--validation", str(exported.folder / "stamps")) == 1
    fails = [r for r in exported.table() if r["verdict"] == FAILS]
    assert ("R2", "0", "1") in [(r["field"], r["main"], r["independent"]) for r in fails]
    # Nothing is estimated from a delivery that breaks a rule.
    alone = [r for r in exported.table() if r["verdict"] == ONLY_PIPELINE]
    assert len(alone) == len(exported.main)


def test_a_delivery_that_both_refuse_agrees(exported: Exported) -> None:
    exported.records[0]["outcome"] = "no_change"
    exported.stamp["accepted"] = False
    exported.main = []
    exported.write()
    assert exported.run("--validation", str(exported.folder / "stamps")) == 0


def test_a_place_gives_study_and_cell(exported: Exported) -> None:
    exported.main = [
        each | {"study": "public", "cell": each["cell"].replace("mine", "few:shot")}
        for each in exported.main
    ]
    exported.write()
    assert exported.run("--place", "mine=public:few:shot") == 0
    assert exported.run("--place", "mine=public:other") == 1


def test_rows_of_other_programs_stand_with_ours(exported: Exported) -> None:
    extra = exported.folder / "rows.jsonl"
    good = diff.compared("tables", "coverage", "type_1", None, "mean", 0.5, 0.5)
    extra.write_text(json.dumps(good) + "\n" + json.dumps(good | {"verdict": FAILS}) + "\n")
    assert exported.run("--extra", str(extra)) == 1
    assert [r["verdict"] for r in exported.table() if r["source"] == "tables"] == [AGREES, FAILS]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{}\n", "row 1: columns missing or too many: basis, cell"),
        ("[]\n", "row 1: is not a JSON object"),
        ("nonsense\n", "line 1 is not JSON"),
        (json.dumps(dict.fromkeys(diff.COLUMNS)) + "\n", "row 1, verdict: found None"),
    ],
)
def test_bad_extra_rows_are_named(
    exported: Exported, capsys: pytest.CaptureFixture[str], content: str, message: str
) -> None:
    (exported.folder / "rows.jsonl").write_text(content)
    assert exported.run("--extra", str(exported.folder / "rows.jsonl")) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.startswith("error: ")
    assert not (exported.folder / "diff.csv").exists()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("settings.json", "{}", "settings: bootstrap.resamples is None"),
        ("settings.json", "[]", "expected the configuration"),
        ("settings.json", "{", "cannot be read"),
        ("deliveries/mine.header.json", "3", "expected the delivery's header"),
        ("deliveries/mine.jsonl", "3\n", "row 1: is not a JSON object"),
        ("estimates/mine.jsonl", "x\n", "line 1 is not JSON"),
        ("estimates/lost.jsonl", "", "no header of lost"),
        ("stamps/mine.json", "[]", "expected a validation stamp"),
    ],
)
def test_bad_input_is_one_message_and_exits_2(
    exported: Exported,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: str,
    message: str,
) -> None:
    (exported.folder / name).write_text(content)
    assert exported.run("--validation", str(exported.folder / "stamps")) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_nothing_to_compare_is_no_success(
    tmp_path: Path, exported: Exported, capsys: pytest.CaptureFixture[str]
) -> None:
    (exported.folder / "deliveries/mine.header.json").unlink()
    (exported.folder / "estimates/mine.jsonl").unlink()
    assert exported.run() == 2
    assert "no header of any delivery" in capsys.readouterr().err


def test_an_output_that_cannot_be_written_is_named(
    exported: Exported, capsys: pytest.CaptureFixture[str]
) -> None:
    (exported.folder / "taken").write_text("")
    assert exported.run(out="taken/diff.csv") == 2
    assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("place", ["mine", "mine=public", "=a:b", "mine=public:"])
def test_a_place_that_is_none_is_refused(
    exported: Exported, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        exported.run("--place", place)
    assert ended.value.code == 2
    assert "is not NAME=STUDY:CELL" in capsys.readouterr().err
