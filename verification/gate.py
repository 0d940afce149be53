"""The gate at the end: nothing passes that was changed after it was made, or that disagrees.

Reads the records of making beside the results (``*.made.json``: root seed, SHA-256, a hash of
every line), the raw files, the comparison with the recomputation, and the planted faults. Every
reason not to pass names the row. Standard library only.

    python -m verification.gate --settings results/verification/settings.json
"""

import argparse
import csv
import hashlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from verification.files import Unusable, read_csv, read_json, write_json

# Fields of a changed row that are shown, so that it can be found.
SHOWN_FIELDS = 4
# Changed rows named per file; the rest is counted.
SHOWN_ROWS = 10
RESULTS = Path("results")


def line_hashes(content: bytes) -> list[str]:
    """The first 16 hexadecimal digits of each line's SHA-256; lines end at the newline byte."""
    lines = content.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    return [hashlib.sha256(line).hexdigest()[:16] for line in lines]


def named_line(path: Path, number: int, content: bytes) -> str:
    """A line of a file as a reader finds it: number, and the fields that say what it is about."""
    text = content.split(b"\n")[number - 1].decode("utf-8", errors="replace")
    if path.suffix == ".csv":
        (fields,) = csv.reader([text]) if text else ([],)
        shown = ", ".join(fields[:SHOWN_FIELDS])
    else:
        shown = text.strip()[:60]
    return f"{path}, line {number} ({shown})"


def changed_lines(path: Path, recorded: Sequence[str], content: bytes) -> Iterator[str]:
    """The lines of a file that are not the ones that were written."""
    found = line_hashes(content)
    steps = SequenceMatcher(None, recorded, found, autojunk=False).get_opcodes()
    for tag, begin, end, first, last in steps:
        if tag == "equal":
            continue
        for number in range(first, last):
            yield f"{named_line(path, number + 1, content)} is not the line that was written"
        missing = (end - begin) - (last - first)
        if missing > 0:
            yield f"{path}: {missing} lines that were written before line {last + 1} are gone"


def check_file(path: Path, described: Mapping[str, Any]) -> Iterator[str]:
    """Why a file is not the one that its record describes."""
    if not path.is_file():
        yield f"{path} is gone; it was written by the run"
        return
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() == described["sha256"]:
        return
    lines = list(changed_lines(path, described["lines"], content)) if "lines" in described else []
    if not lines:
        yield f"{path} is not the file that was written (its SHA-256 differs)"
        return
    yield from lines[:SHOWN_ROWS]
    if len(lines) > SHOWN_ROWS:
        yield f"{path}: {len(lines) - SHOWN_ROWS} more lines differ"


def read_record(path: Path) -> dict[str, Any] | None:
    """A record of making, or nothing when the file is something else."""
    described = read_json(path)
    if not isinstance(described, dict) or not {"seed", "files"} <= described.keys():
        return None
    files = described["files"]
    if not isinstance(files, dict) or not files:
        return None
    if not all(isinstance(content, dict) and "sha256" in content for content in files.values()):
        return None
    return described


def check_record(record: Path, *, seed: int) -> Iterator[str]:
    """Why the files of one record of making do not pass."""
    described = read_record(record)
    if described is None:
        yield f"{record} is not a record of making; remove it and run again"
        return
    files, made_with = described["files"], described["seed"]
    if made_with is not None and (made_with != seed or isinstance(made_with, bool)):
        named = ", ".join(sorted(files))
        yield f"{record}: seed is {made_with}, the configuration that ran says {seed} ({named})"
    for name, content in sorted(files.items()):
        yield from check_file(Path(name), content)


def uncovered(records: Sequence[Path], folder: Path) -> Iterator[str]:
    """Tables that no record describes: someone else put them there, or removed the record."""
    beside = sorted({*records, *folder.glob("*.made.json")})
    described = [found for record in beside if (found := read_record(record))]
    named = {name for record in described for name in record["files"]}
    for path in sorted(folder.glob("*.csv")):
        if path.as_posix() not in named:
            yield f"{path} has no record of making beside it; remove it or make it again"


