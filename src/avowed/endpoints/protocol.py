"""What a decision component has to be able to do: answer one call with a text."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Call:
    """One call of a plan.

    >>> str(Call("client-001", "age", "contrast", 2))
    'input client-001, feature age, contrast, trial 2'
    """

    input: str
    feature: str | None
    intervention: str
    trial: int

    def __str__(self) -> str:
        """The call in words."""
        change = "" if self.feature is None else f", feature {self.feature}"
        return f"input {self.input}{change}, {self.intervention}, trial {self.trial}"


class CallFailed(Exception):  # noqa: N818 - it says what happened to the call
    """One call got no answer, and another one may; its response is stored as failed.

    Attributes:
        known: that it failed is what the component has to say, as a recording does; then many of
            them are no sign that it is out of order.
    """

    def __init__(self, reason: str, *, known: bool = False) -> None:
        """Keep the reason, and whether it was to be expected."""
        super().__init__(reason)
        self.known = known


class Endpoint(Protocol):
    """A decision component that is asked call by call."""

    def ask(self, system: str, user: str, call: Call) -> str:
        """The text that the component answers, as it is received.

        Args:
            system, user: the two messages (NS appendix B).
            call: which call it is. A component that is asked anew does not need it; a recorded one
                has nothing else to go by, since repeats and trials have the same messages.

        Raises:
            CallFailed: no answer to this call.
            Unusable: no call can be answered, so that there is no use in going on.
        """
