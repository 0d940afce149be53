"""A simulated assistant and judge with known truth (HP section 16.1).

Each probe has its own accuracy, susceptibility and propensity to acknowledge, drawn from Beta
laws, so probes differ. Options are roles while simulating: 0 is correct, 1 the hint, the others
are distractors. A delivery gives every probe its own numbering.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from avowed.pairs.cell import Cell, Mask
from avowed.pairs.outcome import OUTCOME_CODE, outcome_codes
from avowed.pairs.record import Outcome

CORRECT, HINT = 0, 1


@dataclass(frozen=True)
class BetaLaw:
    """A Beta law with shapes ``a`` and ``b``, both positive."""

    a: float
    b: float

    def __post_init__(self) -> None:
        """Refuse shapes that are not positive."""
        if not (self.a > 0 and self.b > 0):
            raise ValueError(f"Beta({self.a}, {self.b}): both shapes must be positive")

    @property
    def mean(self) -> float:
        """Mean a / (a + b)."""
        return self.a / (self.a + self.b)


@dataclass(frozen=True, kw_only=True)
class JudgeLaw:
    """How the simulated judge answers.

    ``acknowledged`` and ``omitted`` are the laws of phi; an explanation is flagged when
    1 - phi > ``cut``. A call fails with probability ``failed``; an answer is undetermined with
    probability ``undetermined``. A ``perfect`` judge gives phi = 1 or 0, and fails as often.
    """

    acknowledged: BetaLaw
    omitted: BetaLaw
    failed: float
    undetermined: float
    cut: float = 0.5
    perfect: bool = False

    @property
    def ungraded(self) -> float:
        """Probability that a pair to be judged gets no verdict."""
        return self.failed + (1 - self.failed) * self.undetermined


@dataclass(frozen=True, kw_only=True)
class Design:
    """A simulated study of one hint type.

    ``two_option_share`` of the probes (rounded to a number of probes) have two options, the rest
    ``options``. An answer that the hint does not move changes by chance with probability
    ``chance_move``, to any of the other options alike.
    """

    probes: int
    replicas: int
    options: int
    two_option_share: float
    accuracy: BetaLaw
    susceptibility: BetaLaw
    acknowledgement: BetaLaw
    chance_move: float
    judge: JudgeLaw

    @property
    def two_option_probes(self) -> int:
        """Number of probes with two options."""
        return round(self.two_option_share * self.probes)

    def with_probes(self, probes: int) -> "Design":
        """Return the same study with another number of probes."""
        return replace(self, probes=probes)

    def with_perfect_judge(self) -> "Design":
        """Return the same study with a perfect judge."""
        return replace(self, judge=replace(self.judge, perfect=True))


def design_of(config: Mapping[str, Any], hint_type: str) -> Design:
    """Read the design of one hint type from the configuration's ``simulation``.

    Raises:
        KeyError: the hint type, or a constant, is not in the configuration.
    """
    laws, judge = config["hint_types"][hint_type], config["judge"]
    return Design(
        probes=config["probes"],
        replicas=config["replicas"],
        options=config["options"],
        two_option_share=config["two_option_share"],
        accuracy=BetaLaw(*config["accuracy"]),
        susceptibility=BetaLaw(*laws["susceptibility"]),
        acknowledgement=BetaLaw(*laws["acknowledgement"]),
        chance_move=config["chance_move"],
        judge=JudgeLaw(
            acknowledged=BetaLaw(*judge["phi_acknowledged"]),
            omitted=BetaLaw(*judge["phi_omitted"]),
            failed=judge["failed"],
            undetermined=judge["undetermined"],
            cut=judge["cut"],
        ),
    )


@dataclass(frozen=True, kw_only=True)
class Simulated:
    """Simulated pairs, arrays of shape (probes, replicas) but ``n_options``, shape (probes,).

    ``acknowledged`` is the truth about the explanation, False outside outcome H; ``driven`` marks
    moves that the hint caused. ``phi`` is NaN where the judge gave none.
    """

    n_options: NDArray[np.int64]
    baseline: NDArray[np.int64]
    hinted: NDArray[np.int64]
    outcome: NDArray[np.int8]
    driven: Mask
    acknowledged: Mask
    failed: Mask
    undetermined: Mask
    phi: NDArray[np.float64]
    flagged: Mask


def _beta(law: BetaLaw, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    return rng.beta(law.a, law.b, size)


def _other_than(
    taken: NDArray[np.int64], n_options: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Draw uniformly among the L - 1 options other than ``taken``."""
    drawn = rng.integers(0, np.broadcast_to(n_options - 1, taken.shape))
    return drawn + (drawn >= taken)


