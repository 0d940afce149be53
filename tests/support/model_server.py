"""A server on this machine that answers as an OpenAI-compatible one, and remembers what it got."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What the server sends: a status, a body and further headers; no body breaks off."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)


def said(text: Any) -> Reply:
    """A whole answer with a text."""
    return Reply(body={"choices": [{"message": {"role": "assistant", "content": text}}]})


@dataclass
class Server:
    """Its address, and the requests it got: headers and bodies, in order."""

    url: str
    requests: list[tuple[dict[str, str], dict[str, Any]]]


@contextmanager
def serving(answer: Callable[[int, dict[str, Any]], Reply]) -> Iterator[Server]:
    """Run a server that answers request number n (from 0) with its body; stopped at the end."""
    got: list[tuple[dict[str, str], dict[str, Any]]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(got)
                got.append(({**dict(self.headers), "path": self.path}, body))
            reply = answer(number, body)
            if reply.body is None and reply.status == 200:
                self.close_connection = True
                return
            is_text = isinstance(reply.body, str)
            text = reply.body if is_text else json.dumps(reply.body)
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_port}/v1", got)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def dripping(first: bytes, then: bytes) -> Iterator[str]:
    """The address of a server that sends the first bytes, then the others again and again."""
    ended = threading.Event()

    def drip(connection: socket.socket) -> None:
        with connection:
            try:
                connection.sendall(first)
                while not ended.wait(0.05):
                    connection.sendall(then)
            except OSError:
                return

    def accept(listener: socket.socket) -> None:
        while not ended.is_set():
            with suppress(TimeoutError):
                connection, _ = listener.accept()
                connection.setblocking(True)
                threads.append(threading.Thread(target=drip, args=(connection,)))
                threads[-1].start()

    threads: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.1)
        acceptor = threading.Thread(target=accept, args=(listener,))
        acceptor.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        finally:
            ended.set()
            acceptor.join()
            for thread in threads:
                thread.join()
