"""Fixed against fresh calibration (HP sections 15 and 16.2).

Every calibration corrects the same estimates: a new set in each repetition, at several sizes; the
one fixed set of the paper, whose counts are configuration and are never redrawn; and many fixed
sets, which show how far the shift of a fixed set can go. Beside the paper's interval stands a
joint bootstrap, clusters resampled on one side and calibration items on the other.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avowed.pairs.calibration import Gates, correct
from avowed.pairs.cell import per_probe
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.omission import clustered_rate
from avowed.pairs.simulate import cell_of_simulated, realised_omission
from avowed.pairs.studies.cells import main_cells
from avowed.pairs.truth import Judging, judging
from avowed.stats.bootstrap import profiles_of, resample_totals
from avowed.stats.intervals import UNDEFINED, Interval, percentile
from avowed.stats.misclassification import Accuracy
from avowed.stats.performance import bias, coverage, mean_of
from avowed.stats.seeds import Study

COLUMNS = (
    "hint_type",
    "calibration",
    "items_per_class",
    "interval",
    "truth_kind",
    "truth",
    "mean_estimate",
    "bias",
    "bias_mc_error",
    "exact_shift",
    "coverage",
    "coverage_mc_error",
    "mean_width",
    "mean_width_mc_error",
    "mean_h_c",
    "mean_h_c_mc_error",
    "repetitions",
    "n_undefined",
)

#: What a correction gives in one repetition.
_FIGURES = (
    "estimate",
    "quadrature lower",
    "quadrature upper",
    "joint bootstrap lower",
    "joint bootstrap upper",
    "h_c",
)


def drawn_accuracy(truth: Judging, items: int, rng: np.random.Generator) -> Accuracy:
    """Draw a calibration set of ``items`` omissions and ``items`` acknowledgements.

    Both counts are binomial: flagged omissions, and acknowledgements that are not flagged.
    """
    tp = int(rng.binomial(items, truth.flag_if_omitted))
    tn = int(rng.binomial(items, 1 - truth.flag_if_acknowledged))
    return Accuracy(tp=tp, fn=items - tp, tn=tn, fp=items - tn)


def fixed_accuracy(config: Mapping[str, Any]) -> Accuracy:
    """Return the paper's fixed calibration from the configuration's counts."""
    return Accuracy(**config["fixed_calibration"])


def exact_shift(prevalence: float, accuracy: Accuracy, truth: Judging) -> float:
    """Shift that a fixed calibration gives every corrected estimate: no sampling error in it.

    (pi Se + (1 - pi)(1 - Sp) + sp - 1) / j - pi, with the judge's true Se and Sp and the
    calibration's sp and j. NaN where j <= 0: such a calibration corrects nothing.

    Source: HP section 15; ``definitions``, Simulation.

    >>> counts = Accuracy(tp=129, fn=21, tn=122, fp=28)
    >>> round(exact_shift(0.7303, counts, Judging(0.8125, 0.1875)), 4)
    -0.0512
    """
    if accuracy.youden <= 0:
        return np.nan
    observed = prevalence * truth.flag_if_omitted + (1 - prevalence) * truth.flag_if_acknowledged
    return (observed + accuracy.specificity - 1) / accuracy.youden - prevalence


def joint_bootstrap(
    drawn_rate: NDArray[np.float64],
    accuracy: Accuracy,
    rng: np.random.Generator,
    *,
    confidence: float,
) -> Interval:
    """Percentile interval of pi*, resampling clusters and calibration items together.

    ``drawn_rate`` holds the resampled q*; Se* and Sp* are binomial at the observed ones. A
    resample with J* <= 0 has no rate; more than one in twenty of them leaves no interval. Ends are
    clipped to [0, 1].
    """
    se = rng.binomial(accuracy.positives, accuracy.sensitivity, drawn_rate.size)
    sp = rng.binomial(accuracy.negatives, accuracy.specificity, drawn_rate.size)
    specificity = sp / accuracy.negatives
    youden = se / accuracy.positives + specificity - 1
    kept = youden > 0
    if kept.mean() < 0.95:
        return UNDEFINED
    found = percentile(
        (drawn_rate[kept] + specificity[kept] - 1) / youden[kept], confidence=confidence
    )
    return Interval(
        min(max(found.lower, 0.0), 1.0), min(max(found.upper, 0.0), 1.0), "joint bootstrap"
    )


def run(config: Mapping[str, Any], settings: Settings) -> list[dict[str, Any]]:
    """Correct one repetition of every hint type with every calibration; a row per pair of them."""
    rows = []
    for cell in main_cells(config):
        pairs = cell.pairs(settings)
        data = cell_of_simulated(pairs, hint_type=cell.name)
        data = data.with_options(at_least=settings.min_options)
        flagged, sizes = per_probe(data, data.flagged, data.evaluable)
        rng = settings.stream(Study.OMISSION, cell.name)
        observed = clustered_rate("omission", flagged, sizes, rng, settings)
        present = sizes > 0
        joint = settings.stream(Study.JOINT_BOOTSTRAP, cell.name)
        drawn = None
        if present.any():
            profiles = profiles_of(flagged[present], sizes[present])
            totals = resample_totals(profiles, joint, resamples=settings.resamples)
            drawn = totals[:, 0] / totals[:, 1]
        truth = judging(cell.design)
        prevalence = cell.truth(min_options=settings.min_options).omission
        sets = [("fixed", fixed_accuracy(config))]
        for size in config["calibration_sizes"]:
            # A stream per size: another list of sizes leaves the figures of the others alone.
            items = settings.stream(Study.CALIBRATION_ITEMS, f"{cell.name} {size} per class")
            sets.append(("fresh", drawn_accuracy(truth, size, items)))
        for kind, accuracy in sets:
            name = f"{cell.name} {kind} {accuracy.positives}"
            rows.append(
                {
                    "hint_type": cell.hint_type,
                    "repetition": settings.replicate,
                    "calibration": kind,
                    "items_per_class": accuracy.positives,
                    "negatives": accuracy.negatives,
                    # The counts themselves, so that what follows from them can be worked out again.
                    "tp": accuracy.tp,
                    "tn": accuracy.tn,
                    **_corrected(
                        observed,
                        drawn,
                        accuracy,
                        settings.stream(Study.JOINT_BOOTSTRAP, name),
                        settings,
                    ),
                    "population": prevalence,
                    "realised": realised_omission(pairs, min_options=settings.min_options),
                    "exact_shift": (
                        exact_shift(prevalence, accuracy, truth) if kind == "fixed" else np.nan
                    ),
                }
            )
    return rows


def _corrected(
    observed: Estimate,
    drawn: NDArray[np.float64] | None,
    accuracy: Accuracy,
    rng: np.random.Generator,
    settings: Settings,
) -> dict[str, float]:
    """Correct a rate, with both intervals; all NaN in a repetition without an evaluable pair."""
    if drawn is None:
        return dict.fromkeys(_FIGURES, np.nan)
    found = correct(
        observed.value,
        observed.interval.half_width,
        accuracy,
        gates=Gates(target_half_width=settings.target_half_width),
        confidence=settings.confidence,
    )
    both = joint_bootstrap(drawn, accuracy, rng, confidence=settings.confidence)
    figures = (
        found.rate,
        found.interval.lower,
        found.interval.upper,
        both.lower,
        both.upper,
        found.from_calibration,
    )
    return dict(zip(_FIGURES, figures, strict=True))


def summarise(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Summarise by hint type, calibration, interval and truth (population or realised)."""
    keys = ("hint_type", "calibration", "items_per_class")
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    summaries = []
    for key, group in sorted(groups.items()):
        h_c = mean_of([row["h_c"] for row in group])
        for interval in ("quadrature", "joint bootstrap"):
            for truth_kind in ("population", "realised"):
                estimate, lower, upper, truth = (
                    np.array([row[name] for row in group], dtype=np.float64)
                    for name in ("estimate", f"{interval} lower", f"{interval} upper", truth_kind)
                )
                off, held = bias(estimate, truth), coverage(lower, upper, truth)
                width = mean_of(upper - lower)
                summaries.append(
                    {
                        **dict(zip(keys, key, strict=True)),
                        "interval": interval,
                        "truth_kind": truth_kind,
                        "truth": mean_of(truth).value,
                        "mean_estimate": mean_of(estimate).value,
                        "bias": off.value,
                        "bias_mc_error": off.mc_error,
                        "exact_shift": group[0]["exact_shift"],
                        "coverage": held.value,
                        "coverage_mc_error": held.mc_error,
                        "mean_width": width.value,
                        "mean_width_mc_error": width.mc_error,
                        "mean_h_c": h_c.value,
                        "mean_h_c_mc_error": h_c.mc_error,
                        "repetitions": off.repetitions,
                        "n_undefined": int(np.isnan(lower).sum()),
                    }
                )
    return summaries


SHIFT_COLUMNS = ("hint_type", "set", "sensitivity", "specificity", "youden", "truth", "shift")


def many_fixed_sets(config: Mapping[str, Any], settings: Settings) -> list[dict[str, Any]]:
    """Shift of many fixed calibrations of the paper's size, each exact given its counts.

    Their standard deviation is how far one fixed set can be expected to be off.

    Source: HP section 15; ``definitions``, Simulation.
    """
    rows = []
    items = fixed_accuracy(config).positives
    for cell in main_cells(config):
        truth = judging(cell.design)
        prevalence = cell.truth(min_options=settings.min_options).omission
        rng = settings.stream(Study.CALIBRATION_ITEMS, f"{cell.name} fixed sets")
        for number in range(config["fixed_sets"]):
            accuracy = drawn_accuracy(truth, items, rng)
            rows.append(
                {
                    "hint_type": cell.hint_type,
                    "set": number,
                    "sensitivity": accuracy.sensitivity,
                    "specificity": accuracy.specificity,
                    "youden": accuracy.youden,
                    "truth": prevalence,
                    "shift": exact_shift(prevalence, accuracy, truth),
                }
            )
    return rows
