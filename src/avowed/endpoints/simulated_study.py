"""The parts of a study of simulated components: what each asks, and of which inputs.

``main``: every intervention, three cited (NS 3). ``pilot``: full rankings of the first inputs (NS
4.5). ``prompts``: the first inputs under several prompts (NS A.1, A.2); a component stands there
once per prompt, as ``component--prompt``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.factors.design import Design
from avowed.factors.inputs import Inputs
from avowed.factors.interventions import INTERVENTIONS
from avowed.factors.plan import Plan, plan_calls
from avowed.factors.usecase import UseCase
from avowed.refusal import Unusable

MAIN, PILOT, PROMPTS = "main", "pilot", "prompts"

#: Between a component and the prompt that it was asked with.
PROMPT_MARK = "--"


def first_inputs(inputs: Inputs, number: int) -> Inputs:
    """The first inputs; all of them where there are no more."""
    return Inputs(inputs.ids[:number], inputs.codes[:number], inputs.base[:number])


def study_part(
    part: str, case: UseCase, inputs: Inputs, factors: Mapping[str, Any]
) -> tuple[Inputs, Design]:
    """The inputs and the design of one part.

    Args:
        part: `MAIN`, `PILOT` or `PROMPTS`.
        case: the use case.
        inputs: all its inputs.
        factors: the section ``factors`` of the configuration.

    Raises:
        Unusable: the configuration asks for more inputs than there are.
    """
    common = {
        "trials": factors["trials"],
        "temperature": float(factors["temperature"]),
        **factors["interventions"],
    }
    if part == MAIN:
        return inputs, Design(
            interventions=INTERVENTIONS,
            repeats=factors["repeats"],
            cited=case.cited,
            **common,
        )
    number = factors[part]["samples"]
    if number > len(inputs.ids):
        raise Unusable(
            f"config key factors.{part}.samples: found {number}; expected at most the samples of "
            f"{case.name} ({len(inputs.ids)})"
        )
    if part == PILOT:
        design = Design(
            interventions=(case.primary, "sufficiency"),
            repeats=0,
            cited=len(case.features),
            **common,
        )
    else:
        design = Design(
            interventions=(case.primary,),
            repeats=factors[part]["repeats"],
            cited=case.cited,
            **common,
        )
    return first_inputs(inputs, number), design


def study_plan(
    part: str,
    case: UseCase,
    inputs: Inputs,
    components: Sequence[SimulatedComponent],
    *,
    config: Mapping[str, Any],
    use_case_sha256: str,
) -> tuple[Inputs, Plan]:
    """The inputs and the plan of one part, as `study_part` designs it."""
    own, design = study_part(part, case, inputs, config["factors"])
    plan = plan_calls(
        case,
        own,
        design,
        components=[one.name for one in components],
        use_case_sha256=use_case_sha256,
        seed=config["seed"],
    )
    return own, plan


def by_prompt(names: Iterable[str]) -> dict[str, dict[str, str]]:
    """Component -> prompt -> name in the responses, in their order.

    Raises:
        Unusable: a name has no prompt.

    >>> by_prompt(["a--free", "a--fixed"])
    {'a': {'free': 'a--free', 'fixed': 'a--fixed'}}
    """
    found: dict[str, dict[str, str]] = {}
    for name in names:
        component, mark, prompt = name.partition(PROMPT_MARK)
        if not mark or not prompt:
            raise Unusable(
                f"component {name!r}: no prompt in its name; write component{PROMPT_MARK}prompt"
            )
        found.setdefault(component, {})[prompt] = name
    return found
