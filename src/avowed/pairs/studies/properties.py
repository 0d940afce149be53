"""The table of section 16.2, row by row: printed, ours, error, verdict."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from avowed.pairs.studies.exposure_bias import TRUTHS
from avowed.pairs.studies.verdict import Verdict, compare
from avowed.stats.performance import Performance

COLUMNS = (
    "property",
    "k",
    "end",
    "truth_kind",
    "hint_type",
    "published",
    "ours",
    "mc_error",
    "repetitions",
    "difference",
    "difference_in_errors",
    "noticed_from",
    "verdict",
    "from_table",
)

Rows = Sequence[Mapping[str, Any]]


def _where(rows: Rows, **wanted: Any) -> list[Mapping[str, Any]]:
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def _figure(row: Mapping[str, Any], statistic: str) -> Performance:
    return Performance(
        value=row[statistic], mc_error=row[f"{statistic}_mc_error"], repetitions=row["repetitions"]
    )


#: Printed property -> table, the rows of it that answer it, and the truths to hold it against.
_SOURCES: dict[str, tuple[str, dict[str, Any]]] = {
    "coverage of the cluster bootstrap": (
        "coverage",
        {"hint_type": "all", "variant": "main", "method": "percentile"},
    ),
    "coverage of the independence-based Wilson interval": (
        "coverage",
        {"hint_type": "all", "variant": "main", "method": "wilson, pairs as independent"},
    ),
    "mean intra-cluster correlation": (
        "coverage",
        {"hint_type": "all", "variant": "main", "method": "percentile"},
    ),
    "bias of the unbiased exposure estimator": ("exposure_bias", {"hint_type": "all"}),
    "bias of the plug-in form": ("exposure_bias", {"hint_type": "all"}),
    "chance correction, perfect judge: bias": ("chance_correction", {}),
    "chance correction, perfect judge: coverage": ("chance_correction", {}),
    "corrected rate, new calibration set per repetition: bias": (
        "calibration",
        {"calibration": "fresh", "interval": "quadrature"},
    ),
    "corrected rate, new calibration set per repetition: coverage": (
        "calibration",
        {"calibration": "fresh", "interval": "quadrature"},
    ),
    "corrected rate, one fixed calibration set: bias": (
        "calibration",
        {"calibration": "fixed", "interval": "quadrature"},
    ),
}


def property_rows(
    published: Sequence[Mapping[str, str]],
    tables: Mapping[str, Rows],
    *,
    calibration_items: int,
) -> list[dict[str, Any]]:
    """Compare every printed property with the study that measures it.

    ``published`` has one row per printed figure; an empty figure was lost in our copy and is
    recovered. Where the paper prints a range over hint types, its ends are compared with our
    lowest and highest type. What can be held against two truths is held against both.
    ``calibration_items`` is the size of the paper's calibration set.
    """
    rows = []
    for line in published:
        table, wanted = _SOURCES[line["property"]]
        k = int(line["k"]) if line["k"] else None
        wanted = dict(wanted)
        if k is not None:
            wanted["k"] = k
        if table == "calibration":
            wanted["items_per_class"] = calibration_items
        for truth_kind in _truths(table):
            if truth_kind:
                wanted["truth_kind"] = truth_kind
            found = [
                row for row in _where(tables[table], **wanted) if row[line["statistic"]] is not None
            ]
            if not found:
                rows.append(_absent(line, truth_kind, bool(_where(tables[table], **wanted)), table))
                continue
            row = _pick(found, line["statistic"], line["end"])
            ours = _figure(row, line["statistic"])
            printed = float(line["published"]) if line["published"] else None
            compared = compare(
                printed,
                ours,
                decimals=int(line["decimals"]),
                printed_repetitions=int(line["repetitions"]),
            )
            rows.append(
                {
                    "property": line["property"],
                    "k": k,
                    "end": line["end"],
                    "truth_kind": truth_kind,
                    "hint_type": row["hint_type"],
                    "published": printed,
                    "ours": ours.value,
                    "mc_error": ours.mc_error,
                    "repetitions": ours.repetitions,
                    "difference": None if printed is None else ours.value - printed,
                    "difference_in_errors": compared.in_errors,
                    "noticed_from": compared.noticed,
                    "verdict": compared.verdict.value,
                    "from_table": f"{table}.csv",
                }
            )
    return rows


def _absent(line: Mapping[str, str], truth_kind: str, there: bool, table: str) -> dict[str, Any]:
    """A printed figure that this run has no figure for, because it is undefined or left out."""
    row: dict[str, Any] = dict.fromkeys(COLUMNS)
    verdict = Verdict.UNDEFINED if there else Verdict.NOT_RUN
    row.update(
        property=line["property"],
        k=int(line["k"]) if line["k"] else None,
        end=line["end"],
        truth_kind=truth_kind,
        published=float(line["published"]) if line["published"] else None,
        verdict=verdict.value,
        from_table=f"{table}.csv",
    )
    return row


def _truths(table: str) -> tuple[str, ...]:
    if table == "exposure_bias":
        return TRUTHS
    return ("population", "realised") if table == "calibration" else ("",)


def _pick(found: list[Mapping[str, Any]], statistic: str, end: str) -> Mapping[str, Any]:
    """The one row, or the row of the hint type with the lowest or highest figure."""
    values = [row[statistic] for row in found]
    if end == "lowest":
        return found[int(np.argmin(values))]
    if end == "highest":
        return found[int(np.argmax(values))]
    (row,) = found
    return row
