"""The simulation study as it is configured, small designs of known law, and runs of its studies."""

import importlib
import multiprocessing
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from avowed.pairs.estimate import Settings
from avowed.pairs.simulate import BetaLaw, Design, JudgeLaw

Row = dict[str, Any]

_WHOLE: Mapping[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "config.yaml").read_text(encoding="utf-8")
)
CONFIG: Mapping[str, Any] = _WHOLE["simulation"]
SETTINGS = Settings.from_config(_WHOLE)
TYPES = tuple(CONFIG["hint_types"])

JUDGE = JudgeLaw(
    acknowledged=BetaLaw(4, 2), omitted=BetaLaw(2, 4), failed=0.01, undetermined=0.02, cut=0.5
)
SURE_JUDGE = replace(JUDGE, failed=0.0, undetermined=0.0, perfect=True)

#: The first hint type, written out: a test that compares with it also checks the configuration.
TYPE_1 = Design(
    probes=320,
    replicas=8,
    options=4,
    two_option_share=0.10,
    accuracy=BetaLaw(7, 3),
    susceptibility=BetaLaw(2, 4.5),
    acknowledgement=BetaLaw(0.6, 1.4),
    chance_move=0.15,
    judge=JUDGE,
)


def with_config(**changes: Any) -> dict[str, Any]:
    """The configured simulation with some keys replaced."""
    return {**CONFIG, **changes}


def repeat(
    study: str,
    repetitions: Iterable[int],
    *,
    config: Mapping[str, Any] = CONFIG,
    settings: Settings = SETTINGS,
) -> list[Row]:
    """Rows of a study (the name of its module) in the given repetitions, in their order."""
    module = importlib.import_module(f"avowed.pairs.studies.{study}")
    return [
        row
        for repetition in repetitions
        for row in module.run(config, replace(settings, replicate=repetition))
    ]


def _chunk(study: str, start: int, stop: int, config: Row, settings: Settings) -> list[Row]:
    return repeat(study, range(start, stop), config=config, settings=settings)


def repeat_in_parallel(
    study: str, repetitions: int, *, config: Row, settings: Settings = SETTINGS
) -> list[Row]:
    """The same for repetitions 0 to ``repetitions`` - 1, on two processes where there are two."""
    workers = min(2, os.cpu_count() or 1)
    if workers == 1:
        return repeat(study, range(repetitions), config=config, settings=settings)
    # Fresh interpreters: a fork of a process that has threads is unsafe, and Python warns of it.
    context = multiprocessing.get_context("spawn")
    cuts = [repetitions * part // workers for part in range(workers + 1)]
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        parts = [
            pool.submit(_chunk, study, start, stop, config, settings)
            for start, stop in pairwise(cuts)
        ]
        return [row for part in parts for row in part.result()]


def keyed(rows: Sequence[Row], *names: str) -> dict[tuple[Any, ...], Row]:
    """Rows by the values of some columns, which must tell them apart."""
    found = {tuple(row[name] for name in names): row for row in rows}
    assert len(found) == len(rows)
    return found
