"""What the header ``delivery.json`` must look like: integers (R1), then the JSON Schema.

R1 comes first and looks at the tokens, because JSON Schema takes ``2.0`` for an integer. What R1
has named is not named a second time by the schema.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeGuard

from avowed.pairs.record import Reason
from avowed.pairs.violation import Violation
from avowed.strict_json import dotted, token_of

_COVERAGE_COUNTS = ("planned", "completed", "incomplete")


@cache
def delivery_schema() -> dict[str, Any]:
    """The JSON Schema of ``delivery.json``.

    >>> delivery_schema()["additionalProperties"]
    False
    """
    text = files("avowed.pairs").joinpath("delivery.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def header_violations(header: Mapping[str, Any]) -> tuple[Violation, ...]:
    """Every place where a parsed header breaks R1 or the schema.

    Args:
        header: the JSON object as parsed, numbers with a fraction possibly kept as tokens.

    Returns:
        Violations with row None; one per field, in the order of the fields' paths.

    >>> [v.rule for v in header_violations({"planned_replicas": 2.0}) if v.found != "nothing"]
    ['R1']
    """
    found = {
        path: Violation(rule="R1", field=path, found=token_of(value), expected="an integer")
        for path, value in _integer_fields(header)
        if not is_integer(value)
    }
    for path, violation in _schema_violations(header):
        found.setdefault(path, violation)
    return tuple(found[path] for path in sorted(found))


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a parsed JSON value was written as an integer; true is not one.

    >>> is_integer(3), is_integer(3.0), is_integer(True)
    (True, False, False)
    """
    return isinstance(value, int) and not isinstance(value, bool)


def _integer_fields(header: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Path and value of each field that holds an integer; null is left to the schema."""
    version = header.get("schema_version")
    # Only a number can break R1 here: the strings "1" and "1.0" are versions too.
    if isinstance(version, bool | float):
        yield "schema_version", version
    if header.get("planned_replicas") is not None:
        yield "planned_replicas", header["planned_replicas"]
    coverage = header.get("coverage")
    for index, entry in enumerate(coverage if isinstance(coverage, list) else ()):
        counts = entry if isinstance(entry, dict) else {}
        reasons = counts.get("not_evaluable")
        reasons = reasons if isinstance(reasons, dict) else {}
        for key in _COVERAGE_COUNTS:
            if counts.get(key) is not None:
                yield f"coverage[{index}].{key}", counts[key]
        for reason in Reason:
            if reasons.get(reason) is not None:
                yield f"coverage[{index}].not_evaluable.{reason}", reasons[reason]


def _schema_violations(header: Mapping[str, Any]) -> Iterator[tuple[str, Violation]]:
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(delivery_schema()).iter_errors(dict(header)):
        if error.validator == "required":
            missing = [key for key in error.validator_value if key not in error.instance]
            places = [(key, "nothing", "a value: the key is required") for key in missing]
        elif error.validator == "additionalProperties":
            known = _part(error)["properties"]
            places = [
                (key, token_of(value), "no such key; known keys: " + ", ".join(known))
                for key, value in error.instance.items()
                if key not in known
            ]
        else:
            places = [("", token_of(error.instance), _expectation(error))]
        for key, found, expected in places:
            path = dotted([*error.absolute_path, *([key] if key else [])])
            yield path, Violation(rule="schema", field=path, found=found, expected=expected)


def _part(error: Any) -> dict[str, Any]:
    """The part of the schema that the error is about."""
    part: dict[str, Any] = error.schema
    return part


def _expectation(error: Any) -> str:
    """What the schema wanted, in words; the description of the field says why."""
    wanted = error.validator_value
    listed = wanted if isinstance(wanted, list) else [wanted]
    words = {
        "enum": "one of " + ", ".join(token_of(value) for value in listed),
        "type": "a value of type " + " or ".join(str(kind) for kind in listed),
        "minimum": f"at least {wanted}",
        "maximum": f"at most {wanted}",
        "minLength": "a string that is not empty",
        "minItems": f"at least {wanted} entry",
        "uniqueItems": "every entry once",
        "pattern": f"a string that matches {wanted}",
    }
    text = words.get(error.validator, error.message)
    description = _part(error).get("description")
    return f"{text}: {description}" if description else text
