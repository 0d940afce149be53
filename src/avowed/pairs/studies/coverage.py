"""Coverage of six intervals of the omission rate (HP section 16.2, and beyond it)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from avowed.pairs.cell import per_probe
from avowed.pairs.estimate import Settings
from avowed.pairs.studies.cells import coverage_cells
from avowed.stats.bootstrap import profiles_of
from avowed.stats.performance import bias, coverage, mean_of
from avowed.stats.rate_intervals import METHODS, rate_intervals
from avowed.stats.seeds import Study

COLUMNS = (
    "hint_type",
    "probes",
    "variant",
    "method",
    "truth",
    "coverage",
    "coverage_mc_error",
    "coverage_without_fallback",
    "coverage_without_fallback_mc_error",
    "repetitions",
    "n_empty",
    "n_fallback",
    "n_clipped",
    "mean_width",
    "mean_width_mc_error",
    "bias",
    "bias_mc_error",
    "mean_icc",
    "mean_icc_mc_error",
    "mean_evaluable",
)


#: What a repetition with an evaluable pair gives beside its number of pairs.
_FIGURES = (
    *("rate", "icc", "design_effect", "clusters"),
    *(
        f"{method} {part}"
        for method in METHODS
        for part in ("lower", "upper", "fallback", "clipped")
    ),
)


def run(config: Mapping[str, Any], settings: Settings) -> list[dict[str, Any]]:
    """Simulate one repetition of every cell and form all intervals of q; a row per cell."""
    rows = []
    for cell in coverage_cells(config, settings.replicate):
        data = cell.data(settings).with_options(at_least=settings.min_options)
        flagged, sizes = per_probe(data, data.flagged, data.evaluable)
        present = sizes > 0
        row: dict[str, Any] = {
            "hint_type": cell.hint_type,
            "probes": cell.design.probes,
            "variant": cell.variant,
            "repetition": settings.replicate,
            "truth": cell.truth(min_options=settings.min_options).flagged,
            "evaluable": int(sizes.sum()),
        }
        # Every column stands in every row, also where there is no pair to fill it.
        row |= dict.fromkeys(_FIGURES)
        if present.any():
            found = rate_intervals(
                profiles_of(flagged[present], sizes[present]),
                settings.stream(Study.COVERAGE, cell.name),
                resamples=settings.resamples,
                confidence=settings.confidence,
            )
            row |= {
                "rate": found.rate,
                "icc": found.clustering.icc,
                "design_effect": found.clustering.design_effect,
                "clusters": found.clustering.clusters,
            }
            for method, one in found.by_method.items():
                row |= {
                    f"{method} lower": one.interval.lower,
                    f"{method} upper": one.interval.upper,
                    f"{method} fallback": one.fallback,
                    f"{method} clipped": one.clipped,
                }
        rows.append(row)
    return rows


def summarise(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summarise repetitions by cell and method; the three main cells are pooled as well.

    Coverage without fallbacks leaves out the repetitions in which the boundary rule stood in.
    Repetitions without an evaluable pair have no interval and are counted as empty.
    """
    groups: dict[tuple[str, int, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["hint_type"], row["probes"], row["variant"]), []).append(row)
        if row["variant"] == "main":
            groups.setdefault(("all", row["probes"], "main"), []).append(row)
    return [
        {"hint_type": key[0], "probes": key[1], "variant": key[2], **summary}
        for key, group in groups.items()
        for summary in _by_method(group)
    ]


def _by_method(group: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    full = [row for row in group if row.get("rate") is not None]
    truth = np.array([row["truth"] for row in full])
    icc = mean_of([row["icc"] for row in full])
    off = bias([row["rate"] for row in full], truth)
    summaries = []
    for method in METHODS:
        lower, upper, fallback, clipped = (
            np.array([row[f"{method} {part}"] for row in full], dtype=np.float64)
            for part in ("lower", "upper", "fallback", "clipped")
        )
        held = coverage(lower, upper, truth)
        own = np.where(fallback > 0, np.nan, lower)
        without = coverage(own, upper, truth)
        width = mean_of(upper - lower)
        summaries.append(
            {
                "method": method,
                "truth": float(truth.mean()) if truth.size else np.nan,
                "coverage": held.value,
                "coverage_mc_error": held.mc_error,
                "coverage_without_fallback": without.value,
                "coverage_without_fallback_mc_error": without.mc_error,
                "repetitions": held.repetitions,
                "n_empty": len(group) - len(full),
                "n_fallback": int(fallback.sum()),
                "n_clipped": int(clipped.sum()),
                "mean_width": width.value,
                "mean_width_mc_error": width.mc_error,
                "bias": off.value,
                "bias_mc_error": off.mc_error,
                "mean_icc": icc.value,
                "mean_icc_mc_error": icc.mc_error,
                "mean_evaluable": mean_of([row["evaluable"] for row in group]).value,
            }
        )
    return summaries
