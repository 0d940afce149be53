"""Files opened with bounds: plain or gzip, never a device, never more than is allowed."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from avowed.importing.readers.limits import MAX_DOCUMENT, MAX_UNPACKED
from avowed.refusal import Refused, Unusable
from avowed.regular_file import open_regular

_GZIP_MAGIC = b"\x1f\x8b"


class _Bounded(io.RawIOBase):
    """What a packed file unpacks to, up to a bound."""

    def __init__(self, inner: BinaryIO, file: str) -> None:
        self._inner = inner
        self._file = file
        self._left = MAX_UNPACKED

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        raw = self._inner.read(len(buffer))
        self._left -= len(raw)
        if self._left < 0:
            raise Refused(
                f"{self._file}: unpacks to more than {MAX_UNPACKED >> 30} GiB; unpack and split it"
            )
        buffer[: len(raw)] = raw
        return len(raw)


@contextmanager
def opened(path: Path, file: str) -> Iterator[BinaryIO]:
    """Open a file for reading, unpacked if its name ends in ``.gz``.

    Args:
        path: the file.
        file: its name in messages.

    Raises:
        Unusable: it cannot be read, is no regular file, or is damaged; also out of the block.
        Refused: it unpacks to more than the bound.
    """
    try:
        try:
            regular = open_regular(path)
        except FileNotFoundError:
            raise Unusable(f"{file}: no such file; name a file, a folder or hf://NAME") from None
        with regular as plain:
            packed = path.name.lower().endswith(".gz")
            if not packed and plain.peek(2)[:2] == _GZIP_MAGIC:
                raise Unusable(f"{file}: is packed with gzip; let its name end in .gz")
            if not packed:
                yield plain
                return
            with gzip.GzipFile(fileobj=plain) as unpacked:
                yield io.BufferedReader(_Bounded(cast(BinaryIO, unpacked), file), 1 << 18)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise Unusable(f"{file}: not a whole gzip file: {error}; pack it again") from None
    except OSError as error:
        raise Unusable(f"{file}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        # A path that no file can have, such as one with a null byte.
        if "null byte" not in str(error):
            raise
        raise Unusable(f"{file!r}: no such file") from None


def whole(path: Path, file: str) -> bytes:
    """All bytes of a document.

    Raises:
        Unusable, Refused: as `opened`; Refused too if it is longer than a document may be.
    """
    with opened(path, file) as source:
        raw = source.read(MAX_DOCUMENT + 1)
    if len(raw) > MAX_DOCUMENT:
        raise Refused(
            f"{file}: a JSON document of more than {MAX_DOCUMENT >> 20} MiB; write JSON lines or "
            "Parquet instead"
        )
    return raw
