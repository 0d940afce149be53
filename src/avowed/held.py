"""A folder that one process at a time writes to."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from avowed.real_path import refuse_no_folder
from avowed.refusal import Unusable


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder against every other process that asks for it; it is made if it is not there.

    A folder that was made here is removed again if the block fails and leaves it empty. A process
    that is killed holds nothing any more.

    Raises:
        Unusable: it is no folder, or somebody else holds it.

    Example:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> with held(folder), held(folder):
        ...     pass  # doctest: +IGNORE_EXCEPTION_DETAIL
        Traceback (most recent call last):
        avowed.refusal.Unusable: ...: another run is writing here; wait for it to end
    """
    refuse_no_folder(folder)
    made = not folder.exists()
    descriptor = _locked(folder)
    try:
        yield
    except BaseException:
        if made:
            with suppress(OSError):
                folder.rmdir()
        raise
    finally:
        os.close(descriptor)


def _locked(folder: Path) -> int:
    """A descriptor of the folder with the lock on it."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever made it may have removed it before it was locked here.
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(descriptor), folder.stat()):
                    return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise Unusable(f"{folder}: another run is writing here; wait for it to end") from None
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
