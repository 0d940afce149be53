"""data/sources.tsv is complete, and every kind of damage to it is named."""

import json
from collections import Counter
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from avowed.refusal import Refused, Unusable
from avowed.sources import HashMismatch, SourceFile, check_file, read_manifest, verify_tree
from avowed.sources.manifest import SCHEMA

REPOSITORY = Path(__file__).parents[3]
COLUMNS = ("dataset", "path", "url", "bytes", "sha256", "licence", "retrieved")
ROW = {
    "dataset": "items",
    "path": "data/bbh/snarks/val_data.json",
    "url": f"https://example.org/{'a' * 40}/data/bbh/snarks/val_data.json",
    "bytes": "12",
    "sha256": "0123456789abcdef" * 4,
    "licence": "MIT",
    "retrieved": "2026-11-29",
}


def written(path: Path, *rows: Mapping[str, str], header: tuple[str, ...] = COLUMNS) -> Path:
    lines = ["\t".join(header), *("\t".join(row[name] for name in COLUMNS) for row in rows)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_the_list_of_the_repository_is_complete() -> None:
    files = read_manifest(REPOSITORY / "data" / "sources.tsv")
    assert Counter(file.dataset for file in files) == {
        "suggested_answer": 52,
        "answer_is_always_a": 26,
        "items": 13,
    }
    commit = "df099452736946533f59498a90c23be3f09631c4"
    assert all(f"/milesaturpin/cot-unfaithfulness/{commit}/" in file.url for file in files)
    assert {file.licence for file in files} == {"MIT"}
    assert len({file.sha256 for file in files}) == len(files)


def test_a_row_becomes_a_source_file(tmp_path: Path) -> None:
    (file,) = read_manifest(written(tmp_path / "sources.tsv", ROW))
    assert file == SourceFile(
        dataset="items",
        path=ROW["path"],
        url=ROW["url"],
        n_bytes=12,
        sha256=ROW["sha256"],
        licence="MIT",
        retrieved=date(2026, 11, 29),
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("dataset", "suggested"),
        ("dataset", ""),
        ("path", "/data/bbh/snarks/val_data.json"),
        ("path", "data/../../val_data.json"),
        ("path", ".."),
        ("path", "data//val_data.json"),
        ("path", "data\\val_data.json"),
        ("url", ROW["url"].replace("https", "http")),
        ("url", ROW["url"].replace("a" * 40, "main")),
        ("url", ROW["url"].replace("snarks", "navigate")),
        ("bytes", "0"),
        ("bytes", "12.0"),
        ("bytes", "+12"),
        ("bytes", "1_2"),
        ("bytes", "٣"),
        ("bytes", "9" * 5000),
        ("sha256", ROW["sha256"][:-1]),
        ("sha256", ROW["sha256"].upper()),
        ("licence", ""),
        ("retrieved", "29.11.2026"),
        ("retrieved", "2026-02-30"),
    ],
)
def test_a_damaged_field_is_named(tmp_path: Path, field: str, value: str) -> None:
    damaged = {**ROW, field: value}
    if field == "path":  # the address ends in the path, so that only the path is at fault
        damaged["url"] = f"https://example.org/{'a' * 40}/{value}"
    good = {**ROW, "path": "a", "url": f"https://example.org/{'a' * 40}/a"}
    path = written(tmp_path / "sources.tsv", good, damaged)
    with pytest.raises(Unusable) as error:
        read_manifest(path)
    message = str(error.value)
    assert message.startswith(f"{path}, line 3, field {field}: found {value!r}; expected ")


def test_a_path_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "sources.tsv", ROW, ROW)
    with pytest.raises(Unusable, match=r"line 3, field path: .* stands in line 2 too"):
        read_manifest(path)


def test_columns_in_another_order_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "sources.tsv", ROW, header=COLUMNS[::-1])
    with pytest.raises(Unusable, match="line 1: the header is"):
        read_manifest(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1: the header is ''"),
        ("\t".join(COLUMNS).encode() + b"\n", "no rows below the header"),
        ("\t".join(COLUMNS).encode() + b"\nitems\ta\n", "line 2: 2 fields; expected 7"),
        ("\t".join(COLUMNS).encode() + b"\n\n", "line 2: 1 fields; expected 7"),
        (b"dataset\xff", "byte 7 is not UTF-8"),
    ],
)
def test_an_unreadable_list_is_unusable(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "sources.tsv"
    path.write_bytes(content)
    with pytest.raises(Unusable, match=message):
        read_manifest(path)


def test_windows_line_ends_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "sources.tsv", ROW)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(Unusable, match="line 1: the header is"):
        read_manifest(path)


def test_a_missing_list_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"sources\.tsv cannot be read .*restore it"):
        read_manifest(tmp_path / "sources.tsv")
    with pytest.raises(Unusable, match="cannot be read"):
        read_manifest(tmp_path)


def test_the_schema_describes_every_column_and_nothing_else() -> None:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    assert tuple(schema["required"]) == COLUMNS == tuple(schema["properties"])
    assert schema["additionalProperties"] is False
    assert all(rule["description"] for rule in schema["properties"].values())


def source_of(content: bytes, sha256: str) -> SourceFile:
    return SourceFile(
        "items", "a.json", "https://example.org/a.json", len(content), sha256, "MIT", date.min
    )


# The hashes of "abc" and of the empty string are the examples of the standard, FIPS 180-2.
ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_a_wrong_hash_names_the_path_and_both_hashes(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"abc")
    check_file(path, source_of(b"abc", ABC))
    with pytest.raises(HashMismatch) as error:
        check_file(path, source_of(b"", EMPTY))
    message = str(error.value)
    assert str(path) in message
    assert f"found 3 bytes, sha256 {ABC}" in message
    assert f"expected 0 bytes, sha256 {EMPTY}" in message
    assert error.value.exit_code == 1


def test_a_wrong_size_in_the_list_is_a_mismatch_even_if_the_hash_is_right(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"abc")
    with pytest.raises(HashMismatch, match=r"found 3 bytes.*expected 4 bytes"):
        check_file(path, source_of(b"abcd", ABC))


def test_a_tree_is_verified_file_by_file(tmp_path: Path) -> None:
    manifest = (source_of(b"abc", ABC),)
    with pytest.raises(Refused, match=r"lacks 1 \(a\.json\) of the 1 files"):
        verify_tree(tmp_path, manifest)
    (tmp_path / "a.json").write_bytes(b"abc")
    verify_tree(tmp_path, manifest)
    (tmp_path / "a.json").write_bytes(b"abd")
    with pytest.raises(HashMismatch, match=ABC):
        verify_tree(tmp_path, manifest)
