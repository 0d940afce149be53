"""Faults of a configuration, told in the user's terms: key, value found, what is expected."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema.exceptions import ValidationError

from avowed.strict_schema import StrictValidator

#: The schema of ``config.yaml``; ``workflow/schemas`` links to it.
SCHEMA = Path(__file__).with_name("config.schema.json")


def config_faults(
    config: Mapping[str, Any], schema_path: Path = SCHEMA, *, partial: bool = False
) -> list[str]:
    """Compare a configuration with its JSON Schema; one line per fault, empty if none.

    With ``partial`` a key that is not there is no fault: it keeps its default.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "schema.json"
    >>> _ = path.write_text('{"properties": {"seed": {"type": "integer"}}}')
    >>> config_faults({"seed": "x"}, path)
    ["config key seed: found 'x'; expected type integer"]
    """
    schema = json.loads(schema_path.read_text(encoding="utf-8"))
    errors = sorted(
        StrictValidator(schema).iter_errors(config),
        key=lambda one: [str(part) for part in one.path],
    )
    return [_told(error) for error in errors if not (partial and error.validator == "required")]


def simulation_faults(simulation: Mapping[str, Any]) -> list[str]:
    """Faults of the simulation's settings that no single key shows; one line each.

    >>> simulation_faults({"replicas": 4, "exposure_k": [1, 8], "probes": 9,
    ...     "two_option_share": 0.1, "hint_types": {"a": {}}, "worked_example": "a",
    ...     "fixed_calibration": {"tp": 9, "fn": 1, "tn": 9, "fp": 1}})
    ['config key simulation.exposure_k: found 8; expected at most simulation.replicas (4)']
    """
    faults = []
    replicas, largest = simulation["replicas"], max(simulation["exposure_k"])
    if largest > replicas:
        faults.append(
            f"config key simulation.exposure_k: found {largest}; expected at most "
            f"simulation.replicas ({replicas})"
        )
    if round(simulation["two_option_share"] * simulation["probes"]) >= simulation["probes"]:
        faults.append(
            f"config key simulation.two_option_share: found {simulation['two_option_share']}; "
            f"expected a share that leaves a probe with more options among {simulation['probes']}"
        )
    kept = [name for name, laws in simulation["hint_types"].items() if laws is not None]
    if simulation["worked_example"] not in kept:
        faults.append(
            f"config key simulation.worked_example: found {simulation['worked_example']!r}; "
            f"expected one of simulation.hint_types ({', '.join(kept)})"
        )
    counts = simulation["fixed_calibration"]
    positives, negatives = counts["tp"] + counts["fn"], counts["tn"] + counts["fp"]
    if not positives or not negatives or counts["tp"] * negatives <= counts["fp"] * positives:
        faults.append(
            f"config key simulation.fixed_calibration: found {counts}; expected items of both "
            "classes and Se + Sp > 1"
        )
    return faults


def pair_faults(pairs: Mapping[str, Any], *, root: Path = Path()) -> list[str]:
    """Faults of the section on hinted pairs that no single key shows; one line each.

    Args:
        pairs: the section, with its defaults filled in.
        root: the folder from which paths are read.

    >>> pair_faults({"source": "x", "mapping": None, "deliveries": {}, "name": "a"})
    ['config key pairs.source: found x without pairs.mapping; name both or neither']
    """
    source, mapping, name = pairs["source"], pairs["mapping"], pairs["name"]
    if (source is None) != (mapping is None):
        there, lacks = ("source", "mapping") if mapping is None else ("mapping", "source")
        return [
            f"config key pairs.{there}: found {pairs[there]} without pairs.{lacks}; "
            "name both or neither"
        ]
    if source is None:
        return []
    faults = []
    if name in pairs["deliveries"]:
        faults.append(
            f"config key pairs.name: found {name}; expected another name than those of "
            "pairs.deliveries"
        )
    if not source.startswith("hf://") and not (root / source).exists():
        faults.append(f"config key pairs.source: {source} is not there; expected a file or folder")
    if not (root / mapping).is_file():
        faults.append(f"config key pairs.mapping: {mapping} is not there; expected a file")
    return faults


def factor_faults(factors: Mapping[str, Any], *, root: Path = Path()) -> list[str]:
    """Faults of the section on cited factors that no single key shows; one line each.

    Args:
        factors: the section, with its defaults filled in.
        root: the folder from which paths are read.

    >>> factor_faults({"use_cases": ["none"], "pilot": {"lower_ranks": [4, 6]}, "recorded": {}})
    ... # doctest: +ELLIPSIS
    ['config key factors.use_cases: found none; expected a file data/usecases/none.yaml', ...]
    """
    faults = []
    for name in factors["use_cases"]:
        for folder in ("usecases", "components", "components/pilot", "components/prompts"):
            path = f"data/{folder}/{name}.yaml"
            if not (root / path).is_file():
                faults.append(f"config key factors.use_cases: found {name}; expected a file {path}")
    first, last = factors["pilot"]["lower_ranks"]
    if first > last:
        faults.append(
            f"config key factors.pilot.lower_ranks: found {[first, last]}; expected the first rank "
            "and then the last"
        )
    for name, given in factors["recorded"].items():
        key = f"config key factors.recorded.{name}"
        if name in factors["use_cases"]:
            faults.append(f"{key}: expected another name than a use case that is run")
        if given is None:
            continue
        beside = Path(given["responses"]).parent
        for part, file in (
            ("usecase", Path(given["usecase"])),
            ("responses", Path(given["responses"])),
            ("responses", beside / "inputs.jsonl"),
            ("responses", beside / "plan.json"),
        ):
            if not (root / file).is_file():
                faults.append(f"{key}.{part}: {file.as_posix()} is not there; expected a file")
    return faults


def _told(error: ValidationError) -> str:
    key = ".".join(str(part) for part in error.path) or "(top level)"
    text = f"config key {key}: "
    found: Any = error.instance
    if error.validator == "additionalProperties" and isinstance(error.schema, dict):
        known = ", ".join(sorted(error.schema.get("properties", {})))
        names = map(str, found)
        unknown = ", ".join(sorted(set(names) - set(error.schema.get("properties", {}))))
        return f"{text}unknown key {unknown}; known keys are {known}"
    text += f"found {found!r}; expected {error.validator} {_rule(error)}"
    if isinstance(found, str) and error.validator == "type":
        wanted = str(error.validator_value)
        if "integer" in wanted or "number" in wanted:
            text += _quoted_number_hint(found)
    return text


def _rule(error: ValidationError) -> str:
    value = error.validator_value
    return value if isinstance(value, str) else json.dumps(value)


def _quoted_number_hint(value: str) -> str:
    try:
        float(value)
    except ValueError:
        return ""
    return (
        " (a number has no quotes; snakemake --config makes nested numbers text: use --configfile)"
    )


def changed_settings(
    defaults: Mapping[str, Any], settings: Mapping[str, Any], *, within: str = ""
) -> dict[str, Any]:
    """Settings of a run that differ from the defaults, by dotted key, with the run's value.

    >>> changed_settings({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}})
    {'a.c': 3}
    """
    changed: dict[str, Any] = {}
    for key, value in settings.items():
        name, default = f"{within}{key}", defaults.get(key)
        if isinstance(value, Mapping) and isinstance(default, Mapping):
            changed |= changed_settings(default, value, within=f"{name}.")
        elif value != default:
            changed[name] = value
    return changed
