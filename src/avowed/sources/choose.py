"""Choose one source for all files: the mirror, the pinned address, or the coded answers."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path

from avowed.refusal import Unusable
from avowed.sources.download import PATIENCE, DownloadError, Patience, download_tree
from avowed.sources.hashing import named
from avowed.sources.manifest import SourceFile
from avowed.sources.mirror import copy_tree, missing_files

AUTO = "auto"


class SourceKind(StrEnum):
    """The three sources, in the order in which they are tried."""

    MIRROR = "mirror"
    DOWNLOAD = "download"
    CODED = "coded"


@dataclass(frozen=True)
class Tried:
    """A source that was tried first, and why it did not serve."""

    kind: SourceKind
    reason: str


@dataclass(frozen=True)
class SourceChoice:
    """The one source that all files come from, for the terminal and the provenance."""

    kind: SourceKind
    detail: str
    tried: tuple[Tried, ...] = ()

    @property
    def raw_files(self) -> bool:
        """Whether the raw files stand in the destination; with coded answers they do not count."""
        return self.kind is not SourceKind.CODED

    def as_line(self) -> str:
        """Return the choice on one line.

        Example:
            >>> gone = Tried(SourceKind.MIRROR, "gone")
            >>> SourceChoice(SourceKind.CODED, "a.parquet", (gone,)).as_line()
            'source: coded, a.parquet (mirror did not serve: gone)'
        """
        tried = "; ".join(f"{each.kind} did not serve: {each.reason}" for each in self.tried)
        return f"source: {self.kind}, {self.detail}" + (f" ({tried})" if tried else "")

    def as_dict(self) -> dict[str, object]:
        """Return the choice as plain values, for JSON."""
        return asdict(self)


class _NotServingError(Exception):
    """This source cannot serve; the next one is tried."""


def obtain(
    manifest: Sequence[SourceFile],
    destination: Path,
    *,
    mirror: Path | None,
    coded: Path,
    partial: Path,
    wanted: str = AUTO,
    base_url: str | None = None,
    patience: Patience = PATIENCE,
) -> SourceChoice:
    """Bring the source files to ``destination`` from the first source that serves them all.

    Args:
        manifest: The files that are needed.
        destination: Receives the raw files at their upstream paths; untouched by coded answers.
        mirror: A folder with the files at their upstream paths, or None.
        coded: The coded answers in the repository, the last resort.
        partial: Folder for unfinished downloads.
        wanted: ``auto`` for the first that serves, or the name of the only source to use.
        base_url: Stands in for the pinned addresses in tests.
        patience: Time-outs and retries of the download.

    Returns:
        The source, what it is in detail, and why those before it did not serve.

    Raises:
        HashMismatch: A source holds a file under the right name with the wrong content. This is
            never passed over: it means tampering or a wrong pin.
        Unusable: ``wanted`` is no source, the wanted source does not serve, or none does.

    Example:
        >>> choice = obtain(
        ...     (), Path("raw"), mirror=None, coded=Path("no.parquet"), partial=Path("partial")
        ... )
        >>> choice.kind.value, choice.tried[0].reason
        ('download', 'no mirror is set (sources.mirror in the config, or AVOWED_MIRROR)')
    """
    steps: dict[SourceKind, Callable[[], str]] = {
        SourceKind.MIRROR: lambda: _from_mirror(manifest, destination, mirror),
        SourceKind.DOWNLOAD: lambda: _from_network(
            manifest, destination, partial=partial, base_url=base_url, patience=patience
        ),
        SourceKind.CODED: lambda: _from_coded(coded),
    }
    if wanted not in (AUTO, *steps):
        raise Unusable(
            f"source {wanted!r} is unknown; set AVOWED_SOURCE (or sources.use in the config) to "
            f"one of {', '.join((AUTO, *steps))}"
        )
    tried: list[Tried] = []
    for kind, step in steps.items():
        if wanted not in (AUTO, kind):
            continue
        try:
            return SourceChoice(kind, step(), tuple(tried))
        except _NotServingError as error:
            tried.append(Tried(kind, str(error)))
    reasons = "; ".join(f"{each.kind}: {each.reason}" for each in tried)
    if wanted == AUTO:
        raise Unusable(f"no source serves: {reasons}; set AVOWED_MIRROR to a copy of the files")
    raise Unusable(
        f"the source that was asked for does not serve: {reasons}; "
        "mend it, or set AVOWED_SOURCE (or sources.use in the config) to auto"
    )


def _from_mirror(manifest: Sequence[SourceFile], destination: Path, mirror: Path | None) -> str:
    if mirror is None:
        raise _NotServingError("no mirror is set (sources.mirror in the config, or AVOWED_MIRROR)")
    if not mirror.is_dir():
        raise _NotServingError(f"there is no folder {mirror}")
    missing = missing_files(mirror, manifest)
    if missing:
        raise _NotServingError(f"{mirror} lacks {named(missing)} of {len(manifest)} files")
    try:
        copy_tree(mirror, destination, manifest)
    except OSError as error:
        raise _NotServingError(f"copying from {mirror} failed: {error}") from None
    return f"{len(manifest)} files of {mirror}"


def _from_network(
    manifest: Sequence[SourceFile],
    destination: Path,
    *,
    partial: Path,
    base_url: str | None,
    patience: Patience,
) -> str:
    try:
        fetched = download_tree(
            manifest, destination, partial=partial, base_url=base_url, patience=patience
        )
    except (DownloadError, OSError) as error:
        raise _NotServingError(str(error)) from None
    present = len(manifest) - fetched
    return f"{fetched} files from their pinned addresses, {present} already in {destination}"


def _from_coded(coded: Path) -> str:
    if not coded.is_file():
        raise _NotServingError(f"there is no file {coded}; restore it from the repository")
    return str(coded)
