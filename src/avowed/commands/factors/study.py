"""What a study on disk is: a use case, inputs, a plan, and responses that were checked."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from avowed.commands.given import read_config
from avowed.factors.beyond import beyond_rows
from avowed.factors.inputs import Inputs, read_inputs
from avowed.factors.measures import measure_all
from avowed.factors.plan import Plan, read_plan
from avowed.factors.response_refusal import refuse_violations
from avowed.factors.response_rules import check_responses
from avowed.factors.responses_file import read_responses
from avowed.factors.scored import Scored, scored_of
from avowed.factors.settings import FactorSettings
from avowed.factors.usecase import UseCase, read_use_case
from avowed.factors.verdict import verdict
from avowed.refusal import Refused, Unusable
from avowed.sources.hashing import sha256_of

INPUTS, PLAN, RESPONSES = "inputs.jsonl", "plan.json", "responses.parquet"


@dataclass(frozen=True)
class Part:
    """One file of responses that was accepted, with the plan that it answers."""

    path: Path
    plan: Plan
    responses: pa.Table


@dataclass(frozen=True)
class Study:
    """Everything that is estimated from, and what it is estimated with.

    Attributes:
        case: the use case.
        inputs: the inputs, the same for all parts.
        parts: the files of responses.
        settings: readings, resamples and levels.
        files: every file that was read.
    """

    case: UseCase
    inputs: Inputs
    parts: tuple[Part, ...]
    settings: FactorSettings
    files: tuple[Path, ...]

    @property
    def components(self) -> tuple[str, ...]:
        """The components in the order of the files and of their plans."""
        return tuple(name for part in self.parts for name in part.plan.components)

    def scored(self) -> dict[str, Scored]:
        """The responses laid out for the measures, per component."""
        return {
            name: scored_of(self.case, self.inputs, part.responses, name)
            for part in self.parts
            for name in part.plan.components
        }

    def rows(self) -> list[dict[str, Any]]:
        """Every estimate as rows of the long table: the paper's measures, then those beyond it."""
        scored = self.scored()
        found = measure_all(self.case, scored, self.settings)
        for one in scored.values():
            found += beyond_rows(self.case, one, self.settings)
        return found

    def verdicts(self, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """One sentence per component, put together from its rows."""
        level = self.settings.confidence
        return {name: verdict(rows, name, confidence=level) for name in self.components}


def settings_of(config: Path | None) -> FactorSettings:
    """The settings in a file in the form of ``config.yaml``, or the defaults."""
    return FactorSettings.from_config({} if config is None else read_config(config))


def load_study(arguments: argparse.Namespace) -> Study:
    """Read and check a study; nothing is estimated from responses that break a rule.

    Raises:
        Unusable: a file is missing or cannot be read, or files do not belong together.
        Refused: a file breaks a rule. Some violations of each rule go to standard error.
    """
    settings = settings_of(arguments.config)
    case = read_use_case(arguments.usecase)
    sha256 = sha256_of(arguments.usecase)
    paths: list[Path] = arguments.responses
    if len(paths) > 1 and (arguments.inputs or arguments.plan):
        raise Unusable(
            "--inputs and --plan belong to one file of responses; for several, keep each with its "
            f"own {INPUTS} and {PLAN} in a folder"
        )
    files = [arguments.usecase]
    parts: list[Part] = []
    inputs: Inputs | None = None
    for path in paths:
        _need_file(path, "name the file of the responses")
        inputs_path = _beside(path, INPUTS, arguments.inputs, "--inputs")
        plan_path = _beside(path, PLAN, arguments.plan, "--plan")
        own = read_inputs(inputs_path, case)
        plan = read_plan(plan_path, case, own, use_case_sha256=sha256)
        if parts and plan.inputs_sha256 != parts[0].plan.inputs_sha256:
            raise Refused(
                f"{inputs_path}: found other inputs than beside {parts[0].path}; components are "
                "compared on the same inputs, so report them one by one"
            )
        inputs = inputs or own
        responses = read_responses(path, case, cited=plan.design.cited)
        refuse_violations(path, check_responses(case, own, plan, responses))
        parts.append(Part(path, plan, responses))
        files += [inputs_path, plan_path, path]
    study = Study(case, _there(inputs), tuple(parts), settings, tuple(files))
    names = study.components
    for name in names:
        if names.count(name) > 1:
            raise Refused(
                f"{paths[-1]}, field component: found {name!r} in several files; name each "
                "component once"
            )
    return study


def _there(inputs: Inputs | None) -> Inputs:
    if inputs is None:
        raise Unusable("--responses: name at least one file")
    return inputs


def _beside(responses: Path, name: str, given: Path | None, option: str) -> Path:
    path = given or responses.parent / name
    _need_file(
        path,
        f"name it with {option}, or plan a study with `avowed factors run --plan-only`",
    )
    return path


def _need_file(path: Path, todo: str) -> None:
    if not path.is_file():
        what = "is a folder and no file" if path.is_dir() else "no such file"
        raise Unusable(f"{path}: {what}; {todo}")
