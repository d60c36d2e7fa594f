"""A server outside: real sockets on loopback, every byte of its answers a test's own."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Heard:
    """A request as it came."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes


class Out:
    """The way back: raw bytes, and two ways to end."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection

    def send(self, data: bytes) -> None:
        self.connection.sendall(data)

    def head(self, status: str, *headers: str) -> None:
        self.send("\r\n".join((f"HTTP/1.1 {status}", *headers, "", "")).encode("latin-1"))

    def chunk(self, data: bytes) -> None:
        self.send(b"%x\r\n%s\r\n" % (len(data), data))

    def reply(self, status: str, body: bytes, *headers: str) -> None:
        self.head(status, f"Content-Length: {len(body)}", *headers)
        self.send(body)


Answering = Callable[[Heard, Out], None]


@dataclass
class Origin:
    """``on`` says how a path (without its query) is answered; what is not said is 404. After ``stop`` nobody may
    ask."""

    server: ThreadingHTTPServer
    scheme: str = "http"
    heard: list[Heard] = field(default_factory=list)
    paths: dict[str, Answering] = field(default_factory=dict)
    stopped: bool = False
    after_its_end: list[Heard] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"{self.scheme}://localhost:{self.server.server_port}"

    def on(self, path: str, answering: Answering) -> None:
        self.paths[path] = answering

    def says(self, path: str, body: bytes, *headers: str, status: str = "200 OK") -> None:
        self.on(path, lambda heard, out: out.reply(status, body, *headers))

    def hear(self, heard: Heard, out: Out) -> None:
        (self.after_its_end if self.stopped else self.heard).append(heard)
        answering = self.paths.get(heard.target.partition("?")[0])
        if answering is None or self.stopped:
            out.reply("404 Not Found", b"nothing here\n", "Content-Type: text/plain")
        else:
            answering(heard, out)

    def stop(self) -> None:
        self.stopped = True

    def reset(self) -> None:
        self.heard, self.paths, self.after_its_end, self.stopped = [], {}, [], False

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def start(context: ssl.SSLContext | None = None) -> Origin:
    """A server on a free port of loopback, in threads of its own."""
    origin: Origin

    class Handler(BaseHTTPRequestHandler):
        def setup(self) -> None:
            if context is not None:
                self.request = context.wrap_socket(self.request, server_side=True)
            super().setup()

        def finish(self) -> None:
            try:
                super().finish()
            finally:
                self.connection.close()

        def handle_one_request(self) -> None:
            self.close_connection = True
            self.raw_requestline = self.rfile.readline(65537)
            if not self.raw_requestline or not self.parse_request():
                return
            heard = Heard(self.command, self.path, _lower(self.headers), self._body())
            origin.hear(heard, Out(self.connection))

        def _body(self) -> bytes:
            return self.rfile.read(int(self.headers.get("content-length", 0)))

        def log_message(self, *_: Any) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, request: Any, client_address: Any) -> None:
            return  # a client that left, or did not like the certificate

    origin = Origin(Server(("127.0.0.1", 0), Handler), "http" if context is None else "https")
    threading.Thread(target=origin.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    return origin


def _lower(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
