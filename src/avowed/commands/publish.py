"""Several files that belong together come to their folder all at once, or none of them."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from avowed.atomic import atomic_path, remove_strays
from avowed.held import held
from avowed.real_path import real_path, refuse_no_folder
from avowed.refusal import Unusable


def publish(
    out: Path, names: Sequence[str], write: Callable[[Path], None], *, removed: Sequence[str] = ()
) -> None:
    """Write files into a scratch folder, then bring them to ``out``, which nobody else holds then.

    Args:
        out: their folder; made if it is not there, and removed again if it was made in vain.
        names: the files that ``write`` makes, in the order in which they appear: when the last one
            is there, all of them are.
        write: gets the scratch folder.
        removed: files that must not stand beside the new ones.

    Raises:
        Unusable: ``out`` is there and is no folder, another run is writing to it, or a folder has
            one of the names.
    """
    refuse_no_folder(out)
    _refuse_folders(out, [*names, *removed])
    with tempfile.TemporaryDirectory() as scratch:
        write(Path(scratch))
        with held(out):
            bring(out, names, Path(scratch), removed=removed)


def bring(out: Path, names: Sequence[str], staged: Path, *, removed: Sequence[str] = ()) -> None:
    """Bring written files to a folder that the caller holds; see `publish`.

    The last one, which says that all are there, is taken away before the first is replaced: a
    process that is killed leaves no mixture of old and new that looks whole.
    """
    _refuse_folders(out, [*names, *removed])
    for name in names:
        remove_strays(out / name)
    new = [name for name in names if not (out / name).exists()]
    try:
        with ExitStack() as stack:
            # Everything is copied before the first of them gets its name, and the stack gives
            # the names from its top down.
            for name in reversed(names):
                temporary = stack.enter_context(atomic_path(out / name))
                shutil.copyfile(staged / name, temporary)
            # The file and not a link to it, through which the new one will be written.
            real_path(out / names[-1]).unlink(missing_ok=True)
            for name in removed:
                (out / name).unlink(missing_ok=True)
    except BaseException:
        for name in new:
            (out / name).unlink(missing_ok=True)
        raise


def _refuse_folders(out: Path, names: Sequence[str]) -> None:
    for name in names:
        if (out / name).is_dir():
            raise Unusable(f"{out / name} is a folder and would be a file; move it or name another")
