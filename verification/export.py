"""Deliveries, estimates and repetitions as JSON lines, so that the recomputation needs no Parquet.

Reads with pyarrow and writes JSON: a float by its shortest exact form, an integer as an integer,
what is missing as null. Nothing is computed and no row moves. A table's NaN is what is undefined
there and becomes null. In a delivery nothing is converted, and one that is JSON lines already is
copied byte for byte, so that the tokens its author wrote are the ones that are checked. What strict
JSON has no form for, NaN in a delivery and infinity, is written as Python's parser reads it.

    python -m verification.export --out results/verification/exported \
        --delivery NAME=FOLDER --estimates NAME=FILE.parquet \
        --study NAME=FILE.parquet,FILE.parquet --coded FILE.parquet --factors NAME=FOLDER
"""

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from verification.files import Unusable, whole

#: Rows in memory at a time.
BATCH_ROWS = 1 << 14


def export_parquet(sources: Sequence[Path], target: Path, *, nan_is_null: bool = True) -> int:
    """Write the rows of Parquet files, one JSON object per line, files and rows in their order.

    Only one batch of rows is in memory at a time. With ``nan_is_null`` a NaN becomes null. Returns
    the number of rows.

    Raises:
        Unusable: a file is missing or not Parquet, or the columns differ between files.
    """
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    rows, columns = 0, None
    with whole(target) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        for source in sources:
            if not source.is_file():
                raise Unusable(f"{source}: no such file; run make reproduce")
            try:
                with pq.ParquetFile(source) as table:
                    if not table.schema_arrow.names:
                        continue  # the chunk of a study with fewer repetitions than chunks
                    if columns not in (None, table.schema_arrow.names):
                        raise Unusable(f"{source}: its columns are not those of {sources[0]}")
                    columns = table.schema_arrow.names
                    for batch in table.iter_batches(batch_size=BATCH_ROWS):
                        batch = nan_as_null(batch) if nan_is_null else batch  # noqa: PLW2901
                        file.writelines(f"{encode(row)}\n" for row in batch.to_pylist())
                        rows += batch.num_rows
            except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
                raise Unusable(f"{source}: not a readable Parquet file ({error})") from None
    return rows


def nan_as_null(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch in which every NaN is null.

    >>> nan_as_null(pa.record_batch({"a": [0.5, float("nan")], "b": [1, 2]})).to_pylist()
    [{'a': 0.5, 'b': 1}, {'a': None, 'b': 2}]
    """
    columns = [
        pc.if_else(pc.is_nan(column), None, column) if pa.types.is_floating(column.type) else column
        for column in batch.columns
    ]
    return pa.RecordBatch.from_arrays(columns, names=batch.schema.names)


def export_delivery(folder: Path, name: str, out: Path) -> None:
    """Write ``NAME.jsonl`` and ``NAME.header.json`` from a delivery folder.

    Raises:
        Unusable: the folder lacks the header, or has no record file or two.
    """
    header = folder / "delivery.json"
    there = [
        path for path in (folder / "records.parquet", folder / "records.jsonl") if path.exists()
    ]
    if not header.is_file():
        raise Unusable(f"{header}: no such file; a delivery needs a header")
    if len(there) != 1:
        found = " and ".join(path.name for path in there) or "no record file"
        raise Unusable(
            f"{folder}: holds {found}; one of records.parquet and records.jsonl is needed"
        )
    if there[0].suffix == ".jsonl":
        copy(there[0], out / f"{name}.jsonl")
    else:
        export_parquet(there, out / f"{name}.jsonl", nan_is_null=False)
    copy(header, out / f"{name}.header.json")


def export_factors(folder: Path, out: Path, *, estimates: bool = True) -> None:
    """Write a study of cited factors as `verification.factors` reads it, with its raw responses.

    Its parts ``pilot`` and ``prompts`` are exported where they have responses; the estimates are
    left out where nothing is to be held against them.

    Raises:
        Unusable: a file is missing.
    """
    copy(folder / "usecase.json", out / "usecase.json")
    if estimates:
        export_parquet([folder / "estimates.parquet"], out / "estimates.jsonl")
    for part in ("", "pilot", "prompts"):
        if not part or (folder / part / "responses.parquet").is_file():
            for name in ("inputs.jsonl", "plan.json"):
                copy(folder / part / name, out / part / name)
            export_parquet([folder / part / "responses.parquet"], out / part / "responses.jsonl")
        else:
            # What an earlier run exported would be recomputed too.
            shutil.rmtree(out / part, ignore_errors=True)


def copy(source: Path, target: Path) -> None:
    """Copy a file byte for byte.

    Raises:
        Unusable: it cannot be read.
    """
    with whole(target) as temporary:
        try:
            shutil.copyfile(source, temporary)
        except OSError as error:
            raise Unusable(f"{source}: cannot be read ({error.strerror})") from None


def keep_only(wanted: Iterable[Path], folder: Path) -> None:
    """Remove what an earlier run exported and this one does not: it would be recomputed too."""
    names = {path.name for path in wanted}
    for path in folder.glob("*"):
        if path.name not in names:
            path.unlink()


def named(given: str) -> tuple[str, str]:
    """Split ``NAME=VALUE``; a name becomes a file name, so it holds no slash.

    >>> named("worked_example=results/pairs/simulated")
    ('worked_example', 'results/pairs/simulated')
    """
    name, separator, value = given.partition("=")
    if not (separator and name and value) or {"/", "\\"} & set(name) or name.startswith("."):
        raise argparse.ArgumentTypeError(f"{given!r} is not NAME=PATH, the name without a slash")
    return name, value


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="verification.export", description=str(__doc__).split("\n", maxsplit=1)[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    for option, form in (
        ("--delivery", "NAME=FOLDER"),
        ("--estimates", "NAME=FILE"),
        ("--study", "NAME=FILE,FILE"),
        ("--factors", "NAME=FOLDER"),
    ):
        parser.add_argument(
            option, type=named, metavar=form, action="extend", nargs="+", default=[]
        )
    parser.add_argument("--coded", type=Path, help="the public outputs as integers")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    """Export everything that is named; 0 when it is written, 2 when a file is unusable."""
    options = arguments(given)
    try:
        for name, folder in options.delivery:
            export_delivery(Path(folder), name, options.out / "deliveries")
        for name, file in options.estimates:
            export_parquet([Path(file)], options.out / "estimates" / f"{name}.jsonl")
        for name, files in options.study:
            chunks = [Path(file) for file in files.split(",") if file]
            export_parquet(chunks, options.out / "studies" / f"{name}.jsonl")
        for name, folder in options.factors:
            export_factors(Path(folder), options.out / "factors" / name)
        if options.coded:
            export_parquet([options.coded], options.out / "coded_answers.jsonl")
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
