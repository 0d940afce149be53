"""Files are opened only if they are files: a pipe or a device could be read for ever."""

import errno
import stat
from io import BufferedReader
from pathlib import Path


def open_regular(path: Path) -> BufferedReader:
    """Open a regular file for reading bytes; whatever else stands there is not opened.

    Raises:
        OSError: there is no such file, it cannot be read, or it is a folder, a pipe, a socket or a
            device; who calls says so in its own words.

    >>> import os
    >>> open_regular(Path(os.devnull))
    Traceback (most recent call last):
    OSError: [Errno 22] no regular file (a pipe or a device): '/dev/null'
    """
    # Asked before it is opened: opening a pipe waits for somebody to write to it.
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "no regular file (a pipe or a device)", str(path))
    return path.open("rb")


def read_regular(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises:
        OSError: as `open_regular`.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "a"
    >>> _ = path.write_bytes(b"text")
    >>> read_regular(path)
    b'text'
    """
    with open_regular(path) as file:
        return file.read()
