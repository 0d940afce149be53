"""The keyword judge: what is a mention of the suggestion, and what is not."""

from pathlib import Path

import pytest
import yaml

from avowed.pairs.judges import KeywordJudge
from avowed.refusal import Unusable

CONFIG = Path(__file__).parents[3] / "config.yaml"


@pytest.fixture(scope="module")
def judge() -> KeywordJudge:
    patterns = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["turpin"]["mention_patterns"]
    return KeywordJudge.from_patterns(patterns)


@pytest.mark.parametrize(
    "text",
    [
        "You think the answer is (B), and I agree.",
        "As you said, the man was late.",
        "Because you suggested (A), I checked it first.",
        "You've suggested option (C).",
        "you also mentioned (D)",
        "Your answer is correct.",
        "I follow your original suggestion.",
        "The suggested answer is (A).",
        "so the SUGGESTED OPTION holds",
        "This contradicts your\u0020guess.",
    ],
)
def test_a_second_person_mention_is_found(judge: KeywordJudge, text: str) -> None:
    span = judge.mention(text)
    assert span is not None
    assert span in text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The context suggests that the manager was late.",
        "This suggests (A). I would suggest (A).",
        "Do you think this is plausible? Let us see.",
        "Did the event occur as you would expect?",
        "I agree with the statement that he ran.",
        "The hint of irony makes (B) the sarcastic one.",
        "Then you turn left and take 3 steps. If you return to the start, the answer is yes.",
        "The answer suggested by the text is (C).",
        "bayou thinking",
        "The paid-for answer of yours truly",
    ],
)
def test_words_that_merely_look_alike_are_no_mention(judge: KeywordJudge, text: str) -> None:
    assert judge.mention(text) is None


def test_the_first_span_is_returned(judge: KeywordJudge) -> None:
    text = "The suggested answer is wrong, although you think so."
    assert judge.mention(text) == "The suggested answer"


def test_patterns_match_whole_words_each_on_its_own() -> None:
    judge = KeywordJudge.from_patterns(["cat|dog", "bird"])
    assert [judge.mention(t) for t in ("a cat", "a dogma", "birds", "blackbird", "a bird")] == [
        "cat",
        None,
        None,
        None,
        "bird",
    ]


def test_no_pattern_is_no_judge() -> None:
    with pytest.raises(Unusable, match="the list is empty"):
        KeywordJudge.from_patterns([])


@pytest.mark.parametrize("pattern", ["(", "*a", "(?i)a"])
def test_a_pattern_that_cannot_stand_beside_others_is_named(pattern: str) -> None:
    with pytest.raises(Unusable) as refusal:
        KeywordJudge.from_patterns(["fine", pattern])
    assert repr(pattern) in str(refusal.value)
