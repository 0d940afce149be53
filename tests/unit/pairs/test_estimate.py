"""What an estimate may be, and where its settings come from."""

import math

import pytest

from avowed.pairs.estimate import Estimate, Settings
from avowed.stats.intervals import Interval
from avowed.stats.seeds import Study, generator, name_id
from avowed.stats.status import Status

NARROW = Interval(0.4, 0.5, "percentile")


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_an_infinite_estimate_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="omission: an estimate cannot be infinite"):
        Estimate(quantity="omission", value=value, n=1, clusters=1)


def test_a_value_without_an_interval_describes_and_claims_no_more() -> None:
    bare = Estimate(quantity="n_pairs", value=4, n=4, clusters=2, counted_as="count of pairs")
    assert not bare.interval.defined and bare.clustering is None
    assert (bare.status, bare.method) == (Status.DESCRIPTIVE, "count of pairs")


def test_a_description_of_nothing_is_undefined() -> None:
    bare = Estimate(quantity="susceptibility", value=math.nan, n=0, clusters=0)
    assert bare.status is Status.UNDEFINED


def test_the_method_is_the_interval_s_where_there_is_one() -> None:
    found = Estimate(quantity="x", value=0.5, n=4, clusters=2, interval=NARROW, counted_as="count")
    assert found.method == "percentile"


def test_the_defaults_are_the_numbers_of_the_paper() -> None:
    # Sections 7 (2,000 resamples, 95 %, L >= 3, 0.10) and 10 (the four cuts).
    assert Settings() == Settings(
        seed=1,
        resamples=2000,
        confidence=0.95,
        min_options=3,
        target_half_width=0.10,
        exposure_min_options=3,
        cuts=(0.5, 0.6, 0.7, 0.8),
        max_undefined_share=0.05,
        replicate=0,
    )
    assert Settings.from_config({}) == Settings()


def test_every_setting_is_read_from_the_configuration() -> None:
    config = {
        "seed": 9,
        "bootstrap": {"resamples": 10, "confidence": 0.9},
        "analysis": {"min_options": 2, "target_half_width": 0.2},
        "exposure": {"min_options": 4},
        "sensitivity": {"cuts": [0.25]},
        "chance": {"max_undefined_share": 0.0},
    }
    assert Settings.from_config(config) == Settings(
        seed=9,
        resamples=10,
        confidence=0.9,
        min_options=2,
        target_half_width=0.2,
        exposure_min_options=4,
        cuts=(0.25,),
        max_undefined_share=0.0,
    )


def test_a_seed_of_0_is_a_seed() -> None:
    assert Settings.from_config({"seed": 0}).seed == 0


def drawn(settings: Settings, study: Study = Study.OMISSION, cell: str = "metadata") -> list[int]:
    return settings.stream(study, cell).integers(2**63, size=4).tolist()


def test_a_stream_is_named_by_seed_use_cell_and_repetition() -> None:
    expected = generator(7, Study.EXPOSURE, name_id("metadata"), 3).integers(2**63, size=4)
    assert drawn(Settings(seed=7, replicate=3), Study.EXPOSURE) == expected.tolist()
    # What data have always had: repetition 0.
    plain = generator(1, Study.OMISSION, name_id("metadata"), 0).integers(2**63, size=4)
    assert drawn(Settings()) == plain.tolist()


def test_streams_differ_in_each_of_their_parts_and_in_nothing_else() -> None:
    base = drawn(Settings())
    others = [
        drawn(Settings(seed=2)),
        drawn(Settings(replicate=1)),
        drawn(Settings(), Study.EXPOSURE),
        drawn(Settings(), cell="suggested_answer"),
    ]
    assert len({tuple(each) for each in (base, *others)}) == 5
    assert drawn(Settings(resamples=10, confidence=0.5, min_options=2)) == base


def test_the_repetition_is_no_key_of_the_configuration() -> None:
    config = {"replicate": 5, "bootstrap": {"replicate": 5}, "simulation": {"replicate": 5}}
    assert Settings.from_config(config).replicate == 0
