"""Fetch the source files from their pinned addresses: resumable, retried, checked."""

import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx

from avowed.atomic import atomic_path
from avowed.sources.hashing import check_file, matches
from avowed.sources.manifest import SourceFile

_TOO_MANY_REQUESTS = 429
_REQUEST_TIMEOUT = 408
_RANGE_NOT_SATISFIABLE = 416


class DownloadError(Exception):
    """The network or the server did not serve; another source may. Partial files are kept."""


@dataclass(frozen=True)
class Patience:
    """How long to wait and how often to try again; times in seconds."""

    connect: float = 10.0
    read: float = 30.0
    attempts: int = 4
    first_pause: float = 0.5

    def pause(self, failures: int) -> float:
        """Return the wait after so many failures in a row: doubled each time."""
        return self.first_pause * 2.0 ** (failures - 1)


PATIENCE = Patience()


class _PassingError(Exception):
    """One attempt at one file failed in a way that may pass."""


def download_tree(
    manifest: Sequence[SourceFile],
    destination: Path,
    *,
    partial: Path,
    base_url: str | None = None,
    patience: Patience = PATIENCE,
    transport: httpx.BaseTransport | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> int:
    """Download every file that does not already stand in ``destination``, unaltered.

    Proxies are taken from the environment as httpx does by default. Without a connection this
    gives up after ``patience.connect`` seconds in all. Once a server has answered, a broken
    transfer is tried again, each time from where it broke off.

    Args:
        manifest: The files to fetch.
        destination: Receives the files at their upstream paths, each only when it is complete.
        partial: Folder for unfinished files; they are kept and a later call goes on from them.
        base_url: Stands in for everything before the upstream path in each address.
        patience: Time-outs and retries.
        transport: Stands in for the network in tests.
        sleep: Stands in for the wait between attempts in tests.

    Returns:
        The number of files that came over the network; 0 if all were there already.

    Raises:
        DownloadError: No connection, a refusal by the server, or a transfer that kept breaking.
        HashMismatch: A file was served whole but is another one; the partial file is removed.

    Example:
        >>> download_tree((), Path("data/raw/turpin"), partial=Path("data/partial"))
        0
    """
    wanted = [file for file in manifest if not matches(destination / file.path, file)]
    if not wanted:
        return 0
    with _client(patience, transport) as client:
        _first_contact(client, _address(wanted[0], base_url), patience.connect)
        for done, file in enumerate(wanted):
            try:
                _download(
                    client,
                    file,
                    _address(file, base_url),
                    destination / file.path,
                    part=partial / f"{file.sha256}.part",
                    patience=patience,
                    sleep=sleep,
                )
            except DownloadError as error:
                ready = len(manifest) - len(wanted) + done
                raise DownloadError(
                    f"{error}; {ready} of {len(manifest)} files are complete, "
                    f"unfinished ones are kept in {partial} for the next run"
                ) from None
    return len(wanted)


def _address(file: SourceFile, base_url: str | None) -> str:
    return file.url if base_url is None else f"{base_url.rstrip('/')}/{file.path}"


def _client(patience: Patience, transport: httpx.BaseTransport | None) -> httpx.Client:
    try:
        return httpx.Client(
            timeout=httpx.Timeout(patience.read, connect=patience.connect),
            # A compressed answer cannot be resumed: ranges would count compressed bytes.
            headers={"Accept-Encoding": "identity"},
            follow_redirects=True,
            transport=transport,
        )
    except (ImportError, OSError, ValueError, httpx.InvalidURL) as error:
        # A proxy scheme without its package, an unreadable certificate file, a malformed address.
        raise DownloadError(f"the proxy or certificate settings do not work: {error}") from None


def _first_contact(client: httpx.Client, url: str, seconds: float) -> None:
    """Wait for any answer at all, at most so many seconds.

    httpx applies its connection time-out to every address of a host in turn and not to the name
    look-up, so without a network it could take minutes. A thread that is still waiting when the
    time is up is left behind; it holds nothing but its socket.
    """
    outcome: list[Exception | None] = []

    def contact() -> None:
        try:
            client.head(url)
            outcome.append(None)
        except (httpx.HTTPError, httpx.InvalidURL, OSError, RuntimeError, UnicodeError) as error:
            outcome.append(error)

    thread = threading.Thread(target=contact, name="first contact", daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise DownloadError(f"{url}: no answer within {seconds:g} seconds")
    if outcome[0] is not None:
        raise DownloadError(f"{url}: no connection ({_reason(outcome[0])})")


def _download(
    client: httpx.Client,
    file: SourceFile,
    url: str,
    target: Path,
    *,
    part: Path,
    patience: Patience,
    sleep: Callable[[float], None],
) -> None:
    part.parent.mkdir(parents=True, exist_ok=True)
    failures = 0
    while True:
        try:
            _attempt(client, file, url, part)
            break
        except _PassingError as error:
            failures += 1
            if failures >= patience.attempts:
                raise DownloadError(
                    f"{url}: {error}, at attempt {failures} of {patience.attempts}"
                ) from None
            sleep(patience.pause(failures))
    try:
        check_file(part, file, origin=url)
        with atomic_path(target) as temporary:
            # Copied, not moved: the two folders may stand on different file systems.
            shutil.copyfile(part, temporary)
    finally:
        part.unlink(missing_ok=True)


def _attempt(client: httpx.Client, file: SourceFile, url: str, part: Path) -> None:
    """Receive the file, or what is left of it, into ``part``; return once it is whole."""
    start = part.stat().st_size if part.exists() else 0
    if start >= file.n_bytes:
        return
    headers = {"Range": f"bytes={start}-"} if start else {}
    try:
        with client.stream("GET", url, headers=headers) as response:
            _check_status(response, url, part)
            if not _resumes(response, start):
                start = 0
            received = _receive(response, part, start, limit=file.n_bytes)
            declared = response.headers.get("Content-Length")
    except httpx.TransportError as error:
        raise _PassingError(f"the transfer broke off ({_reason(error)})") from None
    except httpx.HTTPError as error:
        raise DownloadError(f"{url}: {_reason(error)}") from None
    # Without a declared length, the end of a shortened answer looks like the end of the file.
    if received < file.n_bytes and declared is None:
        raise _PassingError(f"the transfer ended after {received} of {file.n_bytes} bytes")


def _check_status(response: httpx.Response, url: str, part: Path) -> None:
    status = response.status_code
    if status == _RANGE_NOT_SATISFIABLE:
        part.unlink(missing_ok=True)
        raise _PassingError("the server cannot go on from the unfinished file")
    if status >= httpx.codes.INTERNAL_SERVER_ERROR or status in (
        _REQUEST_TIMEOUT,
        _TOO_MANY_REQUESTS,
    ):
        raise _PassingError(f"the server answered {status} {response.reason_phrase}")
    if status not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
        raise DownloadError(f"{url}: the server answered {status} {response.reason_phrase}")


def _resumes(response: httpx.Response, start: int) -> bool:
    """Say whether the answer goes on at ``start``; a server may ignore a Range and send it all."""
    if response.status_code != httpx.codes.PARTIAL_CONTENT:
        return False
    if not response.headers.get("Content-Range", "").startswith(f"bytes {start}-"):
        raise _PassingError("the server answered with another range than the one asked for")
    return True


def _receive(response: httpx.Response, part: Path, start: int, *, limit: int) -> int:
    received = start
    with part.open("ab" if start else "wb") as stream:
        for chunk in response.iter_bytes():
            stream.write(chunk)
            received += len(chunk)
            if received > limit:
                # Too long already; the check of the size refuses it, and an endless answer ends.
                break
    return received


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
