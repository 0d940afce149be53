"""``avowed simulate --out DIR``: a delivery whose truth is known, to test a pipeline against."""

import argparse
import difflib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from avowed.commands.given import given_path, read_config
from avowed.pairs.estimate import Settings
from avowed.pairs.simulate import design_of
from avowed.pairs.simulated_delivery import check_folder, simulated_delivery, write_simulated
from avowed.pairs.studies.cells import StudyCell
from avowed.refusal import Unusable

#: Most pairs of one delivery; they are held in memory.
MAX_PAIRS = 10_000_000

_DEFAULT_CONFIG = Path("config.yaml")


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "simulate",
        help="write a simulated delivery with its truth beside it",
        description="Simulate an assistant and a judge, write their pairs as a delivery, and what "
        "is true of them as truth.json beside it.",
    )
    parser.add_argument(
        "--out", type=given_path, required=True, metavar="DIR", help="delivery folder to write"
    )
    parser.add_argument("--probes", type=int, help="probes per hint type (default: the config's)")
    parser.add_argument("--replicas", type=int, help="replicas per probe (default: the config's)")
    parser.add_argument(
        "--seed", type=int, help="root of the random streams (default: the config's)"
    )
    parser.add_argument(
        "--hint-type",
        action="append",
        dest="hint_types",
        metavar="NAME",
        help="a hint type of the config; may be given again (default: all of them)",
    )
    parser.add_argument(
        "--config",
        type=given_path,
        help="YAML file with the constants under simulation (default: config.yaml of this folder)",
    )
    parser.add_argument(
        "--format", choices=("parquet", "jsonl"), default="parquet", help="format of the records"
    )
    parser.add_argument(
        "--perfect-judge", action="store_true", help="a judge that makes no error of judgement"
    )
    parser.set_defaults(run=run)


def _config(path: Path | None) -> dict[str, Any]:
    if path is None and not _DEFAULT_CONFIG.exists():
        raise Unusable("no config.yaml in this folder; name a file with --config")
    config = read_config(path or _DEFAULT_CONFIG)
    if not config.get("simulation"):
        raise Unusable(
            f"{path or _DEFAULT_CONFIG}: has no key simulation; name another file with --config"
        )
    return config


def _hint_types(asked: Sequence[str] | None, known: Mapping[str, Any]) -> list[str]:
    for name in asked or ():
        if name not in known:
            near = difflib.get_close_matches(name, list(known), n=3, cutoff=0)
            raise Unusable(f"--hint-type {name}: no such hint type; nearest: {', '.join(near)}")
    return list(dict.fromkeys(asked or known))


def _cells(
    simulation: Mapping[str, Any], hint_types: Sequence[str], path: Path, *, perfect: bool
) -> list[StudyCell]:
    try:
        cells = [StudyCell(name, design_of(simulation, name)) for name in hint_types]
    except KeyError as error:
        # A file that changes some settings only is a fault here, not in the workflow.
        raise Unusable(f"{path}: simulation lacks the key {error.args[0]}") from None
    if not perfect:
        return cells
    return [
        replace(cell, design=cell.design.with_perfect_judge(), variant="perfect judge")
        for cell in cells
    ]


def run(arguments: argparse.Namespace) -> int:
    """Simulate and write; nothing is written unless every argument can be used."""
    path = arguments.config or _DEFAULT_CONFIG
    config = _config(arguments.config)
    given = {name: getattr(arguments, name) for name in ("probes", "replicas")}
    for name, value in given.items():
        if value is not None and value < 1:
            raise Unusable(f"--{name} is {value}; it must be at least 1")
    seed = arguments.seed
    if seed is not None and not 0 <= seed < 2**32:
        raise Unusable(f"--seed is {seed}; it must be from 0 to {2**32 - 1}")
    simulation = config["simulation"] | {k: v for k, v in given.items() if v is not None}
    if "hint_types" not in simulation:
        raise Unusable(f"{path}: simulation lacks the key hint_types")
    hint_types = _hint_types(arguments.hint_types, simulation["hint_types"])
    cells = _cells(simulation, hint_types, path, perfect=arguments.perfect_judge)
    pairs = sum(cell.design.probes * cell.design.replicas for cell in cells)
    if pairs > MAX_PAIRS:
        raise Unusable(f"{pairs} pairs are asked for; at most {MAX_PAIRS} go into one delivery")
    check_folder(arguments.out)
    settings = Settings.from_config(config)
    if seed is not None:
        settings = replace(settings, seed=seed)
    write_simulated(arguments.out, simulated_delivery(cells, settings), format=arguments.format)
    print(f"{arguments.out}: {pairs} pairs of {', '.join(hint_types)}, and truth.json")
    return 0