def check_raw_files(source: Path, manifest: Path, folder: Path) -> Iterator[str]:
    """Raw files that are not the ones of the manifest, by size and SHA-256.

    With the coded answers as the source there are none to check.
    """
    if read_json(source).get("kind") == "coded":
        return
    for row in read_csv(manifest, delimiter="\t"):
        path = folder / row["path"]
        if not path.is_file():
            yield f"{path} is gone; {source} says that it was fetched"
            continue
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != row["sha256"]:
            yield f"{path}: its SHA-256 is {found}, {manifest} says {row['sha256']}"


def check_rows(path: Path, column: str, good: str) -> Iterator[str]:
    """Rows of a table of checks whose verdict is not the good one."""
    rows = read_csv(path)
    if not rows:
        yield f"{path} has no rows; nothing was compared"
    for number, row in enumerate(rows, start=2):
        if row.get(column) != good:
            named = ", ".join(f"{name} {value}" for name, value in row.items() if value)
            yield f"{path}, line {number}: {named}"


def reasons(
    records: Sequence[Path],
    *,
    settings: Mapping[str, Any],
    diff: Path,
    faults: Path,
    tables: Path | None = None,
    raw: tuple[Path, Path, Path] | None = None,
) -> list[str]:
    """Every reason why the results do not pass; none when they do.

    Args:
        records: Records of making.
        settings: The configuration that ran.
        diff: The comparison with the recomputation.
        faults: The planted faults.
        tables: A folder in which every table needs a record.
        raw: The source that served, the manifest, and the folder of the raw files.
    """
    found = [line for record in records for line in check_record(record, seed=settings["seed"])]
    if tables is not None:
        # Records that lie there, asked for or not: a table of an earlier run may stay.
        found += uncovered(sorted(tables.glob("*.made.json")), tables)
    if raw is not None:
        found += check_raw_files(*raw)
    found += check_rows(diff, "verdict", "agrees")
    found += check_rows(faults, "verdict", "as it should be")
    return found


def stamp(records: Sequence[Path], diff: Path) -> dict[str, Any]:
    """What a run that passes is told to have passed."""
    return {"verified": True, "records": len(records), "comparisons": len(read_csv(diff))}


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="verification.gate", description=__doc__.split("\n")[0])
    parser.add_argument("--settings", type=Path, required=True, help="the configuration that ran")
    parser.add_argument("--diff", type=Path, default=RESULTS / "verification/diff.csv")
    parser.add_argument("--faults", type=Path, default=RESULTS / "verification/planted_faults.csv")
    parser.add_argument("--tables", type=Path, help="folder in which every table needs a record")
    parser.add_argument(
        "--raw",
        type=Path,
        nargs=3,
        metavar=("SOURCE", "MANIFEST", "FOLDER"),
        help="source.json, sources.tsv and the folder of the raw files, to hash them again",
    )
    parser.add_argument("--out", type=Path, help="stamp to write when everything passes")
    parser.add_argument("records", type=Path, nargs="*", help="records of making (default: all)")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    """Print every reason not to pass; 0 when there is none, 1 when there is, 2 when unusable."""
    options = arguments(given)
    records = options.records or sorted(RESULTS.rglob("*.made.json"))
    try:
        found = reasons(
            records,
            settings=read_json(options.settings),
            diff=options.diff,
            faults=options.faults,
            tables=options.tables,
            raw=tuple(options.raw) if options.raw else None,
        )
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    for line in found:
        print(f"refused: {line}", file=sys.stderr)
    if found:
        print(
            f"refused: {len(found)} reasons above; nothing of this run is verified", file=sys.stderr
        )
        return 1
    passed = stamp(records, options.diff)
    print(f"verified: {len(records)} records of making, {passed['comparisons']} comparisons agree")
    if options.out:
        write_json(options.out, passed)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
