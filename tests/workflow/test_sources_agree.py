"""Raw files and shipped integers lead to the same tables; the integers are what they say."""

import hashlib
import json
import re
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import pytest
import yaml
from workflow.miniature import OUTPUTS, coded_rows, write_manifest, write_mirror
from workflow.pipeline import REPOSITORY, Copy

from avowed.pairs.coded_answers import (
    SCHEMA,
    VOCABULARIES,
    check_coded,
    code_all,
    read_coded,
    read_items,
)
from avowed.pairs.judges import KeywordJudge
from avowed.refusal import Refused
from avowed.sources import read_manifest

pytestmark = pytest.mark.slow

SHIPPED = REPOSITORY / "data" / "turpin" / "coded_answers.parquet"
FRESH = "results/pairs/coded_answers.parquet"


def described() -> dict[str, object]:
    loaded: dict[str, object] = json.loads(SHIPPED.with_suffix(".json").read_text(encoding="utf-8"))
    return loaded


def patterns() -> list[str]:
    config = yaml.safe_load((REPOSITORY / "config.yaml").read_text(encoding="utf-8"))
    found: list[str] = config["turpin"]["mention_patterns"]
    return found


def hashes() -> dict[str, str]:
    return {file.path: file.sha256 for file in read_manifest(REPOSITORY / "data" / "sources.tsv")}


def locked_pyarrow() -> str:
    lock = (REPOSITORY / "requirements.lock").read_text(encoding="utf-8")
    (found,) = re.findall(r"^pyarrow==(\S+)", lock, flags=re.MULTILINE)
    return str(found)


def test_without_a_mirror_or_a_network_the_coded_answers_serve(
    pristine: Copy, tmp_path: Path
) -> None:
    copy = pristine.again(tmp_path / "copy")
    finished = copy.snakemake("results/provenance/source.json", AVOWED_MIRROR="no/such/folder")
    assert finished.code == 0, finished.said
    told = finished.line_with("source: coded, ")
    assert "mirror did not serve: there is no folder no/such/folder" in told
    assert "download did not serve: " in told


def test_tables_do_not_depend_on_the_source(
    completed: Copy, second: Copy, raw_files: Path | None
) -> None:
    for copy, kind in ((completed, "coded"), (second, "coded" if raw_files is None else "mirror")):
        source = json.loads((copy.root / "results/provenance/source.json").read_text())
        checked = json.loads((copy.root / "results/provenance/raw_files.json").read_text())
        assert (source["kind"], checked["source"]) == (kind, kind)
    for pattern in ("results/tables/*", "results/estimates/*", "figures/*.svg", "figures/*.png"):
        assert completed.files(pattern) == second.files(pattern)


def test_coded_answers_made_anew_are_the_shipped_ones(second: Copy) -> None:
    assert read_coded(second.root / FRESH).equals(read_coded(SHIPPED))
    if version("pyarrow") == locked_pyarrow():
        assert (second.root / FRESH).read_bytes() == SHIPPED.read_bytes()
        header = (second.root / FRESH).with_suffix(".json")
        assert header.read_bytes() == SHIPPED.with_suffix(".json").read_bytes()


def test_the_shipped_file_is_what_its_description_says() -> None:
    header = described()
    check_coded(SHIPPED, header, sources=hashes(), patterns=patterns())
    assert header["sha256"] == hashlib.sha256(SHIPPED.read_bytes()).hexdigest()
    assert header["mention_patterns"] == patterns()
    assert header["sources"] == dict(sorted(hashes().items()))
    assert header["legend"] == {name: list(words) for name, words in VOCABULARIES.items()}
    assert len(hashes()) == 91


def test_the_shipped_file_holds_integers_only_and_none_out_of_range() -> None:
    table = read_coded(SHIPPED)
    assert table.num_rows == described()["rows"] == 4 * 3299 + 2 * 3130
    assert all(pa.types.is_integer(field.type) for field in table.schema)
    assert SHIPPED.stat().st_size < 60_000
    rows = table.to_pylist()
    keys = [tuple(row[name] for name in SCHEMA.names[:5]) for row in rows]
    assert keys == sorted(set(keys))
    for row in rows:
        answers = [row[name] for name in SCHEMA.names if name.endswith("explained")]
        options = range(row["n_options"])
        assert len(options) >= 2 and row["correct"] in options and row["hint"] in options
        assert all(answer is None or answer in options for answer in answers)
        assert row["mention"] in (0, 1)


def test_other_patterns_than_the_shipped_ones_are_refused() -> None:
    with pytest.raises(Refused, match=r"other patterns than config key turpin.mention_patterns"):
        check_coded(SHIPPED, described(), sources=hashes(), patterns=["hint"])


def test_other_sources_than_the_listed_ones_are_refused() -> None:
    changed = hashes() | {"data/bbh/snarks/val_data.json": "0" * 64}
    with pytest.raises(Refused, match=r"1 differ, first data/bbh/snarks/val_data\.json"):
        check_coded(SHIPPED, described(), sources=changed)


def test_a_miniature_of_the_raw_files_is_coded_as_worked_by_hand(tmp_path: Path) -> None:
    mirror = write_mirror(tmp_path / "mirror")
    items = {
        task: read_items(mirror / "data" / "bbh" / task / "val_data.json")
        for task in VOCABULARIES["task"]
    }
    judge = KeywordJudge.from_patterns(patterns())
    coded = code_all([mirror / path for path in OUTPUTS], items, judge)
    assert coded.schema == SCHEMA
    assert coded.to_pylist() == coded_rows()


def test_the_rule_codes_the_miniature_alike(pristine: Copy, tmp_path: Path) -> None:
    mirror = write_mirror(tmp_path / "mirror")
    copy = pristine.again(tmp_path / "copy")
    write_manifest(mirror, copy.root / "data" / "sources.tsv")
    finished = copy.snakemake(FRESH, AVOWED_MIRROR=str(mirror))
    assert finished.code == 0, finished.said
    assert read_coded(copy.root / FRESH).to_pylist() == coded_rows()
    assert "16 files have the hashes they should have (source: mirror)" in finished.said
    # The coded answers of the repository were made from other files, and are not taken for these.
    refused = copy.snakemake(FRESH, "--forcerun", "fetch_sources", AVOWED_SOURCE="coded")
    assert refused.code == 1
    assert "made from other source files than data/sources.tsv lists" in refused.said
