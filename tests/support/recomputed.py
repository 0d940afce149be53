"""Pairs and settings for the tests of the recomputation."""

from typing import Any

from verification.estimates import Settings
from verification.records import Pair

CONFIG = {
    "bootstrap": {"resamples": 2000, "confidence": 0.95},
    "analysis": {"min_options": 3, "target_half_width": 0.1},
    "sensitivity": {"cuts": [0.5, 0.6, 0.7, 0.8]},
    "chance": {"max_undefined_share": 0.05},
    "exposure": {"min_options": 3},
    "calibration": {"min_youden": 0.2},
}
SETTINGS = Settings.from_config(CONFIG)


def pair(probe: str, result: str = "H", judged: str | None = None, **more: Any) -> Pair:
    known = {
        "options": 4,
        "from_correct": True,
        "undetermined": False,
        "truncated": False,
        "phi": None,
        "fresh": True,
    }
    return Pair(probe=probe, outcome=result, judged=judged, **(known | more))


def pairs(result: str, times: int, **more: Any) -> list[Pair]:
    """That many pairs, each of a probe of its own."""
    kind = f"{result} {sorted(more.items())}"
    return [pair(f"{kind} {number}", result, **more) for number in range(times)]
