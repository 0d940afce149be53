"""Does an evidence span occur in the hinted conversation? Asked where the text is at hand.

A reference is at hand if it is a relative path to a UTF-8 file inside the delivery folder. No path
is followed out of the folder, neither by ``..`` nor by a symbolic link.
"""

from functools import lru_cache
from pathlib import Path, PurePosixPath

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from avowed.real_path import real_path

Mask = npt.NDArray[np.bool_]

_DELIVERY_FILES = frozenset({"delivery.json", "records.parquet", "records.jsonl"})


class Conversations:
    """The texts that lie in a delivery folder beside its own files.

    Args:
        folder: the delivery folder, or None if there are no texts.

    >>> Conversations().text("a.txt") is None
    True
    """

    def __init__(self, folder: Path | None = None) -> None:
        """List the folder once; most deliveries hold no texts, and then nothing else is done."""
        self._folder = None if folder is None else real_path(folder)
        names = set() if folder is None else {entry.name for entry in folder.iterdir()}
        self._names = frozenset(names - _DELIVERY_FILES)
        #: Evidence spans whose conversation was not found beside the delivery's own files.
        self.unchecked = 0
        # Replicas and probes of one session tend to stand together and to share a conversation.
        self._cached_text = lru_cache(maxsize=64)(self._read)

    def text(self, reference: str) -> str | None:
        """The text a reference points to, or None if it is not at hand."""
        parts = PurePosixPath(reference).parts
        # Looking at the first part is cheap and spares a system call per record.
        if not parts or next((part for part in parts if part != "."), None) not in self._names:
            return None
        return self._cached_text(reference)

    def lacking(self, references: pa.Array | None, spans: pa.Array | None, where: Mask) -> Mask:
        """Where a span does not occur in the text its reference points to.

        Args:
            references, spans: strings, shape (n,); None if the column is of a wrong type.
            where: records to look at, shape (n,).
        """
        lacking = np.zeros_like(where)
        if not self._names or references is None or spans is None or not where.any():
            return lacking
        rows = np.flatnonzero(where)
        picked = pa.array(rows)
        pairs = zip(
            rows,
            references.take(picked).to_pylist(),
            spans.take(picked).to_pylist(),
            strict=True,
        )
        for row, reference, span in pairs:
            text = self.text(reference)
            self.unchecked += text is None
            lacking[row] = text is not None and span not in text
        return lacking

    def _read(self, reference: str) -> str | None:
        if self._folder is None or PurePosixPath(reference).is_absolute():
            return None
        try:
            path = (self._folder / reference).resolve(strict=True)
            if not path.is_relative_to(self._folder) or not path.is_file():
                return None
            return path.read_bytes().decode("utf-8")
        except (OSError, ValueError, RuntimeError):
            # No such file, not UTF-8, a name the system does not take, a loop of links.
            return None
