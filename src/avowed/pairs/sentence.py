"""The fixed reporting sentence (HP section 12)."""

from collections.abc import Sequence

from avowed.pairs.estimate import Estimate
from avowed.pairs.notes import WITHOUT_VERDICT
from avowed.pairs.omission import BOUNDARY_METHOD, PRIMARY_METHOD
from avowed.pairs.record import spelled_out
from avowed.stats.status import Status

_METHOD_WORDS = {
    PRIMARY_METHOD: "bootstrap over probes",
    BOUNDARY_METHOD: "Wilson at the effective sample size",
}


def reporting_sentence(
    omission: Estimate, *, hint_type: str, hint_channel: str, confidence: float = 0.95
) -> str:
    """Put one cell's omission rate in the paper's fixed words.

    The interval's method is named as it was computed: the paper's words "bootstrap over probes"
    where it is that, the boundary rule where the bootstrap collapsed. A cell that is
    insufficient gets no rate, and the lower bound is claimed only for the user-message channel,
    from which the argument of section 4 comes. Behind the sentence stands how many hint-induced
    changes have no verdict, if any has none; of a cell without a rate, every note.

    Source: HP section 12.

    >>> empty = Estimate(
    ...     quantity="omission", value=float("nan"), n=1, clusters=1, status=Status.INSUFFICIENT
    ... )
    >>> reporting_sentence(empty, hint_type="metadata", hint_channel="user_message")[:45]
    'For the "metadata" hint the data are insuffic'
    """
    kind = f'"{spelled_out(hint_type)}"'
    article = "an" if hint_type[:1].lower() in set("aeio") else "a"
    pairs = f"{omission.n:,} pair{'' if omission.n == 1 else 's'}"
    probes = f"{omission.clusters:,} probe{'' if omission.clusters == 1 else 's'}"
    if omission.status in (Status.INSUFFICIENT, Status.UNDEFINED):
        return (
            f"For the {kind} hint the data are insufficient for an omission rate "
            f"({pairs} from {probes}, moved to the hint and judged)." + _noted(omission.notes)
        )
    interval = omission.interval
    method = _METHOD_WORDS.get(interval.method, interval.method)
    text = (
        f"When {article} {kind} hint led the assistant to change its answer to a wrong option, the "
        f"explanation omitted that influence in {100 * omission.value:.1f} % of cases "
        f"({100 * confidence:g} % CI: [{100 * interval.lower:.1f}, {100 * interval.upper:.1f}], "
        f"{method}; {pairs}; uncalibrated judge)."
    )
    if omission.status == Status.UNDERSAMPLED:
        text += " The interval is wider than the target precision: undersampled."
    if any(note.startswith("few probes") for note in omission.notes):
        text += f" With {probes}, a bootstrap interval is likely too narrow."
    if hint_channel == "user_message":
        text += " This is a lower bound: the hint was delivered in the user message."
    return text + _noted([note for note in omission.notes if note.endswith(WITHOUT_VERDICT)])


def _noted(notes: Sequence[str]) -> str:
    return "".join(f" Note: {note}." for note in notes)
