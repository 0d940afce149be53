"""Figures of the simulation study: messages from the numbers, the same bytes every time."""

from pathlib import Path

import pytest

from avowed.present.study_figures import FIGURES, Levels

LEVELS = Levels(confidence=0.9, target_half_width=0.1)
KINDS = ("type_1", "type_2")


def rows_of(figure: str) -> list[dict[str, object]]:
    if figure == "coverage":
        main = [("all", 320, "main"), *((kind, 320, "main") for kind in KINDS)]
        smaller = [(kind, 10, "smaller") for kind in KINDS]
        extreme = [("type_1", 20, "near_0")]
        return [
            {
                "hint_type": kind,
                "probes": probes,
                "variant": variant,
                "method": method,
                "coverage": 0.9 if probes == 320 else 0.8,
                "coverage_mc_error": 0.01,
            }
            for kind, probes, variant in (*main, *smaller, *extreme)
            for method in ("percentile", "bca")
        ]
    if figure == "exposure_curve":
        return [
            {
                "hint_type": kind,
                "k": k,
                "truth_kind": "drop-out-free",
                "truth": 0.2 * k,
                "mean_unbiased": 0.2 * k,
                "mean_plug_in": 0.25 * k,
                "bias_plug_in": 0.05 * k,
            }
            for kind in (*KINDS, "all")
            for k in (1, 2)
        ]
    if figure == "threshold_curve":
        return [
            {"cut": cut, "omission": 1 - cut, "lower": 0.9 - cut, "upper": 1.1 - cut, "truth": 0.4}
            for cut in (0.5, 0.8)
        ]
    if figure == "calibration_estimates":
        return [
            {"hint_type": kind, "calibration": c, "estimate": 0.5 + shift, "truth": 0.5}
            for kind in KINDS
            for c, shift in (("fixed", -0.04), ("fresh", 0.002))
        ]
    if figure == "calibration_half_width":
        return [
            {
                "hint_type": kind,
                "calibration": "fresh",
                "interval": "quadrature",
                "truth_kind": "population",
                "items_per_class": items,
                "mean_h_c": 3 / items,
                "mean_h_c_mc_error": 0.001,
            }
            for kind in KINDS
            for items in (10, 40)
        ]
    return [
        {"hint_type": kind, "icc": 0.1 * i, "design_effect": 1.25}
        for kind in KINDS
        for i in range(3)
    ]


MESSAGES = {
    "coverage": "The percentile bootstrap covers 90.0 % at 320 probes and 80.0 % at 10",
    "exposure_curve": "One pooled rate overstates exposure by 0.100 at k = 2",
    "threshold_curve": "The flagged omission falls from 0.500 to 0.200 "
    "between the cuts 0.5 and 0.8",
    "calibration_estimates": "One fixed calibration shifts the estimates by -0.040 to -0.040, "
    "new ones by +0.002 to +0.002",
    "calibration_half_width": "The calibration alone stays within the target at 40 items per class",
    "clustering": "Replicas of a probe cost 20 % of the sample size",
}


@pytest.mark.parametrize("figure", list(FIGURES))
def test_the_message_is_counted_and_the_bytes_are_stable(figure: str, tmp_path: Path) -> None:
    _, draw = FIGURES[figure]
    outputs = [tmp_path / f"{run}.{form}" for run in ("a", "b") for form in ("svg", "png")]
    draw(rows_of(figure), outputs[:2], LEVELS)
    draw(rows_of(figure), outputs[2:], LEVELS)
    first, picture, second, _ = (path.read_bytes() for path in outputs)
    assert first == second
    assert picture.startswith(b"\x89PNG")
    # An SVG keeps every text as a comment.
    assert MESSAGES[figure] in first.decode("utf-8").replace("&gt;", ">")


def test_levels_are_the_run_s(tmp_path: Path) -> None:
    _, draw = FIGURES["threshold_curve"]
    draw(rows_of("threshold_curve"), [tmp_path / "a.svg"], LEVELS)
    assert "worked example, 90 % interval" in (tmp_path / "a.svg").read_text(encoding="utf-8")
