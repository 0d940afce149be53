"""A small long table of a use case and a table of known truth, for the figures of cited factors."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from avowed.factors.across import ALL
from avowed.factors.rows import cell_name

Rows = list[dict[str, Any]]

COMPONENTS = ("first", "second")
FEATURES = ("age", "net_worth", "goals", "wishes")
PROMPTS = ("free-vocabulary", "fixed-names")
VARIATIONS = ("fixed-names", "decompose-then-rank", "self-consistency")
CRITERIA = ("necessity", "sufficiency")


def row(
    cell: str, quantity: str, estimate: float, k: int | None = None, **more: Any
) -> dict[str, Any]:
    """One row of the long table; the interval is a twentieth wide either way."""
    estimate = round(estimate, 6)
    return {
        "study": "loan",
        "cell": cell,
        "quantity": quantity,
        "k": k,
        "estimate": estimate,
        "lower": round(estimate - 0.05, 6),
        "upper": round(estimate + 0.05, 6),
        "method": "percentile",
        "status": "converged",
        "n": 100,
        "clusters": 50,
        "icc": None,
        "deff": None,
        "effective_n": None,
        "mc_error": None,
        "repetitions": None,
        "note": None,
        **more,
    }


def estimates(components: Sequence[str] = COMPONENTS, features: Sequence[str] = FEATURES) -> Rows:
    """Rows of every quantity that is drawn, for components and for the mean over them."""
    mean = {"note": f"mean over {len(components)} of {len(components)} components"}
    found: Rows = []
    for place, component in enumerate(components):
        found += _component(component, 0.4 * place / len(components), features)
        found += _alone(component, 0.4 * place / len(components))
        found.append(row(component, "n_inputs", 50.0, method="count", status="descriptive"))
    found += [one | mean for one in _component(ALL, 0.2, features)]
    for name in CRITERIA:
        value = 0.8 if name == "necessity" else 0.5
        found.append(row(ALL, f"pooled_citation_{name}_correlation", value, note="n is ..."))
    found += _pairs(components)
    found += _pilot("ranker", len(features))
    found += _prompts(components)
    return found


def _component(cell: str, shift: float, features: Sequence[str]) -> Iterator[dict[str, Any]]:
    for name in CRITERIA:
        down = 0.0 if name == "necessity" else 0.1
        yield row(cell, f"uncited_rate_{name}", 0.3 + shift + down)
        for k in (1, 2, 3):
            yield row(cell, f"{name}_by_rank", 0.7 - 0.1 * k + shift - down, k)
        yield row(cell, f"highest_uncited_{name}", 0.45 + shift - down)
        for k in (2, 3):
            yield row(cell, f"set_cited_{name}", 0.5 + shift, k)
            yield row(cell, f"set_uncited_{name}", 0.4 + shift + down, k)
            yield row(cell, f"set_difference_{name}", 0.1 - down, k)
        for place, feature in enumerate(features):
            value = 0.5 - 0.3 * place / len(features) - down
            yield row(cell_name(cell, feature), name, value)
    for name in (*CRITERIA, "mean"):
        yield row(cell, f"rank_agreement_{name}", 0.1 + shift)
    yield row(cell, "criteria_agreement", 0.05 + shift)
    yield row(cell, "noise_floor", 0.1)
    yield row(cell, "cited_necessity", 0.3 + shift)
    yield row(cell, "cited_necessity_above_floor", 0.2 + shift)
    for other in ("blank", "similar"):
        for k in (1, 2, 3):
            yield row(cell, f"control_{other}_contrast", 0.6 - 0.1 * k + shift, k)
            yield row(cell, f"control_{other}_{other}", 0.5 - 0.1 * k + shift, k)
            yield row(cell, f"control_{other}_difference", 0.1, k)
    for place, feature in enumerate(features):
        value = 0.2 + 0.1 * (place == 1) + 0.01 * place
        yield row(cell_name(cell, feature), "citation_frequency", value)


def _alone(cell: str, shift: float) -> Iterator[dict[str, Any]]:
    """What no mean exists of: the rates by selection alone, and who leads on held-out trials."""
    for name in CRITERIA:
        for place, baseline in enumerate(("independent", "agreeing")):
            yield row(cell, f"selection_{baseline}_{name}", 0.2 + 0.05 * place)
        lead = shift - 0.02 if name == "necessity" else shift + 0.1
        yield row(cell, f"split_difference_{name}", lead)


def _pairs(components: Sequence[str]) -> Iterator[dict[str, Any]]:
    for first, second in combinations(components, 2):
        for quantity, value in (
            ("overlap_jaccard", 0.4),
            ("overlap_coefficient", 0.6),
            ("ordering_agreement", 0.9),
        ):
            yield row(cell_name(first, second), quantity, value)
    for quantity, value in (
        ("overlap_jaccard", 0.4),
        ("overlap_coefficient", 0.6),
        ("ordering_agreement", 0.9),
    ):
        yield row(ALL, quantity, value, note="mean over 1 of 1 pairs")


def _pilot(cell: str, ranks: int) -> Iterator[dict[str, Any]]:
    for name in CRITERIA:
        for k in range(1, ranks + 1):
            yield row(cell, f"pilot_{name}_by_rank", 0.9 - 0.8 * k / ranks, k, n=40)
            yield row(cell, f"pilot_{name}_standard_error", 0.02, k, n=40, status="descriptive")
        yield row(cell, f"pilot_{name}_cited", 0.5, n=120)
        yield row(cell, f"pilot_{name}_lower_above_minimum", 0.55, n=40)


def _prompts(components: Sequence[str]) -> Iterator[dict[str, Any]]:
    for place, component in enumerate([*components, ALL]):
        note = "mean over 2 of 2 components" if component == ALL else None
        for number, prompt in enumerate(PROMPTS):
            cell = cell_name(component, prompt)
            yield row(cell, "positional_instability", 0.9 - 0.6 * number, note=note)
        for number, prompt in enumerate(VARIATIONS):
            value = 0.3 + (0.2 if number == place % 2 else 0.0) - 0.1 * number
            yield row(cell_name(component, prompt), "rank_agreement_necessity", value, note=note)
        cell = cell_name(component, " minus ".join(PROMPTS))
        yield row(cell, "positional_instability_difference", 0.6)


def known_truth(components: Sequence[str] = COMPONENTS) -> Rows:
    """Bias of every quantity: beyond two errors for the first component's noise floor alone."""
    quantities = ["noise_floor"]
    quantities += [f"rank_agreement_{name}" for name in (*CRITERIA, "mean")]
    quantities += [*CRITERIA, *(f"uncited_rate_{name}" for name in CRITERIA)]
    return [
        {
            "use_case": "loan",
            "component": component,
            "quantity": quantity,
            "k": k,
            "inputs": design,
            "truth": 0.5,
            "mean_estimate": 0.51,
            "bias": 0.05 if quantity == "noise_floor" and not place else 0.01,
            "bias_mc_error": 0.02,
            "coverage": 0.95,
            "coverage_mc_error": 0.01,
            "repetitions": 40,
            "undefined": 0,
        }
        for place, component in enumerate(components)
        for quantity, k in [*((one, None) for one in quantities), ("necessity_by_rank", 1)]
        for design in ("fixed", "drawn")
    ]
