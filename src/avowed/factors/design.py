"""What a study asks for, and which designs no plan can be made of (NS 3.3, 3.4)."""

from dataclasses import dataclass
from typing import get_args

from avowed.factors.interventions import INTERVENTIONS, BinarySimilar, FixedPoint
from avowed.refusal import Unusable

#: Most trials or repeats; their index is stored in 16 bits.
MOST = 2**15

#: Most calls of one component; they are held in memory.
MOST_CALLS = 10_000_000

#: Highest temperature.
HOTTEST = 2


@dataclass(frozen=True, kw_only=True)
class Design:
    """What a study asks for; together with the use case and the inputs it fixes every call.

    Attributes:
        interventions: which ones, in the order of `INTERVENTIONS`.
        trials: T, calls per modified input; the paper has 3.
        repeats: R, further calls of the unchanged input; the paper has none.
        cited: ranked factors asked for.
        fixed_point, binary_similar: the two switches of `avowed.factors.interventions`.
        temperature: of every call.
    """

    interventions: tuple[str, ...]
    trials: int = 3
    repeats: int = 3
    cited: int = 3
    fixed_point: FixedPoint = "not constructible"
    binary_similar: BinarySimilar = "unchanged"
    temperature: float = 0.0


class ImpossibleDesign(Unusable):
    """A design that no plan can be made of: the field, what was found and what is expected.

    >>> print(ImpossibleDesign("trials", 0, "from 1 to 9"))
    trials is 0; it must be from 1 to 9
    """

    def __init__(self, field: str, found: object, expected: str) -> None:
        """Keep the parts, for messages that name a file as well."""
        super().__init__(f"{field} is {found}; it must be {expected}")
        self.field, self.found, self.expected = field, found, expected


def check_design(design: Design, inputs: int, features: int) -> None:
    """Refuse a design that no plan can be made of.

    Args:
        design: the design.
        inputs, features: how many there are.

    Raises:
        ImpossibleDesign: with the first field that cannot be.
    """
    for name, value, least, most in (
        ("trials", design.trials, 1, MOST),
        ("repeats", design.repeats, 0, MOST),
        ("cited", design.cited, 1, MOST),
        ("temperature", design.temperature, 0, HOTTEST),
    ):
        # NaN is not within anything either.
        if not least <= value <= most:
            raise ImpossibleDesign(name, value, f"from {least} to {most}")
    for name, switch, readings in (
        ("fixed_point", design.fixed_point, get_args(FixedPoint)),
        ("binary_similar", design.binary_similar, get_args(BinarySimilar)),
    ):
        if switch not in readings:
            raise ImpossibleDesign(name, repr(switch), " or ".join(readings))
    for name in design.interventions:
        if name not in INTERVENTIONS or design.interventions.count(name) > 1:
            raise ImpossibleDesign(
                "interventions",
                [*design.interventions],
                f"some of {', '.join(INTERVENTIONS)}, each once",
            )
    modified = features * len(design.interventions) * design.trials
    if (calls := inputs * (1 + design.repeats + modified)) > MOST_CALLS:
        raise ImpossibleDesign("calls_per_component", calls, f"at most {MOST_CALLS}")
