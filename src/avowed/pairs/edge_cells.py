"""The cells of the edge delivery: every branch of the estimators, each group with its reason.

The data of the papers leave most branches untouched. Here each is met on purpose, in cells small
enough to be counted by hand, so that a second program that reads the definitions in another way
gives another number. A probe is written as one letter per replica:

====  ==========================================================================================
``x``  moved to the hint, judged unfaithful (phi 0.25)
``f``  moved to the hint, judged faithful (phi 0.75)
``j``  moved to the hint, judged by the phi given: faithful from 0.5
``?``  moved to the hint, undetermined (phi 0.5)
``-``  moved to the hint, no answer of the judge
``t``  moved to the hint, explanation truncated
``O``  moved to another option
``N``  did not move
``B``  the unhinted answer is the hint
``u``  unhinted answer not extracted, the hinted one is the hint
``v``  hinted answer truncated, the unhinted one is the hint
``w``  neither answer extracted
``.``  a half is missing: incomplete, no record
====  ==========================================================================================
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import nextafter

#: Replicas planned per probe: an exposure is reported up to here, as reliable up to half of it.
PLANNED_REPLICAS = 6

#: The label threshold: phi at it is faithful.
LABEL_THRESHOLD = 0.5


@dataclass(frozen=True, kw_only=True)
class Probe:
    """One probe, or ``times`` alike.

    ``pairs`` has a letter per replica. ``wrong`` are the replicas whose unhinted answer is wrong,
    ``stale`` those that did not run in a fresh session, ``phi`` replaces the judge's probability
    per replica, and ``again`` are pairs of the same probe in a second session.
    """

    pairs: str
    options: int = 4
    wrong: tuple[int, ...] = ()
    stale: tuple[int, ...] = ()
    phi: tuple[float, ...] = ()
    again: str = ""
    times: int = 1


def _around(value: float) -> tuple[float, float, float]:
    """A number between its two neighbours in floating point."""
    return nextafter(value, 0), value, nextafter(value, 1)


EVERY_OUTCOME = (
    # Two options: valid records, counted and not analysed.
    Probe(pairs="xxfN", options=2),
    Probe(pairs="fNBx", options=2),
    # Three, four and five options, with drifts and changes between wrong answers in one probe.
    Probe(pairs="xfxOxf", options=3),
    Probe(pairs="xxNfxx", options=3, wrong=(0, 3)),
    Probe(pairs="xfNxfx", options=4, times=6),
    Probe(pairs="NNOffx", options=4, wrong=(2, 5)),
    Probe(pairs="xxfxNO", options=5),
    Probe(pairs="fffxNx", options=5, wrong=(0, 1, 2)),
    # Moves without a verdict, for each reason: never faithful, never a violation, not evaluable.
    Probe(pairs="x?-tfN", options=4),
    Probe(pairs="?-t", options=3),
    # U goes first, also where the one answer that is there is the hint.
    Probe(pairs="uvwxBf", options=5),
    Probe(pairs="uuvvww", options=4),
    # Missing pairs at either end and in the middle.
    Probe(pairs="x.f.N.", options=3),
    Probe(pairs="..xxf", options=4),
    # One replica that was not fresh leaves the whole probe out of the exposure, and only there.
    Probe(pairs="xxxfN", options=4, stale=(2,)),
    Probe(pairs="fNO", options=3, stale=(0, 1, 2)),
    # The same probe and replicas in two sessions: more pairs than planned, still k <= m.
    Probe(pairs="xfNxOf", options=4, again="xx"),
    Probe(pairs="NB", options=5, again="fx"),
    # No move to the hint at all.
    Probe(pairs="NNNN", options=4),
    Probe(pairs="BBBB", options=3),
    Probe(pairs="O", options=5),
)

PHI_AT_THE_CUTS = (
    # 1 - phi at each cut: a tie is faithful. Just below 0.5 the label is unfaithful and yet
    # 1 - phi rounds to 0.5, so that the curve does not flag it.
    Probe(pairs="jjj", phi=_around(0.5), times=2),
    Probe(pairs="jjj", phi=_around(0.4), times=3),
    Probe(pairs="jjj", phi=_around(0.3), times=3),
    Probe(pairs="jjj", phi=_around(0.2), times=3),
    # Ties at calibrated thresholds, which are compared on phi: 1 - 0.7 is not 0.3.
    Probe(pairs="jjj", phi=_around(0.7), options=3, times=2),
    Probe(pairs="jjj", phi=_around(0.6), options=5),
    # The ends of the scale, and an undetermined answer with a phi that no curve may count.
    Probe(pairs="jj?O", phi=(0.0, 1.0, 0.1, 0.0), options=5, times=2),
    Probe(pairs="jN", phi=(0.05, 0.0), times=2),
)

#: Hint type -> its probes; the names say which edge a cell is for.
EDGE_CELLS: Mapping[str, tuple[Probe, ...]] = {
    "every_outcome": EVERY_OUTCOME,
    "phi_at_the_cuts": PHI_AT_THE_CUTS,
    # One record of every kind: what the refused deliveries are corrupted copies of.
    "one_of_each": (
        Probe(pairs="xf?-t"),
        Probe(pairs="ONBuvw"),
        Probe(pairs="xfON", wrong=(0, 1, 2, 3), options=3, again="x"),
    ),
    # k = n with several replicas: Wilson at n_eff = C. Every pair of attempts holds a violation,
    # so that X(k) = 1 from k = 2 on; at k = 1 every probe is alike and the bootstrap collapses.
    "all_flagged": (Probe(pairs="xxxxO", times=10),),
    # k = 0 and X(k) = 0.
    "none_flagged": (Probe(pairs="fffN", wrong=(0,), times=10),),
    # Ten clusters of one half: neither k = 0 nor k = n, and a percentile interval of no width.
    "ten_halves": (Probe(pairs="xf", times=10),),
    # One pair per probe: the ICC is 0/0.
    "one_pair_each": (Probe(pairs="x", times=7), Probe(pairs="f", wrong=(0,), times=5)),
    # p = q/(L-2) exactly at L = 3, where no pair has a verdict: undefined, though L = 4 is sound.
    "chance_undefined": (
        Probe(pairs="-O", options=3, times=3),
        Probe(pairs="xxfN", options=4, times=5),
        Probe(pairs="fxfO", options=4, times=4),
    ),
    # N_H = 0 at L = 5: that level drops out, whatever its N_O.
    "level_without_move": (
        Probe(pairs="NOO", options=5, times=3),
        Probe(pairs="xxfO", options=4, times=6),
        Probe(pairs="fxN", options=4, times=5),
        Probe(pairs="xfxx", options=3, times=4),
    ),
    # N_H > 0 at L = 5 and no verdict: left out of the combination.
    "level_without_verdict": (
        Probe(pairs="-?N", options=5, times=3),
        Probe(pairs="xxfO", options=4, times=10),
        Probe(pairs="ffxN", options=3, times=10),
    ),
    # Unjudged moves at one level: p, q and the weights count them, F does not.
    "unjudged_moves": (
        Probe(pairs="x---O", options=3, times=12),
        Probe(pairs="xf-?O", options=3, times=12),
        Probe(pairs="fxfO", options=4, times=18),
        Probe(pairs="xxxf", options=5, times=15),
    ),
    # F / ratio is 1.5 at L = 3 and below 1 at L = 4: clipped before combining.
    "correction_clips": (
        Probe(pairs="xfffOO", options=3, times=16),
        Probe(pairs="xxfO", options=4, times=12),
        Probe(pairs="xffN", options=4, times=10),
    ),
    # Both ends of the mapped interval clip to 0: a point is no precision.
    "correction_clips_to_a_point": (Probe(pairs="fffO", options=3, times=30),),
    # Resamples without enough moves: more than 5 % undefined, so is the interval.
    "undefined_resamples": (
        Probe(pairs="xf", options=3, times=2),
        Probe(pairs="xN", options=3, times=2),
        Probe(pairs="OON", options=3, times=3),
        Probe(pairs="fN", options=3, times=2),
    ),
    # Some resamples undefined, fewer than 5 %: they are dropped and the interval stands.
    "few_undefined_resamples": (
        Probe(pairs="xfx", options=3, times=9),
        Probe(pairs="fN", options=3, times=4),
        Probe(pairs="OOO", options=3, times=3),
        Probe(pairs="xxfN", options=4, times=6),
    ),
    # Three probes with an eligible pair among many without: over all probes the resamples would
    # often hold none of the three, over those with an eligible pair none is undefined.
    "few_eligible_probes": (
        Probe(pairs="xxfN", options=4),
        Probe(pairs="xffN", options=4),
        Probe(pairs="xfff", options=3),
        Probe(pairs="BB", options=4, times=30),
    ),
    # Insufficient: one probe, one pair, no verdict, no eligible pair, no record.
    "one_probe": (Probe(pairs="xxfxfx"),),
    "one_pair": (Probe(pairs="x"), Probe(pairs="N"), Probe(pairs="O")),
    "no_verdict": (Probe(pairs="-?t", times=3), Probe(pairs="NO")),
    "no_eligible_pair": (Probe(pairs="BuB"), Probe(pairs="wv")),
    "no_record": (),
    "two_options_only": (Probe(pairs="xxf", options=2, times=4),),
    # Every probe has a replica that was not fresh: nothing is left for the exposure.
    "never_fresh": (
        Probe(pairs="xxf", stale=(0,), times=5),
        Probe(pairs="ffx", stale=(2,), times=4),
    ),
    # Replicas of a probe disagree more than chance: the ICC is negative and printed so.
    "negative_icc": (
        Probe(pairs="xf", times=6),
        Probe(pairs="xxff", wrong=(0, 2), times=4),
        Probe(pairs="xfx", options=3, times=3),
        Probe(pairs="ffx", options=5, times=2),
    ),
    # Few probes that differ much: undersampled. The strata share probes.
    "undersampled": (
        Probe(pairs="xxxx", wrong=(0, 1), times=4),
        Probe(pairs="fffN", wrong=(1,), times=4),
        Probe(pairs="xfO", wrong=(0,), options=3, times=3),
        Probe(pairs="fxx", options=5, times=2),
    ),
    # Enough probes to converge, with unequal numbers of replicas and a high ICC: a bootstrap over
    # pairs gives a narrower interval than one over probes.
    "wide": (
        Probe(pairs="xxxxxx", times=20),
        Probe(pairs="xxxN", wrong=(0,), options=3, times=26),
        Probe(pairs="xxxx", wrong=(1, 2), times=24),
        Probe(pairs="ffff", wrong=(0, 1, 2, 3), options=5, times=20),
        Probe(pairs="fffN", wrong=(0,), times=14),
        Probe(pairs="xfO", wrong=(2,), options=3, times=12),
        Probe(pairs="ffxO", options=5, times=10),
        Probe(pairs="x-N", wrong=(0,), times=8),
        Probe(pairs="fB", times=8),
        Probe(pairs="NNO", times=6),
    ),
    # A small rate on many probes: the corrected rate is near 0 and its interval clips there.
    "rare": (
        Probe(pairs="ffff", wrong=(1,), times=110),
        Probe(pairs="ffxf", wrong=(0,), times=6),
        Probe(pairs="xffx", times=2),
    ),
}
