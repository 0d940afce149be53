"""A use case: what is asked, what may be decided, and what may be changed (NS 3.1, appendix B)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from avowed.datafile import Document, Place, check_schema, read_yaml, refuse_repeated
from avowed.factors.placeholders import placeholders
from avowed.refusal import Refused

#: The schema of a use case; its definitions are the two kinds.
SCHEMA = Path(__file__).with_name("usecase.schema.json")

#: What a removed value is replaced with (NS 3.4), and so no value may read like it.
UNKNOWN = "[UNKNOWN]"

#: Placeholders that each template may hold.
SYSTEM_NAMES = ("role", "task", "keys", "count", "markers", "entries", "decisions")
USER_NAMES = {
    "profile": ("profile", "pool", "decisions"),
    "segments": ("prompt", "decisions"),
}


@dataclass(frozen=True)
class Feature:
    """One field of a profile or one category of segments.

    Attributes:
        key: the name that explanations cite.
        label: the name that a profile shows.
        kind: categorical, ordinal, binary, scale, text or segment.
        values: the pool in order. Ordinal: from the lowest to the highest. Scale: its integers as
            text. Segment: the expressions of the category.
        contrasts: categories that a segment may be swapped for, in order of preference.
    """

    key: str
    label: str
    kind: str
    values: tuple[str, ...]
    contrasts: tuple[str, ...] = ()


@dataclass(frozen=True)
class UseCase:
    """A use case as read from its file.

    Attributes:
        name: a short name, also an id of its random streams.
        kind: profile or segments.
        features: F features in the order of the prompt's list.
        decisions: every allowed decision as text, in order.
        samples: inputs to generate.
        cited: factors cited per response, 3.
        active: least and most active features of an input; all of them in a profile.
        bases: base requests; empty for a profile.
        pool: candidate records, shown as JSON; empty if there are none.
        system_prompt, user_template: templates, with ``{{name}}`` where a text goes in.
        primary: the intervention behind the headline necessity, contrast or blank.
        input_name: what an input is called in its id, as in client-001.
        role, task: who decides and what; prompts are built from them.
        decision_key: the field of a pool record that names the decision; empty without a pool.

    >>> features = tuple(Feature(key, key, "binary", ("No", "Yes")) for key in "abc")
    >>> case = UseCase(
    ...     "toy", "profile", features, ("1", "2"), 2, 3, (3, 3), (), (), "", "", "blank")
    >>> case.keys, case.index("b")
    (('a', 'b', 'c'), 1)
    """

    name: str
    kind: str
    features: tuple[Feature, ...]
    decisions: tuple[str, ...]
    samples: int
    cited: int
    active: tuple[int, int]
    bases: tuple[str, ...]
    pool: tuple[Mapping[str, str], ...]
    system_prompt: str
    user_template: str
    primary: str
    input_name: str = "input"
    role: str = ""
    task: str = ""
    decision_key: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the features, in the order of the prompt's list."""
        return tuple(feature.key for feature in self.features)

    def index(self, key: str) -> int:
        """The position of a feature; ValueError if there is none of this key."""
        return self.keys.index(key)


def read_use_case(path: Path) -> UseCase:
    """Read and check a use case (docs/usecases.md says how to write one).

    Raises:
        Unusable: the file cannot be read or is not YAML with keys at the top (exit code 2).
        Refused: its content breaks a rule; the message names file, line, field, the value found,
            the rule and what to do (exit code 1).
    """
    document = read_yaml(path)
    check_schema(document, SCHEMA, "kind")
    check_schema(document, SCHEMA, document.data["kind"])
    data = document.data
    features = _features(document, data["features"])
    profile = data["kind"] == "profile"
    pool = data.get("pool", {"decision_key": "", "records": []})
    case = UseCase(
        name=data["name"],
        kind=data["kind"],
        features=features,
        decisions=_decisions(document, data, pool),
        samples=data["samples"],
        cited=data["cited"],
        active=(len(features), len(features)) if profile else _active(document, len(features)),
        bases=tuple(data.get("bases", ())),
        pool=tuple(pool["records"]),
        system_prompt=data["system_prompt"].rstrip("\n"),
        user_template=data["user_template"].rstrip("\n"),
        primary=data["primary"],
        input_name=data["input_name"],
        role=data["role"],
        task=data["task"].rstrip("\n"),
        decision_key=pool["decision_key"],
    )
    refuse_repeated(document, ("bases",), case.bases, "base request")
    _check_templates(document, case)
    return case


