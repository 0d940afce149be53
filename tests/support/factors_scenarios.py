"""Simulated components, each with the value that a measure of the paper has to give on it.

A scenario is a use case, inputs, a component and the truth; ``table`` are its responses. The truths
are written down from the design, not taken from the program that sums over laws: the tests of that
program compare it with them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
from support.factors_scenario_cases import profile_case, segments_case

from avowed.endpoints.simulated.component import Paraphrase, SimulatedComponent
from avowed.endpoints.simulated.generate import simulate
from avowed.endpoints.simulated.policies import (
    FullRanking,
    Inactive,
    Order,
    Pair,
    Random,
    Ranks,
    Salience,
    Shuffled,
)
from avowed.endpoints.simulated.prepared import Prepared, prepared
from avowed.endpoints.simulated.prescribed import Graded, Quota
from avowed.endpoints.simulated.rules import Conjunction, Constant, Maximum, Single
from avowed.factors.design import Design
from avowed.factors.inputs import Inputs, generate_inputs
from avowed.factors.plan import Plan, plan_calls
from avowed.factors.usecase import UseCase

#: Root seed of the inputs and responses of scenarios.
SEED = 20260905


@dataclass(frozen=True)
class Scenario:
    """A component on inputs, and what its measures have to be.

    ``expected`` holds, as far as the scenario fixes them:
    rho_necessity, rho_sufficiency, rho_mean (NaN: every response excluded), excluded_necessity,
    excluded_sufficiency (shares), uncited_necessity, uncited_sufficiency, agreement (PN with PS),
    instability, included_2, included_3 (shares of responses with enough uncited features),
    jaccard, coefficient, ordering. Values are exact where ``exact``, else means of an estimate.
    """

    case: UseCase
    inputs: Inputs
    component: SimulatedComponent
    expected: Mapping[str, Any] = field(default_factory=dict)
    exact: bool = True
    cited: int = 3

    @property
    def ready(self) -> Prepared:
        """The inputs with their modifications."""
        return prepared(self.case, self.inputs)

    def plan(self, *, trials: int = 3, repeats: int = 3) -> Plan:
        """Every call with all four interventions."""
        design = Design(
            interventions=("contrast", "blank", "similar", "sufficiency"),
            trials=trials,
            repeats=repeats,
            cited=self.cited,
        )
        name = (self.component.name,)
        return plan_calls(self.case, self.inputs, design, components=name, use_case_sha256="0" * 64)

    def table(self, *, seed: int = SEED, trials: int = 3, repeats: int = 3) -> pa.Table:
        """The responses of the component to the whole plan."""
        plan = self.plan(trials=trials, repeats=repeats)
        return simulate([self.component], self.ready, plan, seed=seed)


def _made(
    case: UseCase, component: SimulatedComponent, expected: Mapping[str, Any], **changes: Any
) -> Scenario:
    return Scenario(case, generate_inputs(case, seed=SEED), component, expected, **changes)


def _quota(case: UseCase, numbers: tuple[int, ...], other: tuple[int, ...] | None = None) -> Quota:
    return Quota(case.keys, numbers, numbers if other is None else other)


def quota_true_order() -> Scenario:
    """Scores 1, 2/3 and 1/3, cited in that order: rho +1, no omission."""
    case = profile_case()
    component = SimulatedComponent("quota", "rho +1", _quota(case, (3, 2, 1)), Order())
    rho = {f"rho_{name}": 1.0 for name in ("necessity", "sufficiency", "mean")}
    excluded = {"excluded_necessity": 0.0, "excluded_sufficiency": 0.0}
    uncited = {"uncited_necessity": 0.0, "uncited_sufficiency": 0.0}
    sets = {"agreement": 1.0, "included_2": 1.0, "included_3": 1.0, "instability": 0.0}
    return _made(case, component, {**rho, **excluded, **uncited, **sets})


def quota_reversed() -> Scenario:
    """The same three features, last first: rho -1, no omission, PN and PS still agree."""
    made = quota_true_order()
    component = replace(made.component, name="reversed", policy=Order(reverse=True))
    rho = {f"rho_{name}": -1.0 for name in ("necessity", "sufficiency", "mean")}
    return replace(made, component=component, expected={**made.expected, **rho})


def quota_opposed() -> Scenario:
    """PN 1, 2/3, 1/3 and PS 1/3, 2/3, 1: rho_PN +1, rho_PS -1, the mean constant, agreement -1."""
    case = profile_case()
    rule = _quota(case, (3, 2, 1), (1, 2, 3))
    expected = {
        "rho_necessity": 1.0,
        "rho_sufficiency": -1.0,
        "rho_mean": np.nan,
        "agreement": -1.0,
        "uncited_necessity": 0.0,
        "uncited_sufficiency": 0.0,
    }
    return _made(case, SimulatedComponent("opposed", "PN against PS", rule, Order()), expected)


def constant_output() -> Scenario:
    """One decision always: PN 0, PS 1, every rank agreement undefined, no strict omission."""
    case = profile_case()
    component = SimulatedComponent("constant", "undefined", Constant("south"), Order())
    expected = {
        "rho_necessity": np.nan,
        "rho_sufficiency": np.nan,
        "rho_mean": np.nan,
        "excluded_necessity": 1.0,
        "excluded_sufficiency": 1.0,
        "agreement": np.nan,
        "uncited_necessity": 0.0,
        "uncited_sufficiency": 0.0,
    }
    return _made(case, component, expected)


def ranks_one_three_five() -> Scenario:
    """Ranks 1, 3 and 5 of scores 1, 1, 2/3, 2/3, 1/3: rho +1, and every response omits."""
    case = profile_case()
    rule = _quota(case, (3, 3, 2, 2, 1))
    component = SimulatedComponent("ranks-1-3-5", "+1 and 1", rule, Ranks((1, 3, 5)))
    rho = {f"rho_{name}": 1.0 for name in ("necessity", "sufficiency", "mean")}
    return _made(case, component, {**rho, "uncited_necessity": 1.0, "uncited_sufficiency": 1.0})


def exchangeable(chance: float = 0.3, samples: int = 400) -> Scenario:
    """Every feature changes the decision with one probability: the selection baseline.

    A random explanation of features that are all alike omits as often as selection alone makes it.
    """
    case = profile_case(samples)
    same = (chance,) * len(case.features)
    rule = Graded(case.keys, same, same)
    rate = selection_rate(chance, len(case.features))
    expected = {
        "rho_necessity": 0.0,
        "rho_sufficiency": 0.0,
        "uncited_necessity": rate,
        "uncited_sufficiency": rate,
        "instability": 1 - 1 / len(case.features),
    }
    component = SimulatedComponent("exchangeable", "selection alone", rule, Random())
    return _made(case, component, expected, exact=False)


def selection_rate(chance: float, features: int, trials: int = 3, cited: int = 3) -> float:
    """P(max of F - 3 > min of 3) of independent binomial scores, by the definition."""
    law = np.array([1.0])
    for _ in range(trials):
        law = np.convolve(law, [1 - chance, chance])
    upto = law.cumsum()
    lowest = (1 - upto + law) ** cited - (1 - upto) ** cited
    return float((lowest * (1 - upto ** (features - cited))).sum())


def graded_truths(samples: int = 400) -> Scenario:
    """True scores .9, .5 and .1 in perfect order: rho is .898 at three trials, not 1."""
    case = profile_case(samples)
    rule = Graded(case.keys, (0.9, 0.5, 0.1), (0.9, 0.5, 0.1))
    component = SimulatedComponent("graded", "rho .90", rule, Order())
    rho = 0.8983201674909072
    expected = {"rho_necessity": rho, "rho_sufficiency": rho, "uncited_necessity": 0.0}
    return _made(case, component, expected, exact=False)


def single_feature() -> Scenario:
    """One feature decides alone: PN and PS are 1 for it and 0 for the rest."""
    case = profile_case()
    rule = Single("field_c")
    component = SimulatedComponent("single", "one feature", rule, Order())
    # Scores (1, 0, 0) in the stated order.
    rho = np.sqrt(3) / 2
    expected = {"rho_necessity": rho, "rho_sufficiency": rho, "uncited_necessity": 0.0}
    return _made(case, component, expected)


def redundant_segments() -> Scenario:
    """Every segment is enough alone: PN 0, PS 1."""
    case = segments_case()
    rule = Maximum(dict.fromkeys(case.keys, 4.0))
    component = SimulatedComponent("redundant", "PN 0, PS 1", rule, Order())
    expected = {"rho_necessity": np.nan, "rho_sufficiency": np.nan, "uncited_sufficiency": 0.0}
    return _made(case, component, expected)


def conjunction() -> Scenario:
    """Three segments, all of which have to come together: PN 1, PS 0."""
    case = segments_case(active=(3, 3))
    rule = Conjunction(case.keys, then="5", other="1", least=3)
    component = SimulatedComponent("conjunction", "PN 1, PS 0", rule, Order())
    expected = {"rho_necessity": np.nan, "rho_sufficiency": np.nan, "uncited_necessity": 0.0}
    return _made(case, component, expected)


def inactive_citations() -> Scenario:
    """The third citation is always an inactive category, which counts 0.

    With four active categories of 3, 2, 1 and 0 of 3 trials, the best uncited one has 1/3 > 0.
    """
    case = segments_case(active=(4, 4))
    rule = _quota(case, (3, 2, 1, 0))
    policy = Inactive(Order(), 1.0)
    expected = {
        "rho_necessity": np.nan,
        "rho_sufficiency": np.nan,
        "excluded_necessity": 1.0,
        "uncited_necessity": 1.0,
        "uncited_sufficiency": 1.0,
    }
    return _made(case, SimulatedComponent("inactive", "counts 0", rule, policy), expected)


def three_active_all_cited() -> Scenario:
    """Exactly three active and all cited: nothing is left to be omitted, whatever the order."""
    case = segments_case(active=(3, 3))
    rule = _quota(case, (1, 2, 3))
    component = SimulatedComponent("all-cited", "no uncited", rule, Order(reverse=True))
    expected = {
        "rho_necessity": -1.0,
        "rho_sufficiency": -1.0,
        "uncited_necessity": 0.0,
        "uncited_sufficiency": 0.0,
        "included_2": 0.0,
        "included_3": 0.0,
    }
    return _made(case, component, expected)


def too_few_uncited() -> Scenario:
    """Five active, three cited: two uncited, enough for k = 2 and too few for k = 3."""
    case = segments_case(active=(5, 5))
    rule = _quota(case, (3, 2, 1))
    component = SimulatedComponent("two-uncited", "k = 2 only", rule, Order())
    return _made(case, component, {"rho_necessity": 1.0, "included_2": 1.0, "included_3": 0.0})


def malformed(rate: float = 0.2, samples: int = 200) -> Scenario:
    """Responses and explanations invalid with a rate; what is left has rho +1 and no omission.

    The expected shares are those of all calls and of all explanations of unchanged inputs.
    """
    case = profile_case(samples)
    component = SimulatedComponent(
        "malformed",
        "every kind",
        # All or nothing, so that a lost trial changes no score.
        _quota(case, (3, 0, 0)),
        Order(),
        invalid=rate,
        misexplained=rate,
    )
    expected = {
        "rho_necessity": np.sqrt(3) / 2,
        "uncited_necessity": 0.0,
        "invalid_share": rate,
        # An explanation is lost by itself, or with a text that is no JSON or not there.
        "invalid_explanation_share": 1 - (1 - rate) * (1 - rate / 2),
    }
    return _made(case, component, expected, exact=False)


def paraphrases(rate: float = 0.5, variants: int = 4, samples: int = 200) -> Scenario:
    """Names of one's own: instability 1 - sum p^2 of the fixed places."""
    made = quota_true_order()
    case = profile_case(samples)
    component = replace(made.component, name="own-words", paraphrase=Paraphrase(rate, variants))
    agreement = (1 - rate) ** 2 + variants * (rate / variants) ** 2
    return _made(case, component, {"instability": 1 - agreement}, exact=False)


