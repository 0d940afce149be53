"""Answers of every coding as 0-based option indices."""

import re

import numpy as np

from avowed.importing.kinds import Key, key_of
from avowed.importing.mapping import Answer
from avowed.importing.raw_table import Column, Value
from avowed.importing.rows import Ints, by_value

#: Codes of answers that are no option: not extracted, and nothing that could be an answer.
MISSING, JUNK = -1, -2

#: Most options that a question may have; more is taken for a number of another kind.
MOST_OPTIONS = 1_000_000

_LETTER = re.compile(r"([A-Z])|\(([A-Z])\)")
_INTEGER = re.compile(r"0|[1-9][0-9]{0,17}")


def option_codes(
    column: Column,
    answer: Answer,
    *,
    n_options: Ints,
    whole_floats: bool = False,
    options: Column | None = None,
) -> Ints:
    """The option that each answer names.

    Args:
        column: the answers as they stand, shape (n,).
        answer: how they are coded and which values say that none could be extracted.
        n_options: L of each row, shape (n,); -1 where it is not known.
        whole_floats: whether 3.0 stands for 3.
        options: the texts of the options of each row as tuples, shape (n,), for coding text.

    Returns:
        0-based indices, `MISSING` or `JUNK`, shape (n,). An index of L or more is junk. A letter
        is one capital letter, bare or in parentheses; a text is one that equals exactly one of
        the row's options.

    >>> column = Column(values=["B", "AD", ""], codes=np.array([0, 1, 2], dtype=np.int32))
    >>> letters = Answer(column="a", coding="letters", missing=frozenset({key_of("")}))
    >>> option_codes(column, letters, n_options=np.full(3, 4)).tolist()
    [1, -2, -1]
    """
    if answer.coding == "text":
        if options is None:
            raise ValueError("coding text needs the texts of the options")
        codes = _by_text(column, options, answer.missing)
    else:
        codes = by_value(column, lambda value: _index(value, answer, whole_floats), np.int64)
    beyond = (codes >= n_options) & (n_options >= 0)
    result: Ints = np.where(beyond, JUNK, codes)
    return result


def _index(value: Value, answer: Answer, whole_floats: bool) -> int:
    if key_of(value) in answer.missing:
        return MISSING
    if answer.coding == "letters":
        found = _LETTER.fullmatch(value) if isinstance(value, str) else None
        return ord(found[1] or found[2]) - ord("A") if found else JUNK
    number = whole_number(value, whole_floats=whole_floats)
    if number is None:
        return JUNK
    number -= answer.coding == "numbers"
    return number if 0 <= number < MOST_OPTIONS else JUNK


def whole_number(value: Value, *, whole_floats: bool = False) -> int | None:
    """A number of at least 0 as an integer or as its digits; None for everything else.

    A file without kinds, such as CSV, has its integers as digits. A float is no integer unless
    the mapping says so.

    >>> [whole_number(v) for v in (3, "3", 3.0, True, "03", -1)]
    [3, 3, None, None, None, None]
    >>> whole_number(3.0, whole_floats=True)
    3
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        if whole_floats:
            value = value.removesuffix(".0")
        return int(value) if _INTEGER.fullmatch(value) else None
    if isinstance(value, float) and whole_floats and value.is_integer():
        value = int(value)
    return value if isinstance(value, int) and value >= 0 else None


def _by_text(column: Column, options: Column, missing: frozenset[Key]) -> Ints:
    """Each distinct pair of an answer and a list of options is looked at once."""
    pairs = column.codes.astype(np.int64) * len(options.values) + options.codes
    distinct, places = np.unique(pairs, return_inverse=True)
    codes = np.empty(len(distinct), dtype=np.int64)
    for number, pair in enumerate(distinct.tolist()):
        answer, listed = divmod(pair, len(options.values))
        codes[number] = _place(column.values[answer], options.values[listed], missing)
    result: Ints = codes[places]
    return result


def _place(answer: Value, options: Value, missing: frozenset[Key]) -> int:
    key = key_of(answer)
    if key in missing:
        return MISSING
    if not isinstance(options, tuple) or answer is None:
        return JUNK
    if isinstance(answer, str):
        # Nothing of another kind equals a text, so that the fast search is exact.
        return options.index(answer) if options.count(answer) == 1 else JUNK
    found = [place for place, option in enumerate(options) if key_of(option) == key]
    # Two options of the same text cannot be told apart.
    return found[0] if len(found) == 1 else JUNK
