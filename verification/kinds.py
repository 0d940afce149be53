"""Kinds, vocabularies and ranges of the fields of a delivery (HP section 5), for `rules`."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, TypeGuard

from verification.records import OUTCOMES

REASONS = (
    "extraction_failed",
    "judge_unavailable",
    "judge_undetermined",
    "generation_truncated",
)
#: Field -> kind, with a question mark where it may be null.
FIELDS = {
    "session_id": "text",
    "probe_id": "text",
    "replica": "integer",
    "baseline_half_id": "text",
    "hinted_half_id": "text",
    "baseline_conversation": "text?",
    "hinted_conversation": "text?",
    "hint_type": "text",
    "risk_family": "text",
    "n_options": "integer",
    "correct_answer": "integer",
    "hint_answer": "integer",
    "baseline_answer": "integer?",
    "hinted_answer": "integer?",
    "outcome": "text",
    "baseline_correct": "truth?",
    "hinted_correct": "truth?",
    "judge_applied": "truth",
    "judge_label": "text?",
    "judge_phi": "share?",
    "judge_evidence": "text?",
    "fresh_session": "truth",
    "reason_not_evaluable": "text?",
}
VOCABULARIES: dict[str, Sequence[str]] = {
    "outcome": tuple(OUTCOMES.values()),
    "judge_label": ("faithful", "unfaithful", "undetermined"),
    "reason_not_evaluable": REASONS,
}
HEADER_WORDS = {
    "phi_source": ("token_logprobs", "vote_fraction", "verbalized_confidence"),
    "label_source": ("judge_decision", "threshold"),
}

Fault = tuple[str, str]


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value was written as an integer; 3.0, 1e0, "3" and true were not.

    >>> [is_integer(value) for value in (3, 3.0, True, "3", None)]
    [True, False, False, False, False]
    """
    return isinstance(value, int) and not isinstance(value, bool)


def is_share(value: object) -> TypeGuard[int | float]:
    """Whether a value is a finite number from 0 to 1.

    >>> [is_share(value) for value in (0, 0.5, 1.5, float("nan"), True)]
    [True, True, False, False, False]
    """
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and isfinite(value)
        and 0 <= value <= 1
    )


def is_count(value: object) -> TypeGuard[int]:
    """Whether a value was written as an integer of at least 0.

    >>> [is_count(value) for value in (0, -1, 2.0)]
    [True, False, False]
    """
    return is_integer(value) and value >= 0


def hint_types_of(header: Mapping[str, Any]) -> list[str]:
    """The hint types that the header declares, each once; none if they are not a list of names."""
    kinds = header.get("hint_types")
    named = isinstance(kinds, list) and all(isinstance(kind, str) and kind for kind in kinds)
    return list(dict.fromkeys(kinds)) if isinstance(kinds, list) and named else []


def mapping(value: object) -> Mapping[str, Any]:
    """The value if it is a JSON object, otherwise an empty one."""
    return value if isinstance(value, dict) else {}


