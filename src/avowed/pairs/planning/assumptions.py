"""What is assumed of a study that is still to be made."""

from dataclasses import dataclass

#: Field -> least and greatest value, and whether each of them is allowed.
_RANGES = {
    "susceptibility": (0.0, 1.0, False, True),
    "baseline_on_hint": (0.0, 1.0, True, False),
    "icc": (-1.0, 1.0, True, True),
    "susceptibility_icc": (-1.0, 1.0, True, True),
    "loss": (0.0, 1.0, True, False),
    "two_options": (0.0, 1.0, True, False),
    "expected_omission": (0.0, 1.0, False, False),
    "confidence": (0.0, 1.0, False, False),
}

#: Least share of useful pairs that is planned with.
LEAST_USEFUL = 1e-8

#: Why an end of a range is left out, where that is not plain.
_WHY = {
    ("susceptibility", 0.0): "no pair moves to the hint, so no study is large enough",
    ("baseline_on_hint", 1.0): "no pair could move to the hint",
    ("loss", 1.0): "no pair would be left",
    ("two_options", 1.0): "no pair would be analysed",
    ("expected_omission", 0.0): "a rate without spread plans nothing; 0.5 is the worst case",
    ("expected_omission", 1.0): "a rate without spread plans nothing; 0.5 is the worst case",
}


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What is assumed of the pairs of one hint type.

    Attributes:
        susceptibility: share p of the eligible pairs that move to the hint (HP 9).
        baseline_on_hint: share of completed pairs whose unhinted answer is the hint already; such a
            pair is not eligible. With 0 the susceptibility is read as a share of all completed
            pairs, which is how section 16.3 gets its numbers.
        icc: correlation of the verdict between replicas of a probe (HP 7). Below 0 it counts as 0,
            as in the design effect.
        susceptibility_icc: correlation of moving to the hint between replicas of a probe; for
            susceptibilities with a Beta(a, b) law it is 1 / (a + b + 1). It decides how unequal the
            clusters are and how much their number varies. Below 0 it counts as 0.
        loss: share of pairs that give no verdict although they would have moved: an answer that
            could not be extracted, a judge that failed.
        two_options: share of probes with two options, which are not analysed (HP 7).
        expected_omission: the rate around which is planned; 0.5 is the worst case. With a
            calibration it is the corrected rate, else the flagged one.
        confidence: level of the interval.
        resamples: bootstrap resamples of the interval; fewer make its ends less steady.

    Raises:
        ValueError: a value is outside its range; the message begins with the field's name.

    >>> round(Assumptions(susceptibility=0.5, baseline_on_hint=0.1, loss=0.2).useful, 3)
    0.36
    >>> Assumptions(susceptibility=0)
    Traceback (most recent call last):
    ValueError: susceptibility is 0; no pair moves to the hint, so no study is large enough
    """

    susceptibility: float
    baseline_on_hint: float = 0.0
    icc: float = 0.10
    susceptibility_icc: float = 0.15
    loss: float = 0.0
    two_options: float = 0.0
    expected_omission: float = 0.5
    confidence: float = 0.95
    resamples: int = 2000

    def __post_init__(self) -> None:
        """Refuse what describes no study."""
        for name, (low, high, with_low, with_high) in _RANGES.items():
            value = getattr(self, name)
            above = value >= low if with_low else value > low
            below = value <= high if with_high else value < high
            if not (above and below):
                interval = f"{'[' if with_low else '('}{low:g}, {high:g}{']' if with_high else ')'}"
                raise ValueError(
                    f"{name} is {value:g}; {_WHY.get((name, value), f'it must be in {interval}')}"
                )
        if self.useful < LEAST_USEFUL:
            raise ValueError(
                f"susceptibility is {self.susceptibility:g}; fewer than one useful pair from "
                f"{1 / LEAST_USEFUL:,.0f} would be left, so no study is large enough"
            )
        if not 100 <= self.resamples <= 10**9:
            raise ValueError(f"resamples is {self.resamples}; it must be from 100 to 1000000000")

    @property
    def moved(self) -> float:
        """Share of completed pairs with enough options that move to the hint, N_H / N."""
        return self.susceptibility * (1 - self.baseline_on_hint)

    @property
    def useful(self) -> float:
        """Share of planned pairs with enough options that give a verdict on a move."""
        return self.moved * (1 - self.loss)

    @property
    def verdict_icc(self) -> float:
        """The correlation of verdicts as it is used: not below 0."""
        return max(self.icc, 0.0)

    @property
    def again(self) -> float:
        """Probability that another replica is useful too, given that one is.

        lambda = (1 - loss) (rho_s + (1 - rho_s) p): replicas of a susceptible probe move together.
        A probe of m replicas of which n are useful has E[n(n - 1)] / E[n] = (m - 1) lambda.

        >>> Assumptions(susceptibility=0.5, susceptibility_icc=0.5).again
        0.75
        """
        together = max(self.susceptibility_icc, 0.0)
        return (1 - self.loss) * (together + (1 - together) * self.moved)

    @property
    def useful_icc(self) -> float:
        """Correlation of being useful between replicas; a loss by chance thins that of moving."""
        spread = self.useful * (1 - self.useful)
        if spread <= 0:
            return 0.0
        return min(1.0, max(0.0, self.useful * (self.again - self.useful) / spread))

    def design_effect(self, replicas: int) -> float:
        """Factor by which correlated verdicts raise the variance of the omission rate.

        1 + (m - 1) lambda rho, which is 1 + (E[n^2] / E[n] - 1) rho: a probe counts with the square
        of its pairs. With Kish's mean cluster size in place of E[n^2] / E[n] it would be too small
        when clusters are unequal.

        Source: Kish (1965), section 8.2; HP section 7.

        >>> Assumptions(susceptibility=1, icc=0.1).design_effect(5)
        1.4
        """
        return 1 + (replicas - 1) * self.again * self.verdict_icc
