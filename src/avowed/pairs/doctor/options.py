"""Numbers of options: what is left out of the analysis, and where the correction breaks."""

import math

import numpy as np

from avowed.pairs.chance import chance_ratio, option_counts
from avowed.pairs.doctor.examined import Examined
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of

#: Share of pairs with too few options from which the loss is a matter of design.
MUCH = 0.25


def two_options(examined: Examined) -> list[Finding]:
    """Pairs with too few options, which are valid and not analysed.

    Source: HP sections 7, 9 and 16.3.
    """
    pairs, least = len(examined.cell), examined.settings.min_options
    small = pairs - len(examined.analysed)
    if not small:
        return []
    found = f"{part_of(small, pairs, 'pair')} have fewer than {least} options"
    numbers = {"small": small, "n": pairs}
    if small == pairs:
        found += ": nothing of the cell is analysed"
        return [examined.find("nothing_analysed", Severity.WRONG, found, **numbers)]
    severity = Severity.THIN if small / pairs > MUCH else Severity.NOTE
    return [examined.find("two_options", severity, f"{found} and are not analysed", **numbers)]


def mixed_options(examined: Examined) -> list[Finding]:
    """More than one number of options among the analysed pairs.

    Source: HP section 9.
    """
    levels, sizes = np.unique(examined.analysed.n_options, return_counts=True)
    if levels.size < 2:
        return []
    each = ", ".join(
        f"L = {level}: {counted(size, 'pair')}"
        for level, size in zip(levels.tolist(), sizes.tolist(), strict=True)
    )
    return [
        examined.find(
            "mixed_options",
            Severity.NOTE,
            f"the analysed pairs have {levels.size} numbers of options ({each}); the chance "
            "correction is made at each and combined",
            levels=int(levels.size),
            n=int(sizes.sum()),
        )
    ]


def broken_levels(examined: Examined) -> list[Finding]:
    """Numbers of options at which the chance correction has no value, or no verdict.

    Where p <= q / (L - 2), changes go to the hint no more often than to any other option.

    Source: HP section 9; ``definitions`` item 10.
    """
    counts = option_counts(examined.cell, examined.settings)
    found = []
    for level, moved, other, graded, ratio in zip(
        counts.options.tolist(),
        counts.moved.tolist(),
        counts.other.tolist(),
        counts.evaluable.tolist(),
        chance_ratio(counts).tolist(),
        strict=True,
    ):
        numbers = {"options": level, "moved": int(moved), "other": int(other), "n": int(graded)}
        there = f"at L = {level}, {counted(int(moved), 'change')} went to the hint"
        if moved and math.isnan(ratio):
            text = (
                f"{there} and {int(other):,} to another option: p <= q / (L - 2), no more than "
                "chance explains; the corrected rate of the cell is undefined"
            )
            found.append(examined.find("chance_undefined", Severity.THIN, text, **numbers))
        elif moved and not graded:
            text = f"{there}, and none has a verdict; the correction leaves the level out"
            found.append(examined.find("level_without_verdict", Severity.THIN, text, **numbers))
    return found
