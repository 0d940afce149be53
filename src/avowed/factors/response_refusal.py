"""A file of responses is refused as a whole; what is wrong with it is listed rule by rule."""

import sys
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path

from avowed.factors.response_violation import RULES, Violation
from avowed.refusal import Refused

#: Violations of each rule that are shown.
SHOWN = 20


def _to_standard_error(line: str) -> None:
    print(line, file=sys.stderr)


def refuse_violations(
    path: Path, violations: Sequence[Violation], *, say: Callable[[str], None] = _to_standard_error
) -> None:
    """Refuse a file of responses for its violations, if there are any.

    Args:
        path: the file, as messages name it.
        violations: ordered by rule.
        say: gets the first `SHOWN` violations of each rule, a line each, when there are more than
            one altogether.

    Raises:
        Refused: with the first of them.
    """
    if not violations:
        return
    if len(violations) > 1:
        for rule, group in groupby(violations, key=lambda one: one.rule):
            found = list(group)
            say(f"{rule} ({RULES[rule]}): {len(found)} found")
            for one in found[:SHOWN]:
                say(f"  {path}, {one}")
    more = len(violations) - 1
    raise Refused(
        f"{path}, {violations[0]}" + (f" ({more} more above; nothing estimated)" if more else "")
    )
