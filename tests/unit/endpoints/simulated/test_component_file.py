"""Files of components: those that ship, and every way to get one wrong."""

import json
from pathlib import Path

import pytest
import yaml

from avowed.endpoints.simulated.component_file import SCHEMA, read_components
from avowed.endpoints.simulated.prepared import prepared
from avowed.factors.inputs import generate_inputs
from avowed.factors.usecase import read_use_case
from avowed.refusal import Refused, Unusable

DATA = Path(__file__).parents[4] / "data"
CASES = {
    name: read_use_case(DATA / f"usecases/{name}.yaml") for name in ("advisor", "monitor", "loan")
}


@pytest.mark.parametrize("name", CASES)
def test_eight_components_ship_for_each_use_case(name):
    case = CASES[name]
    components = read_components(DATA / f"components/{name}.yaml", case)
    assert len(components) == 8
    assert len({one.name for one in components}) == 8
    ready = prepared(case, generate_inputs(case, seed=1))
    for one in components:
        assert one.citations(ready).width == case.cited


def test_every_kind_of_rule_and_policy_is_in_use():
    schema = json.loads(SCHEMA.read_text())["$defs"]
    used = {"rule": set(), "policy": set()}

    def collect(part, spec):
        used[part].add(spec["kind"])
        if "of" in spec:
            collect(part, spec["of"])

    for name in CASES:
        for entry in yaml.safe_load((DATA / f"components/{name}.yaml").read_text())["components"]:
            for part in used:
                collect(part, entry[part])
    assert used["rule"] == set(schema["rule"]["properties"]["kind"]["enum"])
    # A full ranking is the pilot's, a question of its own.
    assert used["policy"] == set(schema["policy"]["properties"]["kind"]["enum"]) - {"full"}


def test_every_property_of_the_schema_is_described():
    def properties(part):
        if isinstance(part, dict):
            # Conditions are no descriptions of a property.
            yield from part.get("properties", {}).items()
            for key, inner in part.items():
                if key != "if":
                    yield from properties(inner)
        elif isinstance(part, list):
            for inner in part:
                yield from properties(inner)

    found = list(properties(json.loads(SCHEMA.read_text())))
    assert len(found) > 30
    assert [name for name, one in found if not one.get("description")] == []


def written(tmp_path, change, name="monitor"):
    data = yaml.safe_load((DATA / f"components/{name}.yaml").read_text())
    change(data)
    path = tmp_path / "components.yaml"
    path.write_text(yaml.safe_dump(data, sort_keys=False))
    return path


def component(**changes):
    """Replace parts of the first component."""
    return lambda data: data["components"][0].update(changes)


