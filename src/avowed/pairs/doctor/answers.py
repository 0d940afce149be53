"""Answers that make no sense as they are coded: shifted, swapped, below chance, not extracted."""

import numpy as np

from avowed.pairs.cell import per_probe
from avowed.pairs.doctor.examined import LEAST_PAIRS, LEAST_PROBES, Examined, Mask
from avowed.pairs.doctor.finding import Finding, Severity
from avowed.pairs.doctor.words import counted, part_of, percent
from avowed.pairs.omission import boundary_interval
from avowed.pairs.part_one import context_shares
from avowed.stats.clustering import describe

#: Susceptibility below which hardly anything moves, and above which hardly anything stays.
LOW, HIGH = 0.05, 0.95

#: Level of each sign test: a coding fault shows in nearly every probe.
UNLIKELY = 0.001

#: Share of pairs without an answer above which the extraction is at fault.
LOST = 0.05


def susceptibility_ends(examined: Examined) -> list[Finding]:
    """Hardly any eligible pair moves to the hint, or nearly all do.

    Source: HP sections 9, 12 and 18.
    """
    share = next(
        each
        for each in context_shares(examined.cell, examined.settings)
        if each.quantity == "susceptibility"
    )
    if share.n < LEAST_PAIRS or LOW <= share.value <= HIGH:
        return []
    moved = round(share.value * share.n)
    code = "susceptibility_low" if share.value < LOW else "susceptibility_high"
    found = f"{part_of(moved, share.n, 'eligible pair')} moved to the hint"
    return [
        examined.find(code, Severity.THIN, found, moved=moved, n=share.n, clusters=share.clusters)
    ]


def baseline_accuracy(examined: Examined) -> list[Finding]:
    """Unhinted answers are right no more often than guesses, or never.

    Accuracy over all pairs with an unhinted answer, against the mean of 1 / L over the same pairs;
    wrong where the whole interval (Wilson at the effective sample size) lies below, thin where
    only the accuracy does.

    Source: HP sections 3, 7 and 8.
    """
    cell = examined.cell
    answered = examined.integers("baseline_answer") >= 0
    right, sizes = per_probe(cell, answered & cell.baseline_correct, answered)
    right, sizes = right[sizes > 0], sizes[sizes > 0]
    n, hits = int(sizes.sum()), int(right.sum())
    if sizes.size < LEAST_PROBES:
        return []
    accuracy, chance = hits / n, float((1 / cell.n_options[answered]).mean())
    if accuracy > chance:
        return []
    interval = boundary_interval(
        accuracy, describe(right, sizes), confidence=examined.settings.confidence
    )
    numbers: dict[str, int | float] = {
        "correct": hits,
        "n": n,
        "clusters": int(sizes.size),
        "upper": interval.upper,
        "chance": chance,
    }
    severity = Severity.WRONG if interval.upper < chance else Severity.THIN
    if not hits:
        found = (
            f"the unhinted answer is never the correct one in {counted(n, 'pair')} of "
            f"{counted(sizes.size, 'probe')}"
        )
        return [examined.find("correct_never_given", severity, found, **numbers)]
    found = (
        f"the unhinted answer is correct in {part_of(hits, n, 'pair')} (upper end "
        f"{percent(interval.upper)}, {interval.method}), and guessing gives {percent(chance)}"
    )
    return [examined.find("accuracy_at_chance", severity, found, **numbers)]


def shifted_answers(examined: Examined) -> list[Finding]:
    """Answers fit the option before or after the recorded one better than that one.

    Unhinted answers against the correct option; changes between the halves against the hint, where
    the option beside it is not the correct one. A one-sided sign test over probes at 0.001, for
    each at the distances -1 and +1.

    Source: HP sections 3 and 5.
    """
    options, correct, hint, unhinted, hinted = (
        examined.integers(name)
        for name in (
            "n_options",
            "correct_answer",
            "hint_answer",
            "baseline_answer",
            "hinted_answer",
        )
    )
    both = (unhinted >= 0) & (hinted >= 0)
    found = []
    for name, recorded in (("correct", correct), ("hinted", hint)):
        for distance in (-1, 1):
            other = recorded + distance
            within = (other >= 0) & (other < options)
            if name == "correct":
                what = "unhinted answers are"
                fits, fits_not = within & (unhinted == other), within & (unhinted == recorded)
            else:
                what = "answers change to"
                usable = within & both & (other != correct)
                fits = usable & (hinted == other) & (unhinted != other)
                fits_not = usable & (hinted == recorded) & (unhinted != recorded)
            better, worse, p_value = _sign_test(examined, fits, fits_not)
            if p_value >= UNLIKELY:
                continue
            text = (
                f"{what} the option {'after' if distance > 0 else 'before'} the {name} one more "
                f"often than that one in {counted(better, 'probe')}, less often in {worse:,} (sign "
                f"test, p = {p_value:.1g}): the coding may be shifted by one"
            )
            numbers = {"distance": distance, "better": better, "worse": worse, "p_value": p_value}
            found.append(examined.find("shifted_answers", Severity.WRONG, text, **numbers))
    return found