def _features(document: Document, entries: Sequence[Mapping[str, Any]]) -> tuple[Feature, ...]:
    keys = [entry["key"] for entry in entries]
    for position, key in enumerate(keys):
        if key in keys[:position]:
            raise Refused(
                document.fault(
                    ("features", position, "key"),
                    f"{key!r} again",
                    "every key once",
                    "give the feature another key",
                )
            )
    labels: set[str] = set()
    for position, entry in enumerate(entries):
        # A profile shows labels, and two fields that look alike cannot be told apart in it.
        label = " ".join(entry["label"].lower().split())
        if label in labels:
            raise Refused(
                document.fault(
                    ("features", position, "label"),
                    f"{entry['label']!r} again",
                    "every label once",
                    "give the feature another label",
                )
            )
        labels.add(label)
    return tuple(
        _feature(document, ("features", position), entry, keys)
        for position, entry in enumerate(entries)
    )


def _feature(
    document: Document, place: Place, entry: Mapping[str, Any], keys: Sequence[str]
) -> Feature:
    if entry["kind"] == "scale":
        lower, upper = entry["lower"], entry["upper"]
        if lower >= upper:
            raise Refused(
                document.fault(
                    (*place, "upper"),
                    str(upper),
                    f"a number above lower, which is {lower}",
                    "correct one of the two",
                )
            )
        values = tuple(str(value) for value in range(lower, upper + 1))
    else:
        values = tuple(entry["values"])
    refuse_repeated(document, (*place, "values"), values, "value")
    for position, value in enumerate(values):
        if value.upper() == UNKNOWN:
            raise Refused(
                document.fault(
                    (*place, "values", position),
                    repr(value),
                    f"no value that reads {UNKNOWN}, which stands for a removed one",
                    "use another text",
                )
            )
    contrasts = tuple(entry.get("contrasts", ()))
    refuse_repeated(document, (*place, "contrasts"), contrasts, "contrasting category")
    for position, key in enumerate(contrasts):
        if key not in keys or key == entry["key"]:
            raise Refused(
                document.fault(
                    (*place, "contrasts", position),
                    repr(key),
                    f"the key of another category ({', '.join(keys)})",
                    "correct it or remove it",
                )
            )
    return Feature(entry["key"], entry["label"], entry["kind"], values, contrasts)


def _decisions(
    document: Document, data: Mapping[str, Any], pool: Mapping[str, Any]
) -> tuple[str, ...]:
    if ("decisions" in data) == ("pool" in data):
        found = "both decisions and pool" if "pool" in data else "neither decisions nor pool"
        raise Refused(
            document.fault(
                ("decisions",) if "pool" in data else (),
                found,
                "one of the two",
                "list the decisions, or the candidates whose names are the decisions",
            )
        )
    if "decisions" in data:
        refuse_repeated(document, ("decisions",), data["decisions"], "decision")
        return tuple(data["decisions"])
    key, decisions = pool["decision_key"], []
    for position, record in enumerate(pool["records"]):
        place = ("pool", "records", position)
        if key not in record:
            raise Refused(
                document.fault(
                    place, f"no {key}", "the field that pool.decision_key names", f"add {key}"
                )
            )
        if record[key] in decisions:
            raise Refused(
                document.fault(
                    (*place, key), f"{record[key]!r} again", "every decision once", "rename one"
                )
            )
        decisions.append(record[key])
    return tuple(decisions)


def _active(document: Document, features: int) -> tuple[int, int]:
    least, most = document.data["active"]
    if not least <= most <= features:
        raise Refused(
            document.fault(
                ("active",),
                f"[{least}, {most}]",
                f"the least, then the most, of the {features} categories",
                "correct the numbers",
            )
        )
    return least, most


def _check_templates(document: Document, case: UseCase) -> None:
    user = USER_NAMES[case.kind]
    _check_template(document, "system_prompt", case.system_prompt, SYSTEM_NAMES, ("keys",))
    wanted = [user[0], *(["pool"] if case.pool else [])]
    known = user if case.pool else tuple(name for name in user if name != "pool")
    _check_template(document, "user_template", case.user_template, known, wanted)


def _check_template(
    document: Document, field: str, template: str, known: Sequence[str], wanted: Sequence[str]
) -> None:
    found = placeholders(template)
    shown = ", ".join(f"{{{{{name}}}}}" for name in known)
    for name in found:
        if name not in known:
            raise Refused(
                document.fault(
                    (field,),
                    f"{{{{{name}}}}}",
                    f"only {shown} between double braces",
                    "correct its name or remove it",
                )
            )
    for name in wanted:
        if name not in found:
            raise Refused(
                document.fault(
                    (field,), f"no {{{{{name}}}}}", "the place where it goes in", "add it"
                )
            )