def entries_of(header: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The entries of the coverage summary."""
    coverage = header.get("coverage")
    return [mapping(entry) for entry in coverage] if isinstance(coverage, list) else []


def faulty_fields(record: Mapping[str, Any], hint_types: Sequence[str]) -> dict[str, Fault]:
    """Fields whose value is missing or of another kind, vocabulary or range: rule and reason.

    An integer field that holds something else breaks R1; all else is ``schema``.

    >>> faulty_fields({"n_options": 4.0}, ["a"])["n_options"]
    ('R1', '4.0 is not an integer')
    """
    faults = dict.fromkeys(record.keys() - FIELDS.keys(), ("schema", "is no field of a record"))
    for name, kind in FIELDS.items():
        value = record.get(name)
        if name not in record or (value is None and not kind.endswith("?")):
            faults[name] = ("schema", "is missing")
        elif value is not None and not _is_kind(value, kind):
            rule = "R1" if kind.startswith("integer") else "schema"
            word = {"integer": "an integer", "truth": "true or false", "share": "from 0 to 1"}
            faults[name] = (rule, f"{value!r} is not {word.get(kind.rstrip('?'), 'a text')}")
        elif value is not None and (why := _beyond(name, value, record, hint_types)):
            faults[name] = ("schema", why)
    return faults


def _is_kind(value: object, kind: str) -> bool:
    if kind.startswith("integer"):
        return is_integer(value)
    if kind.startswith("truth"):
        return isinstance(value, bool)
    if kind.startswith("share"):
        return is_share(value)
    return isinstance(value, str) and (value != "" or kind.endswith("?"))


def _beyond(name: str, value: Any, record: Mapping[str, Any], hint_types: Sequence[str]) -> str:
    """What is wrong with a value of the right kind; empty if nothing is."""
    words = VOCABULARIES.get(name)
    if name == "hint_type":
        words = hint_types
    if words and value not in words:
        return f"{value!r} is not one of {', '.join(map(str, words))}"
    options = record.get("n_options")
    if name == "n_options" and value < 2:
        return f"{value} is below 2"
    if name.endswith("_answer"):
        known = is_integer(options) and options >= 2
        if value < 0 or (known and value >= options):
            return f"{value} is no option of {options}"
    return ""


def faulty_header(header: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Rule, field and reason of what is wrong in the header: R1 for its counts, else ``schema``."""
    version = header.get("schema_version")
    if isinstance(version, bool | float):
        yield "R1", "schema_version", f"{version!r} is not an integer"
    elif version not in (1, "1", "1.0"):
        yield "schema", "schema_version", f"{version!r} is not 1"
    yield from _faulty_count("planned_replicas", header.get("planned_replicas"), least=1)
    kinds = header.get("hint_types")
    if not hint_types_of(header) or hint_types_of(header) != kinds:
        yield "schema", "hint_types", f"{kinds!r} is not a list of different names"
    channel = header.get("hint_channel")
    if not isinstance(channel, str) or not channel:
        yield "schema", "hint_channel", f"{channel!r} is not a name"
    for name, words in HEADER_WORDS.items():
        if header.get(name) not in words:
            yield "schema", name, f"{header.get(name)!r} is not one of {', '.join(words)}"
    threshold = header.get("label_threshold")
    fits = {"threshold": is_share(threshold), "judge_decision": threshold is None}
    source = header.get("label_source")
    if not fits.get(
        source if isinstance(source, str) else "", threshold is None or is_share(threshold)
    ):
        yield "schema", "label_threshold", f"{threshold!r} does not go with the label source"
    if not isinstance(header.get("coverage"), list):
        yield "schema", "coverage", "is not a list"
    for place, entry in enumerate(entries_of(header)):
        yield from _faulty_entry(f"coverage[{place}]", entry)


def _faulty_entry(at: str, entry: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    kind, reasons = entry.get("hint_type"), entry.get("not_evaluable")
    if not isinstance(kind, str) or not kind:
        yield "schema", f"{at}.hint_type", f"{kind!r} is not a name"
    for name in ("planned", "completed", "incomplete"):
        yield from _faulty_count(f"{at}.{name}", entry.get(name))
    for name, count in mapping(reasons).items():
        yield from _faulty_count(f"{at}.not_evaluable.{name}", count)
    if not isinstance(reasons, dict) or not reasons.keys() <= set(REASONS):
        yield "schema", f"{at}.not_evaluable", "is not a count of the known reasons"


def _faulty_count(at: str, count: object, *, least: int = 0) -> Iterator[tuple[str, str, str]]:
    """A count that is missing, was not written as an integer (R1), or is too small."""
    if count is None:
        yield "schema", at, "is missing"
    elif not is_integer(count):
        yield "R1", at, f"{count!r} is not an integer"
    elif count < least:
        yield "schema", at, f"{count} is below {least}"
