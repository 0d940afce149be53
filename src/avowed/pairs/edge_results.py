"""What this program makes of the edge delivery, in one call: what planted faults are looked for in.

The parts are those that a second program computes as well. A copy of this package with one fault in
it is asked the same, and has to give something else.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from avowed.pairs.calibration import Gates
from avowed.pairs.delivery import read_delivery
from avowed.pairs.edge_coded import public_rows
from avowed.pairs.edge_corrections import CASES, correction_rows
from avowed.pairs.estimate import Settings
from avowed.pairs.part_one import cells_of_delivery, estimate_cell, long_rows
from avowed.pairs.refused import refusal_rows

#: Name of the delivery and its cells, of the corrections' delivery, and of the study.
NAME = "edge"

#: The cell that is estimated again with many resamples, so that a wrong spread shows.
STEADY_CELL = "wide"

Rows = list[dict[str, Any]]


def paper_config(*, resamples: int) -> dict[str, Any]:
    """The numbers that the paper fixes, in the form of the workflow's configuration.

    Faults are planted in the program and not in somebody's settings, so that they are looked for
    under the defaults, whatever configuration ran.

    >>> Settings.from_config(paper_config(resamples=2000)) == Settings()
    True
    """
    settings, gates = Settings(), Gates()
    return {
        "seed": settings.seed,
        "bootstrap": {"resamples": resamples, "confidence": settings.confidence},
        "analysis": {
            "min_options": settings.min_options,
            "target_half_width": settings.target_half_width,
        },
        "sensitivity": {"cuts": list(settings.cuts)},
        "chance": {"max_undefined_share": settings.max_undefined_share},
        "exposure": {"min_options": settings.exposure_min_options},
        "calibration": {
            "min_positive": gates.min_positive,
            "min_negative": gates.min_negative,
            "min_youden": gates.min_youden,
        },
    }


def edge_results(
    delivery: Path,
    refused: Path,
    config: Mapping[str, Any],
    *,
    parts: Collection[str],
    cells: Collection[str] = (),
    steady_resamples: int,
) -> dict[str, Rows]:
    """Estimate, correct and validate what the parts ask for.

    Args:
        delivery: folder of the edge delivery.
        refused: folder of the refused deliveries.
        config: the workflow's configuration; its resamples hold for all parts but ``spread``.
        parts: ``estimates`` (everything of Part I), ``spread`` (one cell again, with
            ``steady_resamples``), ``corrections`` (every gate), ``refusals`` (R1 to R11),
            ``public`` (records of a small table of coded answers).
        cells: hint types that are estimated, all if empty.
        steady_resamples: bootstrap resamples of ``spread``.

    Raises:
        KeyError: there is no part of that name.
    """
    settings = Settings.from_config(config)
    read = read_delivery(delivery)

    def estimated(chosen: Collection[str], how: Settings) -> Rows:
        return [
            row
            for cell in cells_of_delivery(read)
            if not chosen or cell.hint_type in chosen
            for row in long_rows(
                estimate_cell(cell, how, name=f"{NAME}/{cell.hint_type}"), study=NAME
            )
        ]

    def corrections() -> Rows:
        gates = Gates(**config["calibration"], target_half_width=settings.target_half_width)
        return correction_rows(read, settings, name=NAME, gates=gates, cases=CASES)

    ways: dict[str, Callable[[], Rows]] = {
        "estimates": lambda: estimated(cells, settings),
        "spread": lambda: estimated((STEADY_CELL,), replace(settings, resamples=steady_resamples)),
        "corrections": corrections,
        "refusals": lambda: refusal_rows(refused),
        "public": public_rows,
    }
    return {part: ways[part]() for part in parts}
