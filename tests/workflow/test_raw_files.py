"""Raw files are hashed when they are fetched, and again before they are read."""

import hashlib
from pathlib import Path

import pytest
from workflow.miniature import SUGGESTED_FILE, write_manifest, write_mirror
from workflow.pipeline import Copy

pytestmark = pytest.mark.slow

STAMP = "results/provenance/raw_files.json"


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    return write_mirror(tmp_path / "mirror")


@pytest.fixture
def copy(pristine: Copy, mirror: Path, tmp_path: Path) -> Copy:
    """A clean copy whose list of sources is the miniature."""
    copy = pristine.again(tmp_path / "copy")
    write_manifest(mirror, copy.root / "data" / "sources.tsv")
    return copy


def alter(path: Path) -> tuple[str, str]:
    """Change one byte and not the size; the hashes before and after."""
    content = path.read_bytes()
    changed = content.replace(b"heavy", b"heavx").replace(b"suggested", b"suggesteb")
    assert len(changed) == len(content) and changed != content
    path.write_bytes(changed)
    return hashlib.sha256(content).hexdigest(), hashlib.sha256(changed).hexdigest()


def test_a_raw_file_altered_after_the_fetch_is_refused(copy: Copy, mirror: Path) -> None:
    fetched = copy.snakemake("results/provenance/source.json", AVOWED_MIRROR=str(mirror))
    assert fetched.code == 0, fetched.said
    expected, found = alter(copy.root / "data" / "raw" / "turpin" / SUGGESTED_FILE)

    refused = copy.snakemake(STAMP, AVOWED_MIRROR=str(mirror))
    assert refused.code == 1
    told = refused.line_with("refused: ")
    assert told.startswith(f"refused: data/raw/turpin/{SUGGESTED_FILE} is not the file")
    assert f"sha256 {found}; expected" in told and f"sha256 {expected};" in told
    assert not (copy.root / STAMP).exists()
    assert told in (copy.root / "results/logs/validate_raw_files.log").read_text().splitlines()

    # Fetching anew mends it, because an altered copy is not taken for the file.
    mended = copy.snakemake(STAMP, "--forcerun", "fetch_sources", AVOWED_MIRROR=str(mirror))
    assert mended.code == 0, mended.said


def test_a_raw_file_altered_after_it_was_checked_is_refused(copy: Copy, mirror: Path) -> None:
    checked = copy.snakemake(STAMP, AVOWED_MIRROR=str(mirror))
    assert checked.code == 0, checked.said
    assert copy.snakemake(STAMP, "--dry-run", AVOWED_MIRROR=str(mirror)).jobs() == {}
    path = copy.root / "data" / "raw" / "turpin" / SUGGESTED_FILE
    content = path.read_bytes()
    alter(path)
    refused = copy.snakemake(STAMP, AVOWED_MIRROR=str(mirror))
    assert refused.code == 1
    assert refused.jobs() == {"validate_raw_files": 1}
    told = refused.line_with("refused: ")
    assert told.startswith(f"refused: data/raw/turpin/{SUGGESTED_FILE} is not the file")
    assert not (copy.root / STAMP).exists()

    path.write_bytes(content)
    undone = copy.snakemake(STAMP, AVOWED_MIRROR=str(mirror))
    assert undone.code == 0, undone.said


def test_a_raw_file_that_is_gone_is_refused(copy: Copy, mirror: Path) -> None:
    copy.snakemake("results/provenance/source.json", AVOWED_MIRROR=str(mirror))
    (copy.root / "data" / "raw" / "turpin" / SUGGESTED_FILE).unlink()
    refused = copy.snakemake(STAMP, AVOWED_MIRROR=str(mirror))
    assert refused.code == 1
    assert refused.line_with("refused: ").startswith(
        f"refused: data/raw/turpin lacks 1 ({SUGGESTED_FILE}) of the 16 files"
    )


def test_an_altered_mirror_is_refused_and_never_passed_over(copy: Copy, mirror: Path) -> None:
    expected, found = alter(mirror / SUGGESTED_FILE)
    refused = copy.snakemake("results/provenance/source.json", AVOWED_MIRROR=str(mirror))
    assert refused.code == 1
    told = refused.line_with("refused: ")
    assert f"{mirror / SUGGESTED_FILE} is not the file" in told
    assert expected in told and found in told
    assert not (copy.root / "results/provenance/source.json").exists()
    assert not (copy.root / "data" / "raw" / "turpin" / SUGGESTED_FILE).exists()


def test_altered_coded_answers_are_refused(pristine: Copy, tmp_path: Path) -> None:
    copy = pristine.again(tmp_path / "copy")
    shipped = copy.root / "data" / "turpin" / "coded_answers.parquet"
    expected = hashlib.sha256(shipped.read_bytes()).hexdigest()
    shipped.write_bytes(shipped.read_bytes() + b"\0")
    found = hashlib.sha256(shipped.read_bytes()).hexdigest()
    refused = copy.snakemake(STAMP, AVOWED_SOURCE="coded")
    assert refused.code == 1
    told = refused.line_with("refused: ")
    assert f"found sha256 {found}, but its description says {expected}" in told


def test_a_source_that_was_asked_for_and_does_not_serve_is_named(pristine: Copy) -> None:
    for name, reason in (("mirror", "there is no folder no/such"), ("elsewhere", "is unknown")):
        finished = pristine.snakemake(
            "results/provenance/source.json", AVOWED_SOURCE=name, AVOWED_MIRROR="no/such"
        )
        assert finished.code == 1
        assert reason in finished.line_with("unusable: ")
    assert not (pristine.root / "results/provenance/source.json").exists()
