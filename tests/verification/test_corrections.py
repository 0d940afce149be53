"""Corrected rates agree with a second computation, and every output that is changed is noticed."""

import json
from pathlib import Path

import pytest
from verification import corrections, diff, export

from avowed.pairs.calibration import Gates
from avowed.pairs.delivery import write_delivery
from avowed.pairs.edge_corrections import CASES, COLUMNS, correction_rows, exact_text
from avowed.pairs.edge_delivery import edge_delivery
from avowed.pairs.edge_results import NAME, paper_config
from avowed.pairs.estimate import Settings
from avowed.present.csvfile import write_rows

CONFIG = paper_config(resamples=400)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the table, the settings and the exported edge delivery."""
    folder = tmp_path_factory.mktemp("corrections")
    delivery = edge_delivery()
    write_delivery(folder / "edge", delivery.header, delivery.records)
    assert export.main(["--out", str(folder), "--delivery", f"{NAME}={folder / 'edge'}"]) == 0
    settings = Settings.from_config(CONFIG)
    rows = correction_rows(delivery, settings, name=NAME, gates=Gates(), cases=CASES)
    write_rows(folder / "corrections.csv", COLUMNS, map(exact_text, rows))
    (folder / "settings.json").write_text(json.dumps(CONFIG))
    return folder


def arguments(made: Path, out: Path, **other: str) -> list[str]:
    given = {
        "table": str(made / "corrections.csv"),
        "exported": str(made / "deliveries"),
        "settings": str(made / "settings.json"),
        "out": str(out),
        **other,
    }
    return [part for name, value in given.items() for part in (f"--{name}", value)]


def test_every_case_agrees(made: Path, tmp_path: Path) -> None:
    assert corrections.main(arguments(made, tmp_path / "rows.jsonl")) == 0
    rows = diff.extra_rows(tmp_path / "rows.jsonl")
    assert {row["quantity"] for row in rows} == {case.name for case in CASES}
    assert [row for row in rows if row["verdict"] != "agrees"] == []
    assert {row["main"] for row in rows if row["field"] == "status"} >= {"converged", "part I only"}


def test_every_changed_output_is_noticed(made: Path) -> None:
    main = corrections.read_corrections(made / "corrections.csv")
    header, records = diff.read_delivery(made, NAME)
    row = next(row for row in main if row["case"] == "converged")
    again = corrections.redecisions([row], {NAME: (header, records)}, CONFIG)

    def failing(changed: dict[str, object]) -> set[str]:
        rows = corrections.compare_corrections([row | changed], again, {NAME: header}, CONFIG)
        return {found["field"] for found in rows if found["verdict"] != "agrees"}

    assert failing({}) == set()
    outputs = [*corrections.CORRECTED, "k", "n", "clusters", "q", "q_lower", "q_upper", "q_method"]
    for name in (*outputs, "status"):
        value = row[name]
        other = f"{value}!" if isinstance(value, str) else value + 1
        assert failing({name: other}) == {name}
        assert failing({name: None}) == {name}
    assert "estimate" in failing({"tp": row["tp"] - 1, "fn": row["fn"] + 1})
    assert "status" in failing({"judge_model": "another"})
    assert "h_s" in failing({"q_half_width": row["q_half_width"] * 1.1})


def test_unusable_input_is_named_with_exit_2(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, text = (made / "corrections.csv").read_text().split("\n", maxsplit=1)
    (tmp_path / "word.csv").write_text(f"{header}\n{text.replace(',960,', ',many,', 1)}")
    (tmp_path / "empty.csv").write_text(f"{header}\n")
    for other, words in (
        ({"table": str(tmp_path / "none.csv")}, "none.csv cannot be read"),
        ({"table": str(tmp_path / "word.csv")}, "word.csv, line 2"),
        ({"table": str(tmp_path / "empty.csv")}, "has no rows"),
        ({"exported": str(tmp_path)}, "edge.header.json cannot be read"),
        ({"settings": str(tmp_path / "none.json")}, "none.json cannot be read"),
    ):
        assert corrections.main(arguments(made, tmp_path / "out.jsonl", **other)) == 2
        assert words in capsys.readouterr().err
