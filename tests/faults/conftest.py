"""A plain origin, and the servers that the contract holds for: the embedded one, and a real one where there is any."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from pytest_webretrieval.faults.toxiproxy import PROGRAM, start

from .real import real_program

SIZE = 100_000
BODY = b"x" * SIZE
# Its length is not said: the connection's end is its end.
UNTIL_THE_END = "/until-the-end"


@dataclass
class Origin:
    """A server that gives and takes 100,000 bytes, and says which requests it handled."""

    address: str
    handled: list[str] = field(default_factory=list)


@pytest.fixture
def origin() -> Iterator[Origin]:
    """An origin on loopback."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self) -> None:
            there.handled.append("GET")
            if self.path == UNTIL_THE_END:
                self.close_connection = True
                self.send_response(200)
                self.end_headers()
                self.wfile.write(BODY)
            else:
                self._answer(BODY)

        def do_POST(self) -> None:
            asked = int(self.headers["content-length"])
            got = len(self.rfile.read(asked))
            there.handled.append("POST" if got == asked else "half of a POST")
            self._answer(b"ok")

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """Connections are broken on purpose here."""

    server = Server(("127.0.0.1", 0), Handler)
    there = Origin(f"127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield there
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module", params=["embedded", "real"])
def server_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a running server's API."""
    if request.param == "real":
        program = real_program()
        if program is None:
            pytest.skip(
                f"no {PROGRAM} on PATH or in this environment; `make toxiproxy` builds one where Go is"
            )
        process, url = start(program)
    else:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "pytest_webretrieval.faults", "--port", "0"],
            stdout=subprocess.PIPE,
        )
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
    yield url
    process.terminate()
    process.wait()
    if process.stdout is not None:
        process.stdout.close()
