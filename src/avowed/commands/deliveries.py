"""The options of every command that takes deliveries: which ones, what each is called, settings."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from avowed.commands.given import condition_name, given_path
from avowed.refusal import Unusable


def add_deliveries(
    parser: argparse.ArgumentParser, *, many: str = "delivery folder, or several"
) -> None:
    """Add the deliveries, ``--name`` and ``--config``; ``many`` says how many there may be."""
    parser.add_argument("paths", type=given_path, nargs="+", metavar="DELIVERY", help=many)
    parser.add_argument(
        "--name",
        action="append",
        help="name in tables and figures, once per delivery and in their order (default: the "
        "folders' names)",
    )
    parser.add_argument("--config", type=given_path, help="YAML file with the workflow's settings")


def add_calibration(parser: argparse.ArgumentParser) -> None:
    """Add ``--calibration``."""
    parser.add_argument(
        "--calibration",
        type=given_path,
        help="calibration.json of the judge: adds the corrected rate, or why there is none",
    )


def names_of(paths: Sequence[Path], given: Sequence[str] | None) -> list[str]:
    """The condition of each delivery: the given names, or those of the folders.

    Raises:
        Unusable: too few or too many names, one that cannot be used, or two deliveries with the
            same one.

    >>> names_of([Path("a/x"), Path("b/y")], None)
    ['x', 'y']
    """
    asked: Sequence[str | None] = given or [None] * len(paths)
    if len(asked) != len(paths):
        raise Unusable(
            f"--name: found {len(asked)} for {len(paths)} deliveries; give it once per delivery"
        )
    names = [condition_name(*each) for each in zip(asked, paths, strict=True)]
    for name in names:
        if names.count(name) > 1:
            raise Unusable(f"two deliveries are named {name!r}; tell them apart with --name")
    return names
