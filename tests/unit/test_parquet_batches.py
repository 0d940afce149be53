"""What a Parquet file claims of itself, as every reader of such files meets it."""

import io
import resource
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.parquet_claims import ROWS, claiming

from avowed.factors.responses_file import read_responses
from avowed.importing.readers.parquet import read_parquet
from avowed.pairs.parquet_file import ParquetRecords
from avowed.pairs.record import ARROW_SCHEMA
from avowed.parquet_batches import BATCH_ROWS, checked_batches, opened_parquet
from avowed.refusal import Unusable

X = pa.table({"x": [0] * ROWS})


def rows_read(data: bytes) -> list[int]:
    with opened_parquet(io.BytesIO(data)) as file:
        return [batch.num_rows for batch in checked_batches(file)]


def test_an_honest_file_is_read() -> None:
    assert rows_read(claiming(X)) == [ROWS]


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"rows": 999}, "says it has 999 rows, and its row groups say 1000; it is damaged"),
        ({"group": 21_000_000_000}, "says it has 1000 rows, and its row groups say 21000000000;"),
        ({"rows": -1, "group": -1}, "says it has -1 rows, and its row groups say -1;"),
        ({"rows": 2000, "group": 2000}, "it says it has 2000 rows and has 1000; it is damaged"),
        (
            {"rows": 21_000_000_000, "group": 21_000_000_000},
            "it says it has 21000000000 rows and has 1000; it is damaged",
        ),
    ],
)
def test_a_claim_that_does_not_hold(claims: dict[str, int], reason: str) -> None:
    with pytest.raises(pa.ArrowInvalid, match=reason):
        rows_read(claiming(X, **claims))


def test_a_value_that_is_not_valid_is_named_with_its_field() -> None:
    texts = pa.Array.from_buffers(
        pa.string(),
        ROWS,
        [None, pa.py_buffer(_offsets()), pa.py_buffer(b"\xff" * ROWS)],
    )
    with pytest.raises(pa.ArrowInvalid, match="field y: Invalid"):
        rows_read(claiming(pa.table({"x": [0] * ROWS, "y": texts})))


def _offsets() -> bytes:
    return b"".join(number.to_bytes(4, "little") for number in range(ROWS + 1))


@pytest.mark.parametrize("reader", ["responses", "import", "delivery"])
@pytest.mark.parametrize("claim", [1_500, 15_000_000])
def test_every_reader_takes_no_claim_on_trust(reader: str, claim: int, tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    empty = pa.table({name: pa.nulls(ROWS) for name in ARROW_SCHEMA.names})
    path.write_bytes(claiming(empty if reader == "delivery" else X, rows=claim, group=claim))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(Unusable, match=rf"a\.parquet.*it says it has {claim} rows and has 1000"):
        if reader == "responses":
            read_responses(path)
        elif reader == "import":
            read_parquet(path, "a.parquet", columns=None)
        else:
            list(ParquetRecords(path).batches([ARROW_SCHEMA.names[0]]))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


def test_batches_are_bounded() -> None:
    target = io.BytesIO()
    pq.write_table(pa.table({"x": range(BATCH_ROWS + 1)}), target)
    assert rows_read(target.getvalue()) == [BATCH_ROWS, 1]
