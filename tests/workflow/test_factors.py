"""The part on cited factors: made once, the same on any number of cores, and guarded."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from workflow.pipeline import Copy, Finished

from avowed.cli import main
from avowed.present.csvfile import read_rows

pytestmark = pytest.mark.slow

STUDIES = ("advisor", "monitor")
TARGETS = [
    f"results/factors/{study}/{name}.csv"
    for study in STUDIES
    for name in ("verdicts", "truth", "feature_truth")
]
JOBS = {
    name: len(STUDIES)
    for name in ("factors_inputs", "factors_responses", "factors_measures", "factors_truth")
}


@pytest.fixture(scope="module")
def factors(pristine: Copy, tmp_path_factory: pytest.TempPathFactory) -> tuple[Copy, Finished]:
    """A copy in which this part alone has run, on two cores."""
    copy = pristine.again(tmp_path_factory.mktemp("factors") / "copy")
    finished = copy.snakemake(*TARGETS, cores=2)
    assert finished.code == 0, finished.said
    return copy, finished


def test_it_is_few_jobs_and_a_second_run_has_nothing_to_do(
    factors: tuple[Copy, Finished],
) -> None:
    copy, finished = factors
    assert finished.jobs() == JOBS
    assert copy.snakemake(*TARGETS).jobs() == {}


def test_it_is_the_same_to_the_byte_on_one_core(
    factors: tuple[Copy, Finished], pristine: Copy, tmp_path: Path
) -> None:
    copy, _ = factors
    other = pristine.again(tmp_path / "copy")
    assert other.snakemake(*TARGETS, cores=1).code == 0
    files = copy.files("results/factors/**/*")
    assert len(files) > 40 and files == other.files("results/factors/**/*")


def test_every_planned_call_was_answered(factors: tuple[Copy, Finished]) -> None:
    root = factors[0].root / "results" / "factors"
    for study in STUDIES:
        for part in ("", "pilot", "prompts"):
            plan = json.loads((root / study / part / "plan.json").read_text("utf-8"))
            rows = pq.read_metadata(root / study / part / "responses.parquet").num_rows
            assert rows == plan["calls_per_component"] * len(plan["components"])
        assert len(read_rows(root / study / "verdicts.csv")) == 8


def test_a_setting_reruns_what_depends_on_it(
    factors: tuple[Copy, Finished], tmp_path: Path
) -> None:
    copy, _ = factors
    measured = {"factors_measures": 2, "factors_truth": 2}
    for setting, jobs in {
        "factors: {trials: 4}": JOBS,
        "factors: {rank_agreement: {unscored_is_zero: true}}": measured,
        "factors: {study: {repetitions: 20}}": {"factors_truth": 2},
        "factors: {use_cases: [monitor]}": {},
        "simulation: {repetitions: 30}": {},
    }.items():
        mine = tmp_path / "mine.yaml"
        mine.write_text(f"{setting}\n", encoding="utf-8")
        targets = [name for name in TARGETS if "use_cases" not in setting or "monitor" in name]
        done = copy.snakemake("--dry-run", "--configfile", str(mine), "--", *targets)
        assert done.code == 0, done.said
        assert done.jobs() == jobs, setting


@pytest.fixture
def recorded(pristine: Copy, tmp_path: Path) -> tuple[Copy, list[str]]:
    """A copy with recorded responses of its own, and the arguments that measure them."""
    copy = pristine.again(tmp_path / "copy")
    usecase = str(copy.root / "data/usecases/loan.yaml")
    asked = ["factors", "run", "--usecase", usecase, "--component", "single"]
    assert main([*asked, "--out", str(copy.root / "mine")]) == 0
    table = pq.read_table(copy.root / "mine/responses.parquet")
    keys = ("component", "use_case", "input", "feature", "intervention", "trial", "raw")
    lines = [json.dumps({key: row[key] for key in keys}) for row in table.to_pylist()]
    (copy.root / "mine/responses.jsonl").write_text("".join(f"{one}\n" for one in lines), "utf-8")
    given = {"mine": {"usecase": "data/usecases/loan.yaml", "responses": "mine/responses.jsonl"}}
    config = f"factors={json.dumps({'recorded': given})}"
    return copy, ["--config", config, "--", "results/factors/mine/verdicts.csv"]


def test_recorded_responses_take_the_same_way(recorded: tuple[Copy, list[str]]) -> None:
    copy, arguments = recorded
    finished = copy.snakemake(*arguments)
    assert finished.code == 0, finished.said
    assert finished.jobs() == {"factors_recorded": 1, "factors_measures": 1}
    folder = copy.root / "results/factors/mine"
    (row,) = read_rows(folder / "verdicts.csv")
    assert (row["study"], row["component"]) == ("mine", "single")
    assert read_rows(folder / "pilot.csv") == []
    assert read_rows(folder / "rank_agreement.csv")[0]["component"] == "single"


def test_a_broken_recorded_file_is_refused_with_the_row_named(
    recorded: tuple[Copy, list[str]],
) -> None:
    copy, arguments = recorded
    path = copy.root / "mine/responses.jsonl"
    lines = path.read_text("utf-8").splitlines()
    lines[4] = json.dumps({**json.loads(lines[4]), "trial": 7})
    path.write_text("".join(f"{one}\n" for one in lines), "utf-8")
    finished = copy.snakemake(*arguments)
    assert finished.code == 1
    told = finished.line_with("refused: ")
    assert "mine/responses.jsonl, row 5, field trial" in told and "F6" in told
    assert "Traceback" not in finished.said
    assert not (copy.root / "results/factors/mine/responses.parquet").exists()


def test_recorded_responses_that_are_not_there_are_named(pristine: Copy) -> None:
    given = {"mine": {"usecase": "data/usecases/loan.yaml", "responses": "no/where.jsonl"}}
    config = f"factors={json.dumps({'recorded': given})}"
    finished = pristine.snakemake("--dry-run", "--config", config)
    assert finished.code != 0
    first = "config key factors.recorded.mine.responses: no/where.jsonl is not there"
    assert first in finished.said and "Traceback" not in finished.said
