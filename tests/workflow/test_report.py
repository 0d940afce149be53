"""Snakemake's own report of a finished run: one archive, with a caption and a category for each."""

import json
import re
import zipfile
from typing import Any

import pytest
from workflow.pipeline import Copy

pytestmark = pytest.mark.slow

ARCHIVE = "results/report/workflow.zip"
# Category -> subcategory -> a few of the files there.
EXPECTED = {
    "Figures": {"Other": {"figures/coverage.svg", "figures/public_data.svg"}},
    "Tables": {
        "Conditions": {"results/tables/public_data.csv", "results/tables/always_a.csv"},
        "Simulation": {"results/tables/coverage.csv", "results/tables/worked_example.csv"},
    },
    "Verification": {
        "Recomputation": {
            "results/verification/diff.csv",
            "results/verification/planted_faults.csv",
        },
        "Ledger": {"results/verification/claims.csv", "results/verification/claims_summary.csv"},
    },
    "Report": {"Other": {"results/report/index.html", "results/summary.md"}},
    "Provenance": {"Other": {"results/provenance/run.json"}},
}


@pytest.fixture
def archive(working: Copy) -> zipfile.ZipFile:
    finished = working.snakemake("--report", ARCHIVE)
    assert finished.code == 0, finished.said
    # Making it is no change of the run.
    assert working.snakemake("--dry-run").jobs() == {}
    return zipfile.ZipFile(working.root / ARCHIVE)


def variable(page: str, name: str) -> dict[str, Any]:
    """A value that the page of the report holds as JSON."""
    start = re.search(rf'<script id="{name}">\s*var {name} = ', page)
    assert start is not None, name
    value: dict[str, Any] = json.JSONDecoder().raw_decode(page, start.end())[0]
    return value


def test_the_archive_holds_captions_and_categories(archive: zipfile.ZipFile, working: Copy) -> None:
    page = archive.read("workflow/report.html").decode()
    categories = variable(page, "categories")
    assert set(categories) == set(EXPECTED)
    for category, parts in EXPECTED.items():
        for part, files in parts.items():
            assert files <= set(categories[category][part])

    shown = [name for parts in categories.values() for files in parts.values() for name in files]
    results = variable(page, "results")
    assert sorted(results) == sorted(shown)
    for name, result in results.items():
        assert len(re.sub(r"<.*?>", "", result["caption"])) > 20, name
        assert result["labels"], name
    # Every figure that a run draws, and the bytes that it wrote.
    figures = {name for name in shown if name.startswith("figures/")}
    drawn = set(working.files("figures/*.svg"))
    assert figures == drawn and len(drawn) >= 15
    stored = {name.rpartition("/")[2] for name in archive.namelist()}
    assert {name.rpartition("/")[2] for name in shown} <= stored
