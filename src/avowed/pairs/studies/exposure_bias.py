"""Bias of the exposure curve and of its plug-in form, and coverage of its interval (HP 16.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from avowed.pairs.estimate import Settings
from avowed.pairs.exposure import exposure, exposure_plug_in
from avowed.pairs.simulate import Design
from avowed.pairs.studies.cells import main_cells
from avowed.pairs.truth import exposure_truth
from avowed.stats.performance import Performance, bias, coverage, mean_of

#: The two truths of X(k): without drop-out, and weighted by the chance of staying in I_k.
TRUTHS = ("drop-out-free", "through drop-out")

COLUMNS = (
    "hint_type",
    "k",
    "truth_kind",
    "truth",
    "mean_unbiased",
    "mean_plug_in",
    "bias_unbiased",
    "bias_unbiased_mc_error",
    "bias_plug_in",
    "bias_plug_in_mc_error",
    "plug_in_minus_unbiased",
    "plug_in_minus_unbiased_mc_error",
    "coverage",
    "coverage_mc_error",
    "mean_width",
    "mean_width_mc_error",
    "repetitions",
)


@lru_cache(maxsize=256)
def _truth(design: Design, k: int, min_options: int, through_drop_out: bool) -> float:
    return exposure_truth(design, k, min_options=min_options, through_drop_out=through_drop_out)


def run(config: Mapping[str, Any], settings: Settings) -> list[dict[str, Any]]:
    """Estimate the exposure curve of one repetition of every hint type; a row per type and k.

    Section 11 sets no least number of options; the simulation takes its own from the config.
    """
    min_options = config["exposure_min_options"]
    own = replace(settings, exposure_min_options=min_options)
    rows = []
    for cell in main_cells(config):
        data = cell.data(settings)
        for k in config["exposure_k"]:
            found = exposure(data, k, own)
            rows.append(
                {
                    "hint_type": cell.hint_type,
                    "repetition": settings.replicate,
                    "k": k,
                    "unbiased": found.value,
                    "lower": found.interval.lower,
                    "upper": found.interval.upper,
                    "plug_in": exposure_plug_in(data, k, own).value,
                    TRUTHS[0]: _truth(cell.design, k, min_options, False),
                    TRUTHS[1]: _truth(cell.design, k, min_options, True),
                }
            )
    return rows


def summarise(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summarise by hint type and k, and over the hint types as the mean of their figures."""
    kinds = sorted({row["hint_type"] for row in rows})
    attempts = sorted({row["k"] for row in rows})
    summaries = []
    for k in attempts:
        for truth_kind in TRUTHS:
            each = [
                _figures([r for r in rows if (r["hint_type"], r["k"]) == (kind, k)], truth_kind)
                for kind in kinds
            ]
            for kind, figures in [*zip(kinds, each, strict=True), ("all", _mean(each))]:
                summaries.append(_row(kind, k, truth_kind, figures))
    return summaries


def _figures(group: Sequence[Mapping[str, Any]], truth_kind: str) -> dict[str, Performance]:
    unbiased, plug_in, lower, upper, truth = (
        np.array([row[name] for row in group], dtype=np.float64)
        for name in ("unbiased", "plug_in", "lower", "upper", truth_kind)
    )
    return {
        "truth": mean_of(truth),
        "mean_unbiased": mean_of(unbiased),
        "mean_plug_in": mean_of(plug_in),
        "bias_unbiased": bias(unbiased, truth),
        "bias_plug_in": bias(plug_in, truth),
        "plug_in_minus_unbiased": mean_of(plug_in - unbiased),
        "coverage": coverage(lower, upper, truth),
        "mean_width": mean_of(upper - lower),
    }


def _mean(each: Sequence[Mapping[str, Performance]]) -> dict[str, Performance]:
    """Mean of independent figures; errors combine in quadrature, repetitions add up."""
    return {
        name: Performance(
            value=float(np.mean([one[name].value for one in each])),
            mc_error=float(np.sqrt(np.sum([one[name].mc_error ** 2 for one in each])) / len(each)),
            repetitions=sum(one[name].repetitions for one in each),
        )
        for name in each[0]
    }


def _row(kind: str, k: int, truth_kind: str, figures: Mapping[str, Performance]) -> dict[str, Any]:
    row: dict[str, Any] = {"hint_type": kind, "k": k, "truth_kind": truth_kind}
    for name, found in figures.items():
        row[name] = found.value
        row[f"{name}_mc_error"] = found.mc_error
    row["repetitions"] = figures["bias_unbiased"].repetitions
    return row
