"""A mapping file: YAML, read strictly, every fault told with its line and key (docs/import.md)."""

from collections.abc import Mapping as Map
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from avowed.datafile import Document, Place, check_schema, read_yaml
from avowed.importing.input_form import InputForm
from avowed.importing.kinds import Key, key_of, shown
from avowed.importing.mapping import (
    NO_RISK_FAMILY,
    Answer,
    Answers,
    Baseline,
    Condition,
    Declared,
    Found,
    Mapping,
    Replicas,
    Verdicts,
)
from avowed.importing.unfilled import refuse_unfilled
from avowed.pairs.header import Judge
from avowed.pairs.record import PhiSource
from avowed.refusal import Refused

#: The schema of a mapping.
SCHEMA = Path(__file__).with_name("mapping.schema.json")

_LABELS = ("faithful", "unfaithful", "undetermined", "missing")


def read_mapping(path: Path) -> Mapping:
    """Read and check a mapping file.

    Raises:
        Unusable: the file cannot be read or is not YAML with keys at the top (exit code 2).
        Refused: a key is unknown or stands twice, a value is of a wrong kind, or two parts do not
            fit together; the message names file, line, key, the value found and the rule.
    """
    document = read_yaml(path, example="docs/import.md")
    refuse_unfilled(document)
    check_schema(document, SCHEMA, "mapping")
    data = document.data
    conversations, header = data.get("conversations", {}), data["header"]
    truncated = data.get("truncated")
    return Mapping(
        form=InputForm(**data.get("input", {})),
        probe=tuple(data["probe"]),
        hint_type=_found(document, "hint_type", ("constant", "column", "lookup")),
        risk_family=_found(document, "risk_family", ("constant", "column", "lookup"))
        if "risk_family" in data
        else Found(constant=NO_RISK_FAMILY),
        n_options=_found(document, "n_options", ("constant", "column", "lookup", "length")),
        answers=_answers(document),
        replicas=_replicas(document, ("replica",), data.get("replica", "one"), ("one", "order")),
        baseline=_baseline(document),
        verdicts=_verdicts(document) if "judge" in data else None,
        filter=tuple(
            _condition(document, ("filter", place), each)
            for place, each in enumerate(data.get("filter", ()))
        ),
        session=data["session"]["column"] if "session" in data else None,
        baseline_conversation=conversations.get("baseline"),
        hinted_conversation=conversations.get("hinted"),
        truncated=Condition(column=truncated["column"], values=_keys(truncated["values"]))
        if truncated
        else None,
        fresh_session=data.get("fresh_session", True),
        planned_replicas=data.get("planned_replicas"),
        declared=Declared(
            hint_channel=header["hint_channel"],
            judge=Judge(**header["judge"]) if "judge" in header else None,
            **{key: header.get(key) for key in ("construct", "language", "format")},
        ),
    )


def _keys(values: Sequence[Any]) -> frozenset[Key]:
    return frozenset(key_of(value) for value in values)


def _columns(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _found(document: Document, name: str, forms: Sequence[str]) -> Found:
    data = document.data[name]
    given = [form for form in forms if form in data]
    if len(given) != 1 or ("values" in data) != ("lookup" in data):
        raise Refused(
            document.fault(
                (name,),
                ", ".join(data),
                f"exactly one of {', '.join(forms)}, and values beside lookup alone",
                "correct it",
            )
        )
    values: Map[Any, Any] = data.get("values", {})
    return Found(
        constant=data.get("constant"),
        column=data.get("column"),
        lookup=data.get("lookup"),
        values={key_of(value): meaning for value, meaning in values.items()},
        length=_columns(data["length"]) if "length" in data else (),
    )


def _answers(document: Document) -> Answers:
    data = document.data["answers"]
    four = {name: _answer(document, name) for name in ("correct", "hint", "baseline", "hinted")}
    if any(answer.coding == "text" for answer in four.values()) and "options" not in data:
        raise Refused(
            document.fault(
                ("answers", "options"),
                "nothing",
                "the column or columns with the texts of the options, for coding: text",
                "add it",
            )
        )
    return Answers(
        **four,
        options=_columns(data.get("options", ())),
        whole_floats=data.get("whole_floats", False),
        junk_excludes=data.get("junk", "exclude") == "exclude",
    )


def _answer(document: Document, name: str) -> Answer:
    data = document.data["answers"]
    given = data[name]
    given = {"column": given} if isinstance(given, str) else given
    place = ("answers", name)
    if ("column" in given) == ("constant" in given):
        found = "both" if "column" in given else "neither of the two"
        raise Refused(document.fault(place, found, "one of column and constant", "correct it"))
    if "constant" in given and name in ("baseline", "hinted"):
        raise Refused(
            document.fault(place, "a constant", "a column: no answer is always the same", "name it")
        )
    coding = given.get("coding", data.get("coding"))
    if coding is None:
        raise Refused(
            document.fault(
                ("answers", "coding"),
                "nothing",
                f"letters, indices, numbers or text, here or in answers.{name}",
                "say how the answers are coded",
            )
        )
    missing = given.get("missing", data.get("missing", [None]))
    return Answer(
        column=given.get("column"),
        constant=given.get("constant"),
        coding=coding,
        missing=_keys(missing),
    )


def _replicas(document: Document, place: Place, given: Any, words: Sequence[str]) -> Replicas:
    if isinstance(given, dict):
        return Replicas(by="column", column=given["column"], first=given.get("from", 0))
    if given not in words:
        raise Refused(
            document.fault(
                place, repr(given), f"{', '.join(words)} or {{column: name}}", "correct it"
            )
        )
    return Replicas(by="order" if given == "order" else "one")


def _condition(document: Document, place: Place, data: Map[str, Any]) -> Condition:
    if "equals" in data:
        return Condition(column=data["column"], values=_keys([data["equals"]]))
    test = "in" if "in" in data else "not_in"
    if not data[test]:
        raise Refused(document.fault((*place, test), "[]", "at least one value", "list it"))
    return Condition(column=data["column"], values=_keys(data[test]), negated=test == "not_in")


#: The keys that each way of joining needs, and those that it may have besides.
_JOINS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "same_row": ((), ()),
    "other_file": (("file", "key"), ("input", "where", "replica")),
    "rows": (("key", "where"), ("replica",)),
}


