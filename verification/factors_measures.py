"""Every measure of NS for one component, from its scores by plain loops.

The text followed is NS 3.3 to 3.6, 4 and appendices A, C and D, with the readings of definitions
NS 3 to 9 and 12. A response counts where its decision and its explanation are valid.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from verification.factors_bootstrap import (
    FEWER,
    Number,
    Ratio,
    Resamples,
    Stat,
    mean_of,
    ratio_stats,
)
from verification.factors_facts import NECESSITY, SUFFICIENCY, Facts, Readings
from verification.factors_ranks import spearman, spearman_where_known
from verification.factors_responses import BAD_EXPLANATIONS, BAD_RESPONSES, Evidence, share

Scores = Sequence[dict[str, Fraction]]
Count = tuple[str, int, int | None]
CORRELATED = {
    "citation_necessity_correlation": NECESSITY,
    "citation_sufficiency_correlation": SUFFICIENCY,
}


@dataclass
class Measured:
    """Statistics and counts of one component."""

    stats: list[Stat]
    counts: list[Count] = field(default_factory=list)

    def of(self, quantity: str) -> list[Stat]:
        """Its statistics of one quantity."""
        return [one for one in self.stats if one.quantity == quantity]


def at_ranks(evidence: Evidence, scores: Scores) -> list[list[Fraction | None]]:
    """Scores in the order cited, of responses that count; an empty list for the others."""
    return [
        [scores[at].get(key) for key in evidence.cited[at]] if evidence.explained[at] else []
        for at in range(evidence.size)
    ]


def by_rank(quantity: str, ranked: Sequence[Sequence[Number | None]], places: int) -> list[Ratio]:
    """The mean at every stated rank (NS figure 3)."""
    return [
        mean_of(quantity, ([one[k]] if len(one) > k else [] for one in ranked), k=k + 1)
        for k in range(places)
    ]


def others(evidence: Evidence, scores: Scores, at: int) -> list[Fraction]:
    """Scores of the eligible uncited features of an input: active, scored, not cited."""
    named = evidence.cited[at]
    return [
        score
        for key, score in scores[at].items()
        if key in evidence.active[at] and key not in named
    ]


def uncited_values(
    evidence: Evidence, scores: Scores, readings: Readings
) -> tuple[list[list[Number]], list[list[Number]], int]:
    """1 where an uncited feature is strictly above the lowest cited one, else 0; the highest.

    A cited feature without a score counts the fixed value (0 in the paper). A response without an
    eligible uncited feature has no omission, and counts as readings say; one without any score
    holds nothing to compare.

    Source: NS 3.5; definitions NS 5.
    """
    omission: list[list[Number]] = []
    highest: list[list[Number]] = []
    without = 0
    for at in range(evidence.size):
        omission.append([])
        highest.append([])
        if not evidence.explained[at] or not scores[at]:
            continue
        rivals = others(evidence, scores, at)
        lowest = min(
            scores[at].get(key, readings.unscored_cited_value) for key in evidence.cited[at]
        )
        if rivals:
            highest[at].append(max(rivals))
            omission[at].append(int(max(rivals) > lowest))
        else:
            without += 1
            if readings.no_uncited_counts:
                omission[at].append(0)
    return omission, highest, without


def _sets(
    name: str, evidence: Evidence, scores: Scores, k: int, readings: Readings
) -> tuple[list[Ratio], Count]:
    """The first k cited against the k best uncited (NS 3.5; definitions NS 6)."""
    pairs: list[list[tuple[Fraction, Fraction]]] = []
    few = 0
    for at in range(evidence.size):
        pairs.append([])
        if not evidence.explained[at]:
            continue
        rivals = sorted(others(evidence, scores, at), reverse=True)
        if len(rivals) < k:
            few += 1
            continue
        first = [scores[at].get(key) for key in evidence.cited[at][:k]]
        if readings.zero_rule:
            first = [readings.unscored_cited_value if one is None else one for one in first]
        kept = [one for one in first if one is not None]
        if kept:
            best = sum(rivals[:k], start=Fraction(0)) / k
            pairs[at].append((sum(kept, start=Fraction(0)) / len(kept), best))
    ratios = [
        mean_of(f"set_cited_{name}", ([c for c, _ in one] for one in pairs), k=k),
        mean_of(f"set_uncited_{name}", ([u for _, u in one] for one in pairs), k=k),
        mean_of(f"set_difference_{name}", ([c - u for c, u in one] for one in pairs), k=k, low=-1),
    ]
    return ratios, (f"set_{name}_too_few", few, k)


def agreement(
    quantity: str,
    ranked: Sequence[tuple[Sequence[Number | None], Sequence[Number | None]]],
    explained: Sequence[bool],
) -> tuple[Ratio, list[Count]]:
    """Mean Spearman correlation of pairs of columns, and the responses left out.

    Left out are those with a missing score, then those in which a side is constant.

    Source: NS 3.5, D.2; definitions NS 4, 9.
    """
    values: list[list[Number]] = []
    constant = unscored = 0
    for (first, second), counts in zip(ranked, explained, strict=True):
        values.append([])
        if not counts:
            continue
        if None in first or None in second:
            unscored += 1
            continue
        rho = spearman(first, second)
        if rho is None:
            constant += 1
        else:
            values[-1].append(rho)
    left_out: list[Count] = [
        (f"{quantity}_constant", constant, None),
        (f"{quantity}_unscored", unscored, None),
    ]
    return mean_of(quantity, values, low=-1), left_out


def stated(
    quantity: str,
    evidence: Evidence,
    ranked: Sequence[Sequence[Number | None]],
    readings: Readings,
) -> tuple[Ratio, list[Count]]:
    """Agreement of stated importance, n for the first of n cited, with a score."""
    filled: list[Sequence[Number | None]] = [
        [0 if one is None else one for one in some] if readings.unscored_is_zero else some
        for some in ranked
    ]
    pairs = [(range(len(some), 0, -1), some) for some in filled]
    return agreement(quantity, pairs, evidence.explained)


def instability(repeats: Sequence[Sequence[Sequence[str]]], *, part: str = "") -> Ratio:
    """Share of positions whose text differs, over all pairs of repeats (NS A.1; definitions 7)."""
    differing, compared = [], []
    for texts in repeats:
        pairs = [(a, b) for a, b in combinations(texts, 2) if a and b]
        compared.append(sum(len(a) for a, _ in pairs))
        differing.append(sum(x != y for a, b in pairs for x, y in zip(a, b, strict=True)))
    return Ratio(quantity="positional_instability", part=part, top=differing, bottom=compared)


def noise_floor(evidence: Evidence) -> list[Fraction | None]:
    """Share of the repeats of the unchanged input that differ from y (definitions NS 12)."""
    floors: list[Fraction | None] = []
    for repeats in evidence.repeats:
        valid = [one for one in repeats if one is not None]
        floors.append(share(valid.count(True), len(valid)) if valid else None)
    return floors


def _noise(evidence: Evidence, ranked: Sequence[Sequence[Fraction | None]]) -> list[Ratio]:
    kept = [[one for one in some if one is not None] for some in evidence.repeats]
    floors = noise_floor(evidence)
    over = [
        [score - floor for score in some if score is not None] if floor is not None else []
        for some, floor in zip(ranked, floors, strict=True)
    ]
    return [
        Ratio(
            quantity="noise_floor",
            top=[some.count(True) for some in kept],
            bottom=[len(some) for some in kept],
        ),
        mean_of("cited_necessity_above_floor", over, low=-1),
    ]


def _controls(evidence: Evidence, places: int) -> list[Ratio]:
    """PN by rank under each change, and paired with contrast (NS 3.6, figures 8 and 9)."""
    run = [change for change in ("contrast", "blank", "similar") if any(evidence.scores(change))]
    ranked = {change: at_ranks(evidence, evidence.scores(change)) for change in run}
    ratios = [
        ratio
        for change in run
        for ratio in by_rank(f"necessity_{change}_by_rank", ranked[change], places)
    ]
    for other in ("blank", "similar"):
        if other not in run or "contrast" not in run:
            continue
        both = [
            [(a, b) if a is not None and b is not None else None for a, b in zip(x, y, strict=True)]
            for x, y in zip(ranked["contrast"], ranked[other], strict=True)
        ]
        sides: dict[str, Callable[[tuple[Fraction, Fraction]], Fraction]] = {
            "contrast": lambda pair: pair[0],
            other: lambda pair: pair[1],
            "difference": lambda pair: pair[0] - pair[1],
        }
        for name, side in sides.items():
            low = -1 if name == "difference" else 0
            for k in range(places):
                pairs = [one[k] if len(one) > k else None for one in both]
                values = ([side(pair)] if pair is not None else [] for pair in pairs)
                ratios.append(mean_of(f"control_{other}_{name}", values, k=k + 1, low=low))
    return ratios


def _frequencies(evidence: Evidence) -> list[Ratio]:
    """Responses that cite f where it is active, over those where it is active (definitions 8)."""
    ratios = []
    for key in evidence.keys:
        shown = [
            int(counts and key in active)
            for counts, active in zip(evidence.explained, evidence.active, strict=True)
        ]
        cites = [
            int(bool(here) and key in cited)
            for here, cited in zip(shown, evidence.cited, strict=True)
        ]
        ratios.append(Ratio(quantity="citation_frequency", part=key, top=cites, bottom=shown))
    return ratios


def measure(facts: Facts, evidence: Evidence, readings: Readings, resamples: Resamples) -> Measured:
    """Every measure of the paper for one component."""
    size, ratios = evidence.size, []
    pn, ps = evidence.scores(facts.primary), evidence.scores(SUFFICIENCY)
    both = [
        {key: (one[key] + two[key]) / 2 for key in one.keys() & two.keys()}
        for one, two in zip(pn, ps, strict=True)
    ]
    ranked = {
        name: at_ranks(evidence, scores) for name, scores in (("n", pn), ("s", ps), ("b", both))
    }
    counts = _sample(evidence)
    for name, scores, one in ((NECESSITY, pn, ranked["n"]), (SUFFICIENCY, ps, ranked["s"])):
        omission, highest, without = uncited_values(evidence, scores, readings)
        for key in evidence.keys:
            ratios.append(mean_of(name, ([line.get(key)] for line in scores), part=key))
        ratios += by_rank(f"{name}_by_rank", one, facts.cited)
        ratios.append(mean_of(f"cited_{name}", one))
        ratios.append(mean_of(f"highest_uncited_{name}", highest))
        ratios.append(mean_of(f"uncited_rate_{name}", omission))
        counts.append((f"uncited_rate_{name}_without_uncited", without, None))
        counts.append((f"cited_{name}_unscored", sum(some.count(None) for some in one), None))
        for k in readings.set_sizes:
            more, few = _sets(name, evidence, scores, k, readings)
            ratios += more
            counts.append(few)
    agreements = [
        stated(f"rank_agreement_{name}", evidence, ranked[letter], readings)
        for name, letter in ((NECESSITY, "n"), (SUFFICIENCY, "s"), ("mean", "b"))
    ]
    pairs = [*zip(ranked["n"], ranked["s"], strict=True)]
    agreements.append(agreement("criteria_agreement", pairs, evidence.explained))
    for ratio, left_out in agreements:
        ratios.append(ratio)
        counts += left_out
    ratios += _noise(evidence, ranked["n"])
    ratios.append(instability(evidence.repeat_cited))
    ratios += _controls(evidence, facts.cited)
    ratios += _frequencies(evidence)
    found = Measured(ratio_stats(evidence.name, ratios, resamples), counts)
    used = frozenset(at for at in range(size) if evidence.explained[at])
    found.stats += correlations(found.stats, evidence.name, used)
    return found


def correlations(
    stats: Sequence[Stat], component: str, used: frozenset[int], prefix: str = ""
) -> list[Stat]:
    """Spearman correlation over features of citation frequency with mean PN, and with mean PS.

    Source: NS 4.1; definitions NS 8.
    """
    result = []
    frequency = [one for one in stats if one.quantity == "citation_frequency" and one.part]
    for name, quantity in CORRELATED.items():
        score = [one for one in stats if one.quantity == quantity and one.part]
        first, second = [one.estimate for one in frequency], [one.estimate for one in score]
        columns = [
            [*zip(*(one.draws[:FEWER] for one in side), strict=True)] for side in (frequency, score)
        ]
        draws = [
            spearman_where_known(_rounded(a), _rounded(b)) for a, b in zip(*columns, strict=True)
        ]
        result.append(
            Stat(
                quantity=prefix + name,
                component=component,
                estimate=spearman_where_known(_rounded(first), _rounded(second)),
                draws=draws,
                n=sum(a is not None and b is not None for a, b in zip(first, second, strict=True)),
                used=used,
                low=-1,
                mean=False,
            )
        )
    return result


def _rounded(values: Sequence[Number | None]) -> list[Number | None]:
    """Means over components are sums of fractions as floats: equal ones may differ by rounding."""
    return [round(value, 12) if isinstance(value, float) else value for value in values]


def _sample(evidence: Evidence) -> list[Count]:
    """What can be compared, and what could not, by kind."""
    inactive = sum(
        key not in active
        for active, cited, counts in zip(
            evidence.active, evidence.cited, evidence.explained, strict=True
        )
        if counts
        for key in cited
    )
    usable = sum(y is not None for y in evidence.y)
    kinds = [f"response_{kind}" for kind in BAD_RESPONSES]
    kinds += [f"explanation_{kind}" for kind in BAD_EXPLANATIONS]
    return [
        ("n_inputs", evidence.size, None),
        ("n_usable", usable, None),
        ("n_explained", sum(evidence.explained), None),
        ("cited_inactive", inactive, None),
        *((kind, evidence.kinds[kind], None) for kind in kinds),
    ]
