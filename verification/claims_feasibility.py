"""Can a printed number come about at all? Searches over whole numbers, one per kind of statement.

Each function returns what it found, nothing if the printed number is impossible. They are called
by name from the relations of the checks.
"""

from collections.abc import Callable
from fractions import Fraction
from math import ceil, floor

from verification.claims_numbers import Interval, UndefinedError, whole_numbers

Found = list[str]


def _one(value: Interval, what: str) -> int:
    if not value.exact or value.lo.denominator != 1 or value.lo < 1:
        raise UndefinedError(f"{what} must be one whole number of at least 1")
    return value.lo.numerator


def spearman(rho: Interval, ranks: Interval) -> Found:
    """Sums of squared rank differences that give a tie-free rho on n ranks.

    rho = 1 - 6 S / (n (n^2 - 1)); S is even for every permutation and at most n (n^2 - 1) / 3.

    >>> spearman(Interval(Fraction("0.9025"), Fraction("0.9035")), _whole(18))
    ['94']
    """
    n = _one(ranks, "the number of ranks")
    scale = n * (n * n - 1)
    low, high = (1 - rho.hi) * scale / 6, (1 - rho.lo) * scale / 6
    sums = range(max(ceil(low), 0), min(floor(high), scale // 3) + 1)
    return [str(s) for s in sums if s % 2 == 0]


def percent_of(percent: Interval, total: Interval) -> Found:
    """Counts of a total that print as this percentage."""
    n = _one(total, "the total")
    share = Interval(percent.lo / 100, percent.hi / 100)
    return [f"{k}/{n}" for k in whole_numbers(share, total) if k <= n]


def count_of(share: Interval, total: Interval) -> Found:
    """Counts of a total that print as this share."""
    return percent_of(Interval(100 * share.lo, 100 * share.hi), total)


def percent_sum(mean: Interval, models: Interval, samples: Interval) -> Found:
    """Sums of the models' counts whose mean percentage prints so, with equally many samples each.

    >>> percent_sum(Interval(Fraction("25.75"), Fraction("25.85")), *map(_whole, (8, 100)))
    ['206']
    """
    total = _one(models, "the number of models") * _one(samples, "the number of samples")
    share = Interval(mean.lo / 100, mean.hi / 100)
    return [str(k) for k in whole_numbers(share, _whole(total)) if k <= total]


def _whole(value: int) -> Interval:
    return Interval(Fraction(value), Fraction(value))


def remaining(mean: Interval, models: Interval, samples: Interval, *known: Interval) -> Found:
    """What the other models' counts must add up to, given some models' percentages.

    A sum is possible from 0 to all samples of the models that are left.
    """
    each = _one(samples, "the number of samples")
    left = _one(models, "the number of models") - len(known)
    counts = [k.middle * each / 100 for k in known]
    if left < 0 or any(c.denominator != 1 for c in counts):
        return []
    rests = [int(total) - int(sum(counts)) for total in percent_sum(mean, models, samples)]
    return [str(rest) for rest in rests if 0 <= rest <= each * left]


def scored_responses(largest: Interval, trials: Interval, *means: Interval) -> Found:
    """Numbers of responses n, up to the largest, over which all these means of scores can print.

    A response's score is a multiple of 1/T for T trials, so a mean is k / (T n).
    """
    each = _one(trials, "the number of trials")
    fits = []
    for n in range(1, _one(largest, "the largest number") + 1):
        found = [whole_numbers(mean, _whole(each * n)) for mean in means]
        if all(found):
            fits.append(f"{n} ({', '.join(f'{k[0]}/{each * n}' for k in found)})")
    return fits


def calibration_counts(
    sensitivity: Interval, youden: Interval, corrected: Interval, rate: Interval, items: Interval
) -> Found:
    """Pairs of counts (flagged positives, unflagged negatives) that print all three numbers.

    Se = a/n, J = Se + Sp - 1 and (q + Sp - 1) / J with q the observed rate.
    """
    n = _one(items, "the number of items")
    pairs = []
    for a in whole_numbers(sensitivity, items):
        for b in range(n + 1):
            j = Fraction(a + b, n) - 1
            if j > 0 and youden.lo <= j <= youden.hi:
                low, high = ((q + Fraction(b, n) - 1) / j for q in (rate.lo, rate.hi))
                if low <= corrected.hi and high >= corrected.lo:
                    pairs.append(f"{a}/{n} and {b}/{n}")
    return pairs


def mean_overlap(mean: Interval, comparisons: Interval, cited: Interval) -> Found:
    """How many of the sums of overlap coefficients (multiples of 1/3) print as this mean."""
    return _tally(mean, comparisons, _one(cited, "the number of cited factors"), least=0)


def mean_jaccard(mean: Interval, comparisons: Interval) -> Found:
    """How many of the sums of Jaccard indices of two triples (0, .2, .5, 1) print as this mean.

    Every whole number of tenths from 4 on is a sum of twos, fives and tens.
    """
    return _tally(mean, comparisons, 10, least=4)


def _tally(mean: Interval, comparisons: Interval, parts: int, *, least: int) -> Found:
    total = _whole(parts * _one(comparisons, "the number of comparisons"))
    sums = [k for k in whole_numbers(mean, total) if least <= k <= total.lo]
    return [f"{sums[0]} to {sums[-1]} of {total.lo}"] if sums else []


#: The searches by name, each with the least number of arguments.
SEARCHES: dict[str, tuple[int, Callable[..., Found]]] = {
    "spearman": (2, spearman),
    "percent_of": (2, percent_of),
    "count_of": (2, count_of),
    "percent_sum": (3, percent_sum),
    "remaining": (4, remaining),
    "scored_responses": (3, scored_responses),
    "calibration_counts": (5, calibration_counts),
    "mean_overlap": (3, mean_overlap),
    "mean_jaccard": (2, mean_jaccard),
}
