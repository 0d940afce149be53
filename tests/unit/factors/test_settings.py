"""Readings and numbers of the measures, and where they are read from."""

from dataclasses import fields

import pytest

from avowed.factors.settings import FactorSettings
from avowed.refusal import Unusable


def test_the_defaults_are_the_readings_of_the_definitions() -> None:
    one = FactorSettings.from_config({})
    assert one == FactorSettings()
    assert (one.unscored_is_zero, one.no_uncited_counts, one.zero_rule) == (False, True, True)
    assert (one.unscored_cited_value, one.set_sizes, one.lower_ranks) == (0.0, (2, 3), (4, 6))
    assert (one.fixed_point, one.binary_similar) == ("not constructible", "unchanged")
    assert (one.resamples, one.confidence, one.min_shared) == (2000, 0.95, 2)


def test_every_setting_but_the_repetition_is_read_from_the_configuration() -> None:
    config = {
        "seed": 0,
        "bootstrap": {"resamples": 7, "confidence": 0.9},
        "analysis": {"target_half_width": 0.2},
        "factors": {
            "max_undefined_share": 0.5,
            "rank_agreement": {"unscored_is_zero": True},
            "uncited": {"no_uncited_counts": False, "unscored_cited_value": 0.5},
            "sets": {"k": [1, 2], "zero_rule": False},
            "pilot": {"lower_ranks": [3, 5]},
            "cross_model": {"min_shared": 3},
            "interventions": {"fixed_point": "far end", "binary_similar": "not constructible"},
        },
    }
    found, default = FactorSettings.from_config(config), FactorSettings()
    same = [
        one.name for one in fields(found) if getattr(found, one.name) == getattr(default, one.name)
    ]
    assert same == ["replicate"]
    assert (found.set_sizes, found.lower_ranks) == ((1, 2), (3, 5))


@pytest.mark.parametrize(
    ("section", "content", "message"),
    [
        ("interventions", {"fixed_point": "nearest"}, "interventions.fixed_point: found 'nearest'"),
        ("interventions", {"binary_similar": "flip"}, "interventions.binary_similar"),
        ("sets", {"k": []}, r"sets.k: found \[\]"),
        ("sets", {"k": [0, 2]}, "sets.k"),
        ("pilot", {"lower_ranks": [6, 4]}, "pilot.lower_ranks"),
        ("pilot", {"lower_ranks": [1, 4]}, "pilot.lower_ranks"),
        ("pilot", {"lower_ranks": [4]}, "pilot.lower_ranks"),
    ],
)
def test_a_reading_that_does_not_exist_is_refused(
    section: str, content: dict[str, object], message: str
) -> None:
    with pytest.raises(Unusable, match=message):
        FactorSettings.from_config({"factors": {section: content}})