@pytest.mark.parametrize(
    ("change", "field", "rule"),
    [
        (lambda data: data.update(use_case="other"), "use_case", "found 'other'"),
        (lambda data: data.update(components=[]), "components", "minItems"),
        (lambda data: data.update(more=1), "more", "a field that is not known"),
        (
            lambda data: data["components"][1].update(name="quota"),
            "components[1].name",
            "every name once",
        ),
        (component(name="Upper Case"), "components[0].name", "small letters"),
        (component(noise=1), "components[0].noise", "below 1"),
        (component(invalid=-0.1), "components[0].invalid", "from 0"),
        (component(rule={"kind": "magic"}), "components[0].rule.kind", "found 'magic'"),
        (component(rule={"kind": "single"}), "components[0].rule.feature", "found nothing"),
        (
            component(rule={"kind": "single", "feature": "age"}),
            "components[0].rule.feature",
            "found 'age'",
        ),
        (
            component(rule={"kind": "linear", "weights": {"contains_pii": 1, "age": 2}}),
            "components[0].rule.weights.age",
            "a key of monitor",
        ),
        (
            component(
                rule={"kind": "quota", "order": ["age"], "necessity": [1], "sufficiency": [1]}
            ),
            "components[0].rule.order[0]",
            "found 'age'",
        ),
        (
            component(rule={"kind": "constant", "decision": "6"}),
            "components[0].rule.decision",
            "one of 1, 2",
        ),
        (
            component(rule={"kind": "constant", "decision": 3}),
            "components[0].rule.decision",
            "put it in quotes",
        ),
        (
            component(rule={"kind": "and", "features": ["profanity"], "then": "5", "else": "x"}),
            "components[0].rule.else",
            "found 'x'",
        ),
        (
            component(
                rule={
                    "kind": "and",
                    "features": ["profanity"],
                    "then": "5",
                    "else": "1",
                    "least": 2,
                }
            ),
            "components[0].rule.least",
            "at most the number of features, 1",
        ),
        (
            component(rule={"kind": "softmax", "of": {"kind": "softmax"}, "temperature": 1}),
            "components[0].rule.of.kind",
            "found 'softmax'",
        ),
        (
            component(
                rule={
                    "kind": "softmax",
                    "of": {"kind": "single", "feature": "age"},
                    "temperature": 1,
                }
            ),
            "components[0].rule.of.feature",
            "found 'age'",
        ),
        (
            component(
                rule={
                    "kind": "softmax",
                    "of": {"kind": "constant", "decision": "1"},
                    "temperature": 0,
                }
            ),
            "components[0].rule.temperature",
            "above 0",
        ),
        (
            component(policy={"kind": "order", "by": "luck"}),
            "components[0].policy.by",
            "found 'luck'",
        ),
        (
            component(policy={"kind": "ranks", "by": "necessity", "ranks": [1, 2, 9]}),
            "components[0].policy.ranks[2]",
            "up to the number of features, 8",
        ),
        (
            component(policy={"kind": "ranks", "by": "necessity", "ranks": [1, 2]}),
            "components[0].policy.ranks",
            "3 ranks",
        ),
        (
            component(policy={"kind": "pair", "of": {"kind": "random"}, "overlap": 4}),
            "components[0].policy.overlap",
            "from 0 to 3",
        ),
        (
            component(
                policy={"kind": "pair", "of": {"kind": "full", "by": "necessity"}, "overlap": 1}
            ),
            "components[0].policy.of.kind",
            "cites as many",
        ),
        (
            component(policy={"kind": "salience", "weights": {"age": 1}}),
            "weights.age",
            "a key of monitor",
        ),
        (
            component(paraphrase={"rate": 2, "variants": 3}),
            "components[0].paraphrase.rate",
            "how often",
        ),
    ],
)
def test_a_fault_is_told_with_its_file_line_and_field(tmp_path, change, field, rule):
    path = written(tmp_path, change)
    with pytest.raises(Refused) as told:
        read_components(path, CASES["monitor"])
    message = str(told.value)
    assert message.startswith(f"{path}, line ")
    assert f"{field}:" in message
    assert rule in message


def test_a_profile_has_no_inactive_features(tmp_path):
    policy = {"kind": "inactive", "rate": 0.5, "of": {"kind": "random"}}
    path = written(tmp_path, component(policy=policy), "advisor")
    with pytest.raises(Refused, match="every feature is active"):
        read_components(path, CASES["advisor"])


NUMBERS = {
    "noise": component(noise="@"),
    "invalid": component(invalid="@"),
    "misexplained": component(misexplained="@"),
    "paraphrase.rate": component(paraphrase={"rate": "@", "variants": 3}),
    "rule.weights.profanity": component(rule={"kind": "linear", "weights": {"profanity": "@"}}),
    "rule.points.profanity": component(rule={"kind": "additive", "points": {"profanity": "@"}}),
    "rule.severities.profanity": component(rule={"kind": "max", "severities": {"profanity": "@"}}),
    "policy.weights.profanity": component(
        policy={"kind": "salience", "weights": {"profanity": "@"}}
    ),
    "policy.rate": component(policy={"kind": "full", "by": "necessity", "rate": "@"}),
}


@pytest.mark.parametrize("value", [".nan", ".inf", "-.inf", "1.0e+999", "1" + "0" * 400])
@pytest.mark.parametrize("field", NUMBERS)
def test_a_number_that_is_none_is_refused_everywhere(tmp_path, field, value):
    path = written(tmp_path, NUMBERS[field])
    path.write_text(path.read_text().replace("'@'", value))
    with pytest.raises(Refused) as told:
        read_components(path, CASES["monitor"])
    assert f", field components[0].{field}: found " in str(told.value)


def test_a_policy_within_a_policy_without_end(tmp_path):
    path = written(tmp_path, component(policy="@"))
    deep = "{kind: pair, overlap: 1, of: " * 300 + "{kind: random}" + "}" * 300
    path.write_text(path.read_text().replace("'@'", deep))
    with pytest.raises(Unusable, match="nested too deeply"):
        read_components(path, CASES["monitor"])
    few = "{kind: pair, overlap: 1, of: " * 20 + "{kind: random}" + "}" * 20
    path.write_text(path.read_text().replace(deep, few))
    assert read_components(path, CASES["monitor"])


def test_a_file_that_is_no_yaml_is_unusable(tmp_path):
    path = tmp_path / "components.yaml"
    path.write_text("components: [")
    with pytest.raises(Unusable, match="not a plain YAML file"):
        read_components(path, CASES["loan"])
    with pytest.raises(Unusable, match="cannot be read"):
        read_components(tmp_path / "none.yaml", CASES["loan"])
