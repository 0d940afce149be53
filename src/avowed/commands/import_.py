"""``avowed import INPUT --mapping MAP --out DELIVERY``: a user's own data as a delivery."""

import argparse
import shlex
from pathlib import Path

from avowed.commands.given import condition_name, given_path
from avowed.commands.publish import publish
from avowed.importing.build import EXCLUSIONS_FILE, IMPORT_FILE
from avowed.importing.input_form import HUB_PREFIX
from avowed.real_path import refuse_no_folder
from avowed.refusal import Unusable


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the subcommand and its options."""
    parser = subparsers.add_parser(
        "import",
        help="turn outputs of your own (Parquet, JSON, CSV, ...) into a delivery",
        description="Read INPUT as MAP says and write a delivery, with what was left out and why "
        f"in {EXCLUSIONS_FILE} and where it came from in {IMPORT_FILE}. docs/import.md explains "
        "the mapping; --suggest writes a first one.",
    )
    parser.add_argument(
        "input",
        metavar="INPUT",
        type=_source,
        help=f"a file (also gzip), a folder of files, or {HUB_PREFIX}NAME",
    )
    parser.add_argument(
        "--suggest", action="store_true", help="print a first mapping for INPUT and stop"
    )
    parser.add_argument("--mapping", type=given_path, metavar="MAP", help="mapping, a YAML file")
    parser.add_argument("--out", type=given_path, metavar="DELIVERY", help="folder to write to")
    parser.add_argument(
        "--strict", action="store_true", help="refuse the first row that cannot be taken over"
    )
    parser.add_argument(
        "--name", help="session of the pairs (default: the folder's name); see docs/import.md"
    )
    parser.set_defaults(run=run)


def _source(text: str) -> Path | str:
    return text if text.startswith(HUB_PREFIX) else given_path(text)


def run(arguments: argparse.Namespace) -> int:
    """Suggest a mapping, or import; a refusal leaves nothing behind.

    Raises:
        Refused: the data or the mapping are not accepted.
        Unusable: a file cannot be read, or an option is missing.
    """
    if arguments.suggest:
        from avowed.importing.input_form import InputForm
        from avowed.importing.read import read_input
        from avowed.importing.suggest import suggest

        if arguments.mapping is not None or arguments.out is not None:
            raise Unusable("--suggest only prints; leave out --mapping and --out")
        tables = read_input(arguments.input, InputForm(), columns=None)
        print(suggest(tables), end="")
        return 0
    for option in ("mapping", "out"):
        if getattr(arguments, option) is None:
            raise Unusable(f"--{option} is missing; or give --suggest for a first mapping")
    return _import(
        arguments.input, arguments.mapping, arguments.out, arguments.name, strict=arguments.strict
    )


def _import(
    source: Path | str, mapping_path: Path, out: Path, name: str | None, *, strict: bool
) -> int:
    from avowed.importing.imported import FILES, REMOVED, import_input
    from avowed.importing.summary import summary_lines

    session = condition_name(name, out)
    refuse_no_folder(out)
    imported = import_input(source, mapping_path, session=session, folder=out, strict=strict)
    publish(out, FILES, imported.write, removed=REMOVED)
    for line in summary_lines(imported.built, files=imported.files):
        print(line)
    if imported.built.exclusions.all:
        print(f"each of them: {out / EXCLUSIONS_FILE}")
    folder = shlex.quote(str(out))
    print(f"next: avowed validate {folder}")
    print(f"      avowed estimate {folder} --format text")
    print(f"      avowed report {folder} --out page")
    return 0
