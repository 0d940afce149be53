"""``avowed factors run``: inputs, a plan, and the answers of a component to every call of it."""

import argparse
import difflib
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from avowed.atomic import atomic_path
from avowed.commands.factors.folder import PARTIAL, PROMPTS, is_complete, settle
from avowed.commands.factors.study import RESPONSES, settings_of
from avowed.commands.given import checked_name
from avowed.endpoints.openai_compatible import OpenAICompatible, Patience
from avowed.endpoints.protocol import Endpoint
from avowed.endpoints.recorded import RecordedEndpoint
from avowed.endpoints.runner import calls_of, run_plan
from avowed.endpoints.simulated.component import SimulatedComponent
from avowed.endpoints.simulated.component_file import read_components
from avowed.endpoints.simulated.generate import simulate
from avowed.endpoints.simulated.policies import FullRanking
from avowed.endpoints.simulated.prepared import prepared
from avowed.factors.design import Design
from avowed.factors.inputs import Inputs, generate_inputs, read_inputs
from avowed.factors.interventions import BinarySimilar, FixedPoint
from avowed.factors.plan import (
    Plan,
    default_interventions,
    plan_calls,
)
from avowed.factors.render import render
from avowed.factors.response_refusal import refuse_violations
from avowed.factors.response_rules import check_responses
from avowed.factors.responses_file import json_line, write_responses
from avowed.factors.usecase import UseCase, read_use_case
from avowed.held import held
from avowed.real_path import real_path
from avowed.refusal import Refused, Unusable
from avowed.sources.hashing import sha256_of

#: Longest limit of a call in seconds, a day.
LONGEST_CALL = 86_400

#: The component's name in a plan that nobody has been asked yet, unless --model gives one.
NOBODY = "component"


@dataclass(frozen=True)
class _Prepared:
    """A study that is about to be run."""

    case: UseCase
    inputs: Inputs
    plan: Plan
    seed: int
    simulated: tuple[SimulatedComponent, ...] = ()
    endpoint: Any = None


def run(arguments: argparse.Namespace) -> int:
    """Plan and ask; nothing is written unless every argument can be used."""
    study = _prepare(arguments)
    out: Path = arguments.out
    # Held before anything is looked at: two runs that start at once are never both the first.
    with held(out):
        return _run_held(study, out, arguments)


def _run_held(study: _Prepared, out: Path, arguments: argparse.Namespace) -> int:
    case, inputs, plan = study.case, study.inputs, study.plan
    write_prompts = partial(_write_prompts, study) if arguments.plan_only else None
    settle(out, case, inputs, plan, write_prompts=write_prompts)
    if arguments.plan_only:
        print(f"{out}: {_calls(plan)}; {PROMPTS} holds what to ask")
        return 0
    if is_complete(out, case, inputs, plan):
        print(f"{out / RESPONSES} is complete already")
        return 0
    if study.simulated:
        ready = prepared(
            case,
            inputs,
            names=plan.design.interventions,
            fixed_point=plan.design.fixed_point,
            binary_similar=plan.design.binary_similar,
        )
        responses = simulate(study.simulated, ready, plan, seed=study.seed)
    else:
        responses = _asked(study, out, arguments.parallel)
    refuse_violations(out / RESPONSES, check_responses(case, inputs, plan, responses))
    write_responses(out / RESPONSES, responses)
    (out / PARTIAL).unlink(missing_ok=True)
    print(f"{out / RESPONSES}: {_told(responses)}")
    return 0


