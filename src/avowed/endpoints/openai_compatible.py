"""A component behind an HTTP interface of the form ``POST {base}/chat/completions``.

Hosted models and local servers speak it. Temperature is 0 as in NS 3.2. The key is read from an
environment variable, sent in one header, and stands in no message, file or address.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, TypeVar

import httpx

from avowed.endpoints.protocol import Call, CallFailed
from avowed.refusal import Unusable

_PASSING = frozenset({408, 409, 429})
#: What the server says of one request and not of all: it is malformed, too long or filtered.
_OF_THIS_CALL = frozenset({400, 413, 422})
_TOO_MANY = 429
_SHOWN = 200


Answer = TypeVar("Answer")


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long to wait and how often to try again; times in seconds.

    Attributes:
        connect: for a connection.
        read: for the answer to begin, and between its parts.
        call: for a whole call, with every attempt and pause; however slowly a server sends, it
            does not hold a call any longer.
        attempts: tries per call.
        first_pause: after the first failure; doubled after each further one.
        longest_pause: of any wait, whatever the server asks for.
    """

    connect: float = 10.0
    read: float = 120.0
    call: float = 600.0
    attempts: int = 6
    first_pause: float = 1.0
    longest_pause: float = 60.0

    def pause(self, failures: int, asked: float | None = None) -> float:
        """The wait after so many failures in a row; longer if the server asks for it.

        >>> [Patience().pause(n) for n in (1, 2, 3, 10)], Patience().pause(1, asked=5)
        ([1.0, 2.0, 4.0, 60.0], 5)
        """
        own = self.first_pause * 2.0 ** (failures - 1)
        return min(max(own, asked or 0.0), self.longest_pause)


class _Passing(Exception):  # noqa: N818 - it says what the failure is like
    """An attempt failed in a way that may pass."""

    def __init__(
        self,
        reason: str,
        *,
        wait: float | None = None,
        connected: bool = True,
        limited: bool = False,
    ) -> None:
        super().__init__(reason)
        self.wait, self.connected, self.limited = wait, connected, limited


