"""Three small source files, and a loopback server that can misbehave in every way we handle."""

import hashlib
import threading
from collections import Counter
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from avowed.sources import SourceFile

CONTENTS = {
    "data/bbh/snarks/val_data.json": b'{"data": [1]}\n',
    "results/a.json": bytes(range(256)) * 400,
    "results/b.json": b"[" + b"2, " * 50_000 + b"3]",
}


def source(path: str, content: bytes) -> SourceFile:
    return SourceFile(
        dataset="items",
        path=path,
        url=f"https://example.org/{'a' * 40}/{path}",
        n_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        licence="MIT",
        retrieved=date(2026, 11, 29),
    )


@pytest.fixture
def manifest() -> tuple[SourceFile, ...]:
    return tuple(source(path, content) for path, content in CONTENTS.items())


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    folder = tmp_path / "mirror"
    for path, content in CONTENTS.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def fetched(folder: Path) -> dict[str, bytes]:
    """Every file below a folder by its relative path."""
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


class Upstream(ThreadingHTTPServer):
    """Serves `contents`; the attributes say how it misbehaves."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.contents = dict(CONTENTS)
        self.cuts: Counter[str] = Counter()  # path -> answers still to be cut in the middle
        self.errors: Counter[str] = Counter()  # path -> answers still to be a 500
        self.missing: set[str] = set()
        self.honours_range = True
        self.declares_length = True
        self.wrong_range = False
        self.requests: list[tuple[str, str, str | None]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def gets(self, path: str) -> list[str | None]:
        """The Range headers of the GET requests for one path."""
        return [wanted for verb, asked, wanted in self.requests if (verb, asked) == ("GET", path)]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Upstream

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._record()
        self.send_response(200)
        self.end_headers()

    def do_GET(self) -> None:
        path = self._record()
        if path in self.server.missing:
            self._plain(404)
        elif self.server.errors[path] > 0:
            self.server.errors[path] -= 1
            self._plain(500)
        else:
            self._file(path)

    def _record(self) -> str:
        path = self.path.removeprefix("/")
        self.server.requests.append((self.command, path, self.headers["Range"]))
        return path

    def _plain(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _file(self, path: str) -> None:
        content = self.server.contents[path]
        asked = self.headers["Range"]
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        if asked and self.server.honours_range:
            first = start + 1 if self.server.wrong_range else start
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
            content = content[start:]
        else:
            self.send_response(200)
        if self.server.declares_length:
            self.send_header("Content-Length", str(len(content)))
        else:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.server.cuts[path] > 0:
            self.server.cuts[path] -= 1
            content = content[: len(content) // 2]
            self.close_connection = True
        if not self.server.declares_length:
            self.close_connection = True
        self.wfile.write(content)


@pytest.fixture
def upstream(monkeypatch: pytest.MonkeyPatch) -> Iterator[Upstream]:
    # A proxy of the machine that runs the tests must not stand between them and the loopback.
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Upstream() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def closed_port(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address nothing listens on: the port was free a moment ago."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with Upstream() as server:
        return server.address
