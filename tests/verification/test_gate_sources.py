"""The gate hashes what the results come from: raw files, their manifest, or the coded answers."""

import hashlib
import json
from pathlib import Path

import pytest
from support.finished import run, told


@pytest.fixture
def raw(results: Path) -> list[str]:
    """Raw files as they were fetched, and the table that is shipped instead of them."""
    folder = Path("data/raw")
    folder.mkdir(parents=True)
    (folder / "a.json").write_text("{}")
    digest = hashlib.sha256(b"{}").hexdigest()
    Path("data/sources.tsv").write_text(f"path\tsha256\na.json\t{digest}\n")
    served(results, kind="mirror")
    Path("data/coded.parquet").write_bytes(b"PAR1")
    described = {"sha256": hashlib.sha256(b"PAR1").hexdigest()}
    Path("data/coded.json").write_text(json.dumps(described))
    source = str(results / "source.json")
    return ["--raw", source, "data/sources.tsv", "data/raw", "--coded", "data/coded.parquet"]


def served(results: Path, **changed: object) -> None:
    """Write down which source served, by the manifest as it stands."""
    manifest = hashlib.sha256(Path("data/sources.tsv").read_bytes()).hexdigest()
    described = {"manifest_sha256": manifest} | changed
    (results / "source.json").write_text(json.dumps(described))


def test_untouched_raw_files_pass(raw: list[str]) -> None:
    assert run(*raw) == 0


def test_an_altered_raw_file_is_refused(raw: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("data/raw/a.json").write_text("{ }")
    assert run(*raw) == 1
    assert "data/raw/a.json: its SHA-256 is " in told(capsys)[0]


def test_a_raw_file_that_is_gone_is_refused(
    raw: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("data/raw/a.json").unlink()
    assert run(*raw) == 1
    assert "data/raw/a.json is gone" in told(capsys)[0]


def test_with_the_coded_answers_there_are_no_raw_files_to_hash(
    results: Path, raw: list[str]
) -> None:
    served(results, kind="coded")
    Path("data/raw/a.json").unlink()
    assert run(*raw) == 0


def test_with_the_coded_answers_the_shipped_table_is_hashed(
    results: Path, raw: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    served(results, kind="coded")
    Path("data/coded.parquet").write_bytes(b"PAR2")
    assert run(*raw) == 1
    line = told(capsys)[0]
    assert "data/coded.parquet: its SHA-256 is " in line and ", data/coded.json says " in line
    Path("data/coded.parquet").unlink()
    assert run(*raw) == 1
    assert "data/coded.parquet is gone; results/source.json says" in told(capsys)[0]


def test_another_manifest_than_the_one_that_served_is_refused(
    raw: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path("data/sources.tsv")
    path.write_text(path.read_text() + "b.json\tab\n")
    assert run(*raw) == 1
    assert "data/sources.tsv: its SHA-256 is " in told(capsys)[0]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("data/sources.tsv", ""),
        ("data/sources.tsv", "path\tsha256\n"),
        ("data/sources.tsv", "garbage\nmore\n"),
        ("data/sources.tsv", "path\tsha256\na.json\n"),
        ("results/source.json", "{}"),
        ("results/source.json", "[]"),
        ("results/source.json", '{"kind": "mirror"}'),
        ("results/source.json", '{"kind": ["coded"], "manifest_sha256": "a"}'),
        ("results/source.json", '{"kind": "codes", "manifest_sha256": "a"}'),
    ],
)
def test_what_says_which_files_were_fetched_has_to_be_usable(
    raw: list[str], capsys: pytest.CaptureFixture[str], file: str, content: str
) -> None:
    Path(file).write_text(content)
    assert run(*raw) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"error: {file}")


@pytest.mark.parametrize("content", ["[]", "{}", '{"sha256": 3}'])
def test_the_header_of_the_shipped_table_has_to_be_usable(
    results: Path, raw: list[str], capsys: pytest.CaptureFixture[str], content: str
) -> None:
    served(results, kind="coded")
    Path("data/coded.json").write_text(content)
    assert run(*raw) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: data/coded.json")
