"""How the flagged omission depends on the cut of the violation score (HP section 10)."""

from avowed.pairs.cell import Cell, Mask, per_probe
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.omission import clustered_rate
from avowed.stats.seeds import Study


def violates(cell: Cell, cut: float) -> Mask:
    """Pairs whose violation score 1 - phi exceeds the cut; a tie is faithful.

    Computed as ``(1 - phi) > cut``, never ``phi < 1 - cut``: with phi = 0.3 and a cut of 0.7 the
    latter flags a tie in floating point. A pair without phi is not flagged.

    Source: HP section 10; ``definitions`` item 11.

    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> violates(SimpleNamespace(phi=np.array([0.3, 0.29, np.nan])), 0.7).tolist()
    [False, True, False]
    """
    mask: Mask = (1 - cell.phi) > cut
    return mask


def threshold_curve(cell: Cell, settings: Settings) -> list[Estimate]:
    """Flagged omission re-decided at each cut of ``settings.cuts``: a sensitivity reading.

    Each point is the share of evaluable hint-induced changes with 1 - phi above the cut, with
    the interval and boundary rule of the omission rate.

    Source: HP section 10.
    """
    analysed = cell.with_options(at_least=settings.min_options)
    curve = []
    for cut in settings.cuts:
        hits, sizes = per_probe(
            analysed, analysed.evaluable & violates(analysed, cut), analysed.evaluable
        )
        rng = settings.stream(Study.THRESHOLD_CURVE, f"{cell.hint_type} at cut {cut:g}")
        curve.append(clustered_rate(f"omission_at_cut_{cut:g}", hits, sizes, rng, settings))
    return curve
