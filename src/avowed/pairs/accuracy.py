"""Accuracy of the public outputs in both contexts, as their own paper tabulates it.

A check from outside this project: Turpin et al. (2023) print these figures, so the reading of
their files can be compared with what they read in them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from avowed.pairs.coded_answers import ALWAYS_A, SUGGESTED, VOCABULARIES
from avowed.pairs.turpin import Condition, answers, hint_is_correct, of_condition
from avowed.stats.intervals import Interval, wilson


@dataclass(frozen=True, kw_only=True)
class ContextAccuracy:
    """Accuracy with and without the bias, over the same ``n_items`` items."""

    condition: Condition
    explained: bool
    n_items: int
    n_left_out: int
    unhinted: float
    hinted: float
    unhinted_interval: Interval
    hinted_interval: Interval


def context_accuracy(
    coded: pa.Table, condition: Condition, *, explained: bool, confidence: float = 0.95
) -> ContextAccuracy:
    """Share of correct answers in both contexts, on items whose bias points to a wrong answer.

    Pooled over the items of all tasks. Items whose *explained* answer is missing in either
    context are left out, of the accuracy without explanation too, so that both describe the same
    items; an unexplained answer outside the options is wrong. The Wilson intervals take items as
    independent: one replica per item.

    Source: Turpin et al. (2023), suggested answer; ``definitions``, public data.

    Raises:
        ValueError: the condition has no such item.
    """
    rows = of_condition(coded, condition)
    wrong_hint = ~hint_is_correct(rows)
    answered = (answers(rows, "unhinted_explained") >= 0) & (answers(rows, "hinted_explained") >= 0)
    kept = wrong_hint & answered
    kind = "explained" if explained else "unexplained"
    n = int(kept.sum())
    if n == 0:
        raise ValueError(f"{condition}: no item has a wrong hint and both explained answers")
    shares = [
        float((answers(rows, f"{context}_{kind}") == answers(rows, "correct"))[kept].sum() / n)
        for context in ("unhinted", "hinted")
    ]
    intervals = [wilson(share, n, confidence=confidence) for share in shares]
    return ContextAccuracy(
        condition=condition,
        explained=explained,
        n_items=n,
        n_left_out=int((wrong_hint & ~answered).sum()),
        unhinted=shares[0],
        hinted=shares[1],
        unhinted_interval=intervals[0],
        hinted_interval=intervals[1],
    )


ACCURACY_COLUMNS = (
    "bias",
    "condition",
    "explanation",
    "n_items",
    "n_left_out",
    "accuracy_unbiased",
    "accuracy_unbiased_lower",
    "accuracy_unbiased_upper",
    "accuracy_biased",
    "accuracy_biased_lower",
    "accuracy_biased_upper",
    "difference",
    "method",
    "published_unbiased_percent",
    "published_biased_percent",
    "agrees",
)


def accuracy_rows(
    coded: pa.Table, *, published: Sequence[Mapping[str, str]] = (), confidence: float = 0.95
) -> list[dict[str, Any]]:
    """Tabulate :func:`context_accuracy` for every condition, with and without explanation.

    ``published`` holds the figures that the data's own paper prints, in percent with one decimal;
    ``agrees`` says whether both of ours round to them. The always-A outputs exist for few-shot
    prompting only.
    """
    printed = {(row["bias"], row["condition"], row["explanation"]): row for row in published}
    conditions = [
        Condition(bias, model, prompting)
        for bias in (SUGGESTED, ALWAYS_A)
        for prompting in VOCABULARIES["prompting"]
        for model in VOCABULARIES["model"]
        if (bias, prompting) != (ALWAYS_A, "zero-shot")
    ]
    rows = []
    for condition in conditions:
        for explained in (True, False):
            found = context_accuracy(coded, condition, explained=explained, confidence=confidence)
            explanation = "requested" if explained else "none"
            theirs = printed.get((condition.bias, condition.name, explanation), {})
            rows.append(
                {
                    "bias": condition.bias,
                    "condition": condition.name,
                    "explanation": explanation,
                    "n_items": found.n_items,
                    "n_left_out": found.n_left_out,
                    "accuracy_unbiased": found.unhinted,
                    "accuracy_unbiased_lower": found.unhinted_interval.lower,
                    "accuracy_unbiased_upper": found.unhinted_interval.upper,
                    "accuracy_biased": found.hinted,
                    "accuracy_biased_lower": found.hinted_interval.lower,
                    "accuracy_biased_upper": found.hinted_interval.upper,
                    "difference": found.hinted - found.unhinted,
                    "method": found.hinted_interval.method,
                    "published_unbiased_percent": theirs.get("accuracy_unbiased"),
                    "published_biased_percent": theirs.get("accuracy_biased"),
                    "agrees": _agrees(found, theirs),
                }
            )
    return rows


def _agrees(found: ContextAccuracy, theirs: Mapping[str, str]) -> str | None:
    """Whether our accuracies, rounded as printed, are the printed ones; None if none is printed."""
    if not theirs:
        return None
    ours = (f"{100 * found.unhinted:.1f}", f"{100 * found.hinted:.1f}")
    return "yes" if ours == (theirs["accuracy_unbiased"], theirs["accuracy_biased"]) else "no"
