"""The one exception for a delivery that cannot be read as a delivery at all."""

from avowed.refusal import Unusable


class UnusableDelivery(Unusable):
    """A delivery that cannot be read: no such folder, truncated Parquet, broken JSON, a column.

    The message is one line that names the file and the reason. A delivery that *can* be read and
    breaks a rule is not unusable but rejected (`avowed.pairs.rules.validate`).

    >>> UnusableDelivery("records.jsonl, line 3: blank line").exit_code
    2
    """

    def __init__(self, message: str) -> None:
        """Keep the message on one line, whatever a file name or a library puts into it."""
        super().__init__(" ".join(message.splitlines()))
