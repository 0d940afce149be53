"""The HTTP component against a server on this machine: request, retries, and the key kept."""

import logging
import threading
import time
from collections.abc import Sequence
from typing import Any

import pytest
from support.model_server import Reply, dripping, said, serving

from avowed.endpoints.openai_compatible import OpenAICompatible, Patience
from avowed.endpoints.protocol import Call, CallFailed
from avowed.refusal import Unusable

CALL = Call("toy-1", None, "original", 0)
KEY = "sk-secret-0123456789"


def ask(replies: Sequence[Reply], **given: Any) -> tuple[Any, list[Any], list[float]]:
    """One call to a server with these replies; what came, what was sent, the waits."""
    waits: list[float] = []
    with serving(lambda number, _: replies[min(number, len(replies) - 1)]) as server:
        settings = {"url": server.url, "model": "m", "sleep": waits.append} | given
        with OpenAICompatible(**settings) as endpoint:
            try:
                found: Any = endpoint.ask("the system", "the user", CALL)
            except (CallFailed, Unusable) as error:
                found = error
    return found, server.requests, waits


def test_the_request_and_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    found, requests, waits = ask([said('{"decision": "4"}')], key_variable="MY_KEY")
    assert found == '{"decision": "4"}' and waits == []
    ((headers, body),) = requests
    assert headers["path"] == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "the system"},
            {"role": "user", "content": "the user"},
        ],
        "temperature": 0,
    }


def test_without_a_key_none_is_sent() -> None:
    _, ((headers, _),), _ = ask([said("a")])
    assert "Authorization" not in headers


def test_the_address_may_end_in_a_slash_and_have_a_query() -> None:
    with serving(lambda *_: said("a")) as server:
        for url in (f"{server.url}/", f"{server.url}?version=2"):
            with OpenAICompatible(url=url, model="m") as endpoint:
                endpoint.ask("s", "u", CALL)
        paths = [headers["path"] for headers, _ in server.requests]
    assert paths == ["/v1/chat/completions", "/v1/chat/completions?version=2"]


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503])
def test_what_may_pass_is_tried_again_with_longer_waits(status: int) -> None:
    found, requests, waits = ask([*[Reply(status, "busy")] * 3, said("at last")])
    assert found == "at last" and len(requests) == 4 and waits == [1.0, 2.0, 4.0]


def test_a_server_that_asks_for_a_wait_gets_it_within_limits() -> None:
    busy = [
        Reply(429, "", {"Retry-After": value})
        for value in ("7", "0", "100000", "Wed, 21 Oct 2015 07:28:00 GMT", "-1")
    ]
    _, _, waits = ask([*busy, said("a")])
    assert waits == [7.0, 2.0, 60.0, 8.0, 16.0]


@pytest.mark.parametrize(
    "reply",
    [
        Reply(),
        Reply(body="no JSON"),
        Reply(body={}),
        Reply(body={"choices": []}),
        Reply(body=[]),
        Reply(body={"choices": [{"message": None}]}),
        said(["text"]),
    ],
)
def test_a_broken_transfer_or_answer_is_tried_again(reply: Reply) -> None:
    found, requests, _ = ask([reply, said("whole")])
    assert found == "whole" and len(requests) == 2


def test_a_call_that_keeps_failing() -> None:
    found, requests, waits = ask([Reply(503, "busy")], patience=Patience(attempts=3))
    assert isinstance(found, CallFailed) and len(requests) == 3 and len(waits) == 2
    assert str(found) == "input toy-1, original, trial 0: the server answered 503, 3 times"


def test_an_answer_that_takes_too_long() -> None:
    late = threading.Event()

    def answer(number: int, _body: Any) -> Reply:
        if number == 0:
            late.wait(5)
        return said("in time")

    with (
        serving(answer) as server,
        OpenAICompatible(
            url=server.url, model="m", patience=Patience(read=0.2), sleep=lambda _: late.set()
        ) as endpoint,
    ):
        assert endpoint.ask("s", "u", CALL) == "in time"


