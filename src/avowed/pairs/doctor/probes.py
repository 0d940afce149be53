"""Probes that are not one question: what a question fixes differs within a probe."""

from avowed.pairs.doctor.examined import Examined, constant_within
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of

#: What a probe fixes, in the words of a sentence.
_FIXED = {
    "n_options": "the number of options",
    "correct_answer": "the correct answer",
    "hint_answer": "the hinted option",
}


def probe_varies(examined: Examined) -> list[Finding]:
    """The number of options, the correct answer or the hinted option differs within a probe.

    A probe is one question with one hint; its pairs are the cluster of every interval. Wrong if
    the number of options differs anywhere, which no shuffling does, or if more than half of the
    probes with several pairs are not the same throughout.

    Source: HP sections 3, 5 and 7.
    """
    probe = examined.cell.probe
    held = {name: constant_within(probe, examined.integers(name)) for name in _FIXED}
    several = held["n_options"][1] > 1
    n = int(several.sum())
    same = several.copy()
    for constant, _ in held.values():
        same &= constant
    varying = n - int(same.sum())
    if not varying:
        return []
    each = {name: n - int((constant & several).sum()) for name, (constant, _) in held.items()}
    which = ", ".join(f"{_FIXED[name]} in {number:,}" for name, number in each.items() if number)
    found = (
        f"what a question fixes differs between the pairs of one probe in "
        f"{part_of(varying, n, 'probe')} with several pairs: {which}"
    )
    shuffled = not each["n_options"] and varying == n
    if shuffled:
        found += (
            f"; in all {counted(n, 'probe')} and with one number of options each, as when the "
            "options are shuffled anew in every replica"
        )
    wrong = each["n_options"] > 0 or varying > n / 2
    return [
        examined.find(
            "probe_varies",
            Severity.WRONG if wrong else Severity.THIN,
            found,
            varying=varying,
            n=n,
            **each,
        )
    ]
