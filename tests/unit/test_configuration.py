"""Faults of a configuration are told by key, value and rule."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from avowed.configuration import (
    SCHEMA,
    changed_settings,
    config_faults,
    factor_faults,
    simulation_faults,
)

REPOSITORY = Path(__file__).parents[2]


@pytest.fixture
def config() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((REPOSITORY / "config.yaml").read_text("utf-8"))
    return loaded


def changed(config: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    result = copy.deepcopy(config)
    *parents, last = key.split(".")
    place = result
    for parent in parents:
        place = place[parent]
    place[last] = value
    return result


def test_the_shipped_configuration_has_no_fault(config: dict[str, Any]) -> None:
    assert config_faults(config) == []


def test_the_workflow_reads_the_same_schema() -> None:
    linked = REPOSITORY / "workflow" / "schemas" / "config.schema.json"
    assert linked.read_bytes() == SCHEMA.read_bytes()


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("seed", "1", "found '1'; expected type integer (a number has no quotes"),
        ("seed", True, "found True; expected type integer"),
        ("seed", 1.0, "found 1.0; expected type integer"),
        ("seed", 2**32, "found 4294967296; expected maximum 4294967295"),
        ("seed", None, "found None; expected type integer"),
        ("bootstrap.resamples", 99, "found 99; expected minimum 100"),
        ("bootstrap.confidence", "95 %", "found '95 %'; expected type number"),
        ("bootstrap.confidence", 1, "found 1; expected exclusiveMaximum 1"),
        ("bootstrap.confidence", ".95", "found '.95'; expected type number (a number has no"),
        ("analysis.min_options", 1, "found 1; expected minimum 2"),
        ("analysis.target_half_width", 0, "found 0; expected exclusiveMinimum 0"),
        ("sensitivity.cuts", [], "found []; expected minItems 1"),
        ("sensitivity.cuts", [0.5, 0.5], "found [0.5, 0.5]; expected uniqueItems true"),
        ("chance.max_undefined_share", 1.5, "found 1.5; expected maximum 1"),
        ("exposure.min_options", [3], "found [3]; expected type integer"),
        ("sample_size.round_to", 0, "found 0; expected minimum 1"),
        ("sources.mirror", 7, 'found 7; expected type ["string", "null"]'),
        ("turpin.risk_family", "", "found ''; expected minLength 1"),
        ("pairs.deliveries", ["path"], "found ['path']; expected type object"),
        ("simulation.probes", 0, "found 0; expected minimum 1"),
        ("simulation.accuracy", [7], "found [7]; expected minItems 2"),
        ("simulation.judge.failed", "0.01", "found '0.01'; expected type number (a number has"),
        ("simulation.hint_types", {}, "found {}; expected minProperties 1"),
        ("simulation.hint_types.type_1.susceptibility", 2, "found 2; expected type array"),
        ("simulation.extreme_acknowledgement.near_0", [1, 1, 1], "found [1, 1, 1]; expected maxIt"),
        ("calibration.min_positive", 0, "found 0; expected minimum 1"),
        ("calibration.min_youden", 1.5, "found 1.5; expected maximum 1"),
    ],
)
def test_a_wrong_value_is_named(config: dict[str, Any], key: str, value: Any, told: str) -> None:
    (line,) = config_faults(changed(config, key, value))
    assert line.startswith(f"config key {key}: {told}")
    assert "\n" not in line


def test_only_a_number_in_quotes_gets_the_hint(config: dict[str, Any]) -> None:
    (words,) = config_faults(changed(config, "seed", "first"))
    assert words.endswith("expected type integer")
    (mode,) = config_faults(changed(config, "bootstrap", "7"))
    assert mode.endswith("expected type object")


def test_an_element_of_a_list_is_named_by_its_place(config: dict[str, Any]) -> None:
    (line,) = config_faults(changed(config, "sensitivity.cuts", [0.5, "high"]))
    assert line == "config key sensitivity.cuts.1: found 'high'; expected type number"


@pytest.mark.parametrize(
    "section", ["", "bootstrap.", "pairs.", "turpin.", "simulation.", "calibration."]
)
def test_an_unknown_key_is_named_beside_the_known_ones(
    config: dict[str, Any], section: str
) -> None:
    known = config[section[:-1]] if section else config
    (line,) = config_faults(changed(config, f"{section}unheard_of", 1))
    place = section[:-1] or "(top level)"
    listed = ", ".join(sorted(known))
    assert line == f"config key {place}: unknown key unheard_of; known keys are {listed}"


@pytest.mark.parametrize(
    "name", ["", "a b", "../up", "turpin_mine", "simulated_mine", "-x", "a/b", "ä"]
)
def test_a_name_that_is_no_file_name_is_refused(config: dict[str, Any], name: str) -> None:
    (line,) = config_faults(changed(config, "pairs.deliveries", {name: "path"}))
    assert line.startswith(f"config key pairs.deliveries: found {name!r}; expected pattern ")


@pytest.mark.parametrize("name", ["mine", "2026-11_run.v2", "my_turpin_", "A"])
def test_plain_names_are_fine(config: dict[str, Any], name: str) -> None:
    assert config_faults(changed(config, "pairs.deliveries", {name: "path"})) == []


def test_every_fault_is_told_in_the_order_of_the_keys(config: dict[str, Any]) -> None:
    wrong = changed(changed(changed(config, "turpin.x", 1), "seed", "a"), "analysis", 5)
    keys = [line.split(": ")[0] for line in config_faults(wrong)]
    assert keys == ["config key analysis", "config key seed", "config key turpin"]


def test_a_part_of_a_configuration_need_not_be_whole(config: dict[str, Any]) -> None:
    del config["turpin"]["risk_family"]
    (line,) = config_faults(config)
    assert line.startswith("config key turpin: ") and "risk_family" in line
    assert config_faults(config, partial=True) == config_faults({}, partial=True) == []
    assert len(config_faults({"seed": -1}, partial=True)) == 1


def test_the_simulation_is_required_and_the_calibration_has_defaults(
    config: dict[str, Any],
) -> None:
    del config["calibration"]
    assert config_faults(config) == []
    for key in [*config["simulation"]]:
        value = config["simulation"].pop(key)
        (line,) = config_faults(config)
        assert line.startswith("config key simulation: ") and key in line
        config["simulation"][key] = value
    del config["simulation"]
    (line,) = config_faults(config)
    assert line.startswith("config key (top level): ") and "simulation" in line


def test_a_hint_type_of_a_simulation_may_have_any_plain_name(config: dict[str, Any]) -> None:
    law = {"susceptibility": [1, 1], "acknowledgement": [1, 1]}
    assert config_faults(changed(config, "simulation.hint_types", {"mine-2": law})) == []
    (line,) = config_faults(changed(config, "simulation.hint_types", {"a/b": law}))
    assert line.startswith("config key simulation.hint_types: found 'a/b'; expected pattern ")
    (line,) = config_faults(changed(config, "simulation.hint_types.type_1.more", 1))
    assert "unknown key more; known keys are acknowledgement, susceptibility" in line


def test_settings_that_differ_are_found_at_every_depth(config: dict[str, Any]) -> None:
    assert changed_settings(config, copy.deepcopy(config)) == {}
    other = changed(config, "seed", 2)
    other = changed(other, "bootstrap.resamples", 300)
    other = changed(other, "sensitivity.cuts", [0.5])
    other = changed(other, "simulation.judge.cut", 0.25)
    other = changed(other, "pairs.deliveries", {"mine": "path/to/delivery"})
    assert changed_settings(config, other) == {
        "seed": 2,
        "bootstrap.resamples": 300,
        "sensitivity.cuts": [0.5],
        "simulation.judge.cut": 0.25,
        "pairs.deliveries.mine": "path/to/delivery",
    }


def test_a_number_written_otherwise_is_no_other_setting(config: dict[str, Any]) -> None:
    assert changed_settings(config, changed(config, "bootstrap.confidence", 0.950)) == {}
    # A key that the defaults do not have, and one that is set to nothing.
    assert changed_settings({"a": {"b": 1}}, {"a": {"b": None, "c": 0}}) == {"a.b": None, "a.c": 0}
    assert changed_settings({"a": {"b": 1}}, {"a": 1}) == {"a": 1}


def test_another_schema_can_be_given(tmp_path: Path) -> None:
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps({"properties": {"a": {"enum": ["x"]}}}), encoding="utf-8")
    assert config_faults({"a": "y"}, schema) == ["config key a: found 'y'; expected enum [\"x\"]"]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("exposure_k", [1, 9], "at most simulation.replicas (8)"),
        ("two_option_share", 0.999, "leaves a probe with more options"),
        ("worked_example", "type_9", "one of simulation.hint_types (type_1, type_2, type_3)"),
        ("fixed_calibration", {"tp": 20, "fn": 130, "tn": 20, "fp": 130}, "Se + Sp > 1"),
        ("fixed_calibration", {"tp": 0, "fn": 0, "tn": 20, "fp": 10}, "both classes"),
    ],
)
def test_settings_of_the_simulation_that_contradict_each_other(
    key: str, value: object, said: str
) -> None:
    config = yaml.safe_load((SCHEMA.parents[2] / "config.yaml").read_text(encoding="utf-8"))
    assert simulation_faults(config["simulation"]) == []
    (fault,) = simulation_faults({**config["simulation"], key: value})
    assert fault.startswith(f"config key simulation.{key}: found")
    assert said in fault


def test_a_hint_type_can_be_dropped_but_not_the_worked_example_s() -> None:
    config = yaml.safe_load((SCHEMA.parents[2] / "config.yaml").read_text(encoding="utf-8"))
    config["simulation"]["hint_types"]["type_2"] = None
    assert config_faults(config) == []
    assert simulation_faults(config["simulation"]) == []
    config["simulation"]["hint_types"]["type_1"] = None
    assert len(simulation_faults(config["simulation"])) == 1


def test_the_shipped_section_on_cited_factors_has_no_fault(config: dict[str, Any]) -> None:
    assert factor_faults(config["factors"], root=REPOSITORY) == []


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("trials", 0, "found 0; expected minimum 1"),
        ("prompts.repeats", 1, "found 1; expected minimum 2"),
        ("interventions.fixed_point", "near end", "found 'near end'; expected enum"),
        ("uncited.no_uncited_counts", "yes", "found 'yes'; expected type boolean"),
        ("recorded", {"mine": {"usecase": "a.yaml"}}, "expected required"),
        ("recorded", {"mine": {"usecase": "a", "responses": "b.csv"}}, "'b.csv'; expected pattern"),
        ("recorded", {"my name": None}, "'my name'; expected pattern"),
        ("groups", {"advisor": {"one": []}}, "found []; expected minItems 1"),
    ],
)
def test_a_fault_of_a_setting_of_cited_factors_is_told(
    config: dict[str, Any], key: str, value: Any, told: str
) -> None:
    (fault,) = config_faults(changed(config, f"factors.{key}", value))
    assert fault.startswith(f"config key factors.{key}") and told in fault


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("use_cases", ["none"], "use_cases: found none; expected a file data/usecases/none.yaml"),
        ("pilot.lower_ranks", [6, 4], "pilot.lower_ranks: found [6, 4]; expected the first rank"),
        (
            "recorded",
            {"mine": {"usecase": "data/usecases/loan.yaml", "responses": "no/r.jsonl"}},
            "recorded.mine.responses: no/r.jsonl is not there; expected a file",
        ),
        ("recorded", {"advisor": None}, "recorded.advisor: expected another name than a use case"),
    ],
)
def test_faults_of_cited_factors_that_no_key_shows(
    config: dict[str, Any], key: str, value: Any, told: str
) -> None:
    given = changed(config, f"factors.{key}", value)
    assert config_faults(given) == []
    assert f"config key factors.{told}" in factor_faults(given["factors"], root=REPOSITORY)[0]
