"""Several files that belong together come to their folder all at once, or none of them."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from avowed.atomic import atomic_path
from avowed.refusal import Unusable


def publish(out: Path, names: Sequence[str], write: Callable[[Path], None]) -> None:
    """Write files into a scratch folder, then bring them to ``out``.

    Args:
        out: their folder; made if it is not there, and removed again if it was made in vain.
        names: the files that ``write`` makes, in the order in which they appear: when the last one
            is there, all of them are.
        write: gets the scratch folder.

    Raises:
        Unusable: ``out`` is there and is no folder.
    """
    if out.exists() and not out.is_dir():
        raise Unusable(f"{out} is there and is no folder; name another one")
    with tempfile.TemporaryDirectory() as scratch:
        staged = Path(scratch)
        write(staged)
        new = not out.exists()
        try:
            with ExitStack() as stack:
                # Everything is copied before the first of them gets its name, and the stack gives
                # the names from its top down.
                for name in reversed(names):
                    temporary = stack.enter_context(atomic_path(out / name))
                    shutil.copyfile(staged / name, temporary)
        except BaseException:
            if new:
                shutil.rmtree(out, ignore_errors=True)
            raise
