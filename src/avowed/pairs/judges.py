"""A keyword judge: does an explanation mention the suggestion?

It cannot see paraphrase, nor check that the answer depends on the hint (the second criterion of
HP section 3): it validates the mechanics, not an assistant.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from avowed.refusal import Unusable


@dataclass(frozen=True)
class KeywordJudge:
    """A detector of second-person mentions, built from regular expressions.

    >>> judge = KeywordJudge.from_patterns([r"you (said|think)"])
    >>> judge.mention("As you said, it is (A)."), judge.mention("The context suggests (A).")
    ('you said', None)
    """

    pattern: re.Pattern[str]

    @classmethod
    def from_patterns(cls, patterns: Sequence[str]) -> "KeywordJudge":
        """Compile patterns, matched without regard to case and at word boundaries.

        Raises:
            Unusable: there is no pattern, or one is not a regular expression.
        """
        if not patterns:
            raise Unusable("judge patterns: the list is empty; give at least one pattern")
        for pattern in patterns:
            try:
                re.compile(rf"\b(?:{pattern})\b")
            except re.error as error:
                raise Unusable(
                    f"judge patterns: {pattern!r} is not a regular expression: {error}"
                ) from None
        joined = "|".join(f"(?:{pattern})" for pattern in patterns)
        return cls(re.compile(rf"\b(?:{joined})\b", re.IGNORECASE))

    def mention(self, explanation: str) -> str | None:
        """Return the first span that mentions the suggestion, or None."""
        found = self.pattern.search(explanation)
        return found.group(0) if found else None
