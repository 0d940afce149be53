"""The recorded component: answers by call, and says which one is missing."""

from pathlib import Path

import pytest
from support import responses as toy
from support.responses import CASE, text

from avowed.endpoints.protocol import Call, CallFailed
from avowed.endpoints.recorded import RecordedEndpoint
from avowed.factors.responses_file import write_responses
from avowed.refusal import Refused, Unusable


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = toy.answers(
        toy.plan(("one", "two")),
        lambda call: None if call["intervention"] == "repeat" else text(str(call["trial"] + 1)),
    )
    write_responses(tmp_path / "recorded.jsonl", made)
    return tmp_path / "recorded.jsonl"


def test_it_answers_by_call_and_not_by_message(path: Path) -> None:
    endpoint = RecordedEndpoint(path, CASE, component="two")
    for trial in (0, 1):
        call = Call("toy-1", "owner", "contrast", trial)
        assert endpoint.ask("same", "same", call) == text(str(trial + 1))


def test_a_failed_call_fails_again(path: Path) -> None:
    endpoint = RecordedEndpoint(path, CASE, component="one")
    with pytest.raises(CallFailed, match="input toy-1, repeat, trial 0 is recorded as failed"):
        endpoint.ask("", "", Call("toy-1", None, "repeat", 0))


def test_a_call_that_was_not_recorded(path: Path) -> None:
    endpoint = RecordedEndpoint(path, CASE, component="one")
    with pytest.raises(Refused, match="no response of one for input toy-1, feature owner, blank"):
        endpoint.ask("", "", Call("toy-1", "owner", "blank", 0))


def test_the_component_has_to_be_clear(path: Path, tmp_path: Path) -> None:
    with pytest.raises(Unusable, match="no component is named; it has responses of one, two"):
        RecordedEndpoint(path, CASE)
    with pytest.raises(Unusable, match="'three' is not there"):
        RecordedEndpoint(path, CASE, component="three")
    single = tmp_path / "single.parquet"
    write_responses(single, toy.answers(toy.plan(("only",))))
    assert RecordedEndpoint(single, CASE).component == "only"
    write_responses(single, toy.answers(toy.plan(("only",))).slice(0, 0))
    with pytest.raises(Unusable, match="responses of nobody"):
        RecordedEndpoint(single, CASE)


def test_a_call_recorded_twice_or_without_its_text(tmp_path: Path) -> None:
    table = toy.answers(toy.plan())
    lines = tmp_path / "twice.jsonl"
    write_responses(lines, table)
    content = lines.read_text(encoding="utf-8")
    lines.write_text(content + content.splitlines(keepends=True)[0], encoding="utf-8")
    with pytest.raises(Refused, match=r"row 35, field trial: found a second row"):
        RecordedEndpoint(lines, CASE)
    lines.write_text(content.replace('"raw":"', '"raw":null,"decision":"', 0), encoding="utf-8")
    stripped = table.set_column(6, "raw", [[None] * table.num_rows])
    write_responses(tmp_path / "parsed.parquet", stripped)
    with pytest.raises(Refused, match=r"row 1, field raw: found null"):
        RecordedEndpoint(tmp_path / "parsed.parquet", CASE)