def _baseline(document: Document) -> Baseline:
    data = document.data.get("baseline", {"join": "same_row"})
    join = data["join"]
    needed, possible = _JOINS[join]
    for key in needed:
        if key not in data:
            raise Refused(
                document.fault(("baseline", key), "nothing", f"this key for join: {join}", "add it")
            )
    for key in data:
        if key not in ("join", *needed, *possible):
            allowed = ", ".join((*needed, *possible)) or "no other key"
            raise Refused(
                document.fault(
                    ("baseline", key), "this key", f"{allowed} beside join: {join}", "remove it"
                )
            )
    place = ("baseline", "replica")
    given = data.get("replica", "shared")
    replicas = None
    if given != "shared":
        replicas = _replicas(document, place, given, ("shared", "order"))
        own = document.data.get("replica", "one")
        if own == "one":
            raise Refused(
                document.fault(
                    place,
                    repr(given),
                    "shared, because pairs have no replicas (replica: one)",
                    "say under replica how replicas are found, or remove it",
                )
            )
    where = data.get("where")
    return Baseline(
        join=join,
        file=data.get("file"),
        form=InputForm(**data.get("input", {})),
        key=tuple(data.get("key", ())),
        where=_condition(document, ("baseline", "where"), where) if where else None,
        replicas=replicas,
    )


def _verdicts(document: Document) -> Verdicts:
    data = document.data["judge"]
    phi = data.get("phi", {})
    if "threshold" in data and not phi:
        raise Refused(
            document.fault(
                ("judge", "threshold"), "no phi", "phi beside threshold", "add phi or remove it"
            )
        )
    if not 0 <= data.get("threshold", 0) <= 1:
        # The schema compares numbers, and NaN passes every comparison.
        raise Refused(
            document.fault(("judge", "threshold"), "NaN", "a number from 0 to 1", "correct it")
        )
    if "column" not in data and "threshold" not in data:
        raise Refused(
            document.fault(
                ("judge", "column"),
                "nothing",
                "the column with the verdict, or phi with a threshold",
                "add it",
            )
        )
    _check_words(document, data)
    threshold = data.get("threshold")
    return Verdicts(
        column=data.get("column"),
        **{name: _keys(data.get(name, ())) for name in _LABELS[:3]},
        missing=_keys(data.get("missing", [None])),
        phi=phi.get("column"),
        phi_of_unfaithful=phi.get("of") == "unfaithful",
        phi_source=PhiSource(phi.get("source", PhiSource.VOTE_FRACTION)),
        threshold=None if threshold is None else float(threshold),
        evidence=data.get("evidence"),
        elsewhere_row=data.get("elsewhere", "verdict") == "row",
    )


def _check_words(document: Document, data: Map[str, Any]) -> None:
    """Refuse a verdict's value with two meanings, and a judge without a polarity."""
    meanings: dict[Key, str] = {}
    for name in _LABELS:
        for place, value in enumerate(data.get(name, [None] if name == "missing" else ())):
            before = meanings.setdefault(key_of(value), name)
            if before != name:
                raise Refused(
                    document.fault(
                        ("judge", name, place),
                        f"{shown(value)}, which is in {before} too",
                        "one meaning for a value",
                        "remove it from one of the two",
                    )
                )
    if "column" in data and not (data.get("faithful") or data.get("unfaithful")):
        raise Refused(
            document.fault(
                ("judge",),
                "neither faithful nor unfaithful values",
                "the values of the column that mean that the explanation acknowledges the hint, "
                "and those that mean that it does not",
                "list them: which way a judge's words point is never guessed",
            )
        )
