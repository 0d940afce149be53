"""``avowed factors run|score|report``: are the cited factors the ones that move the decision?"""

import argparse
from pathlib import Path

from avowed.commands.factors import report, run, score
from avowed.commands.factors.folder import PROMPTS
from avowed.commands.factors.study import INPUTS, PLAN, RESPONSES


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its three parts."""
    parser = subparsers.add_parser(
        "factors",
        help="measure necessity and sufficiency of the factors that a component cites",
        description="Ask a decision component about changed inputs, and measure whether the "
        "factors that it cites are the ones that move its decision.",
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    _add_run(parts)
    for module, name, text in (
        (score, "score", "estimate everything of a study and print it as a table"),
        (report, "report", "write one HTML page about a study, with its table"),
    ):
        part = parts.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
        _add_study(part)
        part.add_argument(
            "--out",
            type=Path,
            required=name == "report",
            metavar="DIR",
            help="folder to write to"
            + ("" if name == "report" else " (default: print the table as CSV)"),
        )
        part.set_defaults(run=module.run)


def _add_study(part: argparse.ArgumentParser) -> None:
    part.add_argument("--usecase", type=Path, required=True, metavar="FILE", help="the use case")
    part.add_argument(
        "--responses",
        type=Path,
        required=True,
        nargs="+",
        metavar="FILE",
        help="responses, .parquet or .jsonl; several files are several components' answers to the "
        "same inputs",
    )
    part.add_argument(
        "--inputs",
        type=Path,
        metavar="FILE",
        help="the inputs (default: inputs.jsonl beside the responses)",
    )
    part.add_argument(
        "--plan", type=Path, metavar="FILE", help="the plan (default: plan.json beside them)"
    )
    part.add_argument("--config", type=Path, help="YAML file with the workflow's settings")


def _add_run(parts: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    part = parts.add_parser(
        "run",
        help="ask a component every call of a study; an interrupted run goes on",
        description="Make the inputs, plan every call and ask a component. Run the same command "
        "again after an interruption, and it goes on where it stopped.",
    )
    part.add_argument("--usecase", type=Path, required=True, metavar="FILE", help="the use case")
    part.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help=f"folder for {INPUTS}, {PLAN} and {RESPONSES}",
    )
    asked = part.add_mutually_exclusive_group(required=True)
    asked.add_argument(
        "--component",
        action="append",
        metavar="NAME",
        help="a simulated component; may be given again",
    )
    asked.add_argument(
        "--url", help="base address of an OpenAI-compatible server, as https://host/v1"
    )
    asked.add_argument(
        "--recorded", type=Path, metavar="FILE", help="a file of responses to answer from"
    )
    asked.add_argument(
        "--plan-only",
        action="store_true",
        help=f"ask nobody: write the plan and {PROMPTS}, to be asked elsewhere",
    )
    part.add_argument(
        "--model", help="the model's name at the server, and the component's name in the responses"
    )
    part.add_argument(
        "--key-variable",
        metavar="NAME",
        help="environment variable that holds the server's key (default: no key)",
    )
    part.add_argument(
        "--call-limit",
        type=float,
        metavar="SECONDS",
        help="longest time for one call to a server, retries and pauses included (default 600)",
    )
    part.add_argument(
        "--parallel", type=int, default=1, metavar="N", help="calls under way at a time (default 1)"
    )
    part.add_argument(
        "--components",
        type=Path,
        metavar="FILE",
        help="the simulated components (default: the file of the use case's name in the folder "
        "components beside the use case's own folder)",
    )
    part.add_argument(
        "--inputs", type=Path, metavar="FILE", help="inputs of your own (default: generated)"
    )
    part.add_argument(
        "--seed", type=int, help="root of the random streams (default: the config's, or 1)"
    )
    part.add_argument(
        "--trials", type=int, default=3, metavar="T", help="calls per changed input (default 3)"
    )
    part.add_argument(
        "--repeats",
        type=int,
        default=3,
        metavar="R",
        help="further calls of each unchanged input, for the noise floor (default 3)",
    )
    part.add_argument(
        "--controls",
        action="store_true",
        help="all interventions, not only the primary one and sufficiency",
    )
    part.add_argument("--config", type=Path, help="YAML file with the workflow's settings")
    part.set_defaults(run=run.run)
