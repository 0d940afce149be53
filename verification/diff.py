"""The pipeline's estimates beside the recomputed ones, field by field, with a verdict each.

    python -m verification.diff --exported results/verification/exported \
        --settings results/verification/settings.json --validation results/validation \
        --place NAME=STUDY:CELL ... --extra ROWS.jsonl ... --out results/verification/diff.csv

How close is close enough, and why, stands in every row (``tolerance``, ``basis``) and in
`verification.comparison`. Exit codes: 0 everything agrees, 1 something does not (0 with
``--report-only``), 2 unusable input.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from verification.comparison import AGREES, COLUMNS, VERDICTS, Row, compare, compared
from verification.estimates import Settings
from verification.files import Unusable, read_json, read_json_lines, write_csv
from verification.recompute import (
    broken_by_rule,
    check_rules,
    coverage_counts,
    recompute_delivery,
)

__all__ = ["AGREES", "COLUMNS", "VERDICTS", "compare", "compared", "delivery_rows", "main"]

#: Rows that do not agree and are printed; all of them stand in the file.
PRINTED = 40
#: Study of a delivery without a place: a user's own.
OWN_STUDY = "deliveries"


def delivery_rows(
    name: str,
    exported: Path,
    settings: Mapping[str, Any],
    *,
    study: str,
    cell: str,
    stamp: Mapping[str, Any] | None = None,
) -> Iterator[Row]:
    """Rules, coverage and every estimate of one exported delivery.

    The verdict of R1 to R11 stands beside the pipeline's stamp, if it is given: a stamp says how
    many records were read and whether they were accepted, and an accepted delivery breaks no rule.
    Nothing is recomputed from a delivery that breaks a rule, so that its estimates, if the
    pipeline has any, are without counterpart.

    Raises:
        Unusable: a file cannot be read, or a setting is missing.
    """
    header, records = read_delivery(exported, name)
    broken = check_rules(header, records)
    if stamp is not None:
        place = (name, "validation", "", None)
        yield compared(*place, "accepted", stamp.get("accepted"), not broken)
        yield compared(*place, "records", stamp.get("records"), len(records))
        if stamp.get("accepted") is True:
            for rule, count in broken_by_rule(broken).items():
                yield compared(*place, rule, 0, count, basis="equal: places that break it")
    file = exported / "estimates" / f"{name}.jsonl"
    main = read_rows(file) if file.exists() else []
    if broken:
        yield from compare(main, [], source=name)
        return
    counts = coverage_counts(header, records)
    for entry in header["coverage"]:
        kind = entry["hint_type"]
        declared = {**entry["not_evaluable"], "completed": entry["completed"]}
        for field, count in counts[kind].items():
            yield compared(name, "coverage", kind, None, field, declared.get(field, 0), count)
    independent = recompute_delivery(name, header, records, settings, study=study, cell_name=cell)
    yield from compare(main, independent, source=name)


def read_delivery(exported: Path, name: str) -> tuple[Row, list[Row]]:
    """Header and records of an exported delivery, token kinds kept.

    Raises:
        Unusable: one of the two cannot be read.
    """
    path = exported / "deliveries" / f"{name}.header.json"
    header = read_json(path)
    if not isinstance(header, dict):
        raise Unusable(f"{path}: is not a JSON object; expected the delivery's header")
    return header, read_rows(exported / "deliveries" / f"{name}.jsonl")


def read_rows(path: Path) -> list[Row]:
    """JSON lines that are objects.

    Raises:
        Unusable: the file cannot be read, or a line is something else; the row is named.
    """
    rows = read_json_lines(path)
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise Unusable(f"{path}, row {number}: is not a JSON object ({row!r:.60})")
    return rows


def extra_rows(path: Path) -> list[Row]:
    """Rows that another program compared, in the columns of the table.

    Raises:
        Unusable: a row has other columns, or a verdict that there is none of.
    """
    rows = read_rows(path)
    for number, row in enumerate(rows, start=1):
        if set(row) != set(COLUMNS):
            other = ", ".join(sorted(set(row) ^ set(COLUMNS)))
            raise Unusable(f"{path}, row {number}: columns missing or too many: {other}")
        if row["verdict"] not in VERDICTS:
            raise Unusable(
                f"{path}, row {number}, verdict: found {row['verdict']!r}; expected one of "
                + ", ".join(VERDICTS)
            )
    return rows


def sentence(row: Mapping[str, Any]) -> str:
    """A row that does not agree, in words.

    >>> sentence(compared("turpin", "omission", "few-shot", None, "n", 22, 23))
    'turpin: omission of few-shot, n: 22 in the pipeline, 23 recomputed (equal): fails'
    """
    attempts = "" if row["k"] is None else f" at k = {row['k']}"
    cell = f" of {row['cell']}" if row["cell"] else ""
    main, independent = ("nothing" if row[s] is None else row[s] for s in ("main", "independent"))
    within = f"within {row['tolerance']:.3g}, " if row["tolerance"] else ""
    return (
        f"{row['source']}: {row['quantity']}{attempts}{cell}, {row['field']}: {main} in the "
        f"pipeline, {independent} recomputed ({within}{row['basis']}): {row['verdict']}"
    )


def placed(given: str) -> tuple[str, tuple[str, str]]:
    """Split ``NAME=STUDY:CELL``.

    >>> placed("turpin_few=public_data:few")
    ('turpin_few', ('public_data', 'few'))
    """
    name, equals, place = given.partition("=")
    study, colon, cell = place.partition(":")
    if not (name and equals and study and colon and cell):
        raise argparse.ArgumentTypeError(f"{given!r} is not NAME=STUDY:CELL")
    return name, (study, cell)


def arguments(given: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="verification.diff", description=str(__doc__).split("\n", maxsplit=1)[0]
    )
    more: dict[str, Any] = {"action": "extend", "nargs": "+", "default": []}
    parser.add_argument("--exported", type=Path, required=True, help="what the export wrote")
    parser.add_argument("--settings", type=Path, required=True, help="configuration that ran, JSON")
    parser.add_argument("--validation", type=Path, help="folder with a stamp NAME.json each")
    parser.add_argument(
        "--place",
        type=placed,
        metavar="NAME=STUDY:CELL",
        help=f"what the pipeline calls a delivery's study and cell (default: {OWN_STUDY}:NAME)",
        **more,
    )
    parser.add_argument("--extra", type=Path, metavar="ROWS.jsonl", help="rows of tables", **more)
    parser.add_argument("--out", type=Path, required=True, help="CSV table to write")
    parser.add_argument("--report-only", action="store_true", help="exit 0 whatever is found")
    return parser.parse_args(given)


def all_rows(options: argparse.Namespace) -> list[Row]:
    """Every comparison, deliveries by name, then the extra rows in the order given.

    Raises:
        Unusable: there is nothing to compare, a file cannot be read, or a place is given for a
            delivery that is not there.
    """
    settings = read_json(options.settings)
    if not isinstance(settings, dict):
        raise Unusable(f"{options.settings}: is not a JSON object; expected the configuration")
    Settings.from_config(settings)
    ending = ".header.json"
    found = sorted((options.exported / "deliveries").glob(f"*{ending}"))
    names = [path.name.removesuffix(ending) for path in found]
    estimated = {path.stem for path in (options.exported / "estimates").glob("*.jsonl")}
    places = dict(options.place)
    lost = sorted((places.keys() | estimated) - set(names))
    if lost or not names:
        which = ", ".join(lost) or "any delivery"
        raise Unusable(f"{options.exported}/deliveries: no header of {which}; run the export")
    rows: list[Row] = []
    for name in names:
        study, cell = places.get(name, (OWN_STUDY, name))
        stamp = None if options.validation is None else _stamp(options.validation / f"{name}.json")
        rows += delivery_rows(name, options.exported, settings, study=study, cell=cell, stamp=stamp)
    for path in options.extra:
        rows += extra_rows(path)
    return rows


def _stamp(path: Path) -> Row:
    stamp = read_json(path)
    if not isinstance(stamp, dict):
        raise Unusable(f"{path}: is not a JSON object; expected a validation stamp")
    return stamp


def main(given: Sequence[str]) -> int:
    """Compare, write the table, print what does not agree; see the head of this module."""
    options = arguments(given)
    try:
        rows = all_rows(options)
        write_csv(options.out, COLUMNS, rows)
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"error: {options.out} cannot be written ({error.strerror})", file=sys.stderr)
        return 2
    apart = [row for row in rows if row["verdict"] != AGREES]
    for row in apart[:PRINTED]:
        print(sentence(row))
    if len(apart) > PRINTED:
        print(f"and {len(apart) - PRINTED} more, in {options.out}")
    sources = len({row["source"] for row in rows})
    verdict = f"{len(apart)} do not agree" if apart else "all agree"
    print(f"{len(rows)} comparisons of {sources} sources: {verdict}")
    return 1 if apart and not options.report_only else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
