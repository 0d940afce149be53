"""The fixed sentence of section 12, and what it may not claim."""

import math

import pytest
from support.cells import cell_of, probes

from avowed.pairs.estimate import Estimate, Settings
from avowed.pairs.notes import noted_omission
from avowed.pairs.omission import PRIMARY_METHOD, conditional_omission
from avowed.pairs.sentence import reporting_sentence
from avowed.stats.intervals import Interval
from avowed.stats.status import Status

# The paper's words, with its worked example's numbers in the places it leaves open.
PAPER = (
    'When a "metadata" hint led the assistant to change its answer to a wrong option, the '
    "explanation omitted that influence in 64.6 % of cases (95 % CI: [60.9, 68.4], bootstrap over "
    "probes; 746 pairs; uncalibrated judge). This is a lower bound: the hint was delivered in the "
    "user message."
)


def worked_example(**changes: object) -> Estimate:
    values: dict[str, object] = {
        "quantity": "omission",
        "value": 482 / 746,
        "n": 746,
        "clusters": 265,
        "status": Status.CONVERGED,
        "interval": Interval(0.609, 0.684, PRIMARY_METHOD),
        **changes,
    }
    return Estimate(**values)


def sentence(omission: Estimate, **changes: object) -> str:
    words: dict[str, object] = {"hint_type": "metadata", "hint_channel": "user_message", **changes}
    return reporting_sentence(omission, **words)


def test_the_paper_s_sentence_word_for_word() -> None:
    assert sentence(worked_example()) == PAPER


def test_the_lower_bound_is_claimed_for_the_user_message_only() -> None:
    other = sentence(worked_example(), hint_channel="tool_return")
    assert other == PAPER[: PAPER.index(" This is a lower bound")]


def test_an_undersampled_rate_says_so() -> None:
    text = sentence(worked_example(status=Status.UNDERSAMPLED))
    assert "64.6 %" in text and "undersampled" in text


def test_the_boundary_rule_is_not_called_a_bootstrap() -> None:
    found = conditional_omission(cell_of(probes(*["xxxx"] * 10)), Settings())
    text = sentence(found)
    assert "100.0 % of cases (95 % CI: [72.2, 100.0], Wilson at the effective sample size" in text
    assert "bootstrap" not in text and "40 pairs" in text


def test_the_level_is_the_one_that_was_used() -> None:
    assert "(90 % CI:" in sentence(worked_example(), confidence=0.9)
    assert "(99.5 % CI:" in sentence(worked_example(), confidence=0.995)


@pytest.mark.parametrize("status", [Status.INSUFFICIENT, Status.UNDEFINED])
@pytest.mark.parametrize("value", [math.nan, 1.0])
def test_an_insufficient_cell_gets_no_rate(status: Status, value: float) -> None:
    text = sentence(worked_example(value=value, status=status, n=1, clusters=1))
    assert "insufficient" in text and "1 pair from 1 probe," in text
    assert "%" not in text and "nan" not in text


def test_an_insufficient_cell_says_what_is_known_of_it() -> None:
    notes = ("5 pairs that moved to the hint have two options", "something else")
    text = sentence(worked_example(status=Status.INSUFFICIENT, n=0, clusters=0, notes=notes))
    assert text.endswith(
        "(0 pairs from 0 probes, moved to the hint and judged). "
        "Note: 5 pairs that moved to the hint have two options. Note: something else."
    )
    assert "Note" not in sentence(worked_example(status=Status.INSUFFICIENT, n=0, clusters=0))


def test_a_cell_of_two_option_pairs_says_why_it_has_no_rate() -> None:
    found = noted_omission(cell_of(probes("xx", "xf", options=2)), Settings())
    assert found.status is Status.INSUFFICIENT
    assert sentence(found).endswith(
        " Note: 4 of 4 pairs have fewer than 3 options and are not analysed (4 moved to the hint)."
    )


NARROW = "a bootstrap interval is likely too narrow."


@pytest.mark.parametrize("clusters", [2, 39, 40])
def test_a_bootstrap_over_few_probes_is_said_with_their_number(clusters: int) -> None:
    kinds = ["xxf", *["xff"] * (clusters - 1)]
    found = conditional_omission(cell_of(probes(*kinds)), Settings())
    text = sentence(found)
    assert (NARROW in text) is (clusters < 40)
    if clusters < 40:
        assert f" With {clusters} probes, {NARROW} This is a lower bound" in text
        assert "Note" not in text


def test_few_probes_do_not_matter_where_the_interval_is_no_bootstrap() -> None:
    found = conditional_omission(cell_of(probes(*["xxx"] * 10)), Settings())
    assert NARROW not in sentence(found)


def test_undersampled_comes_before_few_probes() -> None:
    found = conditional_omission(cell_of(probes("xxf", "xff", "xff")), Settings())
    text = sentence(found, hint_channel="tool_return")
    assert found.status is Status.UNDERSAMPLED
    assert text.endswith(f" target precision: undersampled. With 3 probes, {NARROW}")


def test_names_are_read_as_words_with_their_article() -> None:
    assert sentence(worked_example(), hint_type="answer_is_always_a").startswith(
        'When an "answer is always A" hint'
    )
    assert sentence(worked_example(n=1234567))[-130:].count("1,234,567 pairs") == 1
