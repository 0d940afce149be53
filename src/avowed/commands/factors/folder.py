"""The folder of a study: made whole, gone on with, and nobody else's file written over."""

import filecmp
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from avowed.atomic import remove_strays
from avowed.commands.factors.study import INPUTS, PLAN, RESPONSES
from avowed.commands.publish import bring
from avowed.factors.inputs import Inputs, read_inputs, write_inputs
from avowed.factors.plan import Plan, digest, plan_record, same_entry, write_plan
from avowed.factors.response_refusal import refuse_violations
from avowed.factors.response_rules import check_responses
from avowed.factors.responses_file import read_responses
from avowed.factors.usecase import UseCase
from avowed.jsonfile import read_json
from avowed.refusal import Refused, Unusable

#: The answers so far, while a run is under way; and what `--plan-only` writes for others to ask.
PARTIAL, PROMPTS = "responses.partial.jsonl", "prompts.jsonl"


def settle(
    out: Path,
    case: UseCase,
    inputs: Inputs,
    plan: Plan,
    *,
    write_prompts: Callable[[Path], None] | None = None,
) -> None:
    """Bring the inputs and the plan of a study to its folder, which the caller holds.

    What a killed run left is tidied up, and what it had not written yet is written. The plan comes
    last: a folder with a plan has everything else.

    Args:
        out: the folder.
        case, inputs, plan: the study.
        write_prompts: writes `PROMPTS`, if that is wanted.

    Raises:
        Unusable: the folder holds another study, or a file of these names that is not this study's.
    """
    for name in (INPUTS, PLAN, PROMPTS, PARTIAL, RESPONSES):
        remove_strays(out / name)
    known = _holds(out, plan)
    with tempfile.TemporaryDirectory() as scratch:
        made = Path(scratch)
        names = [] if _has_inputs(out / INPUTS, case, plan, known=known) else [INPUTS]
        if write_prompts is not None:
            write_prompts(made / PROMPTS)
            if not _has_copy(out / PROMPTS, made / PROMPTS):
                names.append(PROMPTS)
        if not known:
            names.append(PLAN)

        if names:
            write_inputs(made / INPUTS, case, inputs)
            write_plan(made / PLAN, plan)
            bring(out, names, made)


def is_complete(out: Path, case: UseCase, inputs: Inputs, plan: Plan) -> bool:
    """Whether the folder has the responses of the study; what else has their name is refused.

    Raises:
        Unusable: a file or folder of the name that holds no responses.
        Refused: the responses break a rule.
    """
    path = out / RESPONSES
    if not path.exists():
        return False
    try:
        if not path.is_file():
            raise Unusable(f"{path} is there and is no file")
        responses = read_responses(path, case, cited=plan.design.cited)
    except (Refused, Unusable) as error:
        raise Unusable(f"{error}; remove it and run the same command again") from None
    refuse_violations(path, check_responses(case, inputs, plan, responses))
    return True


def _holds(out: Path, plan: Plan) -> bool:
    """Whether the folder has the plan of this very study already."""
    path = out / PLAN
    if not path.exists():
        for name in (RESPONSES, PARTIAL):
            if (out / name).exists():
                raise Unusable(f"{out / name} is there without its {PLAN}; name another folder")
        return False
    record = read_json(path)
    there = record if isinstance(record, dict) else {}
    for name, value in plan_record(plan).items():
        if name not in there or not same_entry(there[name], value):
            raise Unusable(
                f"{path}, field {name}: found {there.get(name)}, and {value} is asked for; it is "
                "another study, so name another folder"
            )
    return True


def _has_inputs(path: Path, case: UseCase, plan: Plan, *, known: bool) -> bool:
    """Whether the inputs of the study stand there, in whatever words and order of keys."""
    if not path.exists():
        return False
    try:
        if digest(read_inputs(path, case)) == plan.inputs_sha256:
            return True
        damage = ""
    except (Refused, Unusable) as error:
        damage = str(error)
    if damage and known:
        print(f"{path} is damaged and is written anew ({damage})", file=sys.stderr, flush=True)
        return False
    raise Unusable(
        f"{path} is there and does not hold the inputs of this study"
        f"{f' ({damage})' if damage else ''}; name another folder, or give it with --inputs"
    )


def _has_copy(path: Path, made: Path) -> bool:
    if not path.exists():
        return False
    if path.is_file() and filecmp.cmp(path, made, shallow=False):
        return True
    raise Unusable(
        f"{path} is there and does not hold the prompts of this study; remove it, or name another "
        "folder"
    )
