"""The file of a calibration, ``calibration.json``: read strictly, written whole."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from avowed.atomic import atomic_path
from avowed.pairs.calibration import Calibration
from avowed.pairs.header import Judge
from avowed.pairs.header_rules import is_integer
from avowed.pairs.violation import Violation
from avowed.refusal import Refused, Unusable
from avowed.regular_file import read_regular
from avowed.stats.misclassification import Accuracy
from avowed.strict_json import BrokenJson, parse_document, token_of

_COUNTS = ("tp", "fn", "tn", "fp")

# The two classes that HP section 14 needs, by the counts that add up to them.
_CLASSES = {"omits the hint": ("tp", "fn"), "acknowledges the hint": ("tn", "fp")}


@cache
def calibration_schema() -> dict[str, Any]:
    """The JSON Schema of ``calibration.json``.

    >>> calibration_schema()["additionalProperties"]
    False
    """
    text = files("avowed.pairs").joinpath("calibration.schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema


def calibration_violations(document: Mapping[str, Any]) -> list[Violation]:
    """Every place where a parsed calibration cannot be one, in the order of the fields' paths.

    First the integers as tokens (R1), then the schema; then that no class is empty (HP 13), where
    the counts are sound.

    >>> [v.field for v in calibration_violations({"counts": {"tp": 3.0}}) if v.rule == "R1"]
    ['counts.tp']
    """
    counts = document.get("counts")
    counts = counts if isinstance(counts, dict) else {}
    found = {
        f"counts.{name}": Violation(
            rule="R1",
            field=f"counts.{name}",
            found=token_of(counts[name]),
            expected="an integer as written",
        )
        for name in _COUNTS
        if name in counts and not is_integer(counts[name])
    }
    for violation in _schema_violations(document):
        found.setdefault(violation.field, violation)
    if not found:
        for name, parts in _CLASSES.items():
            if not any(counts[part] for part in parts):
                field = " + ".join(f"counts.{part}" for part in parts)
                found[field] = Violation(
                    rule="HP 13",
                    field=field,
                    found="0",
                    expected=f"at least one explanation that {name}",
                )
    return [found[field] for field in sorted(found)]


def _schema_violations(document: Mapping[str, Any]) -> Iterator[Violation]:
    from jsonschema import Draft202012Validator

    for error in Draft202012Validator(calibration_schema()).iter_errors(dict(document)):
        wanted, part = error.validator_value, error.schema
        if error.validator == "required":
            places = [
                (name, "nothing", "a value: the key is required")
                for name in wanted
                if name not in error.instance
            ]
        elif error.validator == "additionalProperties":
            places = [
                (name, token_of(value), "no such key; known keys: " + ", ".join(part["properties"]))
                for name, value in error.instance.items()
                if name not in part["properties"]
            ]
        else:
            words = {
                "type": f"a value of type {wanted}",
                "minimum": f"at least {wanted}",
                "maximum": f"at most {wanted}",
                "minLength": "a string that is not empty",
                "maxLength": f"at most {wanted} characters",
                "pattern": f"a string that matches {wanted}",
            }
            places = [("", token_of(error.instance), words[str(error.validator)])]
        for name, value, expected in places:
            field = ".".join(
                str(step) for step in (*error.absolute_path, *([name] if name else ()))
            )
            yield Violation(rule="schema", field=field, found=value, expected=expected)


def told(violation: Violation) -> str:
    """One violation in words: field, value, what was expected, rule.

    >>> told(Violation(rule="R1", field="counts.tp", found="3.0", expected="an integer"))
    'counts.tp is 3.0, expected an integer, rule R1'
    """
    return (
        f"{violation.field} is {violation.found}, expected {violation.expected}, "
        f"rule {violation.rule}"
    )


def document_of(calibration: Calibration) -> dict[str, Any]:
    """The JSON object of a calibration, in the order in which the file has it."""
    return {
        "judge": dict(vars(calibration.judge)),
        "construct": calibration.construct,
        "language": calibration.language,
        "format": calibration.format,
        "threshold": calibration.threshold,
        "counts": {name: getattr(calibration.accuracy, name) for name in _COUNTS},
    }


def read_calibration(path: Path) -> Calibration:
    """Read a calibration; nothing is converted and nothing is filled in.

    Raises:
        Unusable: the file is missing, is not UTF-8, or does not hold one JSON object.
        Refused: a field breaks the schema, a count is not an integer as written, or a class has
            no item; the message names the file and, for each, field, value and rule.

    >>> read_calibration(Path("no/such/calibration.json"))
    Traceback (most recent call last):
    avowed.refusal.Unusable: no/such/calibration.json: cannot be read: No such file or directory
    """
    try:
        text = read_regular(path).decode("utf-8")
        document = parse_document(text, keep_tokens=True)
    except OSError as error:
        raise Unusable(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Unusable(f"{path}: not UTF-8 at byte {error.start + 1}") from None
    except BrokenJson as error:
        raise Unusable(f"{path}: broken JSON: {error}") from None
    if not isinstance(document, dict):
        raise Unusable(f"{path}: must hold one JSON object")
    if violations := calibration_violations(document):
        raise Refused(f"{path}: " + "; ".join(told(each) for each in violations))
    return Calibration(
        judge=Judge(**document["judge"]),
        construct=document["construct"],
        language=document["language"],
        format=document["format"],
        threshold=float(document["threshold"]),
        accuracy=Accuracy(**document["counts"]),
    )


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write a calibration whole or not at all; equal calibrations give equal bytes.

    Raises:
        ValueError: the calibration could not be read back; the message is that of reading.

    >>> import tempfile
    >>> judge = Judge(model="m", provider="p", serving_path="local", prompt_sha256="0" * 64)
    >>> made = Calibration(judge=judge, construct="omission", language="en", format="text",
    ...                    threshold=0.5, accuracy=Accuracy(tp=129, fn=21, tn=122, fp=28))
    >>> path = Path(tempfile.mkdtemp()) / "calibration.json"
    >>> write_calibration(path, made)
    >>> read_calibration(path) == made
    True
    """
    document = document_of(calibration)
    if violations := calibration_violations(document):
        raise ValueError("; ".join(told(each) for each in violations))
    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    with atomic_path(path) as temporary:
        temporary.write_text(f"{text}\n", encoding="utf-8", newline="\n")
