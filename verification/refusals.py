"""Do both programs refuse the same deliveries, for the same rules? (HP section 5)

Reads the table of the refused deliveries and the folders beside it, asks the second reading of
R1 to R11 about each, and gives one row of the comparison per delivery. Standard library only.

    python -m verification.refusals --table results/verification/refusals.csv \
        --folder results/verification/refused --out results/verification/refusals.jsonl
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from verification.comparison import ONLY_PIPELINE, ONLY_RECOMPUTATION, compared
from verification.files import Unusable, read_csv, read_json, read_json_lines, write_json_lines
from verification.rules import broken_by_rule, check_rules

SOURCE = "refused deliveries"


def rules_of(folder: Path) -> str:
    """Names of the rules that a delivery in JSON lines breaks, in their order.

    Raises:
        Unusable: a file cannot be read, or the header is not one object.
    """
    header = read_json(folder / "delivery.json")
    if not isinstance(header, dict):
        raise Unusable(f"{folder / 'delivery.json'}: found {type(header).__name__}, not one object")
    found = broken_by_rule(check_rules(header, read_json_lines(folder / "records.jsonl")))
    return " ".join(rule for rule, count in found.items() if count)


def independent_rules(folder: Path) -> dict[str, str]:
    """Case -> rules broken, for every delivery below a folder.

    Raises:
        Unusable: there is none.
    """
    cases = sorted(path.parent for path in folder.glob("*/delivery.json"))
    if not cases:
        raise Unusable(f"{folder}: no refused deliveries; run make reproduce")
    return {case.name: rules_of(case) for case in cases}


def compare_refusals(
    main: Sequence[dict[str, str]], independent: dict[str, str]
) -> Iterator[dict[str, Any]]:
    """Rows of the comparison; the rules are compared as sets.

    Args:
        main: rows of ``refusals.csv``.
        independent: what this program finds, by case.
    """
    listed = {row["case"]: row["rules"] for row in main}
    for case in sorted(listed.keys() | independent.keys()):
        ours, theirs = (
            None if case not in side else _shown(side[case]) for side in (listed, independent)
        )
        row = compared(SOURCE, case, "", None, "rules", ours, theirs, basis="the same rules")
        if ours is None:
            row |= {"verdict": ONLY_RECOMPUTATION}
        elif theirs is None:
            row |= {"verdict": ONLY_PIPELINE}
        yield row


def _shown(rules: str) -> str:
    """Rules without their order; a control breaks none, which is an answer and no empty cell."""
    return " ".join(sorted(set(rules.split()))) or "none"


def rows(table: Path, folder: Path) -> list[dict[str, Any]]:
    """Compare the table of refusals with what this program finds in the folders.

    Raises:
        Unusable: the table or a delivery cannot be read.
    """
    return list(compare_refusals(read_csv(table), independent_rules(folder)))


def main(given: Sequence[str]) -> int:
    """Write the rows of the comparison, for `verification.diff`; 0 when done, 2 when unusable."""
    parser = argparse.ArgumentParser(prog="verification.refusals")
    parser.add_argument("--table", type=Path, required=True, help="refusals.csv")
    parser.add_argument("--folder", type=Path, required=True, help="the refused deliveries")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines to write")
    options = parser.parse_args(given)
    try:
        write_json_lines(options.out, rows(options.table, options.folder))
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
