"""Take the source files from a local folder that holds them at their upstream paths."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from avowed.atomic import atomic_path
from avowed.sources.hashing import check_file, matches
from avowed.sources.manifest import SourceFile


def missing_files(folder: Path, manifest: Sequence[SourceFile]) -> list[str]:
    """Return the paths of the manifest that are no files under ``folder``.

    Example:
        >>> missing_files(Path("no/such/folder"), ())
        []
    """
    return [file.path for file in manifest if not (folder / file.path).is_file()]


def copy_tree(folder: Path, destination: Path, manifest: Sequence[SourceFile]) -> None:
    """Copy every file of the manifest, each checked before it gets its name.

    A file that already stands in ``destination``, unaltered, is left alone; the mirror's file is
    checked all the same, so that an altered mirror never passes for the source.

    Args:
        folder: A mirror with no `missing_files`.
        destination: Receives the files at their upstream paths.
        manifest: The files to copy.

    Raises:
        HashMismatch: A file of the mirror has the wrong size or hash; nothing of it is kept.
        OSError: A file cannot be read or written.

    Example:
        >>> copy_tree(Path("mirror"), Path("data/raw/turpin"), ())
    """
    for file in manifest:
        original = folder / file.path
        target = destination / file.path
        if matches(target, file):
            check_file(original, file)
            continue
        with atomic_path(target) as temporary:
            # Contents only: a read-only mirror must not make the working copy read-only.
            shutil.copyfile(original, temporary)
            check_file(temporary, file, origin=str(original))
