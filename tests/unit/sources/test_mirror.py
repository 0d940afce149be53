"""A mirror is copied file by file, each checked before it gets its name."""

from pathlib import Path

import pytest

from avowed.sources import HashMismatch, SourceFile
from avowed.sources.mirror import copy_tree, missing_files

from .conftest import CONTENTS, fetched


def test_every_file_is_copied(
    tmp_path: Path, mirror: Path, manifest: tuple[SourceFile, ...]
) -> None:
    copy_tree(mirror, tmp_path / "raw", manifest)
    assert fetched(tmp_path / "raw") == CONTENTS


def test_files_that_the_list_does_not_name_stay_behind(
    tmp_path: Path, mirror: Path, manifest: tuple[SourceFile, ...]
) -> None:
    (mirror / "README").write_text("not ours")
    copy_tree(mirror, tmp_path / "raw", manifest[:1])
    assert set(fetched(tmp_path / "raw")) == {manifest[0].path}


def test_missing_files_are_named(mirror: Path, manifest: tuple[SourceFile, ...]) -> None:
    assert missing_files(mirror, manifest) == []
    (mirror / manifest[1].path).unlink()
    (mirror / manifest[2].path).unlink()
    (mirror / manifest[2].path).mkdir()  # a folder of that name is no file
    assert missing_files(mirror, manifest) == [manifest[1].path, manifest[2].path]


def test_an_altered_file_is_refused_and_not_kept(
    tmp_path: Path, mirror: Path, manifest: tuple[SourceFile, ...]
) -> None:
    altered = mirror / manifest[1].path
    altered.write_bytes(CONTENTS[manifest[1].path][::-1])
    with pytest.raises(HashMismatch) as error:
        copy_tree(mirror, tmp_path / "raw", manifest)
    assert str(altered) in str(error.value)
    assert manifest[1].sha256 in str(error.value)
    assert set(fetched(tmp_path / "raw")) == {manifest[0].path}


def test_an_altered_file_is_refused_even_where_a_good_copy_stands(
    tmp_path: Path, mirror: Path, manifest: tuple[SourceFile, ...]
) -> None:
    copy_tree(mirror, tmp_path / "raw", manifest)
    (mirror / manifest[1].path).write_bytes(b"altered")
    with pytest.raises(HashMismatch, match=manifest[1].sha256):
        copy_tree(mirror, tmp_path / "raw", manifest)
    assert fetched(tmp_path / "raw") == CONTENTS


def test_a_good_copy_is_left_alone_and_a_bad_one_replaced(
    tmp_path: Path, mirror: Path, manifest: tuple[SourceFile, ...]
) -> None:
    raw = tmp_path / "raw"
    copy_tree(mirror, raw, manifest)
    kept = (raw / manifest[0].path).stat().st_mtime_ns
    (raw / manifest[1].path).write_bytes(b"tampered with")
    copy_tree(mirror, raw, manifest)
    assert fetched(raw) == CONTENTS
    assert (raw / manifest[0].path).stat().st_mtime_ns == kept


def test_a_read_only_mirror_gives_a_writable_copy(
    tmp_path: Path, mirror: Path, manifest: tuple[SourceFile, ...]
) -> None:
    (mirror / manifest[0].path).chmod(0o444)
    copy_tree(mirror, tmp_path / "raw", manifest)
    assert (tmp_path / "raw" / manifest[0].path).stat().st_mode & 0o200
