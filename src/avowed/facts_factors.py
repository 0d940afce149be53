"""Facts of the second paper's design, taken from the use cases, the prompts and the code itself.

As in `avowed.facts`: what a file holds is read from it; what the code does is found by doing it.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from avowed.endpoints.simulated.component_file import read_components
from avowed.factors.inputs import Inputs
from avowed.factors.interventions import intervene
from avowed.factors.prompts import read_strategies, read_variations, strategy_prompt
from avowed.factors.scored import scored_from
from avowed.factors.usecase import UseCase, read_use_case

#: Names in the file of strategies that the paper's table 1 does not spell as they are.
_SPELT = {
    "step_by_step": "Step-by-step",
    "strict_json": "Strict JSON",
    "fixed_names": "Fixed feature names",
}


def _words(name: str) -> str:
    return _SPELT.get(name, name.replace("_", " ").capitalize())


def _every_value(case: UseCase, feature: int) -> Inputs:
    """One input per value of a feature; of the others the first value."""
    size = len(case.features[feature].values)
    codes = np.zeros((size, len(case.features)), dtype=np.int16)
    codes[:, feature] = np.arange(size)
    ids = tuple(f"value-{number}" for number in range(size))
    return Inputs(ids=ids, codes=codes, base=np.zeros(size, dtype=np.int16))


def _treated(case: UseCase, feature: int, name: str) -> list[tuple[int, int]]:
    """Position of every value of a feature, and of the value that an intervention puts there."""
    inputs = _every_value(case, feature)
    made = intervene(case, inputs, feature, name)
    after = made.codes[:, feature].tolist()
    return [
        (before, after[before]) for before in range(len(after)) if bool(made.constructible[before])
    ]


def _numbers(case: UseCase, feature: int) -> list[int]:
    return [int(text) for text in case.features[feature].values]


def _of_kind(case: UseCase, kind: str) -> list[int]:
    return [place for place, feature in enumerate(case.features) if feature.kind == kind]


def _scales(case: UseCase) -> dict[str, Any]:
    """Range, contrast and similar value of the number scales."""
    ends, sums, steps = set(), set(), set()
    for place in _of_kind(case, "scale"):
        numbers = _numbers(case, place)
        ends.add((numbers[0], numbers[-1]))
        sums |= {numbers[x] + numbers[y] for x, y in _treated(case, place, "contrast")}
        steps |= {abs(numbers[x] - numbers[y]) for x, y in _treated(case, place, "similar")}
    return {
        "scale_range": list(_only(ends, "range of the scales")),
        "contrast": {"scale": f"{_only(sums, 'sum of a value and its contrast')} - x"},
        "similar": {"scale_step": _only(steps, "step of the scales")},
    }


def _only(found: set[Any], what: str) -> Any:
    if len(found) != 1:
        raise ValueError(f"{what}: found {sorted(found)}; the ledger needs one")
    return next(iter(found))


def _least_change(case: UseCase) -> int:
    """The smallest difference of two integer decisions that counts as a change."""
    values = [int(text) for text in case.decisions]
    size = len(values)
    first, second = (one.reshape(-1) for one in np.indices((size, size)))
    scored = scored_from(
        component="pairs",
        keys=case.keys[:1],
        active=np.ones((size**2, 1), dtype=bool),
        original=first,
        cited=np.full((size**2, case.cited), -1),
        decisions={case.primary: second.reshape(-1, 1, 1)},
        repeats=second.reshape(-1, 1),
    )
    changed = scored.changed[case.primary][:, 0, 0] == 1
    pairs: list[list[int]] = np.stack([first, second], axis=1)[changed].tolist()
    return min(abs(values[a] - values[b]) for a, b in pairs)


def _use_case(case: UseCase, components: Path) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "samples": case.samples,
        "cited": case.cited,
        "fields": list(case.keys),
        "components": [one.name for one in read_components(components, case)],
    }
    if case.pool:
        facts["pool"] = list(case.decisions)
    if case.kind == "segments":
        facts["active_segments"] = list(case.active)
        facts["score_range"] = [int(case.decisions[0]), int(case.decisions[-1])]
        facts["change_threshold"] = _least_change(case)
    if _of_kind(case, "scale"):
        facts |= _scales(case)
        steps = {
            abs(x - y)
            for place in _of_kind(case, "ordinal")
            for x, y in _treated(case, place, "similar")
        }
        facts["similar"]["ordinal_step"] = _only(steps, "step of the ordinal lists")
    return facts


def _prompts(data: Path, cases: Sequence[UseCase]) -> dict[str, Any]:
    strategies = read_strategies(data / "prompts" / "strategies.yaml")

    asked = {
        strategy_prompt(case, strategies, row.number).count("<feature")
        for case in cases
        for row in strategies.rows
    }
    variations = read_variations(data / "prompts" / "exploratory.yaml")
    return {
        "strategies": [
            [_words(part) for part in (row.ranking, row.tone, row.format, row.requirement)]
            for row in strategies.rows
        ],
        "cited": _only(asked, "factors that the strategies ask for"),
        "exploratory": [one.name for one in variations],
    }


def factor_facts(data: Path, names: Sequence[str] = ("advisor", "monitor")) -> dict[str, Any]:
    """Collect the facts.

    Args:
        data: the folder ``data`` of the repository.
        names: the use cases of the paper.

    Raises:
        Refused: a file breaks a rule.
        ValueError: the use cases do not have one value of what the paper says in one number.

    Source: NS sections 3.1 to 3.6, appendices A, B and C.
    """
    cases = [read_use_case(data / "usecases" / f"{name}.yaml") for name in names]
    facts: dict[str, Any] = {
        case.name: _use_case(case, data / "components" / f"{case.name}.yaml") for case in cases
    }
    return facts | {
        "prompts": _prompts(data, cases),
        "cited": _only({case.cited for case in cases}, "factors cited"),
        "components": _only(
            {len(facts[case.name]["components"]) for case in cases}, "number of components"
        ),
    }
