"""What a study of cited factors is about: the use case, its inputs, its plan and the readings.

The use case comes as ``usecase.json`` (`avowed.factors.usecase` read out by the pipeline), because
YAML is not in the standard library. Which interventions can be made is worked out again here, from
NS 3.3 to 3.6 and appendix C.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verification.files import Unusable

#: Changes of one feature; an original call and repeats of it change none.
CHANGES = ("contrast", "blank", "similar", "sufficiency")
NECESSITY, SUFFICIENCY = "necessity", "sufficiency"

#: Why a change cannot be made, in the words of the plan.
INACTIVE = "inactive"
OWN_MIRROR = "the value is its own mirror image"
NO_NEIGHBOUR = "a binary field has no similar value"
NO_CATEGORY_LEFT = "no contrasting category is left"


@dataclass(frozen=True)
class Feature:
    """One field of a profile, or one category of segments."""

    key: str
    kind: str
    values: tuple[str, ...]
    contrasts: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """The use case."""

    name: str
    features: tuple[Feature, ...]
    decisions: tuple[str, ...]
    cited: int
    primary: str

    @property
    def keys(self) -> tuple[str, ...]:
        """The features that may be cited, in the order of the list."""
        return tuple(feature.key for feature in self.features)

    @classmethod
    def read(cls, content: Any, name: str) -> "Facts":
        """Take them from ``usecase.json``; ``name`` is the file's, for the message.

        Raises:
            Unusable: a field is missing or of another kind.
        """
        try:
            return cls(
                name=content["name"],
                features=tuple(
                    Feature(
                        one["key"],
                        one["kind"],
                        tuple(one["values"]),
                        tuple(one.get("contrasts", ())),
                    )
                    for one in content["features"]
                ),
                decisions=tuple(content["decisions"]),
                cited=int(content["cited"]),
                primary=content["primary"],
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Unusable(f"{name}: {error!r}; expected a use case, run make reproduce") from None


@dataclass(frozen=True)
class Inputs:
    """Ids, and the values (or expressions) of the active features of every input."""

    ids: tuple[str, ...]
    values: tuple[Mapping[str, str], ...]

    @classmethod
    def read(cls, rows: Sequence[Mapping[str, Any]], name: str) -> "Inputs":
        """Take them from the lines of ``inputs.jsonl``.

        Raises:
            Unusable: a line has no id, or neither values nor segments.
        """
        ids, values = [], []
        for number, row in enumerate(rows, start=1):
            held = row.get("values", row.get("segments"))
            if not isinstance(row.get("id"), str) or not isinstance(held, dict):
                raise Unusable(f"{name}, line {number}: no id, or neither values nor segments")
            ids.append(row["id"])
            values.append(held)
        return cls(tuple(ids), tuple(values))


@dataclass(frozen=True)
class Readings:
    """What the paper leaves open (definitions NS 4 to 6, 10, 11) and the numbers of intervals."""

    resamples: int
    confidence: float
    target_half_width: float
    max_undefined_share: float
    unscored_is_zero: bool
    no_uncited_counts: bool
    unscored_cited_value: Fraction
    zero_rule: bool
    set_sizes: tuple[int, ...]
    lower_ranks: tuple[int, int]
    min_shared: int

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Readings":
        """Read them from the configuration that ran; without a key the paper's reading holds.

        Raises:
            Unusable: a value has another kind.
        """
        own = config.get("factors") or {}

        def at(part: str, key: str, usual: Any) -> Any:
            return ((own if part == "." else own.get(part)) or {}).get(key, usual)

        try:
            first, last = at("pilot", "lower_ranks", [4, 6])
            return cls(
                resamples=int(config["bootstrap"]["resamples"]),
                confidence=float(config["bootstrap"]["confidence"]),
                target_half_width=float(config["analysis"]["target_half_width"]),
                max_undefined_share=float(at(".", "max_undefined_share", 0.05)),
                unscored_is_zero=bool(at("rank_agreement", "unscored_is_zero", False)),
                no_uncited_counts=bool(at("uncited", "no_uncited_counts", True)),
                unscored_cited_value=Fraction(at("uncited", "unscored_cited_value", 0)),
                zero_rule=bool(at("sets", "zero_rule", True)),
                set_sizes=tuple(at("sets", "k", [2, 3])),
                lower_ranks=(int(first), int(last)),
                min_shared=int(at("cross_model", "min_shared", 2)),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Unusable(
                f"settings: {error!r}; bootstrap, analysis and factors are read"
            ) from None


def obstacle(
    facts: Facts, held: Mapping[str, str], feature: Feature, change: str, plan: Mapping[str, Any]
) -> str | None:
    """Why a change of a feature cannot be made in an input; None where it can.

    A mirror image has to be another value: the middle of an odd ordered list is its own. A binary
    field has no neighbour but itself. A segment is swapped for one of a category that the prompt
    does not hold yet. Everything can be blanked, and kept alone.

    Source: NS 3.3, 3.4, 3.6, appendix C; definitions, "Interventions".
    """
    if feature.key not in held:
        return INACTIVE
    if change == "contrast" and feature.kind == "segment":
        left = [other for other in feature.contrasts if other not in held]
        return None if left else NO_CATEGORY_LEFT
    if change == "contrast" and feature.kind in ("ordinal", "scale", "binary"):
        place = feature.values.index(held[feature.key])
        mirrored = len(feature.values) - 1 - place == place
        return OWN_MIRROR if mirrored and plan["fixed_point"] != "far end" else None
    if change == "similar" and feature.kind == "binary":
        return None if plan["binary_similar"] == "unchanged" else NO_NEIGHBOUR
    return None


def planned(
    facts: Facts, inputs: Inputs, plan: Mapping[str, Any]
) -> tuple[set[tuple[int, str | None, str]], dict[str, Counter[str]]]:
    """Input, feature and change of every message that is to be sent, and why others are not."""
    messages: set[tuple[int, str | None, str]] = set()
    left_out: dict[str, Counter[str]] = {change: Counter() for change in plan["interventions"]}
    for place, held in enumerate(inputs.values):
        messages.add((place, None, "original"))
        if plan["repeats"]:
            messages.add((place, None, "repeat"))
        for change in plan["interventions"]:
            for feature in facts.features:
                why = obstacle(facts, held, feature, change, plan)
                if why is None:
                    messages.add((place, feature.key, change))
                else:
                    left_out[change][why] += 1
    return messages, left_out


def strip_marker(text: str) -> tuple[str, str]:
    """The number, letter or dash in front of an explanation, and the explanation.

    >>> strip_marker("2) annual income"), strip_marker("(b) age"), strip_marker("age")
    (('2', 'annual income'), ('B', 'age'), ('', 'age'))
    """
    bare = text.strip()
    for pattern in (r"\((\d+|[a-zA-Z])\)", r"(\d+|[a-zA-Z])[.):]", r"()[-*•](?=[ \t\r\n\f\v])"):
        found = re.match(pattern, bare, re.ASCII)
        if found and not found[1].startswith("0") and bare[found.end() :].strip():
            return found[1].upper(), bare[found.end() :].strip()
    return "", bare
