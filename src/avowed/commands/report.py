"""``avowed report DELIVERY... --out DIR``: a page, a table and a figure for deliveries."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from avowed.commands import estimate
from avowed.commands.deliveries import add_calibration, add_deliveries, names_of
from avowed.commands.given import given_path, read_config
from avowed.commands.publish import publish
from avowed.configuration import changed_settings
from avowed.importing.left_out import left_out_lines
from avowed.pairs.calibration_file import read_calibration
from avowed.pairs.estimate import Settings
from avowed.present import outcomes_figure
from avowed.present.csvfile import read_rows, write_rows
from avowed.present.page import OWN_REPORT, Page, Sentence, render
from avowed.present.page_figures import read_figures
from avowed.present.page_run import Provenance
from avowed.present.page_sources import load
from avowed.provenance import describe_run
from avowed.real_path import refuse_no_folder, refuse_overwriting

PAGE, TABLE, FIGURE = "index.html", "deliveries.csv", "deliveries.svg"

#: The files of a delivery that the estimates rest on.
_FILES = ("delivery.json", "records.parquet", "records.jsonl")

_CAPTION = "What happened to the analysed pairs, and the flagged omission with its interval."


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "report",
        help="write one HTML page about deliveries, with their table and figure",
        description="Validate and estimate deliveries as `avowed estimate` does, then write "
        f"{PAGE}, {TABLE} and {FIGURE}. If one delivery is refused, nothing is written.",
    )
    add_deliveries(parser)
    add_calibration(parser)
    parser.add_argument(
        "--out", type=given_path, required=True, metavar="DIR", help="folder to write to"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Estimate every delivery, then write everything; a refusal leaves nothing behind."""
    out: Path = arguments.out
    refuse_no_folder(out)
    given = [path for path in (arguments.config, arguments.calibration) if path]
    refuse_overwriting([out / name for name in (PAGE, FIGURE, TABLE)], given)
    names = names_of(arguments.paths, arguments.name)
    config = {} if arguments.config is None else read_config(arguments.config)

    def write(staged: Path) -> None:
        rows = _estimated(arguments, names, config, staged)
        _write_page(staged, rows, arguments.paths, names, Settings.from_config(config))

    publish(out, (PAGE, FIGURE, TABLE), write)
    print(out / PAGE)
    return 0


def _estimated(
    arguments: argparse.Namespace,
    names: Sequence[str],
    config: Mapping[str, Any],
    staged: Path,
) -> list[dict[str, str]]:
    """The table of `avowed estimate` over all deliveries, as it stands in its file."""
    calibration = None
    if arguments.calibration is not None:
        calibration = read_calibration(arguments.calibration)
    columns, rows = estimate.estimated(arguments.paths, names, config, calibration)
    write_rows(staged / TABLE, columns, rows)
    return read_rows(staged / TABLE)


def _write_page(
    staged: Path,
    rows: Sequence[Mapping[str, str]],
    paths: Sequence[Path],
    names: Sequence[str],
    settings: Settings,
) -> None:
    table, figure, page = staged / TABLE, staged / FIGURE, staged / PAGE
    outcomes_figure.draw(rows, [figure], confidence=settings.confidence)
    text = render(
        Page(
            title="Do explanations avow the hint that moved the answer?",
            sections=OWN_REPORT,
            sentences=[Sentence("deliveries", row["condition"], row["sentence"]) for row in rows],
            tables=load({"deliveries": table}, page, shown={"deliveries": TABLE}),
            figures=read_figures(
                [figure],
                captions={figure.stem: _CAPTION},
                tables={figure.stem: TABLE},
                link_to={str(figure): FIGURE, TABLE: TABLE},
            ),
            provenance=Provenance(
                run=_described(paths, settings),
                changed=changed_settings(asdict(Settings()), asdict(settings)),
                times=(),
            ),
            confidence=settings.confidence,
            own=True,
            left_out=left_out_lines(dict(zip(names, paths, strict=True))),
        )
    )
    page.write_text(text, encoding="utf-8")


def _described(paths: Sequence[Path], settings: Settings) -> dict[str, Any]:
    """What the page says of the run: versions, settings, hashes of the deliveries' files."""
    files = [path / name for path in paths for name in _FILES if (path / name).is_file()]
    described = describe_run(
        root=Path(), source={}, settings=asdict(settings), inputs=files, tables=()
    )
    # The commit would be the one of the folder that the user happens to stand in.
    return described | {"commit": None}
