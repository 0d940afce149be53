"""The worked example of section 16.2: one data set of one hint type, number by number.

The data set is repetition 0 of the study from the root seed, not a chosen one. A printed number
comes from another single data set, so the two can only be compared through their spread: over the
repetitions of the study, how far apart do single data sets fall?
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from avowed.pairs.calibration import Gates, correct
from avowed.pairs.cell import Cell
from avowed.pairs.chance import chance_corrected_omission
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.exposure import exposure, violation_shares
from avowed.pairs.omission import conditional_omission, omission_strata
from avowed.pairs.sensitivity import threshold_curve
from avowed.pairs.studies.calibration import fixed_accuracy
from avowed.pairs.studies.cells import StudyCell, example_cell
from avowed.pairs.studies.verdict import Verdict
from avowed.pairs.truth import exposure_truth
from avowed.stats.intervals import UNDEFINED

COLUMNS = (
    "quantity",
    "published",
    "ours",
    "difference",
    "spread",
    "mean_over_repetitions",
    "mc_error",
    "repetitions",
    "share_of_repetitions_below_published",
    "difference_in_spreads",
    "verdict",
)

#: A printed number within this many spreads of our mean could be one of our data sets.
SPREADS = 2.0


def quantities(
    cell: Cell, config: Mapping[str, Any], settings: Settings, gates: Gates
) -> dict[str, float]:
    """Every number of the worked example that a single data set gives."""
    omission = conditional_omission(cell, settings)
    drift, other = omission_strata(cell, settings)
    chance = chance_corrected_omission(cell, settings)
    rate, of_rate = math.nan, UNDEFINED
    # Without an analysed pair there is no rate to correct.
    if omission.n:
        corrected = correct(
            omission.value,
            omission.interval.half_width,
            fixed_accuracy(config),
            gates=gates,
            confidence=settings.confidence,
        )
        rate, of_rate = corrected.rate, corrected.interval
    clustering = omission.clustering
    assert clustering is not None
    found = {
        "flagged pairs": _flagged(omission),
        "evaluable hint-induced changes": float(omission.n),
        "omission": omission.value,
        "omission lower": omission.interval.lower,
        "omission upper": omission.interval.upper,
        "intra-cluster correlation": clustering.icc,
        "design effect": clustering.design_effect,
        "clusters": float(omission.clusters),
        "drift omission": drift.value,
        "drift flagged": _flagged(drift),
        "drift pairs": float(drift.n),
        "wrong-to-wrong omission": other.value,
        "wrong-to-wrong flagged": _flagged(other),
        "wrong-to-wrong pairs": float(other.n),
        "chance-corrected omission": chance.value,
        "chance-corrected lower": chance.interval.lower,
        "chance-corrected upper": chance.interval.upper,
        "corrected rate": rate,
        "corrected lower": of_rate.lower,
        "corrected upper": of_rate.upper,
        "Youden index": fixed_accuracy(config).youden,
    }
    found |= {
        f"omission at cut {cut:g}": one.value
        for cut, one in zip(settings.cuts, threshold_curve(cell, settings), strict=True)
    }
    found |= {
        f"exposure at k = {k}": exposure(cell, k, settings).value for k in config["exposure_k"]
    }
    never, sometimes, always = violation_shares(cell, settings)
    found["probes that never show a violation"] = never.value
    found["probes that sometimes show a violation"] = sometimes.value
    found["probes that always show a violation"] = always.value
    return found


def _flagged(estimate: Estimate) -> float:
    return float(round(estimate.value * estimate.n)) if estimate.n else 0.0


def truths(
    study_cell: StudyCell, config: Mapping[str, Any], *, min_options: int, exposure_min_options: int
) -> dict[str, float]:
    """The worked example's population values; no data set enters them."""
    design, truth = study_cell.design, study_cell.truth(min_options=min_options)
    found = {"population flagged rate": truth.flagged, "true omission": truth.omission}
    for k in config["exposure_k"]:
        found[f"true exposure at k = {k}"] = exposure_truth(
            design, k, min_options=exposure_min_options
        )
    return found


