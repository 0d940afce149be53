"""Write a file whole or not at all: a temporary name beside the target, then a rename."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from avowed.real_path import real_path
from avowed.refusal import Unusable


@contextmanager
def atomic_path(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside ``target``, renamed onto it when the block ends well.

    The temporary name keeps the target's suffix, because writers such as Matplotlib choose the
    format by it, and it starts with a dot, so that no glob over results picks it up. Missing parent
    folders are made. A reader sees the old file or the new one, never half of one.

    Args:
        target: Where the file shall stand in the end. An existing file is replaced.

    Yields:
        The path to write to; nothing stands there yet.

    Raises:
        Unusable: Something other than a regular file stands there.
        FileNotFoundError: The block ended well but wrote nothing to the temporary path.

    If the block raises anything, the temporary file is removed, ``target`` stays as it was, and
    the exception goes on.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> with atomic_path(folder / "deep" / "table.csv") as temporary:
        ...     _ = temporary.write_text("a,b\\n")
        >>> (folder / "deep" / "table.csv").read_text()
        'a,b\\n'
    """
    # A link is written through, as any program would; a device or a folder is not replaced.
    target = real_path(target) if target.is_symlink() else target
    if target.exists() and not target.is_file():
        raise Unusable(f"{target} is there and is not a regular file; name another one")
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.stem}.{secrets.token_hex(4)}{target.suffix}")
    try:
        yield temporary
        if not temporary.exists():
            raise FileNotFoundError(
                f"{target}: nothing was written to the temporary path {temporary.name}; "
                "write to the path that atomic_path yields"
            )
        temporary.replace(target)
    finally:
        # After a successful rename nothing is left under this name.
        temporary.unlink(missing_ok=True)


def remove_strays(target: Path) -> None:
    """Remove the temporary files that a killed process left beside ``target``.

    Only for who holds the folder alone: a file that is being written looks the same.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> (folder / ".table.0123abcd.csv").touch()
        >>> remove_strays(folder / "table.csv")
        >>> [*folder.iterdir()]
        []
    """
    form = re.compile(rf"\.{re.escape(target.stem)}\.[0-9a-f]{{8}}{re.escape(target.suffix)}")
    for path in target.parent.iterdir():
        if form.fullmatch(path.name) and path.is_file():
            path.unlink(missing_ok=True)
