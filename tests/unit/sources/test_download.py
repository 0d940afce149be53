"""The download against a loopback server: cut, resumed, refused, altered. No real network."""

import threading
from pathlib import Path

import httpx
import pytest

from avowed.sources import HashMismatch, SourceFile
from avowed.sources.download import DownloadError, Patience, download_tree

from .conftest import CONTENTS, Upstream, fetched

A = "results/a.json"
QUICK = Patience(connect=5, read=5, attempts=3, first_pause=0)


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    return tmp_path / "raw"


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    return tmp_path / "partial"


def test_plain_download(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    n = download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    assert n == 3
    assert fetched(raw) == CONTENTS
    assert fetched(partial) == {}
    assert upstream.gets(A) == [None]


def test_files_that_are_there_need_no_connection(
    closed_port: str, mirror: Path, manifest: tuple[SourceFile, ...], partial: Path
) -> None:
    assert download_tree(manifest, mirror, partial=partial, base_url=closed_port) == 0


def test_only_missing_and_altered_files_are_fetched(
    upstream: Upstream, mirror: Path, manifest: tuple[SourceFile, ...], partial: Path
) -> None:
    (mirror / A).write_bytes(b"altered")
    n = download_tree(manifest, mirror, partial=partial, base_url=upstream.address, patience=QUICK)
    assert n == 1
    assert {path for _, path, _ in upstream.requests} == {A}
    assert fetched(mirror) == CONTENTS


@pytest.mark.parametrize("declares_length", [True, False])
def test_a_cut_transfer_goes_on_where_it_broke_off(
    upstream: Upstream,
    manifest: tuple[SourceFile, ...],
    raw: Path,
    partial: Path,
    declares_length: bool,
) -> None:
    upstream.cuts[A] = 2
    upstream.declares_length = declares_length
    download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    size = len(CONTENTS[A])
    assert upstream.gets(A) == [None, f"bytes={size // 2}-", f"bytes={size // 2 + size // 4}-"]
    assert fetched(raw) == CONTENTS


def test_a_server_that_ignores_ranges_sends_it_all_again(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    upstream.cuts[A] = 1
    upstream.honours_range = False
    download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    assert upstream.gets(A) == [None, f"bytes={len(CONTENTS[A]) // 2}-"]
    assert fetched(raw) == CONTENTS


def test_another_range_than_asked_for_is_not_appended(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    upstream.cuts[A] = 1
    upstream.wrong_range = True
    with pytest.raises(DownloadError, match="another range"):
        download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)


def test_the_next_run_goes_on_from_the_partial_file(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    upstream.cuts[A] = 3
    with pytest.raises(DownloadError) as error:
        download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    message = str(error.value)
    assert f"{upstream.address}/{A}: the transfer broke off" in message
    assert "at attempt 3 of 3" in message
    assert "1 of 3 files are complete" in message
    assert str(partial) in message
    (left,) = fetched(partial).values()
    assert CONTENTS[A].startswith(left)
    assert set(fetched(raw)) == {manifest[0].path}

    upstream.requests.clear()
    n = download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    assert n == 2
    assert upstream.gets(A) == [f"bytes={len(left)}-"]
    assert upstream.gets(manifest[0].path) == []
    assert fetched(raw) == CONTENTS
    assert fetched(partial) == {}


def test_a_partial_file_that_was_spoilt_is_refused_once_and_then_fetched_anew(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    partial.mkdir()
    (partial / f"{manifest[1].sha256}.part").write_bytes(b"spoilt")
    with pytest.raises(HashMismatch):
        download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    assert fetched(raw) == CONTENTS


def test_server_errors_pass(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    upstream.errors[A] = 2
    pauses: list[float] = []
    download_tree(
        manifest,
        raw,
        partial=partial,
        base_url=upstream.address,
        patience=Patience(attempts=3, first_pause=0.5),
        sleep=pauses.append,
    )
    assert fetched(raw) == CONTENTS
    assert pauses == [0.5, 1.0]


def test_server_errors_that_stay_are_given_up(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    upstream.errors[A] = 99
    with pytest.raises(DownloadError, match="answered 500 Internal Server Error, at attempt 3"):
        download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    assert len(upstream.gets(A)) == 3


def test_a_missing_file_is_not_asked_for_again(
    upstream: Upstream, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    upstream.missing.add(A)
    with pytest.raises(DownloadError, match="answered 404 Not Found"):
        download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    assert len(upstream.gets(A)) == 1


@pytest.mark.parametrize(
    "content",
    [
        CONTENTS[A][::-1],
        CONTENTS[A][:-7],
        CONTENTS[A] + b"more",
        b"",
    ],
    ids=["altered", "shorter", "longer", "empty"],
)
def test_another_file_is_refused_and_its_partial_removed(
    upstream: Upstream,
    manifest: tuple[SourceFile, ...],
    raw: Path,
    partial: Path,
    content: bytes,
) -> None:
    upstream.contents[A] = content
    with pytest.raises(HashMismatch) as error:
        download_tree(manifest, raw, partial=partial, base_url=upstream.address, patience=QUICK)
    message = str(error.value)
    assert message.startswith(f"{upstream.address}/{A} is not the file")
    assert f"expected {len(CONTENTS[A])} bytes, sha256 {manifest[1].sha256}" in message
    assert f"found {len(content)} bytes, sha256 " in message
    assert fetched(partial) == {}
    assert not (raw / A).exists()
    assert len(upstream.gets(A)) == 1


def test_an_unreachable_port_is_given_up_at_once(
    closed_port: str, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    pauses: list[float] = []
    with pytest.raises(DownloadError, match=r"no connection \(ConnectError"):
        download_tree(manifest, raw, partial=partial, base_url=closed_port, sleep=pauses.append)
    assert pauses == []


def test_a_network_that_swallows_everything_is_given_up_in_time(
    manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    released = threading.Event()

    def swallow(_: httpx.Request) -> httpx.Response:
        released.wait()
        return httpx.Response(200)

    with pytest.raises(DownloadError, match=r"no answer within 0\.05 seconds"):
        download_tree(
            manifest,
            raw,
            partial=partial,
            patience=Patience(connect=0.05),
            transport=httpx.MockTransport(swallow),
        )
    released.set()
    for thread in threading.enumerate():
        if thread.name == "first contact":
            thread.join()


def test_an_unusable_proxy_is_no_connection(
    monkeypatch: pytest.MonkeyPatch, manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "gopher://127.0.0.1:1")
    with pytest.raises(DownloadError, match="proxy or certificate settings"):
        download_tree(manifest, raw, partial=partial)


def test_without_a_substitute_the_pinned_address_is_asked(
    manifest: tuple[SourceFile, ...], raw: Path, partial: Path
) -> None:
    asked: set[str] = set()

    def serve(request: httpx.Request) -> httpx.Response:
        asked.add(str(request.url))
        path = request.url.path.split("/", maxsplit=2)[2]
        return httpx.Response(200, content=CONTENTS[path])

    download_tree(manifest, raw, partial=partial, transport=httpx.MockTransport(serve))
    assert asked == {file.url for file in manifest}
    assert fetched(raw) == CONTENTS
