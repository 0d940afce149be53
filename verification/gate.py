"""The gate at the end: nothing passes that was changed after it was made, or that disagrees.

Reads the records of making beside the results (``*.made.json``: root seed, SHA-256, a hash of
every line), the raw files, the comparison with the recomputation, and the planted faults. Every
reason not to pass names the row. Standard library only.

    python -m verification.gate --settings results/verification/settings.json
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verification.files import Unusable, read_csv, read_object, sha256_of, write_json
from verification.making import beside, check_record, left_over, uncovered
from verification.planted import FAULTS, NO_FAULT, read_estimators, read_faults

RESULTS, FIGURES = Path("results"), Path("figures")
CODED = Path("data/turpin/coded_answers.parquet")
# The sources that can have served; with the last there are no raw files.
KINDS = ("mirror", "download", "coded")


@dataclass(frozen=True, kw_only=True)
class Raw:
    """Where the public data came from: the source that served, the manifest, the raw files.

    ``coded`` is the table that is shipped instead of them, with its header beside it.
    """

    source: Path
    manifest: Path
    folder: Path
    coded: Path = CODED


def read_settings(path: Path) -> dict[str, Any]:
    """The configuration that ran.

    Raises:
        Unusable: it cannot be read, or has no whole number as its seed.
    """
    settings = read_object(path)
    seed = settings.get("seed")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise Unusable(
            f"{path}: seed is {seed!r}, expected a whole number: this is not the configuration of "
            "a run; run make reproduce"
        )
    return settings


def read_manifest(path: Path) -> list[tuple[str, str]]:
    """The path and SHA-256 of every raw file.

    Raises:
        Unusable: it cannot be read, lists nothing, or a row lacks either.
    """
    rows = read_csv(path, delimiter="\t", remedy="restore it")
    if not rows:
        raise Unusable(f"{path} lists no raw files; restore it")
    listed = [(row.get("path"), row.get("sha256")) for row in rows]
    found = [(name, digest) for name, digest in listed if name and digest]
    if len(found) < len(rows):
        number = next(n for n, pair in enumerate(listed, start=2) if not all(pair))
        raise Unusable(f"{path}, line {number}: no path or no sha256; restore it")
    return found


def _text(path: Path, described: Mapping[str, Any], key: str) -> str:
    value = described.get(key)
    if not isinstance(value, str):
        raise Unusable(f"{path}: {key} is {value!r}, expected text; remove it and run again")
    return value


def check_raw_files(raw: Raw) -> Iterator[str]:
    """Raw files that are not the ones of the manifest, and a manifest that did not serve.

    With the coded answers as the source there are none: then the shipped table is hashed.

    Raises:
        Unusable: a file that says what was fetched cannot be used.
    """
    described = read_object(raw.source)
    kind = _text(raw.source, described, "kind")
    if kind not in KINDS:
        raise Unusable(
            f"{raw.source}: kind is {kind!r}, expected one of {', '.join(KINDS)}; remove it and "
            "run again"
        )
    listed = read_manifest(raw.manifest)
    fetched_by, found = _text(raw.source, described, "manifest_sha256"), sha256_of(raw.manifest)
    if found != fetched_by:
        yield (
            f"{raw.manifest}: its SHA-256 is {found}, {raw.source} says that the files were "
            f"fetched by {fetched_by}"
        )
    if kind == "coded":
        header = raw.coded.with_suffix(".json")
        listed = [(raw.coded.name, _text(header, read_object(header), "sha256"))]
        yield from _check_hashes(listed, raw.coded.parent, said_by=header, fetched=raw.source)
    else:
        yield from _check_hashes(listed, raw.folder, said_by=raw.manifest, fetched=raw.source)


def _check_hashes(
    listed: Sequence[tuple[str, str]], folder: Path, *, said_by: Path, fetched: Path
) -> Iterator[str]:
    for name, expected in listed:
        path = folder / name
        if not path.is_file():
            yield f"{path} is gone; {fetched} says that it served"
        elif (found := sha256_of(path)) != expected:
            yield f"{path}: its SHA-256 is {found}, {said_by} says {expected}"


def check_rows(path: Path, column: str, good: str) -> Iterator[str]:
    """Rows of a table of checks whose verdict is not the good one."""
    rows = read_csv(path)
    if not rows:
        yield f"{path} has no rows; nothing was compared"
    for number, row in enumerate(rows, start=2):
        if row.get(column) != good:
            named = ", ".join(f"{name} {value}" for name, value in row.items() if value)
            yield f"{path}, line {number}: {named}"


def check_faults(path: Path, planted: Path) -> Iterator[str]:
    """Why the planted faults prove too little: one missed, left out, or none in an estimator.

    Args:
        path: The table of planted faults.
        planted: The list of faults, with the estimators that need one at its head.
    """
    yield from check_rows(path, "verdict", "as it should be")
    faults, needed = read_faults(planted), read_estimators(planted)
    expected = Counter([NO_FAULT, *(fault.name for fault in faults)])
    found = Counter(row.get("fault") or "" for row in read_csv(path))
    for name in sorted((expected - found).keys()):
        yield f"{path}: {name!r} of {planted} is not among the rows; plant it"
    for name in sorted((found - expected).keys()):
        yield f"{path}: {name!r} is not a fault of {planted}, or stands there twice; plant again"
    there = {fault.estimator for fault in faults}
    for estimator in sorted(set(needed) - there):
        yield f"{planted}: no fault is planted in {estimator!r}, which its head lists"
    for estimator in sorted(there - set(needed)):
        yield f"{planted}: {estimator!r} has faults and is not listed at its head; add it"


def reasons(
    records: Sequence[Path],
    *,
    settings: Mapping[str, Any],
    diff: Path,
    faults: Path,
    planted: Path = FAULTS,
    tables: Path | None = None,
    raw: Raw | None = None,
    asked_for: Iterable[str] = (),
) -> list[str]:
    """Every reason why the results do not pass; none when they do.

    Args:
        records: Records of making that the run asked for.
        settings: The configuration that ran.
        diff: The comparison with the recomputation.
        faults: The planted faults.
        planted: The list that they were planted from.
        tables: A folder in which every table needs a record. A table of an earlier run may stay
            as it was made, with whatever seed; `stamp` names it.
        raw: Where the public data came from.
        asked_for: Files that one of the records has to name.

    Raises:
        Unusable: a file cannot be read as what it should be.
    """
    found = [line for record in records for line in check_record(record, seed=settings["seed"])]
    if tables is not None:
        for record in beside(records, tables):
            found += check_record(record, seed=None)
    found += uncovered(records, tables, asked_for=asked_for)
    if raw is not None:
        found += check_raw_files(raw)
    found += check_rows(diff, "verdict", "agrees")
    found += check_faults(faults, planted)
    return found


def stamp(
    records: Sequence[Path], diff: Path, *, settings: Mapping[str, Any], tables: Path | None
) -> dict[str, Any]:
    """What a run that passes is told to have passed, and what was left out of it."""
    stayed = left_over(records, tables, seed=settings["seed"]) if tables is not None else {}
    return {
        "verified": True,
        "records": len(records),
        "comparisons": len(read_csv(diff)),
        "left_over": stayed,
    }


def summary_lines(passed: Mapping[str, Any]) -> list[str]:
    """A stamp in words: what stayed from earlier runs, then what was verified."""
    return [
        *(f"{what}: {name}" for name, what in passed["left_over"].items()),
        f"verified: {passed['comparisons']} comparisons agree, {passed['records']} records of "
        "making",
    ]


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="verification.gate", description=__doc__.split("\n")[0])
    parser.add_argument("--settings", type=Path, required=True, help="the configuration that ran")
    parser.add_argument("--diff", type=Path, default=RESULTS / "verification/diff.csv")
    parser.add_argument("--faults", type=Path, default=RESULTS / "verification/planted_faults.csv")
    parser.add_argument("--planted", type=Path, default=FAULTS, help="the list of faults")
    parser.add_argument("--tables", type=Path, help="folder in which every table needs a record")
    parser.add_argument(
        "--raw",
        type=Path,
        nargs=3,
        metavar=("SOURCE", "MANIFEST", "FOLDER"),
        help="source.json, sources.tsv and the folder of the raw files, to hash them again",
    )
    parser.add_argument(
        "--coded", type=Path, default=CODED, help="shipped table, hashed if it was the source"
    )
    parser.add_argument("--out", type=Path, help="stamp to write when everything passes")
    parser.add_argument("records", type=Path, nargs="*", help="records of making (default: all)")
    return parser.parse_args(given)


def main(given: Sequence[str]) -> int:
    """Print every reason not to pass; 0 when there is none, 1 when there is, 2 when unusable."""
    options = arguments(given)
    raw = None
    if options.raw:
        source, manifest, folder = options.raw
        raw = Raw(source=source, manifest=manifest, folder=folder, coded=options.coded)
    try:
        records = options.records or sorted(
            [*RESULTS.rglob("*.made.json"), *FIGURES.glob("*.made.json")]
        )
        settings = read_settings(options.settings)
        found = reasons(
            records,
            settings=settings,
            diff=options.diff,
            faults=options.faults,
            planted=options.planted,
            tables=options.tables,
            raw=raw,
        )
        for line in found:
            print(f"refused: {line}", file=sys.stderr)
        if found:
            told = f"refused: {len(found)} reasons above; nothing of this run is verified"
            print(told, file=sys.stderr)
            return 1
        passed = stamp(records, options.diff, settings=settings, tables=options.tables)
        if options.out:
            write_json(options.out, passed)
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print("\n".join(summary_lines(passed)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
