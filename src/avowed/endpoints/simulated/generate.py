"""All responses of simulated components to a plan, as the table that every measure starts from.

The few distinct texts are written once and gathered; nothing loops over rows.
"""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from avowed.endpoints.simulated.citations import CitationLaw
from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.endpoints.simulated.laws import Laws, laws_of
from avowed.endpoints.simulated.noise import DRAWS, call_draws, draw_decisions
from avowed.endpoints.simulated.prepared import Prepared
from avowed.endpoints.simulated.texts import (
    BROKEN,
    MISEXPLAINED,
    paraphrase_variants,
    paraphrased,
    response_text,
    wrong_names,
)
from avowed.factors.plan import CALLS, Plan, call_columns
from avowed.factors.responses import ORIGINAL, PARSED_FIELDS, REPEAT, RESPONSES, parse_response
from avowed.factors.usecase import UseCase
from avowed.stats.seeds import Study

Ints = NDArray[np.int64]

#: Codes of a response or an explanation that is not broken.
FINE = -1


def simulate(
    components: Sequence[SimulatedComponent], prepared: Prepared, plan: Plan, *, seed: int
) -> pa.Table:
    """Answer a whole plan with every component; rows in the order of the plan, per component.

    A response depends on the seed, the use case, the component, the input and the call alone: it is
    the same whatever else is asked, in whatever order or chunks.

    Args:
        components: who answers.
        prepared: the inputs and their modifications, made with the switches of the plan.
        plan: the calls.
        seed: the root seed.

    Returns:
        A table of the schema `RESPONSES`.
    """
    calls = call_columns(plan)
    tables = [_answers(one, prepared, plan, calls, seed) for one in components]
    return pa.concat_tables(tables) if tables else RESPONSES.empty_table()


def draw(
    component: SimulatedComponent, laws: Laws, prepared: Prepared, plan: Plan, *, seed: int
) -> tuple[Ints, Ints]:
    """Decisions of every call of a plan, and the kind of broken response; both (n,).

    Args:
        component: who answers.
        laws: its laws without noise, with the plan's number of trials.
        prepared, plan, seed: as in `simulate`.

    Returns:
        Indices of the decisions, and positions in `BROKEN`, `FINE` where the response is valid.
    """
    decision = np.empty(plan.n, np.int64)
    broken = np.empty(plan.n, np.int64)
    for code, name in enumerate(CALLS):
        rows = np.flatnonzero(plan.intervention == code)
        if not rows.size:
            continue
        place, feature, trial = plan.input[rows], plan.feature[rows], plan.trial[rows]
        treats = name not in (ORIGINAL, REPEAT)
        width = len(plan.keys) if treats else 1
        shape = (int(trial.max()) + 1, width, DRAWS)
        stream = (plan.use_case, component.name, name)
        uniform = call_draws(seed, Study.FACTOR_NOISE, stream, plan.ids, shape)
        own = uniform[place, trial, feature if treats else 0]
        law = laws.modified[name][place, feature, trial] if treats else laws.original[place]
        decision[rows] = draw_decisions(law, component.noise, own)
        broken[rows] = _kind(own[:, 3], component.invalid, len(BROKEN))
    return decision, broken


def _answers(
    component: SimulatedComponent,
    prepared: Prepared,
    plan: Plan,
    calls: dict[str, pa.Array],
    seed: int,
) -> pa.Table:
    case = prepared.case
    laws = laws_of(component.rule, prepared, trials=plan.design.trials)
    decision, broken = draw(component, laws, prepared, plan, seed=seed)
    asked = np.isin(plan.intervention, [CALLS.index(ORIGINAL), CALLS.index(REPEAT)])
    # A modified call is a decision or one way to break it; the other texts come after these.
    kinds = len(BROKEN) + 1
    index = decision * kinds + broken + 1
    texts = [
        response_text(one, None, None if kind == FINE else BROKEN[kind])
        for one in case.decisions
        for kind in range(FINE, len(BROKEN))
    ]
    cited = component.citations(prepared, trials=plan.design.trials)
    explained, where = _explained(
        component, case, cited, plan, (decision, broken), asked=asked, seed=seed
    )
    index[asked] = len(texts) + where
    parsed = [parse_response(text, case, asked=False) for text in texts]
    parsed += [parse_response(text, case, asked=True, cited=cited.width) for text in explained]
    take = pa.array(index)
    columns = {
        "component": pa.repeat(pa.scalar(component.name), plan.n),
        "use_case": pa.repeat(pa.scalar(plan.use_case), plan.n),
        **calls,
        "raw": pa.array([*texts, *explained], pa.string()).take(take),
    }
    for name in PARSED_FIELDS:
        distinct = pa.array([getattr(one, name) for one in parsed], RESPONSES.field(name).type)
        columns[name] = distinct.take(take)
    return pa.table([columns[name] for name in RESPONSES.names], schema=RESPONSES)


def _explained(
    component: SimulatedComponent,
    case: UseCase,
    law: CitationLaw,
    plan: Plan,
    drawn: tuple[Ints, Ints],
    *,
    asked: NDArray[np.bool_],
    seed: int,
) -> tuple[list[str | None], Ints]:
    """Distinct texts of the calls on unchanged inputs, and which of them each call gives."""
    rows = np.flatnonzero(asked)
    table = np.empty((rows.size, 3 + 2 * law.width), np.int64)
    table[:, 0], table[:, 1] = (one[rows] for one in drawn)
    for name in (ORIGINAL, REPEAT):
        own = np.flatnonzero(plan.intervention[rows] == CALLS.index(name))
        if not own.size:
            continue
        place, trial = plan.input[rows[own]], plan.trial[rows[own]]
        shape = (int(trial.max()) + 1, 2 + law.width)
        stream = (plan.use_case, component.name, name)
        uniform = call_draws(seed, Study.FACTOR_POLICY, stream, plan.ids, shape)
        mine = uniform[place, trial]
        table[own, 2] = _kind(mine[:, 1], component.misexplained, len(MISEXPLAINED))
        table[own, 3 : 3 + law.width] = law.sample(uniform[:, :, 0])[place, trial]
        table[own, 3 + law.width :] = paraphrase_variants(mine[:, 2:], component.paraphrase)
    distinct, where = np.unique(table, axis=0, return_inverse=True)
    texts = []
    for verdict, broke, spoilt, *rest in distinct.tolist():
        features, variants = rest[: law.width], rest[law.width :]
        names = [
            paraphrased(case.keys[f], variant)
            for f, variant in zip(features, variants, strict=True)
        ]
        kind = None if spoilt == FINE else MISEXPLAINED[spoilt]
        fault = None if broke == FINE else BROKEN[broke]
        texts.append(response_text(case.decisions[verdict], wrong_names(names, case, kind), fault))
    return texts, where.reshape(-1)


def _kind(uniform: NDArray[np.float64], rate: float, kinds: int) -> Ints:
    """Which of the kinds, equally likely with ``rate`` together; `FINE` otherwise."""
    if rate == 0:
        return np.full(uniform.shape, FINE, np.int64)
    return np.where(uniform < rate, (uniform / rate * kinds).astype(np.int64), FINE)
