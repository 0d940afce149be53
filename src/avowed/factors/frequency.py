"""How often a feature is cited where it is active, beside its mean scores (NS 4.1, D.1)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from avowed.factors.bootstrap import Ratio, mean_of
from avowed.factors.ranking import rank_correlation_of_means
from avowed.factors.scored import Scored
from avowed.factors.scores import named

Floats = NDArray[np.float64]

#: Feature-level correlations of citation frequency with mean PN and mean PS.
CORRELATIONS = ("citation_necessity_correlation", "citation_sufficiency_correlation")


def citation_frequencies(scored: Scored) -> list[Ratio]:
    """Responses that cite f and in which f is active / responses in which f is active.

    Only responses with a valid explanation count; a feature that is active in none is undefined.

    Source: NS 4.1, figures 1 and 10.
    """
    shown = scored.active & scored.explained[:, None]
    cited = shown & named(scored)
    return [
        Ratio(
            quantity="citation_frequency",
            component=scored.component,
            part=key,
            numerator=cited[:, place].astype(np.float64),
            denominator=shown[:, place].astype(np.float64),
        )
        for place, key in enumerate(scored.keys)
    ]


def feature_means(quantity: str, scored: Scored, scores: Floats) -> list[Ratio]:
    """Mean score of every feature over the inputs in which it is scored (NS figures 1 and 10)."""
    return [
        mean_of(quantity, scored.component, scores[:, place], part=key)
        for place, key in enumerate(scored.keys)
    ]


@dataclass(frozen=True)
class FeatureProfile:
    """Citation frequency and mean scores by feature in the sample and all resamples, (1 + B, F)."""

    frequency: Floats
    necessity: Floats
    sufficiency: Floats

    def correlations(self) -> dict[str, Floats]:
        """Spearman correlation over features of citation frequency with mean PN and mean PS.

        Features without a frequency or without a score are left out.

        Source: NS 4.1.
        """
        scores = (self.necessity, self.sufficiency)
        return {
            name: rank_correlation_of_means(self.frequency, score)
            for name, score in zip(CORRELATIONS, scores, strict=True)
        }
