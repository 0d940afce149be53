"""The claims ledger: every numeric statement of the two papers beside a computed number.

    python -m verification.claims --claims data/published/claims.csv \\
        --settings results/verification/settings.json --facts results/verification/facts.json \\
        --results results --out results/verification

writes claims.csv, claims_summary.csv, claims_sensitivity.csv and claims_sensitivity_summary.csv.
Exit code 2, and one message, if a check or an input cannot be used. A verdict that is unfavourable
to the papers is a result and no failure: the exit code is 0.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from verification import claims_sensitivity
from verification.claims_checks import read_checks
from verification.claims_context import Context, read_claims, read_exact_json
from verification.claims_entries import COLUMNS, Entry, judge, row_of
from verification.claims_sensitivity import Change, sensitivity, summarised
from verification.claims_verdicts import Verdict
from verification.files import Unusable, write_csv

CHECKS = Path(__file__).parent / "checks"
SUMMARY_COLUMNS = (
    "paper",
    "kind",
    "verdict",
    "n",
    "relations_hold",
    "relations_fail",
    "claims_with_failing_relation",
)


def ledger(
    *, claims: Path, settings: Path, facts: Path, results: Path, checks: Path = CHECKS
) -> tuple[list[dict[str, str]], list[dict[str, str]], list[Change]]:
    """Judge every claim, summarise, and measure the sensitivity.

    Args:
        claims: the printed statements, ``data/published/claims.csv``.
        settings: the configuration that ran, as JSON.
        facts: what the code says of itself, as JSON (`avowed.facts`).
        results: the folder of the results, with ``tables/`` in it.
        checks: the folder of the checks.

    Returns:
        rows of the ledger in the order of the claims, rows of its summary, and the changes.

    Raises:
        Unusable: a check or an input cannot be used.
    """
    all_checks = read_checks(checks)
    context = Context(
        claims=read_claims(claims, all_checks),
        settings=read_exact_json(settings),
        facts=read_exact_json(facts),
        results=results,
    )
    entries = {claim: judge(context, all_checks[claim]) for claim in context.claims}
    rows = [row_of(context, all_checks[claim], entry) for claim, entry in entries.items()]
    ordered = {claim: all_checks[claim] for claim in context.claims}
    changes = list(sensitivity(context, ordered, entries))
    return rows, summary(rows, entries), changes


def summary(
    rows: Sequence[Mapping[str, str]], entries: Mapping[str, Entry]
) -> list[dict[str, str]]:
    """Count verdicts by paper and kind, then by paper, then over all; relations beside them."""
    groups: dict[tuple[str, str, str], list[Entry]] = {}
    for row in rows:
        entry, verdict = entries[row["claim_id"]], row["verdict"]
        for paper, kind in ((row["paper"], row["kind"]), (row["paper"], "all"), ("all", "all")):
            for each in (verdict, "all"):
                if each == "all" and kind not in {"all"}:
                    continue
                groups.setdefault((paper, kind, each), []).append(entry)
    papers = [*dict.fromkeys(row["paper"] for row in rows), "all"]
    order = {verdict.value: place for place, verdict in enumerate(Verdict)}

    def place(key: tuple[str, str, str]) -> tuple[int, bool, str, int]:
        return papers.index(key[0]), key[1] == "all", key[1], order.get(key[2], len(order))

    return [_counted(key, groups[key]) for key in sorted(groups, key=place)]


def _counted(key: tuple[str, str, str], entries: list[Entry]) -> dict[str, str]:
    tally = Counter(relation.verdict for entry in entries for relation in entry.relations)
    failing = sum(any(r.verdict == Verdict.FAILS for r in entry.relations) for entry in entries)
    values = (
        *key,
        str(len(entries)),
        str(tally[Verdict.HOLDS]),
        str(tally[Verdict.FAILS]),
        str(failing),
    )
    return dict(zip(SUMMARY_COLUMNS, values, strict=True))


def write_ledger(
    out: Path,
    rows: Sequence[Mapping[str, str]],
    counted: Sequence[Mapping[str, str]],
    changes: Sequence[Change],
) -> None:
    """Write the four tables into a folder, each whole or not at all."""
    write_csv(out / "claims.csv", COLUMNS, rows)
    write_csv(out / "claims_summary.csv", SUMMARY_COLUMNS, counted)
    write_csv(
        out / "claims_sensitivity.csv",
        claims_sensitivity.COLUMNS,
        [change.row() for change in changes],
    )
    write_csv(
        out / "claims_sensitivity_summary.csv",
        claims_sensitivity.SUMMARY_COLUMNS,
        summarised(list(changes)),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line; see the module."""
    parser = argparse.ArgumentParser(prog="python -m verification.claims", allow_abbrev=False)
    for name in ("claims", "settings", "facts", "results", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        rows, counted, changes = ledger(
            claims=options.claims,
            settings=options.settings,
            facts=options.facts,
            results=options.results,
        )
        write_ledger(options.out, rows, counted, changes)
    except Unusable as error:
        print(f"unusable: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