def shuffled(samples: int = 200) -> Scenario:
    """The right set in random order: mean rho 0, no omission, two places in three differ."""
    made = quota_true_order()
    component = replace(made.component, name="shuffled", policy=Shuffled())
    expected = {"rho_necessity": 0.0, "uncited_necessity": 0.0, "instability": 2 / 3}
    return _made(profile_case(samples), component, expected, exact=False)


def salient(samples: int = 400) -> Scenario:
    """Citation frequencies of .9, .6, .3 for three fields and .24 for each of the other five."""
    case = profile_case(samples)
    shares = (0.9, 0.6, 0.3, 0.24, 0.24, 0.24, 0.24, 0.24)
    policy = Salience(dict(zip(case.keys, shares, strict=True)))
    rule = _quota(case, (0, 0, 0, 3, 2, 1))
    component = SimulatedComponent("salient", "fixed frequencies", rule, policy)
    return _made(case, component, {"frequency": shares}, exact=False)


def partners(shared: int, *, reverse: bool = False) -> tuple[Scenario, Scenario]:
    """Two components that share 0 to 3 of their three citations, in the same order or reversed."""
    first = quota_true_order()
    policy = Pair(Order(), shared, reverse)
    second = replace(first.component, name=f"partner-{shared}", policy=policy)
    ordering = np.nan if shared < 2 else 0.0 if reverse else 1.0
    expected = {
        "jaccard": shared / (6 - shared),
        "coefficient": shared / 3,
        "ordering": ordering,
    }
    return replace(first, expected=expected), replace(first, component=second, expected=expected)


def planted_inversion(rate: float = 0.25, samples: int = 200) -> Scenario:
    """All eight fields ranked; ranks 3 and 4 change places with a rate.

    Scores are 1, 2/3, 1/3 and 0 for the rest, so rank 4 exceeds rank 3 exactly where they did, and
    only there a lower-ranked field exceeds the minimum of the first three.
    """
    case = profile_case(samples)
    policy = FullRanking(swap=(3, 4), rate=rate)
    component = SimulatedComponent("full", "planted inversion", _quota(case, (3, 2, 1)), policy)
    expected = {"fourth_above_third": rate, "lower_above_minimum": rate}
    return _made(case, component, expected, exact=False, cited=len(case.features))


#: Every scenario of one component, by name.
SCENARIOS = {
    one.__name__: one
    for one in (
        quota_true_order,
        quota_reversed,
        quota_opposed,
        constant_output,
        ranks_one_three_five,
        exchangeable,
        graded_truths,
        single_feature,
        redundant_segments,
        conjunction,
        inactive_citations,
        three_active_all_cited,
        too_few_uncited,
        malformed,
        paraphrases,
        shuffled,
        salient,
        planted_inversion,
    )
}
