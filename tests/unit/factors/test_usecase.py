"""Use cases are read as written; every fault is told with file, line and field."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from avowed.factors.inputs import read_inputs
from avowed.factors.interventions import contrast_codes, similar_codes
from avowed.factors.usecase import SCHEMA, UseCase, read_use_case
from avowed.refusal import Refused, Unusable

FOLDER = Path(__file__).parents[3] / "data" / "usecases"
NAMES = ("advisor", "monitor", "loan")


def loaded(name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    return content


def properties(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(SCHEMA.read_text("utf-8"))["$defs"][kind]["properties"]
    return found


def written(folder: Path, content: object) -> Path:
    path = folder / "case.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), "utf-8")
    return path


@pytest.fixture(params=NAMES)
def shipped(request: pytest.FixtureRequest) -> UseCase:
    return read_use_case(FOLDER / f"{request.param}.yaml")


def test_the_shipped_use_cases_meet_the_schema_as_a_whole() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    for name in NAMES:
        Draft202012Validator(schema).validate(loaded(name))


def test_every_field_of_the_schema_says_what_it_is() -> None:
    schema = json.loads(SCHEMA.read_text("utf-8"))["$defs"]
    for kind in ("profile", "segments"):
        for key, field in schema[kind]["properties"].items():
            told = schema[field["$ref"].rsplit("/", 1)[1]] if "$ref" in field else field
            assert told.get("description") or "const" in told, (kind, key)


def test_the_guide_tells_every_field_and_kind() -> None:
    guide = (FOLDER.parents[1] / "docs" / "usecases.md").read_text("utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| (both|profile|segments) \|", guide, re.M))
    for field in {**properties("profile"), **properties("segments")}:
        kinds = [kind for kind in ("profile", "segments") if field in properties(kind)]
        assert told.pop(field) == (kinds[0] if len(kinds) == 1 else "both")
    assert told == {}
    named = set(re.findall(r"^\| `(\w+)` \| `", guide, re.M))
    assert named == {"categorical", "ordinal", "binary", "scale", "text", "segment"}


def test_the_guide_s_example_of_an_input_is_read(tmp_path: Path) -> None:
    guide = (FOLDER.parents[1] / "docs" / "usecases.md").read_text("utf-8")
    path = tmp_path / "inputs.jsonl"
    path.write_text(guide.split("```json\n")[1].split("```")[0], "utf-8")
    assert read_inputs(path, read_use_case(FOLDER / "loan.yaml")).ids == ("application-001",)


def test_the_advisor_has_the_fields_and_types_of_the_paper() -> None:
    case = read_use_case(FOLDER / "advisor.yaml")
    # Appendix B prints the list; the types are those of appendices B and C.
    assert case.keys == (
        "financial_goals",
        "investible_assets",
        "total_net_worth",
        "age",
        "marital_status",
        "education",
        "occupation",
        "annual_income",
        "business_owner",
        "communication_preference",
        "prompt_to_connect",
        "heard_about_advisor_match",
        "investing_interest",
        "esg_priority",
        "retirement_plan_importance",
        "goal_clarity",
        "other_considerations",
        "preferences",
    )
    kinds = dict(zip(case.keys, (feature.kind for feature in case.features), strict=True))
    assert {key for key, kind in kinds.items() if kind == "ordinal"} == {
        *("investible_assets", "total_net_worth", "age", "education", "annual_income")
    }
    assert {key for key, kind in kinds.items() if kind == "scale"} == {
        *("investing_interest", "esg_priority", "retirement_plan_importance", "goal_clarity")
    }
    assert [key for key, kind in kinds.items() if kind == "binary"] == ["business_owner"]
    assert [key for key, kind in kinds.items() if kind == "text"] == [
        *("other_considerations", "preferences")
    ]
    assert case.samples == 100 and case.primary == "contrast" and case.active == (18, 18)


def test_the_advisor_pool_has_thirteen_full_records() -> None:
    case = read_use_case(FOLDER / "advisor.yaml")
    assert len(case.pool) == len(case.decisions) == len(set(case.decisions)) == 13
    assert {len(record) for record in case.pool} == {15}
    assert len({tuple(record) for record in case.pool}) == 1
    assert tuple(record[case.decision_key] for record in case.pool) == case.decisions


def test_the_monitor_has_the_categories_of_the_paper() -> None:
    case = read_use_case(FOLDER / "monitor.yaml")
    assert case.keys == (
        "contains_pii",
        "requests_illegal_advice",
        "high_stakes_context",
        "jailbreak_attempt",
        "profanity",
        "harmful_request",
        "data_extraction",
        "social_engineering",
    )
    assert case.decisions == ("1", "2", "3", "4", "5")
    assert case.active == (3, 4) and case.samples == 100 and case.primary == "blank"
    assert len(case.bases) >= 20
    assert all(len(feature.values) >= 2 for feature in case.features)
    # At most three other categories are in a prompt, so a fourth contrast is always free.
    assert all(len(feature.contrasts) >= case.active[1] for feature in case.features)


def test_contrast_and_similar_never_choose_the_same_text(shipped: UseCase) -> None:
    for feature in shipped.features:
        if feature.kind in ("categorical", "text"):
            assert (contrast_codes(feature) != similar_codes(feature)).all(), feature.key


def test_a_scale_lists_its_whole_numbers(tmp_path: Path) -> None:
    content = loaded("loan")
    content["features"][4] |= {"lower": -1, "upper": 2}
    case = read_use_case(written(tmp_path, content))
    assert case.features[4].values == ("-1", "0", "1", "2")


def put(*place: str | int, value: object) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        at: Any = content
        for part in place[:-1]:
            at = at[part]
        at[place[-1]] = value

    return change


def drop(*place: str | int) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        at: Any = content
        for part in place[:-1]:
            at = at[part]
        del at[place[-1]]

    return change


FAULTS: list[tuple[str, Callable[[dict[str, Any]], None], str, str]] = [
    ("loan", put("colour", value="red"), "colour", "found a field that is not known"),
    (
        "loan",
        put("features", 0, "weight", value=1),
        "features[0].weight",
        "not known; expected one",
    ),
    ("loan", put("bases", value=["x"]), "bases", "found a field that is not known"),
    ("monitor", put("pool", value={}), "pool", "found a field that is not known"),
    ("loan", put("kind", value="text"), "kind", "found 'text'; expected profile or segments"),
    ("loan", drop("kind"), "kind", "found nothing; expected this field; add it"),
    ("loan", drop("task"), "task", "found nothing; expected this field; add it"),
    ("loan", drop("features", 1, "values"), "features[1].values", "found nothing"),
    ("loan", put("features", 1, "values", value=[]), "features[1].values", "found []"),
    ("loan", put("features", 1, "values", value=["a"]), "features[1].values", "at least two texts"),
    ("loan", put("features", 1, "kind", value="segment"), "features[1].kind", "found 'segment'"),
    ("loan", put("features", 3, "values", value=list("abc")), "features[3].values", "exactly two"),
    (
        "loan",
        put("features", 3, "values", value=[False, "b"]),
        "features[3].values[0]",
        "in quotes",
    ),
    ("loan", put("features", 0, "values", 1, value=" a"), "features[0].values[1]", "found ' a'"),
    ("loan", put("features", 0, "values", 1, value="a\n"), "features[0].values[1]", "one line"),
    ("loan", put("features", 0, "values", 1, value=""), "features[0].values[1]", "not empty"),
    ("loan", put("features", 0, "values", 1, value="used CAR"), "features[0].values[1]", "again"),
    (
        "loan",
        put("features", 0, "values", 1, value="[unknown]"),
        "features[0].values[1]",
        "removed",
    ),
    ("loan", put("features", 1, "key", value="purpose"), "features[1].key", "'purpose' again"),
    ("loan", put("features", 1, "label", value="PURPOSE"), "features[1].label", "'PURPOSE' again"),
    ("loan", put("cited", value=3.0), "cited", "found 3.0"),
    ("loan", put("features", 1, "key", value="No way"), "features[1].key", "found 'No way'"),
    (
        "loan",
        put("features", 4, "lower", value=10),
        "features[4].upper",
        "above lower, which is 10",
    ),
    (
        "loan",
        put("features", 4, "lower", value=11),
        "features[4].upper",
        "above lower, which is 11",
    ),
    ("loan", put("features", 4, "upper", value=10.0), "features[4].upper", "found 10.0"),
    ("loan", put("features", value=[]), "features", "at least three fields"),
    ("loan", put("decisions", 1, value="approve"), "decisions[1]", "'approve' again"),
    ("loan", drop("decisions"), "(top level)", "neither decisions nor pool"),
    ("advisor", put("decisions", value=["a", "b"]), "decisions", "both decisions and pool"),
    ("advisor", put("pool", "records", value=[]), "pool.records", "found []"),
    (
        "advisor",
        put("pool", "records", 4, "advisor_id", value="advisor_01"),
        "pool.records[4].advisor_id",
        "'advisor_01' again; expected every decision once",
    ),
    ("advisor", drop("pool", "records", 4, "advisor_id"), "pool.records[4]", "found no advisor_id"),
    (
        "advisor",
        put("pool", "records", 4, "location", value=7),
        "pool.records[4].location",
        "found 7",
    ),
    ("loan", put("samples", value=1), "samples", "found 1"),
    ("loan", put("samples", value="40"), "samples", "found '40'"),
    ("loan", put("samples", value=True), "samples", "found True"),
    ("loan", put("cited", value=4), "cited", "defined for three"),
    ("loan", put("primary", value="similar"), "primary", "contrast or blank"),
    ("loan", put("system_prompt", value="Hello."), "system_prompt", "found no {{keys}}"),
    ("loan", put("system_prompt", value="{{keys}} {{key}}"), "system_prompt", "found {{key}}"),
    ("loan", put("user_template", value="{{profile}} {{pool}}"), "user_template", "found {{pool}}"),
    ("advisor", put("user_template", value="{{profile}}"), "user_template", "found no {{pool}}"),
    ("monitor", put("user_template", value="{{profile}}"), "user_template", "found {{profile}}"),
    ("monitor", put("features", 2, "values", value=["one"]), "features[2].values", "found ['one']"),
    (
        "monitor",
        put("features", 2, "contrasts", 1, value="kindness"),
        "features[2].contrasts[1]",
        "found 'kindness'; expected the key of another category",
    ),
    (
        "monitor",
        put("features", 2, "contrasts", 1, value="high_stakes_context"),
        "features[2].contrasts[1]",
        "expected the key of another category",
    ),
    (
        "monitor",
        put("features", 2, "contrasts", 1, value="profanity"),
        "features[2].contrasts[1]",
        "'profanity' again",
    ),
    ("monitor", put("active", value=[4, 3]), "active", "found [4, 3]"),
    ("monitor", put("active", value=[3, 9]), "active", "of the 8 categories"),
    ("monitor", put("active", value=[0, 3]), "active[0]", "found 0"),
    ("monitor", put("bases", value=["Hello.", "hello."]), "bases[1]", "'hello.' again"),
    ("monitor", put("bases", value=[]), "bases", "found []"),
    ("monitor", put("decisions", value=[1, 2]), "decisions[0]", "found 1"),
]


@pytest.mark.parametrize(("name", "change", "field", "told"), FAULTS)
def test_a_fault_is_told_with_file_line_and_field(
    tmp_path: Path, name: str, change: Callable[[dict[str, Any]], None], field: str, told: str
) -> None:
    content = loaded(name)
    change(content)
    path = written(tmp_path, content)
    with pytest.raises(Refused) as refused:
        read_use_case(path)
    message = str(refused.value)
    assert message.startswith(f"{path}, line ")
    assert f", field {field}: found " in message
    assert told in message


def test_the_line_is_that_of_the_fault(tmp_path: Path) -> None:
    text = (FOLDER / "loan.yaml").read_text("utf-8").replace("upper: 10", "upper: 1")
    path = tmp_path / "case.yaml"
    path.write_text(text, "utf-8")
    line = text.split("\n").index("    upper: 1") + 1
    with pytest.raises(Refused, match=rf"line {line}, field features\[4\]\.upper: found 1"):
        read_use_case(path)


def test_a_key_that_stands_twice_is_refused_with_the_second_line(tmp_path: Path) -> None:
    path = tmp_path / "case.yaml"
    path.write_text("name: a\nfeatures:\n  - key: a\n    key: b\n", "utf-8")
    with pytest.raises(Refused, match=r"line 4, field features\[0\]\.key: found the key again"):
        read_use_case(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "expected keys and values at the top level"),
        (b"- a\n- b\n", "expected keys and values at the top level"),
        (b"just words", "expected keys and values at the top level"),
        (b"name: [a\n", "line 2"),
        (b"name: !!python/object/apply:os.getcwd []\n", "could not determine a constructor"),
        (b"\xff\xfe\x00", "not a plain YAML file"),
        (b"name: &a [*a]\n", "an alias of what it stands in"),
        (b"name: a\n---\nname: b\n", "not a plain YAML file"),
        (b"? [a, b]\n: c\n", "not a plain YAML file"),
    ],
)
def test_what_is_not_plain_yaml_is_unusable(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "case.yaml"
    path.write_bytes(content)
    with pytest.raises(Unusable, match=told):
        read_use_case(path)


def test_a_file_that_is_not_there_is_unusable(tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="cannot be read"):
        read_use_case(tmp_path / "none.yaml")
    with pytest.raises(Unusable, match="cannot be read"):
        read_use_case(tmp_path)
