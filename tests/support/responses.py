"""A small study whose calls can be counted by hand, and responses to it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from avowed.factors.design import Design
from avowed.factors.inputs import Inputs
from avowed.factors.plan import Plan, call_columns, plan_calls
from avowed.factors.responses import responses_table
from avowed.factors.usecase import Feature, UseCase

KEYS = ("amount", "purpose", "owner", "region")

#: Ordinal with a middle, categorical, binary, categorical: the middle of the first has no contrast.
CASE = UseCase(
    name="toy",
    kind="profile",
    features=(
        Feature("amount", "Amount", "ordinal", ("low", "middle", "high")),
        Feature("purpose", "Purpose", "categorical", ("a car", "a house", "a boat")),
        Feature("owner", "Owner", "binary", ("No", "Yes")),
        Feature("region", "Region", "categorical", ("north", "south")),
    ),
    decisions=("1", "2", "3", "4", "5"),
    samples=2,
    cited=3,
    active=(4, 4),
    bases=(),
    pool=(),
    system_prompt="Decide.",
    user_template="{{profile}}",
    primary="contrast",
)

#: The first input has the middle amount, so that its contrast cannot be constructed.
INPUTS = Inputs(
    ids=("toy-1", "toy-2"),
    codes=np.array([[1, 0, 0, 0], [2, 1, 1, 1]], dtype=np.int16),
    base=np.zeros(2, dtype=np.int16),
)

SHA = "0" * 64


def plan(components: tuple[str, ...] = ("rule",), **design: Any) -> Plan:
    """The plan of the toy study: contrast and sufficiency, two trials, one repeat."""
    given = {"interventions": ("contrast", "sufficiency"), "trials": 2, "repeats": 1} | design
    return plan_calls(
        CASE, INPUTS, Design(**given), components=components, use_case_sha256=SHA, seed=None
    )


def text(decision: Any = "4", explanations: Any = ("1. amount", "2. owner", "3. region")) -> str:
    """A response as the prompt asks for it."""
    return json.dumps({"decision": decision, "explanations": explanations})


def answers(
    made: Plan, answer: Callable[[Mapping[str, Any]], str | None] = lambda _call: text()
) -> pa.Table:
    """What every component of the plan answers, by a function of the call."""
    calls = call_columns(made)
    rows = pa.table(calls).to_pylist()
    parts = [
        responses_table(
            component=name, use_case="toy", calls=calls, raw=[*map(answer, rows)], case=CASE
        )
        for name in made.components
    ]
    return pa.concat_tables(parts)
