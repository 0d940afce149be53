"""JSON Schema as files of people are checked: an integer is an integer, a number is finite.

JSON Schema takes 2.0 for an integer and for the constant 2; Python's range() and seeds do not. YAML
knows NaN, which would pass every bound.
"""

import math
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import ValidationError


def is_number(value: Any) -> bool:
    """Whether a value is a finite number that a calculation can use.

    >>> is_number(2), is_number(float("nan")), is_number(10**400), is_number(True)
    (True, False, False, False)
    """
    try:
        return type(value) in (int, float) and math.isfinite(value)
    except OverflowError:
        return False


def _same(found: Any, wanted: Any) -> bool:
    return type(found) is type(wanted) and bool(found == wanted)


def _const(_: Any, wanted: Any, found: Any, __: Any) -> Iterator[ValidationError]:
    if not _same(found, wanted):
        yield ValidationError(f"expected {wanted!r}")


def _enum(_: Any, wanted: Any, found: Any, __: Any) -> Iterator[ValidationError]:
    if not any(_same(found, each) for each in wanted):
        yield ValidationError(f"expected one of {wanted!r}")


#: The validator; it takes a schema.
StrictValidator = validators.extend(  # type: ignore[no-untyped-call]
    Draft202012Validator,
    {"const": _const, "enum": _enum},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda _, value: isinstance(value, int) and not isinstance(value, bool)
    ).redefine("number", lambda _, value: is_number(value)),
)
