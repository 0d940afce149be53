"""Chunks share the repetitions, and the rows come back the same whatever the chunks were."""

from pathlib import Path

import pytest
from support.simulation import CONFIG as SIMULATION

from avowed.pairs.estimate import Settings
from avowed.pairs.studies.registry import (
    STUDIES,
    read_repetitions,
    repetitions_of_chunk,
    run_repetitions,
    write_repetitions,
)

CONFIG = {
    **SIMULATION,
    "probes": 12,
    "repetitions": 5,
    "further_repetitions": 3,
    "chance_repetitions": 2,
    "smaller_probes": [4],
    "extreme_probes": [3],
}
SETTINGS = Settings(resamples=100)


@pytest.mark.parametrize("chunks", [1, 2, 3, 7])
def test_chunks_share_the_repetitions(chunks: int) -> None:
    shared = [
        r
        for chunk in range(chunks)
        for r in repetitions_of_chunk("coverage", CONFIG, chunk, chunks)
    ]
    assert sorted(shared) == list(range(5))


@pytest.mark.parametrize("study", list(STUDIES))
def test_the_table_is_the_same_for_any_number_of_chunks(study: str, tmp_path: Path) -> None:
    tables = []
    for chunks in (1, 3):
        paths = []
        for chunk in range(chunks):
            path = tmp_path / f"{chunks}-{chunk}.parquet"
            mine = repetitions_of_chunk(study, CONFIG, chunk, chunks)
            write_repetitions(run_repetitions(study, CONFIG, SETTINGS, mine), path)
            paths.append(path)
        rows = STUDIES[study].summarise(read_repetitions(paths))
        assert rows
        assert all(set(STUDIES[study].columns) <= set(row) for row in rows)
        tables.append(repr(rows))
    assert tables[0] == tables[1]


def test_a_chunk_without_rows_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "none.parquet"
    write_repetitions([], path)
    assert read_repetitions([path]) == []