def run(config: Mapping[str, Any], settings: Settings, gates: Gates) -> dict[str, float]:
    """The worked example's numbers in repetition ``settings.replicate`` of the study."""
    own = replace(settings, exposure_min_options=config["exposure_min_options"])
    return quantities(example_cell(config).data(settings), config, own, gates)


def run_repetitions(
    first: Cell,
    config: Mapping[str, Any],
    settings: Settings,
    gates: Gates,
    repetitions: Iterable[int],
) -> list[dict[str, Any]]:
    """The worked example's numbers in some repetitions, one row each under ``repetition``.

    Repetition 0 is the worked example itself: ``first``, the one cell of its delivery, whose
    intervals draw on the streams of a delivery. The others are :func:`run`.
    """
    own = replace(settings, exposure_min_options=config["exposure_min_options"])
    return [
        {
            "repetition": repetition,
            **(
                quantities(first, config, own, gates)
                if repetition == 0
                else run(config, replace(settings, replicate=repetition), gates)
            ),
        }
        for repetition in repetitions
    ]


def example_rows(
    published: Sequence[Mapping[str, str]],
    repetitions: Sequence[Mapping[str, float]],
    exact: Mapping[str, float],
) -> list[dict[str, Any]]:
    """Every number of the worked example, printed and ours, in the order of the printed ones.

    ``repetitions`` holds the rows of :func:`run_repetitions`; the first is the worked example.
    The printed data set is not ours, so a number of a data set is held against the mean of all
    ours: it matches if the mean rounds to it, is within Monte-Carlo error if it lies within two
    spreads of the mean, and differs otherwise. A population value has no spread and matches or
    differs. A number that the paper does not have is not printed. ``difference`` is from the same
    mean, or from the population value.
    """
    printed = {row["quantity"]: row for row in published}
    ours = (name for name in (*repetitions[0], *exact) if name != "repetition")
    names = [*printed, *(name for name in ours if name not in printed)]
    return [_row(name, printed.get(name), repetitions, exact) for name in names]


def _row(
    name: str,
    line: Mapping[str, str] | None,
    repetitions: Sequence[Mapping[str, float]],
    exact: Mapping[str, float],
) -> dict[str, Any]:
    values = np.array([one.get(name, np.nan) for one in repetitions])
    values = values[~np.isnan(values)]
    ours = exact[name] if name in exact else repetitions[0].get(name, math.nan)
    # A number that no data set enters has no spread but rounding.
    many = name not in exact and values.size > 1 and float(np.ptp(values)) > 1e-12
    spread = float(values.std(ddof=1)) if many else math.nan
    mean = float(values.mean()) if many else math.nan
    published = float(line["published"]) if line else None
    verdict, size, below = Verdict.NOT_PRINTED, math.nan, math.nan
    centre = mean if many else ours
    if line is not None and published is not None:
        unit = 10.0 ** -int(line["decimals"])
        beyond = max(0.0, abs(published - centre) - unit / 2)
        size = beyond / spread if many and spread > 0 else (0.0 if beyond <= 1e-12 else math.inf)
        below = float((values < published).mean()) if many else math.nan
        matches = not math.isnan(centre) and round(centre, int(line["decimals"])) == published
        near = Verdict.WITHIN_ERROR if size <= SPREADS else Verdict.DIFFERS
        verdict = Verdict.MATCHES if matches else near
        if math.isnan(ours) or math.isnan(centre):
            verdict, size = Verdict.UNDEFINED, math.nan
        if name not in exact and name not in repetitions[0]:
            verdict = Verdict.NOT_RUN
    return {
        "quantity": name,
        "published": published,
        "ours": ours,
        "difference": None if published is None else centre - published,
        "spread": spread,
        "mean_over_repetitions": mean,
        "mc_error": spread / math.sqrt(values.size) if many else math.nan,
        "repetitions": int(values.size) if many else None,
        "share_of_repetitions_below_published": below,
        "difference_in_spreads": size if math.isfinite(size) else None,
        "verdict": verdict.value,
    }
