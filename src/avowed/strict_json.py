"""JSON as deliveries are read: strict, and with the number tokens kept.

The standard parser is lenient where a delivery must not be: it takes NaN and Infinity, and of a
duplicate key it silently keeps the last value. Its hooks close both gaps at little cost.
"""

import json
import math
from collections.abc import Sequence
from typing import Any

#: Integers are stored in 64 bits; a longer one is a value out of range, not broken JSON.
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

#: Lists and objects within each other in a file that people write; what goes deeper would exhaust
#: the stack of whoever walks through it.
MOST_NESTED = 32


class BrokenJson(ValueError):  # noqa: N818 - it says what happened to the text
    """Text that is not JSON as deliveries use it; the message is the reason alone."""


class NumberToken(float):
    """A JSON number with a fraction or an exponent that remembers how it was written.

    >>> NumberToken("0.70").token, NumberToken("0.70") == 0.7
    ('0.70', True)
    """

    token: str

    def __new__(cls, token: str) -> "NumberToken":
        """Parse ``token`` and keep it."""
        number = super().__new__(cls, token)
        number.token = token
        return number


def refuse_constant(constant: str) -> None:
    """Refuse ``NaN``, ``Infinity`` and ``-Infinity``; a ``parse_constant`` hook."""
    raise BrokenJson(f"{constant} is not JSON; write null for a missing value")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object and refuse a key that occurs twice; an ``object_pairs_hook``."""
    built = dict(pairs)
    if len(built) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise BrokenJson(f"the key {json.dumps(key)} occurs twice")
            seen.add(key)
    return built


def parse(text: str, *, keep_tokens: bool = False) -> Any:
    """Parse ``text`` strictly.

    Args:
        text: one JSON document.
        keep_tokens: return numbers with a fraction or an exponent as `NumberToken`.

    Raises:
        BrokenJson: for a syntax error, NaN or Infinity, a duplicate key, nesting beyond what the
            parser takes, or an integer beyond Python's limit of digits.

    >>> parse('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    avowed.strict_json.BrokenJson: the key "a" occurs twice
    """
    try:
        return json.loads(
            text,
            object_pairs_hook=unique_keys,
            parse_constant=refuse_constant,
            parse_float=NumberToken if keep_tokens else None,
        )
    except json.JSONDecodeError as error:
        raise BrokenJson(f"{error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise BrokenJson("nested too deeply") from error
    except BrokenJson:
        raise
    except ValueError as error:
        # The digit limit of int(): 4,300 digits unless the interpreter was told otherwise.
        raise BrokenJson("an integer has too many digits") from error


def parse_document(text: str, *, keep_tokens: bool = False) -> Any:
    """Parse a document that is no row of a large file: as `parse`, and every text in it is text.

    Raises:
        BrokenJson: as `parse`, and for what `unfit` finds.

    >>> parse_document('{"a": ["\\\\ud800"]}')
    Traceback (most recent call last):
    avowed.strict_json.BrokenJson: field a[0]: half of a surrogate pair; write the whole character
    """
    value = parse(text, keep_tokens=keep_tokens)
    if found := unfit(value):
        raise BrokenJson(f"field {found[0] or '(all)'}: {found[1]}")
    return value


def unfit(value: Any) -> tuple[str, str] | None:
    """The field and the reason of what no file of ours can hold; None if all of it can be held.

    That is half of a surrogate pair, which an escape can spell and nothing can write, and nesting
    beyond `MOST_NESTED`.

    >>> unfit({"a": [1, "b"]}), unfit(["\\ud800"])[0]
    (None, '[0]')
    """
    left: list[tuple[Any, tuple[str | int, ...]]] = [(value, ())]
    while left:
        one, place = left.pop()
        if isinstance(one, str):
            if not is_text(one):
                return dotted(place), "half of a surrogate pair; write the whole character"
        elif isinstance(one, dict | list):
            if len(place) >= MOST_NESTED:
                return dotted(place[:2]), "nested too deeply"
            if isinstance(one, dict):
                left += [(key, (*place, key)) for key in one if isinstance(key, str)]
                left += [(inner, (*place, str(key))) for key, inner in one.items()]
            else:
                left += [(inner, (*place, number)) for number, inner in enumerate(one)]
    return None


def is_text(value: str) -> bool:
    """Whether a string can be written as UTF-8; half of a surrogate pair cannot.

    >>> is_text("ü"), is_text("\\ud800")
    (True, False)
    """
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def dotted(place: Sequence[str | int]) -> str:
    """The name of a place as messages print it; list positions count from 0.

    >>> dotted(("features", 2, "values"))
    'features[2].values'
    """
    name = ""
    for part in place:
        name += f"[{part}]" if isinstance(part, int) else f".{part}" if name else part
    # A key need not be text, and a message has to be.
    return name.encode("utf-8", "backslashreplace").decode()


def token_of(value: Any) -> str:
    """The JSON token of a parsed value, with a `NumberToken` as it was written.

    >>> token_of(NumberToken("1e0")), token_of("ü"), token_of(None), token_of(True)
    ('1e0', '"ü"', 'null', 'true')
    """
    if isinstance(value, NumberToken):
        return value.token
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    try:
        return json.dumps(value, ensure_ascii=False)
    except ValueError:  # an integer that int() took but str() does not
        return "a very long number"
    except RecursionError:
        return "a value that is nested too deeply"


class Tokens:
    """The raw value tokens of one JSON object, found without converting anything.

    Args:
        text: one JSON object that has been parsed before, so that its syntax is known to be right.

    >>> Tokens('{"replica": 3.0, "session_id": "s"}')["replica"]
    '3.0'
    """

    def __init__(self, text: str) -> None:
        """Start in front of the first key."""
        self._text = text
        self._position = text.index("{") + 1
        self._tokens: dict[str, str] = {}
        self._decoder = json.JSONDecoder(parse_constant=refuse_constant)

    def __getitem__(self, key: str) -> str:
        """The token of the value under ``key``.

        Raises:
            KeyError: if the object has no such key.
        """
        while key not in self._tokens:
            self._read_pair()
        return self._tokens[key]

    def _read_pair(self) -> None:
        start = self._after_space(self._position)
        if self._text[start] == "}":
            raise KeyError("no such key in this object")
        key, end = self._decoder.raw_decode(self._text, start)
        colon = self._after_space(end)
        start = self._after_space(colon + 1)
        _, end = self._decoder.raw_decode(self._text, start)
        self._tokens[key] = self._text[start:end]
        comma = self._after_space(end)
        self._position = comma + 1 if self._text[comma] == "," else comma

    def _after_space(self, position: int) -> int:
        while self._text[position] in " \t\r\n":
            position += 1
        return position
