"""Systems that are servers: one process as long as its slot lives, asked by POST over the slot's own loopback."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .codec import task_to_json
from .command import find_program
from .contract import MAX_BYTES, ContractError, Task
from .ends import SystemDied, describe_end
from .payload import from_response, unreadable
from .printed import Printed
from .ways import ServeWay, SystemUnusable

# For a server to listen. The slot's parent allows a little more, so that it is this limit that speaks.
START_S = 60.0
_CLOSE_S = 2.0  # between asking a server to end and ending it
_END_S = 1.0  # for a server to end that has closed its connection
_FIRST_LOOK_S, _LAST_LOOK_S = 0.01, 0.2
_SHOWN = 500  # characters of an error page
# Of one run, which a server outlives.
_NOT_FOR_IT = ("WEBRETRIEVAL_STATE_DIR",)


class NotServing(SystemUnusable):
    """A server that ended before it listened, or never listened; with the end of what it printed."""

    error_type = "not-serving"


class ServerRefused(Exception):
    """An HTTP status that is no answer; ``error_type`` is the status."""

    def __init__(self, status: int, message: str) -> None:
        self.error_type = str(status)
        super().__init__(message)


class ServerSystem:
    """A server that gets each task as JSON. What ended in between is started again when it is asked."""

    capabilities: frozenset[str] | None = None

    def __init__(self, way: ServeWay, folder: Path) -> None:
        self._way, self._folder = way, folder
        self._running: _Running | None = None

    def start(self) -> None:
        """Start the server and wait until it listens. Raises NotServing."""
        self._running = _start(self._way, self._folder)

    def ask(self, task: Task) -> Any:
        """What it answers: text or JSON. Raises SystemDied, ServerRefused, NotServing and OSError."""
        running = self._running
        if running is None or (ended := running.ended()) is not None:
            if running is not None:
                sys.stderr.write(f"webretrieval: the server {ended} since it was last asked; started again\n")
            self._running = running = _start(self._way, self._folder)
        try:
            status, headers, body = running.post(json.dumps(task_to_json(task)).encode())
        except (http.client.HTTPException, ConnectionError) as error:
            raise _broken_off(running, error) from None
        return _read(running.url, status, headers, body)

    def close(self) -> None:
        """Ask the server to end, and end it."""
        if self._running is not None:
            self._running.end()
            self._running = None


class _Running:
    """A server's process and where it listens."""

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.process, self.url = process, url
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "", parts.port or 0
        self._target = parts.path + (f"?{parts.query}" if parts.query else "") or "/"
        self.printed = Printed(process)

    def ended(self) -> str | None:
        """How its process ended; None while it runs."""
        code = self.process.poll()
        return None if code is None else describe_end(code)

    def listens(self) -> bool:
        """Whether it takes connections."""
        with suppress(OSError), socket.create_connection((self._host, self._port), timeout=1):
            return True
        return False

    def post(self, body: bytes) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers by lower-case name, and no more than one byte beyond what may be read of the body."""
        connection = http.client.HTTPConnection(self._host, self._port)
        try:
            given = {
                "content-type": "application/json",
                "accept": "application/json, text/plain;q=0.9, */*;q=0.1",
            }
            connection.request("POST", self._target, body, given)
            response = connection.getresponse()
            headers = {name.lower(): value for name, value in response.getheaders()}
            return response.status, headers, response.read(MAX_BYTES + 1)
        finally:
            connection.close()

    def end(self) -> None:
        """With all of its process group: what was named may be a shell around the server."""
        for number, patience_s in ((signal.SIGTERM, _CLOSE_S), (signal.SIGKILL, _END_S)):
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(patience_s)
                break
        self.printed.finish()


def _start(way: ServeWay, folder: Path) -> _Running:
    words, url, given = way.words, way.url, {}
    if way.has_own_port:
        port = str(_free_port(urlsplit(url.replace("{port}", "1024")).hostname or ""))
        url = url.replace("{port}", port)
        words = tuple(word.replace("{port}", port) for word in words)
        given = {"PORT": port}
    environment = {name: value for name, value in os.environ.items() if name not in _NOT_FOR_IT} | given
    _check_free(way, url)
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    running = _Running(process, url)
    _wait(way, running)
    return running


def _wait(way: ServeWay, running: _Running) -> None:
    deadline, pause = time.monotonic() + START_S, _FIRST_LOOK_S
    while not running.listens():
        if (ended := running.ended()) is not None:
            running.printed.finish()
            why = f"the command {ended} before anything listened at {running.url}"
            raise NotServing(f"system `{way.spec}`: {why}{_shown(running)}")
        if time.monotonic() > deadline:
            running.end()
            why = f"nothing listened at {running.url} within {START_S:g} s of its start"
            raise NotServing(f"system `{way.spec}`: {why}{_shown(running)}")
        time.sleep(pause)
        pause = min(2 * pause, _LAST_LOOK_S)


def _shown(running: _Running) -> str:
    text = running.printed.tail
    return f"\nit printed:\n{text}" if text else "\nit printed nothing"


def _check_free(way: ServeWay, url: str) -> None:
    """Where slots have no network of their own, somebody else's server may stand where ours is expected."""
    parts = urlsplit(url)
    with suppress(OSError), socket.create_connection((parts.hostname, parts.port), timeout=1):
        raise NotServing(
            f"system `{way.spec}`: something else listens at {parts.netloc} already; end it, or let the server take "
            "a free port: write {port} in the command (or read PORT there) and in the URL"
        )


def _free_port(host: str) -> int:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def _broken_off(running: _Running, error: Exception) -> Exception:
    with suppress(subprocess.TimeoutExpired):
        code = running.process.wait(_END_S)
        running.printed.finish()
        return SystemDied(code, f"the server {describe_end(code)} while it was asked{_shown(running)}")
    return ConnectionError(f"the server broke off without an answer ({type(error).__name__}) and goes on")


def _read(url: str, status: int, headers: Mapping[str, str], body: bytes) -> Any:
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if not 200 <= status < 300:
        raise ServerRefused(status, _refusal(url, status, headers, body))
    try:
        return from_response(body, kind)
    except ContractError as error:
        return unreadable(error)


def _refusal(url: str, status: int, headers: Mapping[str, str], body: bytes) -> str:
    said = f"POST {url} was answered with {status}"
    if 300 <= status < 400 and "location" in headers:
        return f"{said} to {headers['location']}; name the URL at which it answers"
    text = " ".join(body[: 4 * _SHOWN].decode("utf-8", "replace").split())
    return f"{said}: {text[:_SHOWN]}" if text else said


def load_server(way: ServeWay, folder: Path) -> ServerSystem:
    """Raises SystemUnusable when the command is not found."""
    find_program(way.spec, way.words[0], folder)
    return ServerSystem(way, folder)
