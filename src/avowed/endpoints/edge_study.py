"""Small studies in which every branch of every measure of cited factors occurs, for planted faults.

Unlike the simulated components these have no true scores: influence, noise, citations and broken
responses are drawn at random, so that ties, inactive and unscored citations, invalid originals and
every way of being malformed come up in a few inputs.
"""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from avowed.endpoints.simulated_study import MAIN, PILOT, PROMPTS, first_inputs
from avowed.factors.case_record import write_case
from avowed.factors.design import Design
from avowed.factors.inputs import generate_inputs, write_inputs
from avowed.factors.interventions import INTERVENTIONS
from avowed.factors.plan import (
    CALLS,
    NO_FEATURE,
    Plan,
    call_columns,
    plan_calls,
    write_plan,
)
from avowed.factors.responses import responses_table
from avowed.factors.responses_file import write_responses
from avowed.factors.usecase import UseCase, read_use_case
from avowed.sources.hashing import sha256_of

#: The use cases that the edge study has, and who answers in each part.
USE_CASES = ("loan", "monitor")
COMPONENTS = {
    MAIN: ("graded", "noisy", "agreeing"),
    PILOT: ("graded",),
    PROMPTS: (
        *("graded--free-vocabulary", "graded--fixed-names", "graded--decompose-then-rank"),
        *("noisy--free-vocabulary", "noisy--fixed-names", "noisy--decompose-then-rank"),
    ),
}
#: Components with a mean of their own.
GROUPS = {"two of three": ("graded", "noisy")}
INPUTS = 30
SEED = 3

#: How the text of a response may be broken; {d} is the decision, {e} the list of explanations.
BROKEN = (
    None,
    "Sure! {whole}",
    "```json\n{whole}\n```",
    '{{"decision": NaN, "explanations": {e}}}',
    '{{"decision": {d}, "decision": {d}, "explanations": {e}}}',
    '{{"decision": "", "explanations": {e}}}',
    '{{"explanations": {e}}}',
    '{{"decision": "another", "explanations": {e}}}',
    '{{"decision": 4.0, "explanations": {e}}}',
    '{{"decision": true, "explanations": {e}}}',
    '{{"decision": ["{d}"], "explanations": {e}}}',
    "[1, 2, 3]",
)
#: How the explanation alone may be: the first two are tolerated.
MARKERS = ("{key}", "{place}) {key}", "{wrong}. {key}", "{place}. {key} (because)")


def write_edge(folder: Path, usecases: Path) -> None:
    """Write ``USE_CASE[/PART]/{inputs.jsonl, plan.json, responses.parquet}`` and the use cases.

    Args:
        folder: where to.
        usecases: the folder of the use cases' files.
    """
    for number, name in enumerate(USE_CASES):
        path = usecases / f"{name}.yaml"
        case = read_use_case(path)
        everything = first_inputs(generate_inputs(case, seed=SEED), INPUTS)
        for place, (part, design) in enumerate(_designs(case).items()):
            inputs = everything if part == MAIN else first_inputs(everything, INPUTS // 2)
            plan = plan_calls(
                case,
                inputs,
                design,
                components=COMPONENTS[part],
                use_case_sha256=sha256_of(path),
                seed=SEED,
            )
            own = folder / name / ("" if part == MAIN else part)
            own.mkdir(parents=True, exist_ok=True)
            write_inputs(own / "inputs.jsonl", case, inputs)
            write_plan(own / "plan.json", plan)
            rng = np.random.default_rng([SEED, number, place])
            tables = [_answers(case, plan, component, rng) for component in plan.components]
            write_responses(own / "responses.parquet", pa.concat_tables(tables))
        write_case(folder / name / "usecase.json", case)


def _designs(case: UseCase) -> dict[str, Design]:
    """Every part as a study of simulated components has it."""
    primary = (case.primary,)
    return {
        MAIN: Design(interventions=INTERVENTIONS, cited=case.cited),
        PILOT: Design(interventions=(*primary, "sufficiency"), repeats=0, cited=len(case.features)),
        PROMPTS: Design(interventions=primary, cited=case.cited),
    }


def _answers(case: UseCase, plan: Plan, component: str, rng: np.random.Generator) -> pa.Table:
    """The responses of one component to a plan; written call by call, there are few of them."""
    kind, _, prompt = component.partition("--")
    noise = 0.0 if kind == "agreeing" else 0.15
    influence = rng.choice(
        [0.0, 1.0] if kind == "agreeing" else [0.0, 0.3, 0.6, 0.9], len(plan.keys)
    )
    first = rng.integers(len(case.decisions), size=len(plan.ids))
    raw: list[str | None] = []
    calls = zip(plan.input, plan.feature, plan.intervention, strict=True)
    for row, (at, feature, code) in enumerate(calls):
        name = CALLS[code]
        chance = noise if feature == NO_FEATURE else influence[feature]
        # What moves the decision when it is changed keeps it when it is alone.
        chance = 1 - chance if name == "sufficiency" else chance
        moved = name != "original" and rng.random() < chance
        decision = (first[at] + moved * rng.integers(1, len(case.decisions))) % len(case.decisions)
        unchanged = feature == NO_FEATURE
        cited = _cited(case, plan, plan.codes[row], influence, rng) if unchanged else []
        texts = _texts(cited, prompt, rng) if kind != "agreeing" else _plain(cited)
        spoilt = kind != "agreeing" and rng.random() < 0.08
        raw.append(_text(case.decisions[decision], texts, rng if spoilt else None))
    return responses_table(
        component=component,
        use_case=case.name,
        calls=call_columns(plan),
        raw=raw,
        case=case,
        cited=plan.design.cited,
    )


def _cited(
    case: UseCase,
    plan: Plan,
    codes: NDArray[np.int16],
    influence: NDArray[np.float64],
    rng: np.random.Generator,
) -> list[str]:
    """By influence with some noise; mostly active features, but not always."""
    score = influence + rng.normal(0, 0.3, len(influence))
    score += 2.0 * (codes >= 0) * (rng.random() < 0.7)
    order = np.argsort(-score, kind="stable")
    return [case.keys[place] for place in order[: plan.design.cited].tolist()]


def _plain(cited: list[str]) -> list[str]:
    return [f"{place}. {key}" for place, key in enumerate(cited, start=1)]


def _texts(cited: list[str], prompt: str, rng: np.random.Generator) -> list[str]:
    """The explanations as the component words them, now and then too few, too many or twice."""
    if not cited:
        return []
    if prompt == "free-vocabulary":
        ends = rng.choice(["of it", "Of It", "here"], len(cited)).tolist()
        return [f"{text} {end}" for text, end in zip(_plain(cited), ends, strict=True)]
    texts = _plain(cited)
    odd = int(rng.integers(40))
    if odd < len(MARKERS):
        texts[-1] = MARKERS[odd].format(key=cited[-1], place=len(cited), wrong=len(cited) + 1)
    elif odd == len(MARKERS):
        texts.pop()
    elif odd == len(MARKERS) + 1:
        texts.append(f"{len(cited) + 1}. {cited[0]}")
    elif odd == len(MARKERS) + 2:
        texts[-1] = f"{len(cited)}. {cited[0]}"
    return texts


def _text(decision: str, texts: list[str], rng: np.random.Generator | None) -> str | None:
    """The raw text; with a generator it is broken in one way or another."""
    whole = json.dumps({"decision": decision, "explanations": texts})
    if rng is None:
        return whole
    form = BROKEN[int(rng.integers(len(BROKEN)))]
    if form is None:
        return None
    return form.format(whole=whole, d=json.dumps(decision), e=json.dumps(texts))
