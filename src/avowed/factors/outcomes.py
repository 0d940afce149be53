"""What every single trial says about a feature: the 0 or 1 whose mean over trials is its score."""

import numpy as np
from numpy.typing import NDArray

from avowed.factors.scored import NONE, Scored

SUFFICIENCY = "sufficiency"


def trial_outcomes(scored: Scored, intervention: str) -> NDArray[np.float64]:
    """1 where a trial counts towards the score, 0 where not, (I, F, T); NaN where it is not valid.

    Under contrast, blank and similar a changed decision counts, under sufficiency a preserved one.
    The mean over trials is PN, or PS.

    Source: NS 3.3, 3.4.
    """
    changed = scored.changed[intervention]
    kept = (changed != NONE) & scored.active[:, :, None] & scored.usable[:, None, None]
    hit = (changed == 0) if intervention == SUFFICIENCY else (changed == 1)
    return np.where(kept, hit.astype(np.float64), np.nan)
