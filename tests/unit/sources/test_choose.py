"""One source for all files: the first that serves, never one that lies."""

import json
from pathlib import Path
from typing import Any

import pytest

from avowed.refusal import Unusable
from avowed.sources import HashMismatch, SourceChoice, SourceFile, SourceKind, obtain
from avowed.sources.download import Patience

from .conftest import CONTENTS, Upstream, fetched

QUICK = Patience(connect=5, read=5, attempts=2, first_pause=0)


@pytest.fixture
def places(tmp_path: Path, manifest: tuple[SourceFile, ...], closed_port: str) -> dict[str, Any]:
    """The arguments of a machine with no mirror and no network."""
    (tmp_path / "coded.parquet").write_bytes(b"coded")
    return {
        "manifest": manifest,
        "destination": tmp_path / "raw",
        "mirror": None,
        "coded": tmp_path / "coded.parquet",
        "partial": tmp_path / "partial",
        "base_url": closed_port,
        "patience": QUICK,
    }


def kinds(choice: SourceChoice) -> list[SourceKind]:
    return [each.kind for each in choice.tried]


def test_a_complete_mirror_comes_first(
    places: dict[str, Any], mirror: Path, upstream: Upstream
) -> None:
    choice = obtain(**{**places, "mirror": mirror, "base_url": upstream.address})
    assert choice.kind is SourceKind.MIRROR
    assert choice.detail == f"3 files of {mirror}"
    assert choice.tried == ()
    assert fetched(places["destination"]) == CONTENTS
    assert upstream.requests == []


def test_a_mirror_that_is_not_there_moves_on(
    places: dict[str, Any], tmp_path: Path, upstream: Upstream
) -> None:
    choice = obtain(**{**places, "mirror": tmp_path / "gone", "base_url": upstream.address})
    assert choice.kind is SourceKind.DOWNLOAD
    assert [each.reason for each in choice.tried] == [f"there is no folder {tmp_path / 'gone'}"]
    assert fetched(places["destination"]) == CONTENTS


def test_an_incomplete_mirror_moves_on_and_what_it_lacks_is_said(
    places: dict[str, Any], mirror: Path, upstream: Upstream
) -> None:
    (mirror / "results/a.json").unlink()
    choice = obtain(**{**places, "mirror": mirror, "base_url": upstream.address})
    assert choice.kind is SourceKind.DOWNLOAD
    (tried,) = choice.tried
    assert tried.reason == f"{mirror} lacks 1 (results/a.json) of 3 files"
    # Chosen once for all files: nothing was taken from the mirror.
    assert {path for verb, path, _ in upstream.requests if verb == "GET"} == set(CONTENTS)


def test_an_altered_mirror_is_an_error_even_where_another_source_would_serve(
    places: dict[str, Any], mirror: Path, upstream: Upstream, manifest: tuple[SourceFile, ...]
) -> None:
    (mirror / "results/a.json").write_bytes(b"altered")
    with pytest.raises(HashMismatch, match=manifest[1].sha256):
        obtain(**{**places, "mirror": mirror, "base_url": upstream.address})
    assert upstream.requests == []


def test_an_altered_download_is_an_error_even_where_coded_answers_would_serve(
    places: dict[str, Any], upstream: Upstream, manifest: tuple[SourceFile, ...]
) -> None:
    upstream.contents["results/a.json"] = b"altered"
    with pytest.raises(HashMismatch, match=manifest[1].sha256):
        obtain(**{**places, "base_url": upstream.address})


def test_without_mirror_and_network_the_coded_answers_serve(places: dict[str, Any]) -> None:
    choice = obtain(**places)
    assert choice.kind is SourceKind.CODED
    assert choice.detail == str(places["coded"])
    assert kinds(choice) == [SourceKind.MIRROR, SourceKind.DOWNLOAD]
    assert "no connection" in choice.tried[1].reason
    assert not places["destination"].exists()


def test_a_download_that_breaks_moves_on_and_keeps_its_partial_files(
    places: dict[str, Any], upstream: Upstream
) -> None:
    upstream.cuts["results/a.json"] = 2
    arguments = {**places, "base_url": upstream.address}
    choice = obtain(**arguments)
    assert choice.kind is SourceKind.CODED
    assert "broke off" in choice.tried[1].reason
    assert len(fetched(places["partial"])) == 1
    again = obtain(**arguments)
    assert again.kind is SourceKind.DOWNLOAD
    assert again.detail.startswith("2 files from their pinned addresses, 1 already in")
    assert fetched(places["destination"]) == CONTENTS


def test_a_folder_that_cannot_be_written_moves_on(
    places: dict[str, Any], mirror: Path, upstream: Upstream
) -> None:
    places["destination"].write_text("a file where the folder should be")
    choice = obtain(**{**places, "mirror": mirror, "base_url": upstream.address})
    assert choice.kind is SourceKind.CODED
    assert kinds(choice) == [SourceKind.MIRROR, SourceKind.DOWNLOAD]


def test_no_source_at_all_is_an_error_that_says_why(places: dict[str, Any]) -> None:
    places["coded"].unlink()
    with pytest.raises(Unusable) as error:
        obtain(**places)
    message = str(error.value)
    assert message.startswith("no source serves: mirror: no mirror is set")
    assert "; download: " in message
    assert f"; coded: there is no file {places['coded']}" in message


@pytest.mark.parametrize("wanted", ["mirror", "download", "coded"])
def test_a_forced_source_is_the_only_one_tried(
    places: dict[str, Any], mirror: Path, upstream: Upstream, wanted: str
) -> None:
    choice = obtain(**{**places, "mirror": mirror, "base_url": upstream.address, "wanted": wanted})
    assert choice.kind == wanted
    assert choice.tried == ()
    assert bool(upstream.requests) == (wanted == "download")
    assert places["destination"].exists() == choice.raw_files == (wanted != "coded")


@pytest.mark.parametrize("wanted", ["mirror", "download", "coded"])
def test_a_forced_source_that_does_not_serve_is_an_error(
    places: dict[str, Any], wanted: str
) -> None:
    places["coded"].unlink()
    with pytest.raises(Unusable, match=f"does not serve: {wanted}: .*AVOWED_SOURCE"):
        obtain(**{**places, "wanted": wanted})


def test_an_unknown_source_is_an_error_that_names_the_known(places: dict[str, Any]) -> None:
    with pytest.raises(Unusable, match=r"'hub' is unknown.*auto, mirror, download, coded"):
        obtain(**{**places, "wanted": "hub"})


def test_the_choice_is_plain_json_and_one_line(places: dict[str, Any]) -> None:
    choice = obtain(**places)
    content = json.loads(json.dumps(choice.as_dict()))
    assert content["kind"] == "coded"
    assert [each["kind"] for each in content["tried"]] == ["mirror", "download"]
    line = choice.as_line()
    assert line.startswith(f"source: coded, {places['coded']} (mirror did not serve: no mirror")
    assert "\n" not in line
