"""Inputs to try readers with: valid files, files damaged a little, and noise. All are seeded."""

import csv
import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from fuzz.made_logs import ZSTANDARD, members, sample, zipped

_NAMES = ("id", "answer", "hint", "meta", "choices", "a.b", "a", "", "ü", "score")
_TEXTS = ("A", "B", "", "N/A", "3", "true", "ü", "\u2028", "a,b", 'say "C"', "x\ny", "\U0001f600")
_TEXT_TOKENS = tuple(
    token.encode("utf-8", "surrogatepass")
    for token in (
        *("NaN", "-Infinity", "1e999", "-0.0", "3.0", "null", "true", "{}", "[]", '"a":1,', "}\n{"),
        *('\\ud800"', "\ufeff", "\u2028", "\r\n", "\n\n", ",", '"', '""', "\0", "[[[[", "{" * 9),
        *("0" * 20, "9" * 40, "PAR1", "PK\3\4", "attachment://x", "\x1f\x8b", "\ud800", "1" * 5000),
    )
)
_TOKENS = (*_TEXT_TOKENS, b"\xff\xfe", b"\x80", b"\xff" * 8, b"\x00" * 8, b"[" * 3000)


def valid(kind: str, rng: random.Random) -> bytes:
    """A file of a kind, as its usual writers make it."""
    return _VALID[kind](rng)


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The same with a few things changed, as a broken disk or a careless edit would."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.choice((1, 1, 2, 4, 16, 200)))
        change = rng.randrange(8)
        if change == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        elif change == 1:
            data = data[:at] + data[to:]
        elif change == 2:
            data = data[:to] + data[at:to] + data[to:]
        elif change == 3:
            data = data[:at]
        elif change == 4:
            data = data[:at] + rng.choice(_TOKENS) + data[to:]
        elif change == 5:
            data = data[:at] + rng.choice(_TOKENS) + data[at:]
        elif change == 6:
            data = data[:at] + rng.randbytes(to - at) + data[to:]
        else:
            other = rng.randrange(len(data) + 1)
            data = data[:at] + data[other : other + to - at] + data[to:]
    return data


def case(kind: str, rng: random.Random) -> bytes:
    """One input: a valid file one time in ten, noise one time in twenty, else a damaged file."""
    draw = rng.random()
    if draw < 0.05:
        return rng.randbytes(rng.randrange(200))
    data = valid(kind, rng)
    if draw < 0.15:
        return data
    if kind == "jsonl_gz" and draw < 0.6:
        return gzip.compress(mutated(gzip.decompress(data), rng), mtime=0)
    if kind == "inspect" and draw < 0.6:
        return _damaged_member(rng)
    if kind == "parquet" and draw < 0.6:
        # The footer holds all claims: sizes, offsets, types, numbers of rows.
        size = int.from_bytes(data[-8:-4], "little")
        return data[: -8 - size] + mutated(data[-8 - size : -8], rng) + data[-8:]
    return mutated(data, rng)


