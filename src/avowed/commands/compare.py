"""``avowed compare A B [C ...]``: differences between deliveries, or between two judges."""

import argparse
import csv
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from avowed.commands.deliveries import add_deliveries, names_of
from avowed.commands.given import given_path, read_config
from avowed.commands.publish import publish
from avowed.jsonfile import write_json
from avowed.made import describe_making
from avowed.pairs.compare.differences import compare_deliveries
from avowed.pairs.compare.judges import compare_judges
from avowed.pairs.compare.rows import (
    DIFFERENCE_COLUMNS,
    JUDGE_COLUMNS,
    difference_row,
    judge_rows,
    rate_row,
)
from avowed.pairs.compare.same_pairs import hold_the_same
from avowed.pairs.delivery import Delivery, read_delivery, records_file
from avowed.pairs.estimate import Settings
from avowed.pairs.header import HEADER_FILE
from avowed.pairs.rules import validate
from avowed.present.compare_tables import difference_table, document, judge_tables, rates_table
from avowed.present.csvfile import Value, cell_text, write_rows
from avowed.present.figures import compare as figure
from avowed.present.validation import text_lines
from avowed.provenance import describe_run
from avowed.real_path import real_path, refuse_no_folder, refuse_overwriting
from avowed.refusal import Refused, Unusable

TABLE, TEXT, SVG, PNG, MADE = (
    *("compare.csv", "compare.md", "compare.svg", "compare.png", "compare.made.json"),
)

#: Most refused pairs that are named.
SHOWN = 20


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "compare",
        help="compare the rates of two deliveries or more, or two judges of the same pairs",
        description="Validate deliveries, then compare them cell by cell: the difference of their "
        "rates, with interval and p-value. With --judges, two deliveries of the same conversations "
        "are compared as two judges.",
    )
    add_deliveries(parser, many="delivery folder, two or more")
    parser.add_argument(
        "--pairing",
        choices=("auto", "paired", "unpaired"),
        default="auto",
        help="whether shared probes are resampled together (default: auto, if there are any)",
    )
    parser.add_argument(
        "--judges",
        action="store_true",
        help="the two deliveries hold the same conversations, judged by two judges",
    )
    parser.add_argument(
        "--format",
        choices=("text", "csv"),
        default="text",
        help="what to print: sentences and tables, or the table as CSV (default: %(default)s)",
    )
    parser.add_argument(
        "--out",
        type=given_path,
        metavar="DIR",
        help=f"folder for {TABLE}, {TEXT}, {SVG}, {PNG} and {MADE}",
    )
    parser.set_defaults(run=run)


