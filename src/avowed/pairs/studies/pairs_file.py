"""The pairs of one repetition of every cell of the studies, so that its rows can be recomputed.

A study keeps what it computed in each repetition and not the pairs it computed it from. Those of
repetition 0 are written here, from the same streams: the second program forms the rows of that
repetition again, and looks at the pairs themselves.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from avowed.pairs.estimate import Settings
from avowed.pairs.studies.cells import StudyCell, coverage_cells, main_cells, perfect_judge_cells

#: The repetition whose pairs are written.
REPETITION = 0


def probe_rows(config: Mapping[str, Any], settings: Settings) -> Iterator[dict[str, Any]]:
    """One row per cell and probe, with a list over its replicas in every field of the pairs.

    Options are roles: 0 is correct, 1 the hint. ``driven`` marks moves that the hint caused,
    ``acknowledged`` the truth about the explanation; ``phi`` is None where the judge gave none.
    """
    cells = {
        cell.name: cell
        for cell in (
            *main_cells(config),
            *coverage_cells(config, REPETITION),
            *perfect_judge_cells(config),
        )
    }
    at = replace(settings, replicate=REPETITION)
    for cell in cells.values():
        yield from _of_cell(cell, at)


def _of_cell(cell: StudyCell, settings: Settings) -> Iterator[dict[str, Any]]:
    pairs = cell.pairs(settings)
    lists = {
        name: getattr(pairs, name).astype(int).tolist()
        for name in ("baseline", "hinted", "driven", "acknowledged", "failed", "undetermined")
    }
    for probe, options in enumerate(pairs.n_options.tolist()):
        yield {
            "hint_type": cell.hint_type,
            "probes": cell.design.probes,
            "variant": cell.variant,
            "probe": probe,
            "n_options": options,
            **{name: values[probe] for name, values in lists.items()},
            # NaN is the one number that is not itself.
            "phi": [phi if phi == phi else None for phi in pairs.phi[probe].tolist()],  # noqa: PLR0124
        }