class _Loop:
    """A thread in which requests run, so that one can be broken off wherever it is."""

    def __init__(self) -> None:
        self._lock, self._loop = threading.Lock(), asyncio.new_event_loop()
        self._thread: threading.Thread | None = None
        self._closed = False

    def run(self, work: Callable[[], Coroutine[Any, Any, Answer]]) -> Answer:
        """The result of the work; other threads may wait for theirs at the same time.

        Raises:
            CancelledError: the loop was closed meanwhile, or before.
        """
        with self._lock:
            if self._closed:
                raise CancelledError
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
                self._thread.start()
            # Submitted under the lock, so that closing never overlooks it.
            future = asyncio.run_coroutine_threadsafe(work(), self._loop)
        return future.result()

    def close(self, last: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Break off what is under way, do the last work, and end."""
        with self._lock:
            self._closed = True
        if self._thread is not None:
            for work in (self._cancel, last):
                asyncio.run_coroutine_threadsafe(work(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._loop.close()

    async def _cancel(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)


@dataclass
class OpenAICompatible:
    """A model behind an OpenAI-compatible server; use it in a ``with`` block.

    Args:
        url: base address, ``https://host/v1``; plain http with a key only to this machine.
        model: the model's name, as the server knows it.
        key_variable: environment variable that holds the key; None for a server without one.
        patience: time-outs and retries.
        sleep: stands in for the wait in tests.

    Raises:
        Unusable: the address or the key cannot be used.
    """

    url: str
    model: str
    key_variable: str | None = None
    patience: Patience = field(default_factory=Patience)
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        """Check the address and read the key; nothing is sent yet."""
        address = _address(self.url)
        self._key = _key(self.key_variable)
        local = address.host in {"localhost", "127.0.0.1", "::1"}
        if self._key and address.scheme == "http" and not local:
            raise Unusable(
                f"--url: a key must not travel to {address.host} in plain text; use https, or a "
                "server on this machine"
            )
        self._address = address.copy_with(path=f"{address.path.rstrip('/')}/chat/completions")
        # A query may hold a secret as well.
        self._name = str(self._address.copy_with(query=None))
        self._met = False
        self._loop: _Loop | None = None
        self._starting = threading.Lock()
        try:
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(self.patience.read, connect=self.patience.connect),
                headers={"Authorization": f"Bearer {self._key}"} if self._key else {},
                # A redirect could carry the key to another host.
                follow_redirects=False,
                # A proxy must not stand between us and a server on this machine.
                trust_env=not local,
            )
        except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
            raise Unusable(f"the proxy or certificate settings do not work: {error}") from None

    def __enter__(self) -> "OpenAICompatible":
        """The component itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Break off what is under way and close the connections."""
        if self._loop is not None:
            self._loop.close(self._client.aclose)

    def ask(self, system: str, user: str, call: Call) -> str:
        """One answer; retried on 408, 409, 429, 5xx, time-outs and broken transfers.

        An answer without text (a refusal of the provider, a filtered one) is an empty text, which
        is no JSON and counts as such.

        Raises:
            CallFailed: every attempt failed, or the server refuses this request (400, 413, 422).
            Unusable: no connection at all, the server refuses every request (another 4xx, a
                redirect), or it is asked too often (429) whatever the pauses.
        """
        body = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": user},
            ],
            "temperature": 0,
        }
        failures, end = 0, time.monotonic() + self.patience.call
        while True:
            try:
                return self._attempt(body, call, end)
            except _Passing as error:
                failures += 1
                pause = self.patience.pause(failures, error.wait)
                # A server that has never answered is more likely misspelt than busy.
                last = failures >= self.patience.attempts or not (error.connected or self._met)
                last = last or time.monotonic() + pause >= end
                if last and not error.connected:
                    raise Unusable(
                        f"{self._name}: no connection ({error}); check the address and the network "
                        "and run the same command again"
                    ) from None
                if last and error.limited:
                    raise Unusable(
                        f"{self._name}: {error}, {failures} times; wait, or ask fewer calls at a "
                        "time, and run the same command again"
                    ) from None
                if last:
                    raise CallFailed(f"{call}: {error}, {failures} times") from None
                self.sleep(pause)

    async def _post(self, body: dict[str, Any], end: float) -> httpx.Response:
        async with asyncio.timeout(max(end - time.monotonic(), 0.0)):
            return await self._client.post(self._address, json=body)

    def _run(self, work: Callable[[], Coroutine[Any, Any, httpx.Response]]) -> httpx.Response:
        with self._starting:
            # Not before the first call: an endpoint that is never asked leaves nothing to close.
            if self._loop is None:
                self._loop = _Loop()
        return self._loop.run(work)

    def _attempt(self, body: dict[str, Any], call: Call, end: float) -> str:
        try:
            response = self._run(lambda: self._post(body, end))
        except TimeoutError:
            raise _Passing(f"no whole answer within {self.patience.call:g} seconds") from None
        except CancelledError:
            raise CallFailed(f"{call}: broken off") from None
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise _Passing(self._shown(_reason(error)), connected=False) from None
        except httpx.RequestError as error:
            raise _Passing(f"the transfer broke off ({self._shown(_reason(error))})") from None
        self._met = True
        status = response.status_code
        if status in _PASSING or status >= 500:
            raise _Passing(
                f"the server answered {status}",
                wait=_retry_after(response),
                limited=status == _TOO_MANY,
            )
        if status in _OF_THIS_CALL:
            raise CallFailed(
                f"{call}: the server answered {status}: {self._shown(_plain(response))}"
            )
        if status != httpx.codes.OK:
            raise Unusable(
                f"{self._name}: the server answered {status} {response.reason_phrase} to model "
                f"{self.model}: {self._shown(_plain(response))}; correct the request and run again"
            )
        return _text(response)

    def _shown(self, text: str) -> str:
        """The beginning of a server's message, without the key should the server repeat it."""
        clean = text.replace(self._key, "[key]") if self._key else text
        line = " ".join(clean.split())
        return f"{line[:_SHOWN]}..." if len(line) > _SHOWN else line or "no message"


def _address(url: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
    except (httpx.InvalidURL, ValueError) as error:
        raise Unusable(f"--url: not an address ({error})") from None
    if address.userinfo:
        raise Unusable("--url: holds a name or a password; give the key with --key-variable")
    if address.scheme not in {"http", "https"} or not address.host:
        raise Unusable("--url: expected an address such as https://host/v1")
    return address


def _key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key:
        raise Unusable(
            f"--key-variable {variable}: this environment variable is not set; export the key in it"
        )
    if not key.isascii() or not key.isprintable():
        raise Unusable(f"--key-variable {variable}: the key holds characters no header may hold")
    return key


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds that the server asks to wait; a date or nonsense is left to our own pauses."""
    text = response.headers.get("Retry-After", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _plain(response: httpx.Response) -> str:
    """A message for people; what a header says of its encoding may be anything."""
    return response.content.decode("utf-8", "replace")


def _text(response: httpx.Response) -> str:
    try:
        content = response.json()["choices"][0]["message"]["content"]
    except (ValueError, LookupError, TypeError, RecursionError):
        raise _Passing("the server's answer holds no choices[0].message.content") from None
    if content is None:
        return ""
    if not isinstance(content, str):
        raise _Passing("the server's answer is not a text")
    # Half of a surrogate pair cannot be stored; it stands for a character that was cut.
    return content.encode("utf-8", "replace").decode("utf-8")


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
