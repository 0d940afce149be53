"""The texts of simulated responses: what the prompt asks for, and every way to get it wrong."""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from avowed.endpoints.simulated.component import Paraphrase
from avowed.factors.responses import Explanation, Validity
from avowed.factors.usecase import UseCase

#: The kinds of invalid response and invalid explanation, in the order in which they are drawn.
BROKEN = (Validity.NOT_JSON, Validity.NO_DECISION, Validity.DECISION_OUTSIDE, Validity.FAILED)
MISEXPLAINED = (
    Explanation.TOO_FEW,
    Explanation.TOO_MANY,
    Explanation.DUPLICATE,
    Explanation.UNKNOWN_KEY,
    Explanation.MISSING,
)

#: A name that is no feature, and a decision that is none.
NO_KEY = "overall_impression"
NO_DECISION = "none of these"


def response_text(
    decision: str, named: Sequence[str] | None, broken: Validity | None
) -> str | None:
    """One raw response; None if the provider failed.

    Args:
        decision: the decision.
        named: the names cited, without markers; None where none are given.
        broken: the kind of invalid response, None for a valid one.

    >>> response_text("3", ["age", "income"], None)
    '{"decision": "3", "explanations": ["1. age", "2. income"]}'
    """
    if broken is Validity.FAILED:
        return None
    content: dict[str, object] = {"decision": decision}
    if broken is Validity.NO_DECISION:
        content = {}
    elif broken is Validity.DECISION_OUTSIDE:
        content = {"decision": NO_DECISION}
    if named is not None:
        content["explanations"] = [f"{place}. {name}" for place, name in enumerate(named, start=1)]
    text = json.dumps(content, ensure_ascii=False)
    # A sentence around the JSON is the commonest way to miss the format.
    return f"My answer is {text}" if broken is Validity.NOT_JSON else text


def wrong_names(names: Sequence[str], case: UseCase, kind: Explanation | None) -> list[str] | None:
    """The names cited, spoilt in one way; unchanged for None.

    >>> wrong_names(["a", "b", "c"], None, Explanation.DUPLICATE)
    ['a', 'b', 'a']
    """
    cited = list(names)
    if kind is Explanation.MISSING:
        return None
    if kind is Explanation.TOO_FEW:
        return cited[:-1]
    if kind is Explanation.TOO_MANY:
        others = [key for key in case.keys if key not in cited]
        return [*cited, (others or [NO_KEY])[0]]
    if kind is Explanation.DUPLICATE:
        return [*cited[:-1], cited[0]]
    if kind is Explanation.UNKNOWN_KEY:
        return [*cited[:-1], NO_KEY]
    return cited


def paraphrase_variants(
    uniform: NDArray[np.float64], paraphrase: Paraphrase | None
) -> NDArray[np.int64]:
    """The variants that uniform numbers stand for; 0 is the key itself.

    >>> paraphrase_variants(np.array([0.1, 0.3, 0.9]), Paraphrase(0.5, 2)).tolist()
    [1, 2, 0]
    """
    if paraphrase is None or paraphrase.rate == 0:
        return np.zeros(uniform.shape, np.int64)
    variant = 1 + (uniform / paraphrase.rate * paraphrase.variants).astype(np.int64)
    return np.where(uniform < paraphrase.rate, variant, 0)


def paraphrased(key: str, variant: int) -> str:
    """A feature in other words: the key, or one of its paraphrases from 1 up.

    >>> paraphrased("total_net_worth", 0), paraphrased("total_net_worth", 2)
    ('total_net_worth', 'the stated total net worth')
    """
    words = key.replace("_", " ")
    if variant == 0:
        return key
    forms = ("how {} looks", "the stated {}", "what is known of {}", "{} as described")
    form = forms[(variant - 1) % len(forms)].format(words)
    again = (variant - 1) // len(forms)
    return f"{form} ({again + 1})" if again else form
