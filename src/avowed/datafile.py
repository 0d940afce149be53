"""Data files in YAML compared with a schema; every fault is told with its line and field."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jsonschema.exceptions import ValidationError

from avowed.refusal import Refused
from avowed.strict_schema import StrictValidator
from avowed.yamlfile import Document, Place, read_yaml

__all__ = ["Document", "Place", "check_schema", "read_yaml", "refuse_repeated"]


def check_schema(document: Document, schema_path: Path, definition: str) -> None:
    """Compare a document with one definition (``$defs``) of a JSON Schema.

    Raises:
        Refused: it breaks the schema; the message tells the first fault in the file and how many
            more there are. Where a part of the schema has a description, that is the rule printed.
    """
    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    validator = StrictValidator({"$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]})
    errors = sorted(
        validator.iter_errors(document.data), key=lambda one: document.line(list(one.path))
    )
    if errors:
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise Refused(f"{_told(document, errors[0])}{more}")


def refuse_repeated(document: Document, place: Place, values: Sequence[str], what: str) -> None:
    """Refuse a list in which a text stands twice; the message names the second one.

    Raises:
        Refused: a value of ``values`` occurs again; spaces and case count as no difference.
    """
    seen: set[str] = set()
    for position, value in enumerate(values):
        known = " ".join(value.lower().split())
        if known in seen:
            raise Refused(
                document.fault(
                    (*place, position),
                    f"{value!r} again",
                    f"every {what} once",
                    "remove it or change it",
                )
            )
        seen.add(known)


def _told(document: Document, error: ValidationError) -> str:
    place: list[str | int] = list(error.path)
    found: Any = error.instance
    schema: dict[str, Any] = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "additionalProperties":
        known = sorted(schema["properties"])
        unknown = [str(key) for key in found if key not in known]
        return document.fault(
            [*place, unknown[0]],
            "a field that is not known",
            f"one of {', '.join(known)}",
            "correct its name or remove it",
        )
    if error.validator == "required":
        missing = [str(key) for key in schema["required"] if key not in found]
        return document.fault([*place, missing[0]], "nothing", "this field", "add it")
    rule, value = schema.get("description"), error.validator_value
    expected = f"{error.validator} {value if isinstance(value, str) else json.dumps(value)}"
    todo = "correct it"
    if value == "string" and not isinstance(found, dict | list | None):
        todo = "put it in quotes: YAML reads yes, no and figures without quotes as no text"
    return document.fault(place, _short(found), f"{rule} ({expected})" if rule else expected, todo)


def _short(found: Any) -> str:
    told = repr(found)
    return told if len(told) <= 80 else f"{told[:77]}..."
