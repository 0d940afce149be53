"""The one exception for a delivery that cannot be read as a delivery at all."""

from avowed.refusal import Unusable


class UnusableDelivery(Unusable):
    """A delivery that cannot be read: no such folder, truncated Parquet, broken JSON, a column.

    The message is one line that names the file and the reason. A delivery that *can* be read and
    breaks a rule is not unusable but rejected (`avowed.pairs.rules.validate`).

    >>> UnusableDelivery("records.jsonl, line 3: blank line").exit_code
    2
    """
