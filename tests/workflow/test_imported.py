"""Own files and a mapping run the whole pipeline, as the command line runs a part of it."""

import json
from pathlib import Path

import pytest
from workflow.pipeline import Copy, Finished

from avowed.cli import main
from avowed.present.csvfile import read_rows

pytestmark = pytest.mark.slow

SOURCE, MAPPING = "examples/import/replicas/nudged.json", "examples/import/replicas/map.yaml"
FILES = {"delivery.json", "exclusions.csv", "import.json", "records.parquet"}


def configured(**pairs: str) -> tuple[str, str]:
    return "--config", f"pairs={json.dumps(pairs)}"


@pytest.fixture(scope="module")
def imported(completed: Copy, tmp_path_factory: pytest.TempPathFactory) -> tuple[Copy, Finished]:
    """A finished run with an import; its unhinted halves lie in a file that the mapping names."""
    copy = completed.again(tmp_path_factory.mktemp("imported") / "copy")
    return copy, copy.snakemake(*configured(source=SOURCE, mapping=MAPPING, name="mine"))


def test_it_runs_to_the_end_and_is_verified(imported: tuple[Copy, Finished]) -> None:
    copy, finished = imported
    assert finished.code == 0, finished.said
    assert finished.jobs()["import_delivery"] == 1
    assert "verified: " in finished.said
    again = copy.snakemake(*configured(source=SOURCE, mapping=MAPPING, name="mine"), "--dry-run")
    assert again.jobs() == {}


def test_it_is_what_the_command_line_makes(
    imported: tuple[Copy, Finished], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = imported[0].root
    out = tmp_path / "mine"
    given = [str(root / SOURCE), "--mapping", str(root / MAPPING), "--out", str(out)]
    assert main(["import", *given, "--name", "mine"]) == 0
    said = capsys.readouterr().out
    assert "missing baseline" in said
    made = root / "results/pairs/imported/mine"
    assert {path.name for path in made.iterdir()} == FILES
    for name in ("records.parquet", "delivery.json"):
        assert (made / name).read_bytes() == (out / name).read_bytes()
    left_out = json.loads((made / "import.json").read_text(encoding="utf-8"))
    assert left_out["counts"] == json.loads((out / "import.json").read_text())["counts"]
    assert main(["estimate", str(out)]) == 0
    columns, *rows = capsys.readouterr().out.rstrip("\n").split("\n")
    (row,) = read_rows(root / "results/tables/deliveries.csv")
    assert len(rows) == 1
    assert row["condition"] == "mine"
    told = dict(zip(columns.split(","), rows[0].split(","), strict=False))
    for name in ("n_pairs", "n_analysed", "n_evaluable", "n_flagged", "omission"):
        assert row[name] == told[name]


@pytest.mark.parametrize("changed", [SOURCE, MAPPING, "examples/import/replicas/plain.jsonl"])
def test_a_changed_file_is_imported_again(
    imported: tuple[Copy, Finished], tmp_path: Path, changed: str
) -> None:
    copy = imported[0].again(tmp_path / "copy")
    file = copy.root / changed
    file.write_text(file.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    jobs = copy.snakemake(
        *configured(source=SOURCE, mapping=MAPPING, name="mine"), "--dry-run"
    ).jobs()
    assert jobs["import_delivery"] == 1


@pytest.mark.parametrize(
    ("pairs", "line"),
    [
        ({"source": SOURCE}, f"config key pairs.source: found {SOURCE} without pairs.mapping; "),
        ({"mapping": MAPPING}, f"config key pairs.mapping: found {MAPPING} without pairs.source; "),
        (
            {"source": "nothing.csv", "mapping": MAPPING},
            "config key pairs.source: nothing.csv is not there; expected a file or folder",
        ),
        (
            {"source": SOURCE, "mapping": "none.yaml"},
            "config key pairs.mapping: none.yaml is not there; expected a file",
        ),
        (
            {"source": SOURCE, "mapping": MAPPING, "name": "turpin_mine"},
            "config key pairs.name: found 'turpin_mine'; expected pattern ",
        ),
    ],
)
def test_a_wrong_key_is_named(pristine: Copy, pairs: dict[str, str], line: str) -> None:
    finished = pristine.snakemake(*configured(**pairs), "--dry-run")
    assert finished.code != 0
    assert finished.line_with("config key").startswith(line)


def test_a_mapping_that_does_not_fit_is_refused_with_its_key(
    completed: Copy, tmp_path: Path
) -> None:
    copy = completed.again(tmp_path / "copy")
    mapping = copy.root / "map.yaml"
    text = (copy.root / MAPPING).read_text(encoding="utf-8")
    mapping.write_text(text.replace("correct: gold", "correct: golt"), encoding="utf-8")
    finished = copy.snakemake(*configured(source=SOURCE, mapping="map.yaml"))
    assert finished.code == 1
    assert "golt" in finished.line_with("refused: ")
    assert not (copy.root / "results/pairs/imported/imported/records.parquet").exists()
