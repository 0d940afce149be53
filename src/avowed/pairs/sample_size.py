"""How many pairs a study needs for a half-width (HP section 16.3)."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from avowed.stats.intervals import normal_quantile


@dataclass(frozen=True, kw_only=True)
class SampleSize:
    """Pairs needed: useful ones, completed ones, and completed ones with a design effect."""

    useful: float
    completed: float
    completed_clustered: float


def useful_pairs(*, half_width: float, rate: float, confidence: float = 0.95) -> float:
    """Pairs with a verdict for a half-width around a rate: z^2 r (1 - r) / h^2.

    Raises:
        ValueError: the half-width or the rate is not strictly between 0 and 1.

    Source: HP section 16.3.

    >>> round(useful_pairs(half_width=0.10, rate=0.5), 1)
    96.0
    """
    if not 0 < half_width < 1 or not 0 < rate < 1:
        raise ValueError("half-width and rate must be strictly between 0 and 1")
    return normal_quantile(confidence) ** 2 * rate * (1 - rate) / half_width**2


def completed_pairs(useful: float, *, share_moved: float, design_effect: float) -> SampleSize:
    """Completed pairs that yield the useful ones when a share of them moves to the hint.

    The paper's "170 to 355" follows from the share of all completed pairs that moved to the
    hint, not from the susceptibility over eligible pairs that it names; both readings are the
    caller's to pass.

    Raises:
        ValueError: the share is not in (0, 1], or the design effect is below 1.

    Source: HP section 16.3; ``definitions``, known inconsistencies.

    >>> size = completed_pairs(96.0, share_moved=0.5, design_effect=1.25)
    >>> size.completed, size.completed_clustered
    (192.0, 240.0)
    """
    if not 0 < share_moved <= 1:
        raise ValueError(f"share_moved is {share_moved}; it must be in (0, 1]")
    if design_effect < 1:
        raise ValueError(f"design_effect is {design_effect}; it must be at least 1")
    completed = useful / share_moved
    return SampleSize(
        useful=useful, completed=completed, completed_clustered=completed * design_effect
    )


def to_nearest(value: float, step: int) -> int:
    """Round to the nearest multiple, halves upward.

    >>> to_nearest(352.6, 5), to_nearest(192.5, 5)
    (355, 195)
    """
    return step * math.floor(value / step + 0.5)


PLAN_COLUMNS = (
    "condition",
    "share_basis",
    "n_moved",
    "n_base",
    "share_moved",
    "useful_pairs",
    "completed_pairs",
    "completed_pairs_rounded",
    "completed_pairs_at_least",
    "completed_pairs_clustered",
    "completed_pairs_clustered_rounded",
    "completed_pairs_clustered_at_least",
)

#: Quantity of the long table that each basis takes its share from.
_BASES = {"all completed": "hint_change_all_completed", "eligible": "susceptibility"}


def plan_rows(
    cells: Sequence[Sequence[Mapping[str, Any]]],
    *,
    half_width: float,
    rate: float,
    design_effect: float,
    round_to: int,
    confidence: float = 0.95,
) -> list[dict[str, Any]]:
    """Plan a study from the shares that moved to the hint in estimated cells.

    ``cells`` holds the long rows of one cell each. Both readings of the share stand side by
    side: of all completed (analysed) pairs, which gives the paper's range, and of eligible pairs,
    the susceptibility that the paper names. A cell without a share has an empty plan.

    Source: HP section 16.3.
    """
    useful = useful_pairs(half_width=half_width, rate=rate, confidence=confidence)
    plans = []
    for basis, quantity in _BASES.items():
        for rows in cells:
            (row,) = [one for one in rows if one["quantity"] == quantity]
            share = row["estimate"]
            size = (
                completed_pairs(useful, share_moved=share, design_effect=design_effect)
                if share
                else None
            )
            plans.append(
                {
                    "condition": row["cell"],
                    "share_basis": basis,
                    "n_moved": round(share * row["n"]) if share is not None else None,
                    "n_base": row["n"],
                    "share_moved": share,
                    "useful_pairs": useful,
                    "completed_pairs": size and size.completed,
                    "completed_pairs_rounded": size and to_nearest(size.completed, round_to),
                    "completed_pairs_at_least": size and math.ceil(size.completed),
                    "completed_pairs_clustered": size and size.completed_clustered,
                    "completed_pairs_clustered_at_least": size
                    and math.ceil(size.completed_clustered),
                    "completed_pairs_clustered_rounded": size
                    and to_nearest(size.completed_clustered, round_to),
                }
            )
    return plans
