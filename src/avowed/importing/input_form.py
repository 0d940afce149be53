"""How an input is to be read: its kind and the few things that a file does not say itself."""

import codecs
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from avowed.refusal import Unusable

Form = Literal["rows", "columns", "by_id"]

#: Kinds of input and the endings of file names that stand for them.
ENDINGS: Mapping[str, tuple[str, ...]] = {
    "parquet": (".parquet", ".pq"),
    "jsonl": (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz"),
    "json": (".json", ".json.gz"),
    "csv": (".csv", ".csv.gz"),
    "inspect": (".eval",),
}
KINDS = (*ENDINGS, "hub")

#: What a name of a data set begins with.
HUB_PREFIX = "hf://"


@dataclass(frozen=True, kw_only=True)
class InputForm:
    """What to know about an input before it is read; the ``input`` part of a mapping.

    Attributes:
        kind: one of `KINDS`; None to go by the ending of the file's name.
        form: of a JSON document: a list of objects (``rows``), an object of lists (``columns``)
            or an object of objects or of lists of objects (``by_id``); None to see by itself.
        at: of a JSON document: dotted path to the data, ``data.items``; None for the whole.
        id_as: for ``by_id``, the column that receives the keys; None for ``id``.
        delimiter: of CSV, one character.
        encoding: of CSV.
        split: of a data set of the hub; None if it has one split only.
        features: of a data set of the hub: the kind of every column, by name; None for those that
            the data set declares.

    Raises:
        Unusable: a part has a value that cannot be.

    >>> InputForm(kind="cvs")
    Traceback (most recent call last):
    avowed.refusal.Unusable: input.kind: found 'cvs'; nearest: csv; one of parquet, jsonl, json, \
csv, inspect, hub
    """

    kind: str | None = None
    form: Form | None = None
    at: str | None = None
    id_as: str | None = None
    delimiter: str = ","
    encoding: str = "utf-8"
    split: str | None = None
    features: Mapping[str, str] | None = None

    def __post_init__(self) -> None:
        """Refuse what no reader could work with."""
        _check_choice("kind", self.kind, KINDS)
        _check_choice("form", self.form, get_args(Form))
        if len(self.delimiter) != 1 or self.delimiter in '"\r\n\0':
            raise Unusable(
                f"input.delimiter: found {self.delimiter!r}; it is one character, and no quote "
                "or line end"
            )
        _check_encoding(self.encoding)


def kind_of(name: str) -> str | None:
    """The kind that the ending of a file's name stands for; None for an unknown ending.

    >>> kind_of("a/B.JSONL.gz"), kind_of("notes.txt")
    ('jsonl', None)
    """
    lower = name.lower()
    return next((kind for kind, ends in ENDINGS.items() if lower.endswith(ends)), None)


def known_endings() -> str:
    """The endings of file names that are known, for a message."""
    return ", ".join(ending for endings in ENDINGS.values() for ending in endings)


def _check_choice(key: str, found: str | None, known: tuple[str, ...]) -> None:
    if found is not None and found not in known:
        near = difflib.get_close_matches(str(found), known, n=1, cutoff=0)
        raise Unusable(
            f"input.{key}: found {found!r}; nearest: {near[0]}; one of {', '.join(known)}"
        )


def _check_encoding(encoding: str) -> None:
    try:
        # Python's codecs include some that are no text encodings, such as hex.
        is_text = isinstance(codecs.decode(b"", encoding), str)
    except (LookupError, ValueError, TypeError):
        is_text = False
    if not is_text:
        raise Unusable(
            f"input.encoding: found {encoding!r}, which is no known text encoding; say utf-8, "
            "utf-16 or latin-1"
        )
