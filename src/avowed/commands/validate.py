"""``avowed validate PATH``: check a delivery against R1 to R11 (HP section 5)."""

import argparse
import os
import sys
from collections.abc import Iterable
from typing import Any

from avowed.commands.given import given_path

ACCEPTED, REJECTED = 0, 1


def add_parser(subparsers: Any) -> None:
    """Add the command to the parsers of ``avowed``.

    >>> parser = argparse.ArgumentParser()
    >>> add_parser(parser.add_subparsers())
    >>> parser.parse_args(["validate", "results/mine"]).format
    'text'
    """
    parser = subparsers.add_parser(
        "validate",
        help="check a delivery against the rules R1 to R11",
        description=(
            "Check a delivery against the rules R1 to R11. Exit code 0: accepted. 1: rejected, "
            "every violation is listed (--format text shows 20 per rule and the totals). "
            "2: unusable input, the reason is on standard error."
        ),
    )
    parser.add_argument("path", metavar="PATH", type=given_path, help="the delivery folder")
    parser.add_argument(
        "--format",
        choices=("text", "json"),
        default="text",
        help="text for people, json for programs (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Validate ``args.path``, print the verdict, return the exit code 0 or 1.

    Raises:
        UnusableDelivery: which ``avowed`` turns into one line and exit code 2.

    >>> run(argparse.Namespace(path=given_path("no/such/folder"), format="text"))
    Traceback (most recent call last):
    avowed.pairs.unusable.UnusableDelivery: no/such/folder: no such folder
    """
    from avowed.pairs.rules import validate
    from avowed.present.validation import json_pieces, text_lines

    report = validate(args.path)
    if args.format == "json":
        _print(json_pieces(report))
    else:
        _print(f"{line}\n" for line in text_lines(report))
    return ACCEPTED if report.accepted else REJECTED


def _print(pieces: Iterable[str]) -> None:
    try:
        for piece in pieces:
            sys.stdout.write(piece)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough (`| head`). The verdict stands; what is left in the buffer
        # must not be written when the interpreter exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