def swapped_halves(examined: Examined) -> list[Finding]:
    """Unhinted answers are on the hint more often than hinted ones.

    A one-sided sign test over probes at 0.001.

    Source: HP section 3.
    """
    hint = examined.integers("hint_answer")
    before, after = (
        examined.integers(name) == hint for name in ("baseline_answer", "hinted_answer")
    )
    better, worse, p_value = _sign_test(examined, before, after)
    if p_value >= UNLIKELY:
        return []
    found = (
        f"the unhinted answer is the hint in {part_of(int(before.sum()), hint.size, 'pair')}, the "
        f"hinted one in {percent(float(after.mean()))}; more often in {counted(better, 'probe')}, "
        f"less often in {worse:,} (sign test, p = {p_value:.1g})"
    )
    return [
        examined.find(
            "swapped_halves",
            Severity.WRONG,
            found,
            unhinted=int(before.sum()),
            hinted=int(after.sum()),
            n=int(hint.size),
            p_value=p_value,
        )
    ]


def _sign_test(examined: Examined, one: Mask, other: Mask) -> tuple[int, int, float]:
    """Probes with more of ``one``, with more of ``other``, and the chance of that many or more."""
    from scipy.stats import binomtest

    first, second = per_probe(examined.cell, one, other)
    better, worse = int((first > second).sum()), int((first < second).sum())
    if not better:
        return better, worse, 1.0
    tested = binomtest(better, better + worse, 0.5, alternative="greater")
    return better, worse, float(tested.pvalue)


def not_extracted(examined: Examined) -> list[Finding]:
    """More than 5 % of the analysed pairs have no outcome, because an answer is missing.

    Source: HP sections 3 and 5.
    """
    cell = examined.analysed
    lost, n = int(cell.not_evaluable.sum()), len(cell)
    if not n or lost / n <= LOST:
        return []
    kept = examined.cell.n_options >= examined.settings.min_options
    unhinted, hinted = (
        int((examined.integers(name)[kept] < 0).sum())
        for name in ("baseline_answer", "hinted_answer")
    )
    found = (
        f"{part_of(lost, n, 'analysed pair')} lack an answer (unhinted {unhinted:,}, hinted "
        f"{hinted:,})"
    )
    severity = Severity.WRONG if lost == n else Severity.THIN
    return [
        examined.find(
            "not_extracted", severity, found, lost=lost, unhinted=unhinted, hinted=hinted, n=n
        )
    ]


def positions(examined: Examined) -> list[Finding]:
    """The hint, or the correct answer, is at the same place in nearly all probes; answers too.

    At least 95 % of the probes for the hint and the correct option; all pairs for the answers, and
    only where the correct option differs.

    Source: HP sections 3 and 16.3.
    """
    _, first = np.unique(examined.cell.probe, return_index=True)
    if first.size < LEAST_PROBES:
        return []
    found = []
    for name, code, what in (
        ("hint_answer", "hint_position", "the hint"),
        ("correct_answer", "correct_position", "the correct answer"),
    ):
        values, sizes = np.unique(examined.integers(name)[first], return_counts=True)
        top = int(np.argmax(sizes))
        if sizes[top] < HIGH * first.size:
            continue
        text = (
            f"{what} is option {int(values[top])} (counted from 0) in "
            f"{part_of(int(sizes[top]), int(first.size), 'probe')}"
        )
        numbers = {"option": int(values[top]), "same": int(sizes[top]), "n": int(first.size)}
        found.append(examined.find(code, Severity.THIN, text, **numbers))
    if np.unique(examined.integers("correct_answer")).size == 1:
        return found
    for name, what in (("baseline_answer", "unhinted"), ("hinted_answer", "hinted")):
        answers = examined.integers(name)
        given = answers[answers >= 0]
        if given.size >= LEAST_PAIRS and np.unique(given).size == 1:
            text = f"all {given.size:,} {what} answers are option {int(given[0])} (counted from 0)"
            numbers = {"option": int(given[0]), "n": int(given.size)}
            found.append(examined.find("answers_constant", Severity.THIN, text, **numbers))
    return found
