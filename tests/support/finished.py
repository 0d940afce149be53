"""A finished run in small: a table with its record, and what the gate reads beside it."""

import json
from pathlib import Path

import pytest
from verification import gate

from avowed.made import record_making

#: A list of planted faults with one fault.
FAULTS = """estimators = ["rate"]
[[fault]]
name = "turned"
what = "n / k"
estimator = "rate"
module = "rates.py"
parts = ["spread"]
old = "k / n"
new = "n / k"
"""


def write_results() -> Path:
    """Write it to the current folder; returns the folder of the results."""
    tables = Path("results/tables")
    tables.mkdir(parents=True)
    rows = "".join(f"type_{i},320,{i / 10},ok\n" for i in range(1, 6))
    (tables / "coverage.csv").write_text("hint_type,probes,coverage,status\n" + rows)
    (tables / "coverage.md").write_text("| a |\n| 1 |\n")
    files = [tables / "coverage.csv", tables / "coverage.md"]
    record_making(tables / "coverage.made.json", files, seed=1)
    checks = Path("results/verification")
    checks.mkdir()
    (checks / "settings.json").write_text(json.dumps({"seed": 1}))
    (checks / "diff.csv").write_text("source,cell,verdict\na,b,agrees\n")
    (checks / "planted_faults.csv").write_text(
        "fault,caught,verdict\nno fault,no,as it should be\nturned,yes,as it should be\n"
    )
    Path("faults.toml").write_text(FAULTS)
    return Path("results")


def run(*more: str) -> int:
    settings = "results/verification/settings.json"
    given = ["--settings", settings, "--tables", "results/tables", "--planted", "faults.toml"]
    return gate.main([*given, *more])


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().err.splitlines() if line.startswith("refused: ")]
