"""Facts of the second paper's design are found in the data and in what the code does."""

import shutil
from pathlib import Path

import pytest

from avowed.factors.usecase import read_use_case
from avowed.facts_factors import factor_facts

DATA = Path(__file__).parents[2] / "data"


def test_they_are_those_of_the_use_cases() -> None:
    found = factor_facts(DATA)
    for name in ("advisor", "monitor"):
        case = read_use_case(DATA / "usecases" / f"{name}.yaml")
        assert found[name]["fields"] == list(case.keys)
        assert found[name]["samples"] == case.samples
    assert found["monitor"]["change_threshold"] == 1
    assert found["advisor"]["contrast"] == {"scale": "11 - x"}
    assert found["prompts"]["strategies"][12][3] == "Fixed feature names"
    assert found["components"] == 8


def test_another_use_case_gives_other_facts(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "data")
    path = tmp_path / "data" / "usecases" / "advisor.yaml"
    text = path.read_text("utf-8")
    assert "samples: 100" in text and "upper: 10" in text
    changed = text.replace("samples: 100", "samples: 50").replace("upper: 10", "upper: 7")
    path.write_text(changed, "utf-8")
    found = factor_facts(tmp_path / "data")["advisor"]
    assert (found["samples"], found["scale_range"]) == (50, [1, 7])
    assert found["contrast"] == {"scale": "8 - x"}


def test_what_the_paper_says_in_one_number_has_to_be_one(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "data")
    path = tmp_path / "data" / "usecases" / "advisor.yaml"
    path.write_text(path.read_text("utf-8").replace("upper: 10", "upper: 7", 1), "utf-8")
    with pytest.raises(ValueError, match="range of the scales"):
        factor_facts(tmp_path / "data")
