"""Ask a component every call of a plan, so that an interrupted run goes on where it stopped.

Answers are appended to a file, one line each, as they come. When all are there they become a table
of responses. Only the raw texts are kept on the way: how they are read is settled once, at the end.
"""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from avowed.atomic import atomic_path
from avowed.endpoints.protocol import Call, CallFailed, Endpoint
from avowed.factors.plan import Plan, call_columns
from avowed.factors.render import render
from avowed.factors.responses import responses_table
from avowed.factors.responses_file import json_line
from avowed.factors.usecase import UseCase
from avowed.refusal import Refused, Unusable
from avowed.regular_file import read_regular
from avowed.strict_json import BrokenJson, parse_document

#: Failed calls in a row after which it is asked whether there is any use in going on.
MOST_FAILURES = 5

_FIELDS = frozenset({"component", "input", "feature", "intervention", "trial", "raw"})


def calls_of(plan: Plan) -> list[Call]:
    """The calls of a plan, in its order."""
    columns = {name: column.to_pylist() for name, column in call_columns(plan).items()}
    return [Call(*values) for values in zip(*columns.values(), strict=True)]


def run_plan(
    endpoint: Endpoint,
    case: UseCase,
    plan: Plan,
    *,
    component: str,
    path: Path,
    parallel: int = 1,
    say: Callable[[str], None] = lambda _line: None,
) -> pa.Table:
    """Ask every call that ``path`` does not answer yet; return all responses in the plan's order.

    A line that a killed run left half-written is dropped and its call is asked again, and so is a
    call that failed. Nothing else is asked twice, with one exception: after `MOST_FAILURES` failed
    calls in a row one that was answered is asked again, to tell an endpoint that is out of order
    from calls that it never answers.

    Args:
        endpoint: who is asked.
        case, plan: the study.
        component: the name that the responses are stored under.
        path: file of the answers so far, JSON lines, in a folder that the caller holds
            (`avowed.held`); the caller removes it when it has stored the table.
        parallel: calls under way at a time.
        say: gets a line of progress now and then.

    Raises:
        Unusable: the file is damaged, or the endpoint cannot answer. What was answered is kept.
        Refused: the file holds answers of another study.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    calls = calls_of(plan)
    texts = _recovered(path, calls, component)
    left = [place for place, call in enumerate(calls) if call not in texts]
    if texts:
        say(f"{len(texts)} of {len(calls)} calls are answered already")
    asking = _Asking(endpoint, case, plan, calls, texts)
    with path.open("a", encoding="utf-8", newline="\n") as file:

        def keep(answer: _Answer) -> None:
            texts[answer.call] = answer.text
            row = {"component": component, **vars(answer.call), "raw": answer.text}
            file.write(json_line(row))
            # Each answer reaches the file before the next one is waited for.
            file.flush()

        failed = in_a_row = 0
        step = max(1, min(len(left) // 20, 100))
        for done, answer in enumerate(asking.answers(left, parallel), start=1):
            if texts.get(answer.call) is None:
                keep(answer)
            failed += answer.text is None
            if not answer.expected:
                in_a_row = in_a_row + 1 if answer.text is None else 0
            if in_a_row == MOST_FAILURES:
                for probe in asking.probes(answer.call):
                    if texts.get(probe.call) is None:
                        keep(probe)
                    if probe.text is not None:
                        in_a_row = 0
                        break
                else:
                    raise Unusable(
                        f"{in_a_row} calls in a row failed, and no other was answered, the last "
                        f"one: {answer.reason}; the others are kept, run the same command again "
                        "to go on"
                    )
            if done % step == 0 or done == len(left):
                say(f"{done} of {len(left)} calls, {failed} failed")
    return responses_table(
        component=component,
        use_case=plan.use_case,
        calls=call_columns(plan),
        raw=[texts[call] for call in calls],
        case=case,
        cited=plan.design.cited,
    )


@dataclass(frozen=True)
class _Answer:
    """An answer, or the reason why there is none and whether that was to be expected."""

    call: Call
    text: str | None
    reason: str = ""
    expected: bool = False


@dataclass(frozen=True)
class _Asking:
    """Who is asked what; ``texts`` holds the answers so far and is filled by the caller."""

    endpoint: Endpoint
    case: UseCase
    plan: Plan
    calls: Sequence[Call]
    texts: dict[Call, str | None]

    def ask(self, place: int) -> _Answer:
        """Ask one call."""
        plan, call = self.plan, self.calls[place]
        system, user = render(
            self.case, plan.codes[place], int(plan.base[place]), count=plan.design.cited
        )
        try:
            return _Answer(call, self.endpoint.ask(system, user, call))
        except CallFailed as error:
            return _Answer(call, None, str(error), error.known)

    def answers(self, places: Sequence[int], parallel: int) -> Iterator[_Answer]:
        """Answers in the order of the places; a call that a probe has asked already has its own."""
        if parallel == 1:
            for place in places:
                yield self._once(place)
            return
        pool = ThreadPoolExecutor(parallel)
        waiting: deque[Future[_Answer]] = deque()
        try:
            for place in places:
                waiting.append(pool.submit(self._once, place))
                if len(waiting) >= parallel:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # Whoever interrupts a run does not want to wait for what is still under way.
            pool.shutdown(wait=False, cancel_futures=True)

    def _once(self, place: int) -> _Answer:
        text = self.texts.get(self.calls[place])
        return self.ask(place) if text is None else _Answer(self.calls[place], text)

    def probes(self, failed: Call) -> Iterator[_Answer]:
        """Calls that tell whether the endpoint is out of order, asked one by one.

        The last one that was answered; where none was, calls of other inputs, from the end of the
        plan, where nobody else is asking yet.
        """
        answered = [
            place for place, call in enumerate(self.calls) if self.texts.get(call) is not None
        ]
        if answered:
            yield self.ask(answered[-1])
            return
        # One call per input: its last one.
        others = {
            call.input: place
            for place, call in enumerate(self.calls)
            if call not in self.texts and call.input != failed.input
        }
        for place in [*others.values()][: -MOST_FAILURES - 1 : -1]:
            yield self.ask(place)


def _recovered(path: Path, calls: Sequence[Call], component: str) -> dict[Call, str | None]:
    """The answers that stand in the file; the file is left with exactly these, whole."""
    if not path.exists():
        return {}
    *lines, rest = read_regular(path).split(b"\n")
    planned = frozenset(calls)
    kept: dict[Call, str | None] = {}
    for number, line in enumerate(lines, start=1):
        row = _row(path, number, line)
        call = Call(row["input"], row["feature"], row["intervention"], row["trial"])
        if row["component"] != component or call not in planned:
            raise Refused(
                f"{path}, row {number}: found {row['component']}, {call}; expected a call of this "
                f"plan to {component}; name another folder"
            )
        if row["raw"] is not None:
            kept.setdefault(call, row["raw"])
    if rest or len(kept) < len(lines):
        with atomic_path(path) as temporary:
            rows = [
                json_line({"component": component, **vars(c), "raw": t}) for c, t in kept.items()
            ]
            temporary.write_text("".join(rows), encoding="utf-8", newline="\n")
    return kept


def _row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = parse_document(line.decode("utf-8"))
    except (UnicodeDecodeError, BrokenJson) as error:
        raise Unusable(f"{path}, row {number}: damaged ({error}); remove this line") from None
    if (
        not isinstance(row, dict)
        or row.keys() != _FIELDS
        or not all(value is None or isinstance(value, str | int) for value in row.values())
        or not isinstance(row["raw"], str | None)
        or type(row["trial"]) is not int
    ):
        raise Unusable(f"{path}, row {number}: not a line of this program; remove it")
    return row
