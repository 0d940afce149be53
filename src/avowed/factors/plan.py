"""The plan of a study: every call that it makes, and which of them cannot be made (NS 3.3, 3.4).

Per input: the original call, R repeats of the unchanged input for the noise floor, and T trials of
every intervention on every active feature that allows it. Responses are checked against the plan,
so that a share never rests on fewer trials than somebody believes.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from avowed.factors.design import Design, ImpossibleDesign, check_design
from avowed.factors.inputs import Inputs
from avowed.factors.interventions import INTERVENTIONS, intervene
from avowed.factors.responses import ORIGINAL, REPEAT
from avowed.factors.usecase import UseCase
from avowed.jsonfile import read_json, write_json
from avowed.refusal import Refused, Unusable

#: What a call may do, in the order of the plan; an intervention code is a position in here.
CALLS = (ORIGINAL, REPEAT, *INTERVENTIONS)

#: Stands for the feature of a call that changes none.
NO_FEATURE = -1

SCHEMA_VERSION = 1

Codes = npt.NDArray[np.int16]


@dataclass(frozen=True, eq=False, kw_only=True)
class Plan:
    """Every call of a study, input by input, n in all.

    Attributes:
        design: what was asked for.
        use_case, use_case_sha256: name, and SHA-256 of the file, of the use case.
        components: who is asked; each answers every call.
        seed: root of the inputs' random streams; None if they were not generated.
        inputs_sha256: of the encoded inputs, see `digest`.
        keys: F keys, to write a feature's position as text.
        ids: I ids of the inputs.
        input: position of the input, shape (n,).
        feature: position of the feature that is changed or kept; `NO_FEATURE` for none; (n,).
        intervention: position in `CALLS`, shape (n,).
        trial: 0-based, shape (n,).
        codes: the encoded input that the component sees, shape (n, F).
        base: base request of that input, shape (n,).
        not_constructible: intervention -> reason -> number of pairs of input and feature without a
            call.
    """

    design: Design
    use_case: str
    use_case_sha256: str
    components: tuple[str, ...]
    seed: int | None
    inputs_sha256: str
    keys: tuple[str, ...]
    ids: tuple[str, ...]
    input: npt.NDArray[np.int32]
    feature: Codes
    intervention: Codes
    trial: Codes
    codes: Codes
    base: Codes
    not_constructible: Mapping[str, Mapping[str, int]]

    @property
    def n(self) -> int:
        """Number of calls per component."""
        return len(self.input)

    def counts(self) -> dict[str, int]:
        """Calls per component, by what they do; only those that the plan has."""
        found = np.bincount(self.intervention, minlength=len(CALLS)).tolist()
        return {name: count for name, count in zip(CALLS, found, strict=True) if count}


def digest(inputs: Inputs) -> str:
    """SHA-256 of encoded inputs: ids, codes and bases, whatever file they stand in."""
    made = hashlib.sha256("\0".join(inputs.ids).encode("utf-8"))
    for array in (inputs.codes, inputs.base):
        made.update(np.ascontiguousarray(array, dtype="<i2").tobytes())
    return made.hexdigest()


def default_interventions(case: UseCase, *, controls: bool = False) -> tuple[str, ...]:
    """The primary necessity intervention and sufficiency; with the controls of NS 3.6, all four."""
    return INTERVENTIONS if controls else (case.primary, "sufficiency")


def plan_calls(
    case: UseCase,
    inputs: Inputs,
    design: Design,
    *,
    components: Sequence[str],
    use_case_sha256: str,
    seed: int | None = None,
) -> Plan:
    """List every call of a study.

    An intervention that cannot be constructed (an inactive feature, the fixed point of a mirrored
    scale, ...) has no call and is counted by its reason.

    Raises:
        ImpossibleDesign: the design asks for no trial, for negative repeats, for an unknown
            intervention, for a temperature that no server takes or for more calls than fit into
            memory; or there is nobody to ask, or somebody twice.
    """
    check_design(design, len(inputs.ids), len(case.features))
    if not components or len(set(components)) < len(components):
        raise ImpossibleDesign("components", [*components], "at least one name, each once")
    if seed is not None and not 0 <= seed < 2**32:
        raise ImpossibleDesign("seed", seed, f"from 0 to {2**32 - 1}")
    everyone = np.arange(len(inputs.ids), dtype=np.int32)
    parts = [_unchanged(inputs, ORIGINAL, 1)]
    if design.repeats:
        parts.append(_unchanged(inputs, REPEAT, design.repeats))
    left_out: dict[str, dict[str, int]] = {}
    for name in design.interventions:
        reasons: Counter[str] = Counter()
        for feature in range(len(case.features)):
            modified = intervene(
                case,
                inputs,
                feature,
                name,
                fixed_point=design.fixed_point,
                binary_similar=design.binary_similar,
            )
            rows = everyone[modified.constructible]
            reasons.update(reason for reason in modified.reason if reason is not None)
            parts.append(
                _part(
                    inputs,
                    rows,
                    modified.codes[rows],
                    feature=feature,
                    name=name,
                    trials=design.trials,
                )
            )
        left_out[name] = dict(sorted(reasons.items()))
    columns = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    # Input by input: an interrupted run then has some inputs whole instead of all of them in part.
    order = np.argsort(columns["input"], kind="stable")
    return Plan(
        design=design,
        use_case=case.name,
        use_case_sha256=use_case_sha256,
        components=tuple(components),
        seed=seed,
        inputs_sha256=digest(inputs),
        keys=case.keys,
        ids=inputs.ids,
        not_constructible=left_out,
        **{key: column[order] for key, column in columns.items()},
    )


def _unchanged(inputs: Inputs, name: str, trials: int) -> dict[str, npt.NDArray[Any]]:
    rows = np.arange(len(inputs.ids), dtype=np.int32)
    return _part(inputs, rows, inputs.codes, feature=NO_FEATURE, name=name, trials=trials)


def _part(
    inputs: Inputs,
    rows: npt.NDArray[np.int32],
    codes: npt.NDArray[np.int16],
    *,
    feature: int,
    name: str,
    trials: int,
) -> dict[str, npt.NDArray[Any]]:
    """The calls of one intervention on one feature: its inputs, each ``trials`` times."""
    size = len(rows) * trials
    return {
        "input": np.repeat(rows, trials),
        "feature": np.full(size, feature, dtype=np.int16),
        "intervention": np.full(size, CALLS.index(name), dtype=np.int16),
        "trial": np.tile(np.arange(trials, dtype=np.int16), len(rows)),
        "codes": np.repeat(codes, trials, axis=0),
        "base": np.repeat(inputs.base[rows], trials),
    }


def call_columns(plan: Plan) -> dict[str, pa.Array]:
    """The calls in the columns of `RESPONSES`: input, feature, intervention and trial as text."""
    missing = plan.feature == NO_FEATURE
    return {
        "input": pa.array(plan.ids, pa.string()).take(pa.array(plan.input)),
        "feature": pa.array(plan.keys, pa.string()).take(
            pa.array(np.where(missing, 0, plan.feature), mask=missing)
        ),
        "intervention": pa.array(CALLS, pa.string()).take(pa.array(plan.intervention)),
        "trial": pa.array(plan.trial),
    }


def plan_record(plan: Plan) -> dict[str, Any]:
    """What is written about a plan: everything to make it again, and its counts."""
    design = plan.design
    return {
        "schema_version": SCHEMA_VERSION,
        "use_case": plan.use_case,
        "use_case_sha256": plan.use_case_sha256,
        "components": list(plan.components),
        "inputs": len(plan.ids),
        "inputs_sha256": plan.inputs_sha256,
        "seed": plan.seed,
        "interventions": list(design.interventions),
        "trials": design.trials,
        "repeats": design.repeats,
        "cited": design.cited,
        "fixed_point": design.fixed_point,
        "binary_similar": design.binary_similar,
        "temperature": design.temperature,
        "calls_per_component": plan.n,
        "calls": plan.counts(),
        "not_constructible": {name: dict(found) for name, found in plan.not_constructible.items()},
    }


def write_plan(path: Path, plan: Plan) -> None:
    """Write `plan_record` as JSON, whole or not at all."""
    write_json(path, plan_record(plan))


def read_plan(path: Path, case: UseCase, inputs: Inputs, *, use_case_sha256: str) -> Plan:
    """Make a plan again from its file, and compare everything that the file says of it.

    Raises:
        Unusable: the file cannot be read as JSON.
        Refused: a field is missing, unknown, of another kind, or says something else than the plan
            that follows from the use case and the inputs (rule F15).
    """
    record = read_json(path)
    written = _fields(path, record)
    design = Design(
        interventions=tuple(written["interventions"]),
        trials=written["trials"],
        repeats=written["repeats"],
        cited=written["cited"],
        fixed_point=written["fixed_point"],
        binary_similar=written["binary_similar"],
        temperature=written["temperature"],
    )
    try:
        plan = plan_calls(
            case,
            inputs,
            design,
            components=written["components"],
            use_case_sha256=use_case_sha256,
            seed=written["seed"],
        )
    except ImpossibleDesign as error:
        raise Refused(
            f"{path}, field {error.field}: found {error.found}; expected {error.expected}; write "
            "the plan anew"
        ) from None
    for name, expected in plan_record(plan).items():
        if not same_entry(written[name], expected):
            raise Refused(
                f"{path}, field {name}: found {written[name]}; expected {expected}, which follows "
                "from the use case and the inputs (rule F15); it was written for others, so take "
                "those or plan anew"
            )
    return plan


def same_entry(found: Any, expected: Any) -> bool:
    """Whether a file says of a plan what follows from it; a whole number is written as one.

    >>> same_entry({"original": 2.0}, {"original": 2}), same_entry(0, 0.0), same_entry(True, 1)
    (False, True, False)
    """
    if isinstance(found, dict) and isinstance(expected, dict):
        return found.keys() == expected.keys() and all(
            same_entry(found[key], expected[key]) for key in expected
        )
    # A temperature may be written without its fraction.
    alike = type(found) is type(expected) or (type(found), type(expected)) == (int, float)
    return alike and bool(found == expected)


_KINDS: dict[str, tuple[type, ...]] = {
    "schema_version": (int,),
    "use_case": (str,),
    "use_case_sha256": (str,),
    "components": (list,),
    "inputs": (int,),
    "inputs_sha256": (str,),
    "seed": (int, type(None)),
    "interventions": (list,),
    "trials": (int,),
    "repeats": (int,),
    "cited": (int,),
    "fixed_point": (str,),
    "binary_similar": (str,),
    "temperature": (int, float),
    "calls_per_component": (int,),
    "calls": (dict,),
    "not_constructible": (dict,),
}


def _fields(path: Path, record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise Unusable(f"{path}: not a JSON object; expected the plan of a study")
    for name in record:
        if name not in _KINDS:
            raise Refused(f"{path}, field {name}: unknown field; remove it")
    for name, kinds in _KINDS.items():
        if name not in record:
            raise Refused(f"{path}, field {name}: missing; write the plan anew")
        value = record[name]
        texts = all(isinstance(text, str) for text in value) if isinstance(value, list) else True
        if type(value) not in kinds or not texts:
            words = " or ".join("null" if k is type(None) else k.__name__ for k in kinds)
            raise Refused(f"{path}, field {name}: found {value!r}; expected {words}")
    return record
