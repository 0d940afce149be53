"""Corrected rates of the pipeline beside a second computation of them (HP sections 13 and 14).

For each case of ``corrections.csv`` the counts at the calibrated threshold are taken from the
records again, and admissibility, rate, interval and gate are worked out from the case's own inputs.
Only the half-width of q comes from the table, because it rests on random numbers: whether that
interval is right is compared apart, by the Monte-Carlo error of two bootstraps. Standard library
only.

    python -m verification.corrections --table results/verification/corrections.csv \
        --exported results/verification/exported/deliveries \
        --settings results/verification/settings.json --out results/verification/corrections.jsonl
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from verification.bootstrap import tolerance
from verification.calibrated import calibrated
from verification.comparison import EXACT, MONTE_CARLO, compared, counterpart
from verification.estimates import setting
from verification.files import Unusable, read_csv, read_json, read_json_lines, write_json_lines
from verification.recompute import Row, redecided_omission

SOURCE = "corrected rates"
PART_ONE_ONLY = "part I only"

Number = float | int | None
Delivery = tuple[Mapping[str, Any], Sequence[Mapping[str, Any]]]
#: Delivery, hint type, threshold.
Key = tuple[str, str, float]

COUNTS = ("tp", "fn", "tn", "fp")
JUDGE_FIELDS = ("judge_model", "judge_provider", "judge_serving_path", "judge_prompt_sha256")
MATERIAL = ("construct", "language", "format")
#: Column of the table -> name in `verification.calibrated.calibrated`.
CORRECTED = {
    "estimate": "pi",
    "lower": "lower",
    "upper": "upper",
    "method": "method",
    "h": "h",
    "h_s": "h_s",
    "h_c": "h_c",
    "youden": "j",
    "youden_lower": "j_lower",
    "youden_upper": "j_upper",
}


def read_corrections(table: Path) -> list[dict[str, Any]]:
    """The rows of ``corrections.csv`` with numbers as numbers and None for an empty cell.

    Raises:
        Unusable: it cannot be read, or a number is none.
    """
    texts = {"case", "delivery", "hint_type", "q_method", "q_status", "status", "method", "reasons"}
    texts |= {*JUDGE_FIELDS, *MATERIAL, "undeclared"}
    found = []
    for number, row in enumerate(read_csv(table), start=2):
        try:
            found.append(
                {
                    name: (text or None) if name in texts else _number(text)
                    for name, text in row.items()
                }
            )
        except ValueError as error:
            raise Unusable(f"{table}, line {number}: {error}; run make reproduce") from None
    return found


def _number(text: str) -> Number:
    if not text:
        return None
    return int(text) if text.lstrip("-").isdigit() else float(text)


def key_of(row: Mapping[str, Any]) -> Key:
    """What the re-decided rate of a case depends on."""
    return row["delivery"], row["hint_type"], row["threshold"]


def redecisions(
    main: Sequence[Mapping[str, Any]],
    deliveries: Mapping[str, Delivery],
    settings: Mapping[str, Any],
) -> dict[Key, Row]:
    """The omission at each calibrated threshold that occurs, from the records.

    Raises:
        Unusable: a case names a delivery that is not there.
    """
    found: dict[Key, Row] = {}
    for row in main:
        name, hint_type, threshold = key = key_of(row)
        if key in found:
            continue
        if name not in deliveries:
            raise Unusable(f"corrections: the delivery {name!r} of case {row['case']!r} is missing")
        header, records = deliveries[name]
        found[key] = redecided_omission(
            name, header, records, settings, threshold=threshold, hint_type=hint_type
        )
    return found


def inadmissible(
    row: Mapping[str, Any], header: Mapping[str, Any], settings: Mapping[str, Any]
) -> bool:
    """Whether the calibration of a case may not be used: another judge or material, or few items.

    The judge is its model, provider, serving path and prompt. What the delivery does not declare is
    not the same; ``undeclared`` are fields that it does without in this case.

    Source: HP section 13.
    """
    said = {**header, **dict.fromkeys((row["undeclared"] or "").split())}
    judge = said.get("judge") or {}
    same = all(row[name] == judge.get(name.removeprefix("judge_")) for name in JUDGE_FIELDS)
    same = same and all(row[name] == said.get(name) for name in MATERIAL)
    enough = row["tp"] + row["fn"] >= setting(settings, "calibration", "min_positive") and row[
        "tn"
    ] + row["fp"] >= setting(settings, "calibration", "min_negative")
    return not (same and enough)


def expected(
    row: Mapping[str, Any],
    redecided: Mapping[str, Any],
    header: Mapping[str, Any],
    settings: Mapping[str, Any],
) -> dict[str, Any]:
    """What the outputs of a case should be, given its inputs; undefined is None."""
    value = redecided["estimate"]
    n = redecided["n"]
    hits = 0 if value is None else round(value * n)
    found: dict[str, Any] = {"k": hits, "n": n, "clusters": redecided["clusters"], "q": value}
    found["q_method"] = redecided["method"]
    # Two clusters and two pairs at least, and an interval (HP section 7).
    sufficient = redecided["status"] not in ("insufficient", "undefined")
    if inadmissible(row, header, settings) or not sufficient:
        return found | dict.fromkeys(CORRECTED) | {"status": PART_ONE_ONLY}
    tp, fn, tn, fp = (row[name] for name in COUNTS)
    corrected = calibrated(hits, n, row["q_half_width"], tp, fn, tn, fp, settings)
    found |= {column: corrected[name] for column, name in CORRECTED.items()}
    return found | {"status": corrected["status"]}


def compare_corrections(
    main: Sequence[Mapping[str, Any]],
    redecided: Mapping[Key, Row],
    headers: Mapping[str, Mapping[str, Any]],
    settings: Mapping[str, Any],
) -> Iterator[dict[str, Any]]:
    """Rows of the comparison, one per case and field."""
    for row in main:
        again, _ = counterpart(row["q_method"], redecided[key_of(row)])
        place = (SOURCE, row["case"], f"{row['delivery']}/{row['hint_type']}", None)
        for name, value in expected(row, again, headers[row["delivery"]], settings).items():
            yield compared(*place, name, row[name], value)
        for end in ("lower", "upper"):
            values = row[f"q_{end}"], again[end]
            if again[f"{end}_error"] is None:
                yield compared(*place, f"q_{end}", *values)
            else:
                within = tolerance(again[f"{end}_error"], again[f"{end}_step"]) + EXACT
                yield compared(*place, f"q_{end}", *values, within=within, basis=MONTE_CARLO)


def rows(table: Path, exported: Path, settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Compare the table of corrected rates with this program.

    Args:
        table: ``corrections.csv``.
        exported: folder with ``NAME.jsonl`` and ``NAME.header.json`` of each delivery it names.
        settings: the whole configuration that ran.

    Raises:
        Unusable: a file cannot be read.
    """
    main = read_corrections(table)
    if not main:
        raise Unusable(f"{table} has no rows; run make reproduce")
    deliveries: dict[str, Delivery] = {
        name: (
            read_json(exported / f"{name}.header.json"),
            read_json_lines(exported / f"{name}.jsonl"),
        )
        for name in sorted({row["delivery"] for row in main})
    }
    again = redecisions(main, deliveries, settings)
    headers = {name: header for name, (header, _) in deliveries.items()}
    return list(compare_corrections(main, again, headers, settings))


def main(given: Sequence[str]) -> int:
    """Write the rows of the comparison, for `verification.diff`; 0 when done, 2 when unusable."""
    parser = argparse.ArgumentParser(prog="verification.corrections")
    parser.add_argument("--table", type=Path, required=True, help="corrections.csv")
    parser.add_argument("--exported", type=Path, required=True, help="folder of the deliveries")
    parser.add_argument("--settings", type=Path, required=True, help="the configuration that ran")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines to write")
    options = parser.parse_args(given)
    try:
        settings = read_json(options.settings)
        write_json_lines(options.out, rows(options.table, options.exported, settings))
    except Unusable as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
