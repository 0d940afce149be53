"""The record of making: what it says of a file, and how a changed line shows."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from avowed.made import describe_making, line_hashes, record_making

REPOSITORY = Path(__file__).parents[2]


def test_lines_end_at_the_newline_byte_only() -> None:
    assert len(line_hashes("a\u2028b\n1\r\n2".encode())) == 3
    assert line_hashes(b"") == []
    assert line_hashes(b"a\n") == line_hashes(b"a") == [hashlib.sha256(b"a").hexdigest()[:16]]


def test_one_changed_cell_changes_one_hash() -> None:
    before, after = line_hashes(b"a,b\n1,2\n3,4\n"), line_hashes(b"a,b\n1,2\n3,5\n")
    assert [old == new for old, new in zip(before, after, strict=True)] == [True, True, False]


def test_the_record_names_seed_and_hashes(tmp_path: Path) -> None:
    table, columns, picture = (tmp_path / f"t.{form}" for form in ("csv", "parquet", "png"))
    table.write_bytes(b"a\n1\n")
    columns.write_bytes(b"PAR1")
    picture.write_bytes(b"\x89PNG\n")
    record_making(tmp_path / "t.made.json", [table, columns, picture], seed=7)
    found = json.loads((tmp_path / "t.made.json").read_text())
    assert found == describe_making([table, columns, picture], seed=7)
    assert found["seed"] == 7
    assert found["files"][table.as_posix()]["sha256"] == hashlib.sha256(b"a\n1\n").hexdigest()
    assert len(found["files"][table.as_posix()]["lines"]) == 2
    for path in (columns, picture):
        assert found["files"][path.as_posix()].keys() == {"sha256"}


def rules() -> dict[str, str]:
    """Every rule of the workflow, its text by its name."""
    found = {}
    for path in sorted((REPOSITORY / "workflow" / "rules").glob("*.smk")):
        parts = re.split(r"^(?:rule|checkpoint) (\w+):\n", path.read_text("utf-8"), flags=re.M)
        found |= dict(zip(parts[1::2], parts[2::2], strict=True))
    return found


RULES = rules()
MAKERS = [name for name, text in RULES.items() if re.search(r'\n        made="', text)]


def test_every_job_that_people_read_from_makes_a_record() -> None:
    figures = {name for name in RULES if name.startswith("figure_")}
    pages = {"summary", "report_page", "provenance", "settings", "export_records"}
    assert {*figures, *pages, "export_results", "fetch_sources"} <= set(MAKERS)
    assert len(figures) >= 16


@pytest.mark.parametrize("name", MAKERS)
def test_a_record_with_a_seed_is_made_anew_with_another(name: str) -> None:
    # Snakemake runs a rule again for what it is given as a parameter, and for nothing else.
    script = (REPOSITORY / "scripts" / f"{name}.py").read_text("utf-8")
    (call,) = re.findall(r" (?:record_making|write_figure)\((.*?)\)\n", script, flags=re.S)
    # A figure's script may hand on all parameters at once; one of them has to be the seed.
    handed_on = call.replace("**snakemake.params", "seed=snakemake.params.seed")
    (seed,) = re.findall(r"\bseed=([^,()\s]+)", handed_on)
    params = RULES[name].partition("    params:\n")[2]
    given = {
        "None": "",
        "snakemake.params.seed": '        seed=config["seed"],\n',
        'settings["seed"]': "        settings=config,\n",
        # The settings of the measures hold the seed of the configuration.
        'snakemake.params.config["seed"]': "        config=FACTOR_SETTINGS,\n",
    }[seed]
    assert given in params
    # Nor is a rule run again for a seed of which its record says nothing.
    seeded = ("seed=", "settings=config,", "config=FACTOR_SETTINGS,")
    assert (seed == "None") == (not any(word in params for word in seeded))