def simulate(design: Design, rng: np.random.Generator) -> Simulated:
    """Simulate all pairs of one repetition at once.

    Baseline: correct with the probe's accuracy, else uniform over the wrong options, the hint
    among them; a fresh draw per replica. Hinted: with the probe's susceptibility the hint; else
    with ``chance_move`` uniform over the options other than the baseline answer; else the baseline
    answer. An explanation acknowledges only a move that the hint caused.

    Source: HP section 16.1; ``definitions``, Simulation.
    """
    shape = (design.probes, design.replicas)
    n_options = np.full(design.probes, design.options, dtype=np.int64)
    n_options[: design.two_option_probes] = 2
    accuracy, susceptibility, acknowledgement = (
        _beta(law, rng, design.probes)[:, None]
        for law in (design.accuracy, design.susceptibility, design.acknowledgement)
    )
    levels = n_options[:, None]
    right = rng.random(shape) < accuracy
    baseline = np.where(right, CORRECT, _other_than(np.full(shape, CORRECT), levels, rng))
    driven = rng.random(shape) < susceptibility
    by_chance = rng.random(shape) < design.chance_move
    elsewhere = _other_than(baseline, levels, rng)
    hinted = np.where(driven, HINT, np.where(by_chance, elsewhere, baseline))
    outcome = outcome_codes(baseline, hinted, np.int64(HINT))
    moved = outcome == OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
    acknowledged = moved & driven & (rng.random(shape) < acknowledgement)
    failed = moved & (rng.random(shape) < design.judge.failed)
    undetermined = moved & ~failed & (rng.random(shape) < design.judge.undetermined)
    phi = _phi(design.judge, rng, moved & ~failed, acknowledged)
    # NaN compares false: what was not judged is not flagged.
    flagged = ~undetermined & ((1 - phi) > design.judge.cut)
    return Simulated(
        n_options=n_options,
        baseline=baseline,
        hinted=hinted,
        outcome=outcome,
        driven=driven & moved,
        acknowledged=acknowledged,
        failed=failed,
        undetermined=undetermined,
        phi=phi,
        flagged=flagged,
    )


def _phi(
    judge: JudgeLaw, rng: np.random.Generator, judged: Mask, acknowledged: Mask
) -> NDArray[np.float64]:
    phi = np.full(judged.shape, np.nan)
    if judge.perfect:
        phi[judged] = acknowledged[judged]
        return phi
    for which, law in (
        (judged & acknowledged, judge.acknowledged),
        (judged & ~acknowledged, judge.omitted),
    ):
        phi[which] = _beta(law, rng, int(which.sum()))
    return phi


def cell_of_simulated(
    pairs: Simulated, *, hint_type: str, hint_channel: str = "user_message"
) -> Cell:
    """Arrange simulated pairs as the cell that estimators read, as a delivery of them would be."""
    probes, replicas = pairs.baseline.shape
    code = pairs.outcome.ravel()
    moved = code == OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
    labelled = moved & ~pairs.failed.ravel() & ~pairs.undetermined.ravel()
    flagged = pairs.flagged.ravel()
    nothing = np.zeros(code.size, dtype=bool)
    return Cell(
        hint_type=hint_type,
        hint_channel=hint_channel,
        planned_replicas=replicas,
        probe=np.repeat(np.arange(probes), replicas),
        n_options=np.repeat(pairs.n_options, replicas),
        hint_change=moved,
        other_change=code == OUTCOME_CODE[Outcome.OTHER_CHANGE],
        no_change=code == OUTCOME_CODE[Outcome.NO_CHANGE],
        baseline_on_hint=code == OUTCOME_CODE[Outcome.BASELINE_ON_HINT],
        not_evaluable=nothing,
        baseline_correct=pairs.baseline.ravel() == CORRECT,
        faithful=labelled & ~flagged,
        unfaithful=labelled & flagged,
        undetermined=pairs.undetermined.ravel(),
        truncated=nothing,
        phi=pairs.phi.ravel(),
        fresh=~nothing,
    )


def realised_omission(pairs: Simulated, *, min_options: int = 3) -> float:
    """Share of this data set's evaluable moves whose explanation does not acknowledge the hint.

    The truth that the judge would have found had it made no error; NaN without an evaluable move.
    """
    moved = pairs.outcome == OUTCOME_CODE[Outcome.HINT_INDUCED_CHANGE]
    evaluable = moved & ~pairs.failed & ~pairs.undetermined
    evaluable &= (pairs.n_options >= min_options)[:, None]
    n = int(evaluable.sum())
    return 1 - int((pairs.acknowledged & evaluable).sum()) / n if n else float("nan")
