"""A setting out of its range is one message and exit 2, the same wherever it is read."""

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from verification import diff, tables
from verification.estimates import Settings
from verification.files import Unusable

from avowed.pairs.edge_results import paper_config

ROOT = Path(__file__).parents[2]

BAD: list[tuple[str, str, Any, str]] = [
    ("bootstrap", "confidence", 2, "bootstrap.confidence is 2; expected a share"),
    ("bootstrap", "confidence", 1, "bootstrap.confidence is 1; expected a share"),
    ("bootstrap", "confidence", True, "bootstrap.confidence is True; expected a number"),
    ("bootstrap", "resamples", "2000", "bootstrap.resamples is '2000'; expected a number"),
    ("bootstrap", "resamples", 0, "bootstrap.resamples is 0; expected a whole number >= 1"),
    ("bootstrap", "resamples", 2.5, "bootstrap.resamples is 2.5; expected a whole number >= 1"),
    ("analysis", "min_options", 1, "analysis.min_options is 1; expected a whole number >= 2"),
    ("analysis", "target_half_width", None, "analysis.target_half_width is None; expected"),
    ("chance", "max_undefined_share", -0.1, "chance.max_undefined_share is -0.1; expected a"),
    ("exposure", "min_options", "x", "exposure.min_options is 'x'; expected a number"),
    ("sensitivity", "cuts", "x", "sensitivity.cuts is 'x'; expected a list of numbers"),
    ("sensitivity", "cuts", [0.5, True], "sensitivity.cuts is .*; expected a list of numbers"),
]


def with_setting(part: str, key: str, value: Any) -> dict[str, Any]:
    config = copy.deepcopy(paper_config(resamples=200))
    config[part][key] = value
    return config


@pytest.mark.parametrize(("part", "key", "value", "words"), BAD)
def test_a_setting_out_of_range_is_named(part: str, key: str, value: Any, words: str) -> None:
    with pytest.raises(Unusable, match=words):
        Settings.from_config(with_setting(part, key, value))


@pytest.mark.parametrize(("part", "key", "value"), [one[:3] for one in BAD])
def test_both_programs_say_the_same_and_exit_2(
    part: str, key: str, value: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps(with_setting(part, key, value)))
    common = ["--exported", str(tmp_path), "--settings", str(settings)]
    out = str(tmp_path / "out")
    assert diff.main([*common, "--out", out]) == 2
    said = capsys.readouterr()
    more = ["--results", str(tmp_path), "--published", str(tmp_path)]
    assert tables.main([*common, *more, "--out", out]) == 2
    assert capsys.readouterr().err == said.err
    assert said.err.startswith(f"error: settings: {part}.{key} is ")
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_the_recomputation_has_no_command_line_and_says_so() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "verification.recompute"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: no command line here; run python -m verification.diff\n"