@dataclass(frozen=True, kw_only=True)
class _Result:
    """What is printed and written, however it came about."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Mapping[str, Any]]
    sentences: Sequence[str]
    tables: Mapping[str, str]
    notes: Sequence[str]
    lines: Sequence[Mapping[str, Any]]


def _accepted(path: Path) -> Delivery:
    report = validate(path)
    if not report.accepted:
        for line in text_lines(report):
            print(line, file=sys.stderr)
        raise Refused(f"{path}: the delivery breaks the rules above; nothing compared")
    return read_delivery(path)


def _read(paths: Sequence[Path], names: Sequence[str]) -> dict[str, Delivery]:
    """The deliveries by name; a copy of another is no comparison."""
    found: dict[str, Delivery] = {}
    for path, name in zip(paths, names, strict=True):
        delivery = _accepted(path)
        for other, before in found.items():
            if delivery.records.num_rows and hold_the_same(delivery, before):
                raise Refused(
                    f"{name} and {other} hold the same records, whatever their sessions are "
                    "called; one is a copy of the other"
                )
        found[name] = delivery
    return found


def _differences(
    deliveries: Mapping[str, Delivery], settings: Settings, arguments: argparse.Namespace
) -> _Result:
    found = compare_deliveries(deliveries, settings, pairing=arguments.pairing)
    level = settings.confidence
    rows = [difference_row(each, confidence=level) for each in found.differences]
    notes = [
        f"intervals are at {100 * level:g} % each and the p-values are adjusted (Holm) within a "
        "hint type and quantity, not across them: read one interval at a time, and the adjusted "
        "p-values together"
        if len(deliveries) > 2
        else f"the intervals are at {100 * level:g} % each, not adjusted across hint types",
        "rates are of an uncalibrated judge; a difference of rates is not a statement about causes",
        *found.notes,
    ]
    return _Result(
        title=f"Comparison of {', '.join(deliveries)}",
        columns=DIFFERENCE_COLUMNS,
        rows=rows,
        # Susceptibility is context (HP 12): it stands in the tables, its sentences in the CSV file.
        sentences=[row["sentence"] for row in rows if row["quantity"] == "omission"],
        tables={
            "Rates": rates_table([rate_row(each) for each in found.rates], confidence=level),
            "Differences, first minus second": difference_table(rows, confidence=level),
        },
        notes=notes,
        lines=figure.drawn(rows, confidence=level),
    )


def _judges(deliveries: Mapping[str, Delivery], settings: Settings) -> _Result:
    one, two = deliveries
    found = compare_judges(deliveries[one], deliveries[two], settings, names=(one, two))
    level = settings.confidence
    rows = [row for c in found.cells for row in judge_rows(c, names=(one, two), confidence=level)]
    others = found.pairs.others
    named = [f"refused: {each.told}" for each in others[:SHOWN]]
    if len(others) > SHOWN:
        named.append(f"refused: and {len(others) - SHOWN} more")
    return _Result(
        title=f"{one} and {two} as judges of the same pairs",
        columns=JUDGE_COLUMNS,
        rows=rows,
        sentences=[row["sentence"] for row in rows if row["sentence"]],
        tables={"Judges": judge_tables(rows, confidence=level)},
        notes=[*found.notes, *named],
        lines=figure.drawn_judges(rows),
    )


def run(arguments: argparse.Namespace) -> int:
    """Validate, compare, print and write; a refusal leaves nothing behind."""
    paths: list[Path] = arguments.paths
    if len(paths) < 2:
        raise Unusable(f"found 1 delivery, {paths[0]}; a comparison needs two or more")
    places = [real_path(path) for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            raise Unusable(f"{path}: the same delivery is given twice; name another one")
    if arguments.judges and len(paths) > 2:
        raise Unusable(f"--judges compares two deliveries; found {len(paths)}")
    if arguments.judges and arguments.pairing == "unpaired":
        raise Unusable("--judges compares the same pairs; --pairing unpaired does not go with it")
    out: Path | None = arguments.out
    if out is not None:
        refuse_no_folder(out)
        if arguments.config is not None:
            names = (TABLE, TEXT, SVG, PNG, MADE)
            refuse_overwriting([out / name for name in names], [arguments.config])
    config = {} if arguments.config is None else read_config(arguments.config)
    settings = Settings.from_config(config)
    deliveries = _read(paths, names_of(paths, arguments.name))
    result = (
        _judges(deliveries, settings)
        if arguments.judges
        else _differences(deliveries, settings, arguments)
    )
    if out is not None:
        publish(
            out,
            (TABLE, TEXT, SVG, PNG, MADE),
            lambda staged: _write(staged, result, paths, settings),
        )
    if arguments.format == "csv":
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(result.columns)
        writer.writerows(
            [cell_text(row[column]) for column in result.columns] for row in result.rows
        )
    else:
        _print(result)
    sys.stdout.flush()
    return 0


def _print(result: _Result) -> None:
    for sentence in result.sentences:
        print(sentence)
    for heading, table in result.tables.items():
        print(f"\n{heading}\n\n{table}")
    if result.notes:
        print()
    for note in result.notes:
        print(f"Note: {note}.")


def _write(staged: Path, result: _Result, paths: Sequence[Path], settings: Settings) -> None:
    rows: list[dict[str, Value]] = [dict(row) for row in result.rows]
    write_rows(staged / TABLE, result.columns, rows)
    text = document(
        title=result.title,
        notes=result.notes,
        tables=result.tables,
        sentences=result.sentences,
    )
    (staged / TEXT).write_text(text, encoding="utf-8", newline="\n")
    figure.draw(result.lines, [staged / SVG, staged / PNG], confidence=settings.confidence)
    files = [staged / name for name in (TABLE, TEXT, SVG, PNG)]
    made = describe_making(files, seed=settings.seed)
    inputs = [each for path in paths for each in (path / HEADER_FILE, records_file(path))]
    run_of = describe_run(
        root=Path(), source={}, settings=asdict(settings), inputs=inputs, tables=()
    )
    write_json(
        staged / MADE,
        {
            "seed": made["seed"],
            "files": {Path(name).name: each for name, each in made["files"].items()},
            **{key: run_of[key] for key in ("avowed", "python", "packages", "settings")},
            # A path need not be text; what is none is shown escaped.
            "inputs": {
                path.encode("utf-8", "backslashreplace").decode(): digest
                for path, digest in run_of["inputs"].items()
            },
        },
    )
