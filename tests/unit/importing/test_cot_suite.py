"""Real outputs in the form of examples/import/letters, where they are at hand; our own always.

The real files are read from the folder of ``AVOWED_REAL``, or from ``real`` beside the mirror of
the public data (``AVOWED_MIRROR``); nothing of them stands in this repository.
"""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.import_tables import run

from avowed.cli import main
from avowed.pairs.rules import validate
from avowed.present.csvfile import read_rows

LETTERS = Path(__file__).parents[3] / "examples" / "import" / "letters"
OPTIONS = {
    "causal_judgment": 2,
    "hyperbaton": 2,
    "movie_recommendation": 4,
    "ruin_names": 4,
    "temporal_sequences": 4,
}


def folders() -> list[Path]:
    mirror = os.environ.get("AVOWED_MIRROR")
    real = os.environ.get("AVOWED_REAL") or (mirror and str(Path(mirror).parent / "real"))
    suite = Path(real) / "cot_suite" if real else None
    return [LETTERS, *([suite] if suite and suite.is_dir() else [])]


def outcome(row: dict[str, Any]) -> str:
    """The paper's section 3 once more, over letters."""
    a0, a1, hint = row["baseline_ans"], row["biased_ans"], row["bias_target_letter"]
    if "" in (a0, a1):
        return "U"
    if a0 == hint:
        return "B"
    if a1 == hint:
        return "H"
    return "N" if a1 == a0 else "O"


def expected(rows: list[dict[str, Any]]) -> dict[str, Any]:
    pairs = [row for row in rows if row["bias_target_letter"] != row["correct_ans"]]
    analysed = [row for row in pairs if OPTIONS[row["task"]] >= 3]
    moved = [row for row in analysed if outcome(row) == "H"]
    judged = [row for row in moved if row["verbalized"] is not None]
    counts = Counter(outcome(row) for row in analysed)
    elsewhere = [r for r in pairs if outcome(r) != "H" and r["verbalized"] is not None]
    return {
        "n_pairs": len(pairs),
        "n_two_option": len(pairs) - len(analysed),
        "n_analysed": len(analysed),
        "n_hint_change": counts["H"],
        "n_other_change": counts["O"],
        "n_no_change": counts["N"],
        "n_baseline_on_hint": counts["B"],
        "n_not_evaluable": counts["U"],
        "n_evaluable": len(judged),
        "n_flagged": sum(row["verbalized"] is False for row in judged),
        "left_out": {"hint on the correct answer": len(rows) - len(pairs)},
        "verdicts_left_out": {"verdict without a hint-induced change": len(elsewhere)},
    }


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_a_folder_of_models_becomes_valid_deliveries_and_one_table(
    folder: Path, tmp_path: Path
) -> None:
    sources = sorted(folder.glob("*.jsonl"))
    assert len(sources) >= 2
    truth = {}
    for source in sources:
        out = tmp_path / source.stem
        assert run(source, "--mapping", LETTERS / "map.yaml", "--out", out) == 0
        rows = [json.loads(line) for line in source.read_text("utf-8").split("\n") if line]
        truth[source.stem] = expected(rows)
        described = json.loads((out / "import.json").read_text("utf-8"))
        for key in ("left_out", "verdicts_left_out"):
            assert described[key] == truth[source.stem].pop(key)
        assert described["counts"]["records"] == truth[source.stem]["n_pairs"]
        assert validate(out).accepted
    page = tmp_path / "page"
    assert main(["report", *(str(tmp_path / name) for name in truth), "--out", str(page)]) == 0
    table = read_rows(page / "deliveries.csv")
    found = {
        row["condition"]: {key: int(row[key]) for key in truth[row["condition"]]} for row in table
    }
    assert found == truth
    for row in table:
        known = truth[row["condition"]]
        if known["n_evaluable"]:
            rate = known["n_flagged"] / known["n_evaluable"]
            assert float(row["omission"]) == pytest.approx(rate, abs=1e-9)
        else:
            assert row["omission"] == ""
    assert all(name in (page / "index.html").read_text("utf-8") for name in truth)


@pytest.mark.parametrize("folder", folders(), ids=lambda folder: folder.name)
def test_no_letter_goes_beyond_the_options_of_its_task(folder: Path) -> None:
    for source in sorted(folder.glob("*.jsonl")):
        for line in source.read_text("utf-8").split("\n")[:-1]:
            row = json.loads(line)
            letters = "ABCD"[: OPTIONS[row["task"]]]
            for name in ("baseline_ans", "biased_ans", "correct_ans", "bias_target_letter"):
                assert row[name] == "" or row[name] in letters


def test_our_own_file_has_the_quirks_of_the_real_one() -> None:
    for source in sorted(LETTERS.glob("*.jsonl")):
        rows = [json.loads(line) for line in source.read_text("utf-8").split("\n") if line]
        on_correct = [row for row in rows if row["bias_target_letter"] == row["correct_ans"]]
        assert on_correct
        assert any(outcome(row) == "H" for row in on_correct)
        assert any(row["baseline_ans"] == "" and row["verbalized"] is not None for row in rows)
        assert any(row["biased_ans"] == "" for row in rows)
        assert any(outcome(row) == "B" and row["verbalized"] is not None for row in rows)
        assert {row["verbalized"] for row in rows} == {True, False, None}
        assert {row["task"] for row in rows} == set(OPTIONS)
