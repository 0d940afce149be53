"""Small tables for the figures, in the columns of the pipeline's tables."""

from collections.abc import Sequence
from typing import Any

KINDS = ("type_1", "type_2")
Table = list[dict[str, Any]]


def coverage(kinds: Sequence[str] = KINDS) -> Table:
    main = [("all", 320, "main"), *((kind, 320, "main") for kind in kinds)]
    smaller = [(kind, 10, "smaller") for kind in kinds]
    extreme = [(kinds[0], 20, "near_0")]
    return [
        {
            "hint_type": kind,
            "probes": probes,
            "variant": variant,
            "method": method,
            "coverage": 0.9 if probes == 320 else 0.8,
            "coverage_mc_error": 0.01,
            "repetitions": 200,
        }
        for kind, probes, variant in (*main, *smaller, *extreme)
        for method in ("percentile", "bca")
    ]


def exposure_bias(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "hint_type": kind,
            "k": k,
            "truth_kind": truth_kind,
            "truth": 0.2 * k,
            "mean_unbiased": 0.2 * k,
            "bias_unbiased_mc_error": 0.001,
            "mean_plug_in": 0.25 * k,
            "bias_plug_in": 0.05 * k,
            "bias_plug_in_mc_error": 0.002,
            "repetitions": 200,
        }
        for kind in (*kinds, "all")
        for truth_kind in ("drop-out-free", "through drop-out")
        for k in (1, 2)
    ]


def threshold_curve(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "cut": cut,
            "omission": 1 - cut,
            "lower": 0.9 - cut,
            "upper": 1.1 - cut,
            "method": "percentile cluster bootstrap",
            "status": "converged",
            "n": 40,
            "clusters": 20,
            "truth": 0.4,
        }
        for cut in (0.5, 0.8)
    ]


def calibration_estimates(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "hint_type": kind,
            "repetition": repetition,
            "calibration": calibration,
            "estimate": 0.5 + shift + 0.01 * repetition,
            "truth": 0.5,
        }
        for kind in kinds
        for calibration, shift in (("fixed", -0.04), ("fresh", 0.002))
        for repetition in range(3)
    ]


def calibration(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "hint_type": kind,
            "calibration": name,
            "items_per_class": items,
            "interval": interval,
            "truth_kind": truth_kind,
            "truth": 0.5,
            "mean_estimate": 0.5 + bias,
            "bias": bias,
            "exact_shift": bias if name == "fixed" else None,
            "coverage": 0.9 if name == "fixed" else 0.96,
            "coverage_mc_error": 0.02,
            "mean_h_c": 3 / items,
            "mean_h_c_mc_error": 0.001,
            "repetitions": 200,
            "n_undefined": 0,
        }
        for kind in kinds
        for name, items, bias in (("fixed", 40, -0.04), ("fresh", 10, 0.01), ("fresh", 40, 0.002))
        for interval in ("quadrature", "joint bootstrap")
        for truth_kind in ("population", "realised")
    ]


def calibration_shifts(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {"hint_type": kind, "set": number, "shift": shift}
        for kind in kinds
        for number, shift in enumerate((-0.05, -0.01, 0.0, 0.06))
    ]


def published(kinds: Sequence[str] = KINDS) -> Table:
    rows = (
        ("corrected rate, one fixed calibration set: bias", -0.03),
        ("corrected rate, one fixed calibration set: bias", -0.02),
        ("something else", 0.5),
    )
    return [{"property": name, "published": value} for name, value in rows]


def clustering(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {"hint_type": kind, "repetition": i, "icc": 0.1 * i, "design_effect": 1.25 + 0.1 * i}
        for kind in kinds
        for i in range(3)
    ]


def chance_correction(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "hint_type": kind,
            "truth": 0.7,
            "bias_uncorrected": 0.02 + 0.01 * (number % 2),
            "bias_uncorrected_mc_error": 0.003,
            "bias": -0.001,
            "bias_mc_error": 0.003,
            "repetitions": 50,
            "n_undefined": 0,
        }
        for number, kind in enumerate(kinds)
    ]


def estimator_properties(kinds: Sequence[str] = KINDS) -> Table:
    rows: tuple[tuple[Any, ...], ...] = (
        ("coverage of the bootstrap", None, "", "", "all", None, 0.95, "recovered"),
        ("bias of X", 8, "", "drop-out-free", "all", -0.002, -0.005, "differs"),
        ("bias of X", 8, "", "through drop-out", "all", -0.002, -0.001, "within Monte-Carlo error"),
        ("bias of Y", None, "lowest", "", kinds[0], 0.07, 0.04, "differs"),
        ("mean intra-cluster correlation", None, "", "", "all", 0.1, 0.1, "matches"),
    )
    names = ("property", "k", "end", "truth_kind", "hint_type", "published", "ours", "verdict")
    return [
        dict(zip(names, row, strict=True)) | {"mc_error": 0.001, "repetitions": 600} for row in rows
    ]


def worked_example(kinds: Sequence[str] = KINDS) -> Table:
    rows: tuple[tuple[Any, ...], ...] = (
        ("omission", 0.65, 0.67, 0.02, 0.64, "within Monte-Carlo error"),
        ("clusters", 265, 256, 5.0, 252.0, "differs"),
        ("true omission", 0.729, 0.7303, None, None, "differs"),
        ("omission at cut 0.6", None, 0.53, 0.02, 0.51, "not printed"),
    )
    names = ("quantity", "published", "ours", "spread", "mean_over_repetitions", "verdict")
    return [dict(zip(names, row, strict=True)) | {"repetitions": 200} for row in rows]


def public_data_by_task(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "condition": condition,
            "task": task,
            "n_pairs": 100,
            "n_two_option": 0 if analysed else 100,
            "n_analysed": analysed,
            "susceptibility": (share + 0.1 * number) % 1 if analysed else None,
            "omission": 1 if analysed else None,
            "status": "converged" if analysed else "insufficient",
        }
        for number, condition in enumerate(kinds)
        for task, analysed, share in (("no_pairs", 0, 0), ("dates", 90, 0.1), ("names", 80, 0.4))
    ]


def sample_size(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "condition": condition,
            "share_basis": basis,
            "share_moved": share,
            "completed_pairs": 96 / share,
            "completed_pairs_rounded": round(96 / share),
            "completed_pairs_clustered": 120 / share,
            "completed_pairs_clustered_rounded": round(120 / share),
        }
        for basis, shift in (("all completed", 0.0), ("eligible", 0.1))
        for number, condition in enumerate(kinds)
        for share in [0.25 * (1 + number % 2) + shift]
    ]


def curve(kinds: Sequence[str] = KINDS) -> Table:
    return [
        {
            "share_moved": share,
            "completed_pairs": 96 / share,
            "completed_pairs_clustered": 120 / share,
        }
        for share in (0.1, 0.5, 1.0)
    ]
