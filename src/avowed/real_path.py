"""Where a path leads, and that nothing is written over what is read."""

from collections.abc import Iterable
from pathlib import Path

from avowed.refusal import Unusable


def real_path(path: Path) -> Path:
    """The absolute path behind all links; what is not there stays as it is named.

    Raises:
        Unusable: the links go in a circle.

    >>> import tempfile
    >>> loop = Path(tempfile.mkdtemp()) / "a"
    >>> loop.symlink_to("a")
    >>> real_path(loop)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    avowed.refusal.Unusable: ...: its symbolic links go in a circle; name another path
    """
    try:
        found = path.resolve()
        # Until Python 3.13 `resolve` raises by itself; from then on asking the system does.
        if found.is_symlink():
            found.stat()
    except (OSError, RuntimeError):
        raise Unusable(f"{path}: its symbolic links go in a circle; name another path") from None
    return found


def refuse_no_folder(folder: Path) -> None:
    """Refuse a place to write to that is something else than a folder.

    Raises:
        Unusable: a file stands there, or a link that leads nowhere.

    >>> import tempfile
    >>> link = Path(tempfile.mkdtemp()) / "a"
    >>> link.symlink_to("nowhere")
    >>> refuse_no_folder(link)  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    avowed.refusal.Unusable: ...: a symbolic link to nothing; make ... or name another folder
    """
    target = real_path(folder)
    if folder.is_symlink() and not target.exists():
        raise Unusable(
            f"{folder}: a symbolic link to nothing; make {target} or name another folder"
        )
    if target.exists() and not target.is_dir():
        raise Unusable(f"{folder} is there and is no folder; name another one")


def refuse_overwriting(written: Iterable[Path], read: Iterable[Path]) -> None:
    """Refuse to write over a file that is read, by whatever name the two are given.

    Args:
        written: files that will be written, replaced or removed.
        read: files that are read.

    Raises:
        Unusable: one file is in both.

    >>> refuse_overwriting([Path("a/../b.csv")], [Path("b.csv")])
    Traceback (most recent call last):
    avowed.refusal.Unusable: b.csv is read and would be written over or removed as a/../b.csv; \
name another place to write to
    """
    sources = [(path, real_path(path)) for path in read]
    for target in written:
        real = real_path(target)
        for path, source in sources:
            # Not every file system tells A from a.
            if source == real or (source.exists() and real.exists() and source.samefile(real)):
                over = "" if path == target else f" as {target}"
                raise Unusable(
                    f"{path} is read and would be written over or removed{over}; name another "
                    "place to write to"
                )