def value(rng: random.Random, depth: int = 0) -> Any:
    """A JSON value."""
    draw = rng.randrange(12 if depth < 3 else 9)
    simple: tuple[Any, ...] = (
        *(
            None,
            True,
            False,
            rng.randrange(-3, 9),
            rng.random(),
            0.0,
            -0.0,
            float(rng.randrange(4)),
        ),
        rng.choice(_TEXTS),
    )
    if draw < len(simple):
        return simple[draw]
    if draw == 9:
        return [value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if draw == 10:
        return {rng.choice(_NAMES): value(rng, depth + 1) for _ in range(rng.randrange(3))}
    return rng.choice((2**53 + 1, 2**63, -(2**70), 1e300, 5e-324))


def _row(rng: random.Random) -> dict[str, Any]:
    return {name: value(rng) for name in rng.sample(_NAMES, rng.randrange(1, 5))}


def _lines(rng: random.Random) -> bytes:
    ascii_only = rng.random() < 0.5
    end = rng.choice(("\n", "\n", "\r\n"))
    rows = [json.dumps(_row(rng), ensure_ascii=ascii_only) for _ in range(rng.randrange(1, 8))]
    return (end.join(rows) + rng.choice(("", end))).encode()


def _packed_lines(rng: random.Random) -> bytes:
    return gzip.compress(_lines(rng), mtime=0)


def _document(rng: random.Random) -> bytes:
    n_rows = rng.randrange(1, 6)
    form = rng.randrange(4)
    if form == 0:
        document: Any = [_row(rng) for _ in range(n_rows)]
    elif form == 1:
        document = {f"q{number}": _row(rng) for number in range(n_rows)}
    elif form == 2:
        names = rng.sample(_NAMES, 3)
        document = {name: [value(rng, 3) for _ in range(n_rows)] for name in names}
    else:
        document = {"status": "success", "eval": {"task": "t"}, "samples": [sample(1), sample(2)]}
    return json.dumps(document, indent=rng.choice((None, 1))).encode()


def _sheet(rng: random.Random) -> bytes:
    target = io.StringIO(newline="")
    width = rng.randrange(1, 5)
    writer = csv.writer(
        target,
        lineterminator=rng.choice(("\n", "\r\n", "\r")),
        quoting=rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
    )
    writer.writerow(rng.sample(_NAMES[:8], width))
    writer.writerows([rng.choice(_TEXTS) for _ in range(width)] for _ in range(rng.randrange(1, 7)))
    return target.getvalue().encode(rng.choice(("utf-8", "utf-8-sig")))


def _arrow(rng: random.Random, n_rows: int, depth: int = 0) -> pa.Array:
    """A column of any type that Parquet knows."""

    def some(values: list[Any]) -> list[Any]:
        return [rng.choice((None, *values)) for _ in range(n_rows)]

    kinds: list[Callable[[], pa.Array]] = [
        lambda: pa.array(some([1, 2, -3]), type=rng.choice((pa.int8(), pa.int64()))),
        lambda: pa.array(some([0, 2**63]), type=pa.uint64()),
        lambda: pa.array(some([0.0, -0.0, 0.5, float("nan"), float("inf")]), type=pa.float64()),
        lambda: pa.array(some([0.5, 2.0]), type=pa.float32()),
        lambda: pa.array(some([True, False])),
        lambda: pa.array(some(list(_TEXTS)), type=rng.choice((pa.string(), pa.large_string()))),
        lambda: pa.array(some(list(_TEXTS)), type=pa.string_view()),
        lambda: pa.array(some(list(_TEXTS)), type=pa.string()).dictionary_encode(),
        lambda: pa.array(some([["A", None], [], ["B"]]), type=pa.list_(pa.string())),
        lambda: pa.array(some([[[1], []], [None]]), type=pa.large_list(pa.list_(pa.int32()))),
        lambda: pa.array(some([b"\xff", b""]), type=pa.binary()),
        lambda: pa.array(some([1, 2**40]), type=pa.timestamp("us", tz="UTC")),
        lambda: pa.array(some([1, 22]), type=pa.decimal128(9, 2)),
        lambda: pa.array(some([[("k", 1)]]), type=pa.map_(pa.string(), pa.int32())),
        lambda: pa.nulls(n_rows),
    ]
    if depth < 2 and rng.random() < 0.25:
        names = rng.sample(("x", "y", "z"), 2)
        inner = [_arrow(rng, n_rows, depth + 1) for _ in names]
        mask = pa.array([rng.random() < 0.3 for _ in range(n_rows)], type=pa.bool_())
        return pa.StructArray.from_arrays(inner, names, mask=mask)
    return rng.choice(kinds)()


def _parquet(rng: random.Random) -> bytes:
    n_rows = rng.choice((0, 1, 3, 20))
    names = rng.sample(_NAMES[:6], rng.randrange(1, 5))
    if rng.random() < 0.05:
        names[-1] = names[0]
    table = pa.table([_arrow(rng, n_rows) for _ in names], names=names)
    # The writer cannot cut text views into row groups.
    sizes = (1000,) if "string_view" in str(table.schema) else (2, 1000)
    target = io.BytesIO()
    pq.write_table(
        table,
        target,
        compression=rng.choice(("none", "snappy", "gzip", "zstd")),
        use_dictionary=rng.random() < 0.5,
        row_group_size=rng.choice(sizes),
        data_page_version=rng.choice(("1.0", "2.0")),
        store_schema=rng.random() < 0.7,
        write_page_checksum=rng.random() < 0.2,
    )
    return target.getvalue()


_METHODS = (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED, ZSTANDARD)


def _log(rng: random.Random) -> bytes:
    samples = [
        sample(number, metadata=_row(rng), target=value(rng)) for number in range(rng.randrange(3))
    ]
    return zipped(members(samples), rng.choice(_METHODS))


def _damaged_member(rng: random.Random) -> bytes:
    files = members([sample(1), sample(2)])
    name = rng.choice(list(files))
    files[name] = mutated(files[name], rng)
    return zipped(files, rng.choice(_METHODS))


_VALID: dict[str, Callable[[random.Random], bytes]] = {
    "jsonl": _lines,
    "jsonl_gz": _packed_lines,
    "json": _document,
    "csv": _sheet,
    "parquet": _parquet,
    "inspect": _log,
}
