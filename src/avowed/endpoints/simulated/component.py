"""A simulated decision component: a rule, noise, an explanation policy and broken responses."""

from dataclasses import dataclass

from avowed.endpoints.simulated.citations import CitationLaw
from avowed.endpoints.simulated.laws import Laws, laws_of
from avowed.endpoints.simulated.policies import Context, Policy
from avowed.endpoints.simulated.prepared import Prepared
from avowed.endpoints.simulated.rules import Rule
from avowed.endpoints.simulated.truth import marginal


@dataclass(frozen=True)
class Paraphrase:
    """Names of one's own: a key is replaced by one of ``variants`` paraphrases with a rate.

    Each is equally likely, anew at every place of every response.
    """

    rate: float
    variants: int

    @property
    def agreement(self) -> float:
        """Probability that two texts of one feature are the same: sum of p^2.

        >>> round(Paraphrase(0.5, 5).agreement, 3)
        0.3
        """
        return (1 - self.rate) ** 2 + self.rate**2 / self.variants


@dataclass(frozen=True)
class SimulatedComponent:
    """A decision component with known truth.

    Attributes:
        name: its name in responses and tables, also an id of its random streams.
        says: one line on what it shows.
        rule: the decision rule.
        policy: the explanation policy.
        noise: d, the probability per call that another decision is returned.
        invalid: probability per call of a response without a valid decision, all kinds alike.
        misexplained: probability per explanation that it is invalid, all kinds alike.
        paraphrase: names of its own instead of keys.
    """

    name: str
    says: str
    rule: Rule
    policy: Policy
    noise: float = 0.0
    invalid: float = 0.0
    misexplained: float = 0.0
    paraphrase: Paraphrase | None = None

    def laws(self, prepared: Prepared, *, trials: int = 3) -> Laws:
        """The law of the decision of every call, noise included."""
        return laws_of(self.rule, prepared, trials=trials, noise=self.noise)

    def citations(self, prepared: Prepared, *, trials: int = 3) -> CitationLaw:
        """The law of the explanations. The policy goes by the rule's truth without noise."""
        case = prepared.case
        truth = marginal(laws_of(self.rule, prepared, trials=trials))
        context = Context(truth.scores(case.primary), prepared.active, case.keys, case.cited)
        return self.policy.law(context)