@pytest.mark.parametrize("status", [301, 400, 401, 402, 403, 404, 413, 422])
def test_a_refusal_for_good_is_not_repeated_and_shows_no_key(
    status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    reply = Reply(status, f"bad key {KEY}\n" + "x" * 500, {"Location": "http://localhost:1/"})
    found, requests, _ = ask([reply], key_variable="MY_KEY")
    # Some say that this request is wrong, the others that all of them are.
    kind = CallFailed if status in {400, 413, 422} else Unusable
    assert isinstance(found, kind) and len(requests) == 1
    message = str(found)
    assert f"the server answered {status}" in message and "bad key [key] xxx" in message
    assert "\n" not in message and message.count("x") < 250
    assert KEY not in message and KEY not in caplog.text


def test_the_key_stands_in_no_description(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    endpoint = OpenAICompatible(url="https://example.org/v1", model="m", key_variable="MY_KEY")
    with endpoint:
        assert KEY not in repr(endpoint) and "MY_KEY" in repr(endpoint)


def test_an_answer_without_text_is_empty_and_half_a_character_is_replaced() -> None:
    assert ask([said(None)])[0] == ""
    assert ask([said("a\ud800b")])[0] == "a?b"


def test_no_server_at_all() -> None:
    with serving(lambda *_: said("a")) as server:
        pass
    waits: list[float] = []
    with (
        OpenAICompatible(url=f"{server.url}?key={KEY}", model="m", sleep=waits.append) as endpoint,
        pytest.raises(
            Unusable, match=r"/v1/chat/completions: no connection \(ConnectError"
        ) as told,
    ):
        endpoint.ask("s", "u", CALL)
    assert waits == [] and KEY not in str(told.value)


def test_a_server_that_goes_away_is_waited_for() -> None:
    waits: list[float] = []
    with serving(lambda *_: said("a")) as server:
        endpoint = OpenAICompatible(url=server.url, model="m", sleep=waits.append)
        assert endpoint.ask("s", "u", CALL) == "a"
    with endpoint, pytest.raises(Unusable, match="no connection"):
        endpoint.ask("s", "u", CALL)
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("example.org/v1", "expected an address"),
        ("ftp://example.org", "expected an address"),
        ("", "expected an address"),
        ("https://", "expected an address"),
        ("https://me:pass@example.org", "holds a name or a password"),
        ("http://example.org/v1", "a key must not travel to example.org in plain text"),
        ("https://exa mple.org:x", "not an address"),
    ],
)
def test_addresses_that_are_not_used(
    url: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with pytest.raises(Unusable, match=message) as told:
        OpenAICompatible(url=url, model="m", key_variable="MY_KEY")
    assert KEY not in str(told.value) and "pass@" not in str(told.value)


@pytest.mark.parametrize(
    ("key", "message"), [("", "is not set"), ("  ", "is not set"), ("schlüssel", "no header")]
)
def test_keys_that_are_not_used(key: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", key)
    with pytest.raises(Unusable, match=f"--key-variable MY_KEY.*{message}"):
        OpenAICompatible(url="https://example.org/v1", model="m", key_variable="MY_KEY")


def test_a_server_that_is_asked_too_often_stops_the_run() -> None:
    found, requests, waits = ask([Reply(429, "slow down")])
    assert isinstance(found, Unusable) and len(requests) == 6 and len(waits) == 5
    assert "the server answered 429, 6 times; wait" in str(found)


@pytest.mark.parametrize("charset", ["hex", "rot13", "undefined", "idna", "utf-7", "none such"])
@pytest.mark.parametrize("status", [400, 401])
def test_a_message_in_an_encoding_that_does_not_exist(charset: str, status: int) -> None:
    reply = Reply(status, "zz é", {"Content-Type": f"text/plain; charset={charset}"})
    found, _, _ = ask([reply])
    assert f"the server answered {status}" in str(found) and "zz é" in str(found)


TRICKLE = b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"


@pytest.mark.parametrize("first", [b"", b"HTTP/1.1 100 Continue\r\n\r\n", TRICKLE, b"H"])
@pytest.mark.parametrize("then", [b"", b" ", b"HTTP/1.1 100 Continue\r\n\r\n"])
def test_a_server_that_never_ends_holds_a_call_no_longer_than_the_limit(
    first: bytes, then: bytes
) -> None:
    with (
        dripping(first, then) as url,
        OpenAICompatible(url=url, model="m", patience=Patience(call=0.5)) as endpoint,
    ):
        begun = time.monotonic()
        with pytest.raises((CallFailed, Unusable)):
            endpoint.ask("s", "u", CALL)
        assert time.monotonic() - begun < 5


def test_the_limit_counts_the_pauses_as_well() -> None:
    found, requests, waits = ask([Reply(503, "busy")], patience=Patience(call=5.0))
    # 1 + 2 seconds fit, and the 4 after them do too for who does not really wait.
    assert isinstance(found, CallFailed) and len(requests) == 4 and waits == [1.0, 2.0, 4.0]


def test_a_call_under_way_is_broken_off_when_the_run_ends() -> None:
    with dripping(b"", b"") as url:
        endpoint = OpenAICompatible(url=url, model="m")
        failures: list[Exception] = []

        def asked() -> None:
            try:
                endpoint.ask("s", "u", CALL)
            except CallFailed as error:
                failures.append(error)

        with endpoint:
            thread = threading.Thread(target=asked)
            thread.start()
            time.sleep(0.2)
        thread.join(5)
        assert not thread.is_alive() and "broken off" in str(failures[0])
        with pytest.raises(CallFailed, match="broken off"):
            endpoint.ask("s", "u", CALL)
