"""A schema takes a value for what it is: 3.0 is no 3, true is no 1, NaN is no number."""

from typing import Any

import pytest

from avowed.strict_schema import StrictValidator


@pytest.mark.parametrize(
    ("schema", "value", "accepted"),
    [
        ({"const": 3}, 3, True),
        ({"const": 3}, 3.0, False),
        ({"const": 1}, True, False),
        ({"const": "a"}, "a", True),
        ({"enum": [1, "1"]}, 1, True),
        ({"enum": [1, "1"]}, 1.0, False),
        ({"type": "integer"}, 2.0, False),
        ({"type": "integer"}, True, False),
        ({"type": "number"}, 2, True),
        ({"type": "number", "minimum": 0}, float("nan"), False),
        ({"type": "number", "minimum": 0}, float("inf"), False),
        ({"type": "number", "minimum": 0}, 10**400, False),
    ],
)
def test_a_value_is_taken_for_what_it_is(
    schema: dict[str, Any], value: Any, accepted: bool
) -> None:
    assert StrictValidator(schema).is_valid(value) is accepted