def _prepare(arguments: argparse.Namespace) -> _Prepared:
    """What can be wrong with the arguments comes out here, before anything is written."""
    settings = settings_of(arguments.config)
    seed = settings.seed if arguments.seed is None else arguments.seed
    if not 0 <= seed < 2**32:
        raise Unusable(f"--seed is {seed}; it must be from 0 to {2**32 - 1}")
    if not 1 <= arguments.parallel <= 64:
        raise Unusable(f"--parallel is {arguments.parallel}; it must be from 1 to 64")
    for option, given, needs in (
        ("--key-variable", arguments.key_variable, arguments.url),
        ("--call-limit", arguments.call_limit, arguments.url),
        ("--components", arguments.components, arguments.component),
    ):
        if given is not None and needs is None:
            raise Unusable(f"{option} says nothing here; leave it out")
    if arguments.model:
        checked_name(arguments.model, "--model")
    case = read_use_case(arguments.usecase)
    simulated: tuple[SimulatedComponent, ...] = ()
    endpoint: Endpoint | None = None
    if arguments.component:
        simulated = _simulated(arguments, case)
        names = tuple(one.name for one in simulated)
    elif arguments.url is not None:
        if not arguments.model:
            raise Unusable("--model is missing; name the model that the server shall answer with")
        endpoint = OpenAICompatible(
            url=arguments.url,
            model=arguments.model,
            key_variable=arguments.key_variable,
            patience=_patience(arguments.call_limit),
        )
        names = (arguments.model,)
    elif arguments.recorded is not None:
        recorded = RecordedEndpoint(arguments.recorded, case, component=arguments.model)
        endpoint, names = recorded, (recorded.component,)
    else:
        names = (arguments.model or NOBODY,)
    own = arguments.inputs is not None
    inputs = read_inputs(arguments.inputs, case) if own else generate_inputs(case, seed=seed)
    plan = plan_calls(
        case,
        inputs,
        Design(
            interventions=default_interventions(case, controls=arguments.controls),
            trials=arguments.trials,
            repeats=arguments.repeats,
            cited=case.cited,
            # The settings admit these readings only.
            fixed_point=cast(FixedPoint, settings.fixed_point),
            binary_similar=cast(BinarySimilar, settings.binary_similar),
        ),
        components=names,
        use_case_sha256=sha256_of(arguments.usecase),
        seed=None if own and not simulated else seed,
    )
    return _Prepared(case, inputs, plan, seed, simulated, endpoint)


def _patience(limit: float | None) -> Patience:
    if limit is None:
        return Patience()
    if not 0 < limit <= LONGEST_CALL:
        raise Unusable(f"--call-limit is {limit}; it must be above 0 and at most {LONGEST_CALL}")
    return Patience(call=limit)


def _simulated(arguments: argparse.Namespace, case: UseCase) -> tuple[SimulatedComponent, ...]:
    usecase: Path = arguments.usecase
    path = arguments.components or real_path(usecase).parent.parent / "components" / usecase.name
    if not path.is_file():
        what = "is a folder and no file" if path.is_dir() else "no such file"
        raise Unusable(f"{path}: {what}; name the components' file with --components")
    known = {one.name: one for one in read_components(path, case)}
    for name in arguments.component:
        if name not in known:
            near = difflib.get_close_matches(name, list(known), n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise Unusable(
                f"--component {name}: no such component in {path}; {hint}it has {', '.join(known)}"
            )
    chosen = tuple(known[name] for name in dict.fromkeys(arguments.component))
    for one in chosen:
        if isinstance(one.policy, FullRanking) and len(case.features) != case.cited:
            raise Refused(
                f"{path}, component {one.name}, field policy.kind: found 'full', which cites all "
                f"{len(case.features)} features; expected a policy that cites {case.cited}, as "
                "this study asks; name another component (full rankings are for the pilot)"
            )
    return chosen


def _write_prompts(study: _Prepared, path: Path) -> None:
    """One line per message, with the number of times it is to be asked."""
    plan, calls = study.plan, calls_of(study.plan)
    first = np.flatnonzero(plan.trial == 0).tolist()
    # The trials of a message stand one after the other in the plan.
    ends = [*first[1:], plan.n]
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for place, end in zip(first, ends, strict=True):
            system, user = render(
                study.case, plan.codes[place], int(plan.base[place]), count=plan.design.cited
            )
            one = {name: value for name, value in vars(calls[place]).items() if name != "trial"}
            row = {**one, "trials": end - place, "system": system, "user": user}
            file.write(json_line(row))


def _asked(study: _Prepared, out: Path, parallel: int) -> pa.Table:
    endpoint = study.endpoint
    closing = endpoint if isinstance(endpoint, OpenAICompatible) else nullcontext()
    with closing:
        return run_plan(
            endpoint,
            study.case,
            study.plan,
            component=study.plan.components[0],
            path=out / PARTIAL,
            parallel=parallel,
            say=lambda line: print(line, file=sys.stderr, flush=True),
        )


def _calls(plan: Plan) -> str:
    counts = ", ".join(f"{name} {count}" for name, count in plan.counts().items())
    return f"{plan.n} calls of {len(plan.ids)} inputs ({counts})"


def _told(responses: pa.Table) -> str:
    """How many responses there are, and of what kind the invalid ones are."""
    found = Counter(responses.column("validity").to_pylist())
    kinds = ", ".join(f"{name} {count}" for name, count in sorted(found.items()))
    return f"{responses.num_rows} responses ({kinds})"
