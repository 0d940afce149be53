"""Where the other file with the unhinted halves lies: inside a known folder, never outside."""

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from avowed.refusal import Refused, Unusable


def find_inside(name: str, folders: Sequence[Path]) -> Path:
    """The file of this relative name in the first of the folders that has it.

    Args:
        name: as the mapping writes it.
        folders: the mapping's folder, then the input's.

    Raises:
        Refused: the name is absolute, goes up with ``..``, or leads out through a symbolic link.
        Unusable: no folder has such a file.

    >>> find_inside("../x.jsonl", [Path(".")])
    Traceback (most recent call last):
    avowed.refusal.Refused: baseline.file: found '../x.jsonl'; expected a file inside the folder \
of the mapping or of the input, named by a relative path without ..; move the file there
    """
    rule = (
        f"baseline.file: found {name!r}; expected a file inside the folder of the mapping or of "
        "the input, named by a relative path without ..; move the file there"
    )
    given = PurePosixPath(name)
    if given.is_absolute() or Path(name).is_absolute() or ".." in given.parts or "\0" in name:
        raise Refused(rule)
    for folder in folders:
        path = folder / name
        try:
            real, home = path.resolve(), folder.resolve()
            there = path.exists()
        except (OSError, RuntimeError, ValueError):
            # A loop of links, or a name that the system does not take.
            raise Refused(rule) from None
        if not there:
            continue
        if not real.is_relative_to(home):
            raise Refused(rule)
        return path
    shown = " or ".join(dict.fromkeys(str(folder) for folder in folders))
    raise Unusable(f"baseline.file: no file {name} in {shown}; correct the name")
