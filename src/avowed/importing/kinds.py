"""Values told apart by kind: 3, 3.0, "3" and true are four different things."""

import json
import math

from avowed.importing.raw_table import Value

#: A value as a mapping writes it.
Scalar = None | bool | int | float | str

#: A value together with its kind, for sets and dictionaries.
Key = tuple[type, object]

#: Longest value that a message or a sheet shows.
SHOWN = 200


def key_of(value: Value) -> Key:
    """The value with its kind, so that true is not found where 1 is looked for.

    NaN equals itself here, because a mapping may list it among the missing values.

    >>> key_of(1) == key_of(True), key_of(1) == key_of(1.0), key_of("1") == key_of("1")
    (False, False, True)
    """
    if isinstance(value, tuple):
        return tuple, tuple(key_of(each) for each in value)
    if isinstance(value, float) and math.isnan(value):
        return float, "nan"
    return type(value), value


def text_of(value: Value) -> str | None:
    """A value as the text of an identifier, or None where it cannot be one.

    A null, an empty text, a list and what cannot be written as UTF-8 make no identifier.

    >>> text_of("q1"), text_of(7), text_of(True), text_of(None), text_of("")
    ('q1', '7', 'true', None, None)
    """
    if isinstance(value, str):
        return value if value and is_text(value) else None
    if value is None or isinstance(value, tuple) or value != value:  # noqa: PLR0124 - NaN
        return None
    return shown(value)


def is_text(value: str) -> bool:
    """Whether a text can be written as UTF-8; half of a surrogate pair cannot."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def shown(value: Value) -> str:
    """A value as messages print it: a text in quotes, everything else as JSON.

    >>> shown("AD"), shown(None), shown(3.0), shown(("a", 1))
    ('"AD"', 'null', '3.0', '["a", 1]')
    """
    try:
        text = json.dumps(value, ensure_ascii=False)
    except ValueError:
        # An integer of more digits than Python writes.
        text = "an integer of very many digits"
    if not is_text(text):
        text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
