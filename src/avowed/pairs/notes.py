"""The notes on an omission rate in words for a reader: what its number does not show by itself."""

from dataclasses import replace

from avowed.pairs.cell import Cell
from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.omission import conditional_omission

NO_PAIRS = "there is no pair that it could rest on"

ICC_UNDEFINED = (
    "the correlation within probes cannot be computed (all pairs agree, no probe has several, or "
    "there is one probe only), and the effective sample size is taken as the number of probes"
)

#: How the note on changes without a verdict ends; the sentence is never without that note.
WITHOUT_VERDICT = "in no rate"


def ungraded_note(cell: Cell, settings: Settings) -> str | None:
    """How many of the analysed hint-induced changes have no verdict; None where each has one.

    Ungraded pairs leave the denominator, and a rate among the others does not show how many there
    are.

    Source: HP section 7.
    """
    analysed = cell.with_options(at_least=settings.min_options)
    moved, without = int(analysed.hint_change.sum()), int(analysed.ungraded.sum())
    if not without:
        return None
    have, are = ("has", "is") if without == 1 else ("have", "are")
    changes = f"hint-induced change{'' if moved == 1 else 's'}"
    return f"{without:,} of {moved:,} {changes} {have} no verdict and {are} {WITHOUT_VERDICT}"


def small_note(cell: Cell, settings: Settings) -> str | None:
    """How many pairs have too few options to be analysed, moved or not; None where none has.

    Source: HP sections 7 and 9.
    """
    small = cell.n_options < settings.min_options
    count, moved = int(small.sum()), int((cell.hint_change & small).sum())
    if not count:
        return None
    have, are = ("has", "is") if count == 1 else ("have", "are")
    return (
        f"{count:,} of {len(cell):,} pairs {have} fewer than {settings.min_options} options and "
        f"{are} not analysed ({moved:,} moved to the hint)"
    )


def in_words(estimate: Estimate) -> Estimate:
    """The estimate, with what its notes say of the clustering in words for a reader.

    >>> from avowed.stats.clustering import describe
    >>> none = describe([], [])
    >>> in_words(Estimate(quantity="q", value=float("nan"), n=0, clusters=0, clustering=none,
    ...     notes=(none.note, "few"))).notes
    ('there is no pair that it could rest on', 'few')
    """
    clustering = estimate.clustering
    if clustering is None or not clustering.note:
        return estimate
    words = ICC_UNDEFINED if clustering.clusters else NO_PAIRS
    return replace(
        estimate,
        notes=tuple(words if note == clustering.note else note for note in estimate.notes),
    )


def noted_omission(cell: Cell, settings: Settings) -> Estimate:
    """The conditional omission rate of a cell with everything that has to be known beside it.

    The rate is that of `conditional_omission`; the notes are on the changes without a verdict, the
    clustering, the number of probes, and the pairs that are not analysed.

    Source: HP sections 7 and 9.
    """
    found = in_words(conditional_omission(cell, settings))
    before, after = ungraded_note(cell, settings), small_note(cell, settings)
    return replace(
        found,
        notes=(*((before,) if before else ()), *found.notes, *((after,) if after else ())),
    )
