"""Every row of a study of simulated components: its main part, full rankings and prompts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from avowed.endpoints.simulated_study import by_prompt
from avowed.factors.beyond import beyond_rows
from avowed.factors.by_prompt import measure_instability, measure_variations
from avowed.factors.inputs import Inputs
from avowed.factors.instability import repeated_texts, text_codes
from avowed.factors.measures import measure_all
from avowed.factors.pilot import measure_pilot
from avowed.factors.scored import Scored, scored_of
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import UseCase

Row = dict[str, Any]

#: The prompt whose explanations hold no key of the list, so that only their texts are compared.
FREE = "free-vocabulary"
#: The prompt that differs from it in nothing else, and that the variations are compared with.
FIXED = "fixed-names"


@dataclass(frozen=True)
class Answers:
    """Checked responses to one plan.

    Attributes:
        inputs: the inputs that were asked.
        components: who answered, in order.
        table: the responses.
    """

    inputs: Inputs
    components: tuple[str, ...]
    table: pa.Table

    def scored(self, case: UseCase) -> dict[str, Scored]:
        """The responses laid out for the measures, per component."""
        return {name: scored_of(case, self.inputs, self.table, name) for name in self.components}


def main_rows(
    case: UseCase,
    scored: Mapping[str, Scored],
    settings: FactorSettings,
    *,
    groups: Mapping[str, Sequence[str]],
) -> list[Row]:
    """The paper's measures, then those beyond it."""
    rows = measure_all(case, scored, settings, groups=groups)
    for one in scored.values():
        rows += beyond_rows(case, one, settings)
    return rows


def pilot_rows(case: UseCase, answers: Answers, settings: FactorSettings) -> list[Row]:
    """The full-ranking pilot of every component in it (NS 4.5)."""
    return [
        row for one in answers.scored(case).values() for row in measure_pilot(case, one, settings)
    ]


def prompt_rows(case: UseCase, answers: Answers, settings: FactorSettings) -> list[Row]:
    """Instability under free and fixed names, and agreement under each explanation prompt.

    Source: NS A.1, A.2; table 2, figures 6 and 7.
    """
    prompts = by_prompt(answers.components)
    codes = {
        component: {
            prompt: text_codes(
                repeated_texts(case, answers.inputs, answers.table, names[prompt]), case.cited
            )
            for prompt in (FREE, FIXED)
            if prompt in names
        }
        for component, names in prompts.items()
    }
    rows = measure_instability(case, codes, settings)
    scored = answers.scored(case)
    variations = {
        component: {prompt: scored[name] for prompt, name in names.items() if prompt != FREE}
        for component, names in prompts.items()
    }
    return rows + measure_variations(case, variations, settings)
