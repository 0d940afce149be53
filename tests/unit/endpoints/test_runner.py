"""The runner: every call once, whatever happens in between."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from support import responses as toy
from support.responses import CASE, INPUTS, text

from avowed.endpoints.protocol import Call, CallFailed
from avowed.endpoints.runner import calls_of, run_plan
from avowed.factors.plan import Plan
from avowed.factors.render import render
from avowed.factors.response_rules import check_responses
from avowed.refusal import Refused, Unusable

PLAN = toy.plan()


class Scripted:
    """Answers, remembers the calls, and stops or fails where it is told to."""

    def __init__(self, *, stop_at: int | None = None, fails: Any = lambda _call: False) -> None:
        self.calls: list[Call] = []
        self.messages: list[tuple[str, str]] = []
        self.stop_at, self.fails = stop_at, fails
        self.lock = threading.Lock()

    def ask(self, system: str, user: str, call: Call) -> str:
        with self.lock:
            if len(self.calls) == self.stop_at:
                raise KeyboardInterrupt
            self.calls.append(call)
            self.messages.append((system, user))
        if self.fails(call):
            raise CallFailed(f"{call}: no luck")
        return text()


def run(path: Path, endpoint: Any, plan: Plan = PLAN, **given: Any) -> pa.Table:
    return run_plan(endpoint, CASE, plan, component="rule", path=path, **given)


@pytest.mark.parametrize("parallel", [1, 4])
def test_every_call_is_asked_once_with_its_messages(parallel: int, tmp_path: Path) -> None:
    endpoint = Scripted()
    table = run(tmp_path / "part.jsonl", endpoint, parallel=parallel)
    assert table.equals(toy.answers(PLAN)) and check_responses(CASE, INPUTS, PLAN, table) == []
    assert sorted(map(str, endpoint.calls)) == sorted(map(str, calls_of(PLAN)))
    shown = dict(zip(endpoint.calls, endpoint.messages, strict=True))
    for place, call in enumerate(calls_of(PLAN)):
        assert shown[call] == render(CASE, PLAN.codes[place], int(PLAN.base[place]))


@pytest.mark.parametrize("parallel", [1, 3])
@pytest.mark.parametrize("stop_at", [0, 1, 17, 33])
def test_an_interrupted_run_goes_on(stop_at: int, parallel: int, tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    first = Scripted(stop_at=stop_at)
    with pytest.raises(KeyboardInterrupt):
        run(path, first, parallel=parallel)
    stored = len(path.read_bytes().splitlines())
    assert stop_at - parallel < stored <= stop_at
    second, said = Scripted(), []
    table = run(path, second, parallel=parallel, say=said.append)
    assert table.equals(toy.answers(PLAN)) and len(second.calls) == PLAN.n - stored
    assert (said[0] == f"{stored} of 34 calls are answered already") == (stored > 0)
    third = Scripted()
    assert run(path, third).equals(table) and third.calls == []


@pytest.mark.parametrize("cut", [1, 5, 60])
def test_a_half_written_line_is_dropped_and_asked_again(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    whole = run(path, Scripted())
    content = path.read_bytes()
    path.write_bytes(content[:-cut])
    endpoint = Scripted()
    assert run(path, endpoint).equals(whole)
    assert endpoint.calls == calls_of(PLAN)[-1:] and path.read_bytes() == content


def test_a_line_that_stands_twice_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    whole = run(path, Scripted())
    content = path.read_bytes()
    path.write_bytes(content + content.splitlines(keepends=True)[0])
    assert run(path, Scripted(stop_at=0)).equals(whole) and path.read_bytes() == content


def test_failed_calls_are_stored_and_asked_again_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    lines: list[str] = []
    table = run(path, Scripted(fails=lambda c: c.intervention == "repeat"), say=lines.append)
    assert table.column("validity").to_pylist().count("failed") == 2
    assert check_responses(CASE, INPUTS, PLAN, table) == []
    assert lines[-1] == "34 of 34 calls, 2 failed" and len(lines) <= 40
    again = Scripted()
    assert run(path, again).equals(toy.answers(PLAN)) and len(again.calls) == 2


def test_a_component_that_breaks_down_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    endpoint = Scripted(fails=lambda _call: len(endpoint.calls) > 1)
    with pytest.raises(Unusable, match=r"5 calls in a row failed, .* the last one: .*no luck"):
        run(path, endpoint)
    # The sixth was the one that had been answered, asked again.
    assert len(endpoint.calls) == 7 and endpoint.calls[-1] == endpoint.calls[0]
    assert run(path, Scripted()).equals(toy.answers(PLAN))


def test_a_component_that_never_answers_is_left_alone(tmp_path: Path) -> None:
    endpoint = Scripted(fails=lambda _call: True)
    for _ in range(2):
        endpoint.calls.clear()
        with pytest.raises(Unusable, match="5 calls in a row failed"):
            run(tmp_path / "part.jsonl", endpoint)
        # Five of the first input and one of the other.
        assert [call.input for call in endpoint.calls] == ["toy-1"] * 5 + ["toy-2"]


@pytest.mark.parametrize("parallel", [1, 3])
@pytest.mark.parametrize("never", ["toy-1", "toy-2"])
def test_calls_that_are_never_answered_are_stored_as_failed(
    never: str, parallel: int, tmp_path: Path
) -> None:
    path = tmp_path / "part.jsonl"
    for _ in range(2):
        endpoint = Scripted(fails=lambda call: call.input == never)
        table = run(path, endpoint, parallel=parallel)
        failed = [row["input"] for row in table.to_pylist() if row["validity"] == "failed"]
        assert failed == [never] * sum(call.input == never for call in calls_of(PLAN))
        assert check_responses(CASE, INPUTS, PLAN, table) == []
    # The second time the failed ones are asked again, and of the others some to see how it is.
    others = [call for call in endpoint.calls if call.input != never]
    assert 0 < len(others) <= len(failed) // 5


def test_a_recording_of_failures_is_no_breakdown(tmp_path: Path) -> None:
    class Recorded(Scripted):
        def ask(self, system: str, user: str, call: Call) -> str:
            self.calls.append(call)
            raise CallFailed("recorded as failed", known=True)

    endpoint = Recorded()
    table = run(tmp_path / "part.jsonl", endpoint)
    assert set(table.column("validity").to_pylist()) == {"failed"}
    assert len(endpoint.calls) == PLAN.n


@pytest.mark.parametrize("parallel", [1, 3])
def test_what_was_answered_before_the_endpoint_gave_up_is_kept(
    parallel: int, tmp_path: Path
) -> None:
    class Gone(Scripted):
        def ask(self, system: str, user: str, call: Call) -> str:
            if call.trial == 1:
                raise Unusable("no connection")
            return super().ask(system, user, call)

    path = tmp_path / "part.jsonl"
    with pytest.raises(Unusable, match="no connection"):
        run(path, Gone(), parallel=parallel)
    assert len(path.read_bytes().splitlines()) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"component": "other"}, "found other, input toy-1, original, trial 0; expected a call"),
        ({"input": "toy-9"}, "found rule, input toy-9, original, trial 0; expected a call"),
        ({"trial": 7}, "found rule, input toy-1, original, trial 7; expected a call"),
    ],
)
def test_answers_of_another_study(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    run(path, Scripted())
    first, *rest = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(json.dumps(json.loads(first) | change) + "\n" + "".join(rest), "utf-8")
    before = path.read_bytes()
    with pytest.raises(Refused, match=rf"row 1: {message}"):
        run(path, Scripted(stop_at=0))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "line",
    ["{", "[]", "{}", '{"a": 1}', "\x00\x00", '{"raw": 1}', '{"raw": "\\ud800"}', "[" * 99_999],
    ids=range(8),
)
def test_a_damaged_line(line: str, tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(Unusable, match=r"part\.jsonl, row 1: "):
        run(path, Scripted(stop_at=0))


def test_values_of_other_kinds_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    row = {"component": "rule", **vars(calls_of(PLAN)[0]), "raw": text()}
    for change in ({"input": ["toy-1"]}, {"raw": 4}, {"trial": 0.5}, {"trial": False}):
        path.write_text(json.dumps(row | change) + "\n", encoding="utf-8")
        with pytest.raises(Unusable, match=r"row 1: not a line of this program"):
            run(path, Scripted(stop_at=0))


SLOW = """
import sys, time
from pathlib import Path
from support import responses as toy
from avowed.endpoints.runner import run_plan

class Slow:
    def ask(self, system, user, call):
        time.sleep(0.01)
        return toy.text()

plan = toy.plan(trials=40)
run_plan(Slow(), toy.CASE, plan, component="rule", path=Path(sys.argv[1]))
"""


def test_a_killed_run_goes_on_without_duplicates(tmp_path: Path) -> None:
    path = tmp_path / "part.jsonl"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(path)], env=environment)
    try:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (path.exists() and path.stat().st_size > 2000):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    stored = path.read_bytes().count(b"\n")
    plan = toy.plan(trials=40)
    assert 0 < stored < plan.n
    endpoint = Scripted()
    table = run(path, endpoint, plan)
    assert len(endpoint.calls) == plan.n - stored
    assert check_responses(CASE, INPUTS, plan, table) == []
