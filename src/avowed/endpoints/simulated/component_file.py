"""Components as a user writes them: ``data/components/*.yaml``, checked against a use case."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from avowed.datafile import Document, Place, check_schema, read_yaml
from avowed.endpoints.simulated.component import Paraphrase, SimulatedComponent
from avowed.endpoints.simulated.policies import (
    FullRanking,
    Inactive,
    Order,
    Pair,
    Policy,
    Random,
    Ranks,
    Salience,
    Shuffled,
)
from avowed.endpoints.simulated.prescribed import Graded, Quota
from avowed.endpoints.simulated.rules import (
    Additive,
    Conjunction,
    Constant,
    Linear,
    Maximum,
    Rule,
    Single,
    Softmax,
)
from avowed.factors.usecase import UseCase
from avowed.refusal import Refused

#: The schema of a file of components.
SCHEMA = Path(__file__).with_name("component.schema.json")

Spec = Mapping[str, Any]


def read_components(path: Path, case: UseCase) -> tuple[SimulatedComponent, ...]:
    """Read the simulated components of a use case.

    Raises:
        Unusable: the file cannot be read or is not YAML (exit code 2).
        Refused: its content breaks the schema, or names a feature, decision, rank or number that
            the use case does not have; the message names file, line and field (exit code 1).
    """
    document = read_yaml(path)
    check_schema(document, SCHEMA, "file")
    data = document.data
    if data["use_case"] != case.name:
        raise _refused(
            document, ("use_case",), data["use_case"], f"the name of the use case, {case.name}"
        )
    names: list[str] = []
    for position, entry in enumerate(data["components"]):
        place = ("components", position)
        if entry["name"] in names:
            raise _refused(document, (*place, "name"), entry["name"], "every name once")
        names.append(entry["name"])
        _check_rule(document, (*place, "rule"), entry["rule"], case)
        _check_policy(document, (*place, "policy"), entry["policy"], case)
    return tuple(_component(entry) for entry in data["components"])


def _component(entry: Spec) -> SimulatedComponent:
    own = entry.get("paraphrase")
    return SimulatedComponent(
        name=entry["name"],
        says=entry["says"],
        rule=rule_of(entry["rule"]),
        policy=policy_of(entry["policy"]),
        noise=float(entry.get("noise", 0)),
        invalid=float(entry.get("invalid", 0)),
        misexplained=float(entry.get("misexplained", 0)),
        paraphrase=None if own is None else Paraphrase(float(own["rate"]), own["variants"]),
    )


def rule_of(spec: Spec) -> Rule:
    """The rule that an entry describes; it follows the schema.

    >>> rule_of({"kind": "single", "feature": "age"})
    Single(feature='age')
    """
    return _RULES[spec["kind"]](spec)


def policy_of(spec: Spec) -> Policy:
    """The explanation policy that an entry describes; it follows the schema.

    >>> policy_of({"kind": "order", "by": "necessity"})
    Order(by='necessity', reverse=False)
    """
    return _POLICIES[spec["kind"]](spec)


def _points(given: Mapping[str, Any]) -> dict[str, float | tuple[float, ...]]:
    return {
        key: tuple(float(one) for one in value) if isinstance(value, list) else float(value)
        for key, value in given.items()
    }


_RULES: Mapping[str, Callable[[Spec], Rule]] = {
    "single": lambda spec: Single(spec["feature"]),
    "linear": lambda spec: Linear(dict(spec["weights"])),
    "additive": lambda spec: Additive(_points(spec["points"]), spec.get("start", 0)),
    "max": lambda spec: Maximum(dict(spec["severities"]), spec.get("start", 0)),
    "and": lambda spec: Conjunction(
        tuple(spec["features"]), spec["then"], spec["else"], spec.get("least")
    ),
    "constant": lambda spec: Constant(spec["decision"]),
    "quota": lambda spec: Quota(
        tuple(spec["order"]), tuple(spec["necessity"]), tuple(spec["sufficiency"])
    ),
    "graded": lambda spec: Graded(
        tuple(spec["order"]), tuple(spec["necessity"]), tuple(spec["sufficiency"])
    ),
    # The schema allows scored rules only.
    "softmax": lambda spec: Softmax(rule_of(spec["of"]), spec["temperature"]),  # type: ignore[arg-type]
}

_POLICIES: Mapping[str, Callable[[Spec], Policy]] = {
    "order": lambda spec: Order(spec["by"], spec.get("reverse", False)),
    "ranks": lambda spec: Ranks(tuple(spec["ranks"]), spec["by"]),
    "shuffled": lambda spec: Shuffled(spec["by"]),
    "random": lambda _: Random(),
    "salience": lambda spec: Salience(dict(spec["weights"])),
    "inactive": lambda spec: Inactive(policy_of(spec["of"]), spec["rate"]),
    "pair": lambda spec: Pair(policy_of(spec["of"]), spec["overlap"], spec.get("reverse", False)),
    "full": lambda spec: FullRanking(
        spec["by"], tuple(spec.get("swap", (3, 4))), spec.get("rate", 0.0)
    ),
}


def _check_rule(document: Document, place: Place, spec: Spec, case: UseCase) -> None:
    for where, key in _named(
        spec, ("feature", "features", "weights", "points", "severities", "order")
    ):
        _check_key(document, (*place, *where), key, case)
    for field in ("then", "else", "decision"):
        if field in spec and spec[field] not in case.decisions:
            shown = ", ".join(case.decisions)
            raise _refused(document, (*place, field), spec[field], f"one of {shown}")
    if spec.get("least", 1) > len(spec.get("features", "x")):
        most = f"at most the number of features, {len(spec['features'])}"
        raise _refused(document, (*place, "least"), spec["least"], most)
    if "of" in spec:
        _check_rule(document, (*place, "of"), spec["of"], case)


def _check_policy(document: Document, place: Place, spec: Spec, case: UseCase) -> None:
    for where, key in _named(spec, ("weights",)):
        _check_key(document, (*place, *where), key, case)
    for field in ("ranks", "swap"):
        for position, rank in enumerate(spec.get(field, ())):
            if rank > len(case.features):
                most = f"a rank up to the number of features, {len(case.features)}"
                raise _refused(document, (*place, field, position), rank, most)
    if len(spec.get("ranks", range(case.cited))) != case.cited:
        found = list(spec["ranks"])
        raise _refused(document, (*place, "ranks"), found, f"{case.cited} ranks, as many as cited")
    if spec["kind"] == "inactive" and case.kind == "profile":
        rule = "a policy without inactive features: in a profile every feature is active"
        raise _refused(document, (*place, "kind"), spec["kind"], rule)
    least = max(0, 2 * case.cited - len(case.features))
    if not least <= spec.get("overlap", least) <= case.cited:
        rule = f"from {least} to {case.cited}, the number of features cited"
        raise _refused(document, (*place, "overlap"), spec["overlap"], rule)
    if "of" in spec:
        if spec["of"]["kind"] == "full":
            rule = "a policy that cites as many features as the others"
            raise _refused(document, (*place, "of", "kind"), "full", rule)
        _check_policy(document, (*place, "of"), spec["of"], case)


def _named(spec: Spec, fields: Sequence[str]) -> Iterator[tuple[Place, str]]:
    """Every key that the fields name, with its place."""
    for field in fields:
        value = spec.get(field, ())
        if isinstance(value, str):
            yield (field,), value
        elif isinstance(value, Mapping):
            yield from (((field, key), key) for key in value)
        else:
            yield from (((field, position), key) for position, key in enumerate(value))


def _check_key(document: Document, place: Place, key: str, case: UseCase) -> None:
    if key not in case.keys:
        raise _refused(document, place, key, f"a key of {case.name} ({', '.join(case.keys)})")


def _refused(document: Document, place: Place, found: Any, expected: str) -> Refused:
    return Refused(document.fault(place, repr(found), expected, "correct it"))
