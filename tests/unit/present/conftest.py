"""Long and wide rows of two small deliveries, one with several hint types."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.deliveries import HINT_TYPE, header, record, valid_records, write_lines

from avowed.pairs.delivery import read_delivery
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import DeliveryEstimates, estimate_delivery
from avowed.present.csvfile import cell_text
from avowed.present.wide import wide_rows

Wide = Callable[..., list[dict[str, str]]]


def estimated(folder: Path, records: list[dict[str, Any]], name: str) -> DeliveryEstimates:
    declared = header(records)
    if all(row["hint_type"] == HINT_TYPE for row in records):
        declared |= {"hint_types": [HINT_TYPE], "coverage": declared["coverage"][:1]}
    write_lines(folder, records, declared)
    settings = Settings(resamples=200)
    return estimate_delivery(read_delivery(folder), settings, name=name, study="deliveries")


@pytest.fixture(scope="session")
def two_kinds(tmp_path_factory: pytest.TempPathFactory) -> DeliveryEstimates:
    """Every kind of record, two hint types."""
    return estimated(tmp_path_factory.mktemp("two") / "two", valid_records(), "mine")


@pytest.fixture(scope="session")
def one_kind(tmp_path_factory: pytest.TempPathFactory) -> DeliveryEstimates:
    """One hint type and nothing that moved: the omission is undefined."""
    records = [record(f"p{number}") for number in range(3)]
    return estimated(tmp_path_factory.mktemp("one") / "one", records, "still")


@pytest.fixture(scope="session")
def as_text() -> Wide:
    """Wide rows as they come back from a CSV file."""

    def arrange(results: DeliveryEstimates, name: str) -> list[dict[str, str]]:
        rows = wide_rows(name, results.rows, results.cells)
        return [{column: cell_text(value) for column, value in row.items()} for row in rows]

    return arrange
