"""The studies by name, their repetitions as a table, and its way to disk and back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from avowed.atomic import atomic_path
from avowed.pairs.estimate import Settings
from avowed.pairs.studies import calibration, chance_correction, coverage, exposure_bias

Rows = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class SimulationStudy:
    """A study: one repetition to rows, all rows to a table, and the table's columns."""

    run: Callable[[Mapping[str, Any], Settings], list[dict[str, Any]]]
    summarise: Callable[[Rows], list[dict[str, Any]]]
    columns: tuple[str, ...]
    counted_by: tuple[str, ...]


#: ``counted_by`` names the settings that say how many repetitions a study runs.
STUDIES: dict[str, SimulationStudy] = {
    name: SimulationStudy(
        run=module.run, summarise=module.summarise, columns=module.COLUMNS, counted_by=counted_by
    )
    for name, module, counted_by in (
        ("coverage", coverage, ("repetitions", "further_repetitions")),
        ("exposure_bias", exposure_bias, ("repetitions",)),
        ("chance_correction", chance_correction, ("chance_repetitions",)),
        ("calibration", calibration, ("repetitions",)),
    )
}


def share_of_chunk(repetitions: int, chunk: int, chunks: int) -> range:
    """Repetitions that one of ``chunks`` jobs runs: every ``chunks``-th, so that all take as long.

    >>> list(share_of_chunk(5, 1, 2))
    [1, 3]
    """
    return range(chunk, repetitions, chunks)


def repetitions_of_chunk(study: str, config: Mapping[str, Any], chunk: int, chunks: int) -> range:
    """Repetitions of a study that one of ``chunks`` jobs runs.

    >>> config = {"repetitions": 5, "further_repetitions": 2}
    >>> list(repetitions_of_chunk("coverage", config, 1, 2))
    [1, 3]
    """
    total = max(config[key] for key in STUDIES[study].counted_by)
    return share_of_chunk(total, chunk, chunks)


def run_repetitions(
    study: str, config: Mapping[str, Any], settings: Settings, repetitions: Iterable[int]
) -> list[dict[str, Any]]:
    """Run repetitions of a study, each from streams of its own."""
    return [
        row
        for repetition in repetitions
        for row in STUDIES[study].run(config, replace(settings, replicate=repetition))
    ]


def write_repetitions(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Write rows of repetitions as Parquet; without rows, an empty table."""
    names = dict.fromkeys(name for row in rows for name in row)
    complete = [{name: row.get(name) for name in names} for row in rows]
    with atomic_path(path) as temporary:
        pq.write_table(pa.Table.from_pylist(complete), temporary, compression="zstd")


def read_repetitions(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Read the rows of all chunks, in the order of the repetitions whatever the chunks were."""
    rows = [row for path in paths for row in pq.read_table(path).to_pylist()]
    return sorted(rows, key=lambda row: row["repetition"])
