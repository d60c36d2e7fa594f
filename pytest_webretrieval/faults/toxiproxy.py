"""A real Toxiproxy: which one to use, its process, and a small typed face of toxiproxy-python (extra ``faults``)."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .toxics import Toxic

EMBEDDED, AUTO = "embedded", "auto"
# What its own packages call it, and what `go install .../cmd/server` does; the latter is too common to be looked for.
PROGRAM = "toxiproxy-server"
_OPTION = "--webretrieval-toxiproxy"
_BUILD = "build one by `go install github.com/Shopify/toxiproxy/v2/cmd/server@latest`"
_NO_CLIENT = "a real Toxiproxy needs toxiproxy-python: pip install 'pytest-webretrieval[faults]'"
START_S = 10.0
_LOOK_AGAIN_S = 0.02


class ToxiproxyFailure(Exception):
    """A Toxiproxy that cannot be had, or that did not do what it was asked; the message says how to mend it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What ``--webretrieval-toxiproxy`` comes to: nothing (the embedded one), a running server's ``url``, or the
    ``program`` to start."""

    url: str | None = None
    program: Path | None = None

    def __str__(self) -> str:
        return self.url or str(self.program or EMBEDDED)


def choose(asked: str) -> Choice:
    """Raises ToxiproxyFailure where what was asked for is not there."""
    if asked == EMBEDDED:
        return Choice()
    if asked == AUTO:
        found = shutil.which(PROGRAM)
        return Choice(program=Path(found)) if found else Choice()
    if "://" in asked:
        if not _is_url(asked):
            raise ToxiproxyFailure(f"{_OPTION}={asked}: expected http://HOST:PORT of a running Toxiproxy")
        return Choice(url=asked.rstrip("/"))
    found = shutil.which(asked)
    if found is None:
        near = difflib.get_close_matches(asked, (EMBEDDED, AUTO), 1)
        mend = f"did you mean `{near[0]}`?" if near else f"{_BUILD}, or leave the option away"
        raise ToxiproxyFailure(f"{_OPTION}={asked}: no such program; {mend}")
    return Choice(program=Path(found))


def _is_url(text: str) -> bool:
    """Its API speaks HTTP alone."""
    try:
        parts = urlsplit(text)
        return parts.scheme == "http" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def check(asked: str) -> None:
    """Try what ``choose`` finds, before a run relies on it. Raises ToxiproxyFailure."""
    choice = choose(asked)
    try:
        if choice.url is not None:
            _try(choice.url)
        elif choice.program is not None:
            process, url = start(choice.program)
            try:
                _try(url)
            finally:
                process.kill()
                process.wait()
    except ToxiproxyFailure as error:
        raise ToxiproxyFailure(f"{_OPTION}={asked}: {error}") from None


def _try(url: str) -> None:
    if importlib.util.find_spec("toxiproxy") is None:
        raise ToxiproxyFailure(_NO_CLIENT)
    # It is on this machine, whatever proxy leads out of it.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        opener.open(f"{url}/version", timeout=START_S).close()
    except (OSError, HTTPException) as error:
        raise ToxiproxyFailure(f"no Toxiproxy answers at {url}: {error}") from None


class Toxiproxy:
    """A running server's proxies. Its client keeps the server's address in a class, so there is one a process; calls
    block, and are made from one thread at a time."""

    def __init__(self, url: str) -> None:
        """Raises ToxiproxyFailure where the extra is not installed or nobody answers."""
        try:
            client = importlib.import_module("toxiproxy").Toxiproxy
        except ImportError:
            raise ToxiproxyFailure(_NO_CLIENT) from None
        parts = urlsplit(url)
        self.url, host = url, parts.hostname or "127.0.0.1"
        # It is on this machine, whatever proxy leads out of it.
        os.environ["NO_PROXY"] = ",".join(filter(None, (os.environ.get("NO_PROXY"), host)))
        self._client: Any = client()
        self._client.update_api_consumer(host, parts.port or 8474)
        self.version = self._asked("/version", self._version)

    def create(self, name: str, upstream: str, toxics: Sequence[Toxic]) -> str:
        """Make a proxy on a free port of loopback; its HOST:PORT. Nothing has come through it before its toxics are
        in force. Raises ToxiproxyFailure."""
        proxy = self._asked(
            f"a proxy to {upstream}", lambda: self._client.create(upstream=upstream, name=name)
        )
        for toxic in toxics:
            self._asked(f"toxic {toxic.kind}", partial(_add, proxy, toxic))
        return str(proxy.listen)

    def remove(self, name: str) -> None:
        """End a proxy and its connections. Raises ToxiproxyFailure."""

        def destroy() -> None:
            proxy = self._client.get_proxy(name)
            if proxy is not None:
                proxy.destroy()

        self._asked(f"the end of proxy {name}", destroy)

    def _version(self) -> str:
        told = self._client.version()
        if told is None:
            raise ConnectionRefusedError("nobody answers")
        return str(told.decode("utf-8", "replace")).strip()

    def _asked(self, what: str, ask: Callable[[], Any]) -> Any:
        """What it answers; its client raises errors of many kinds, and for an answer 5xx KeyError."""
        try:
            return ask()
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            raise ToxiproxyFailure(f"Toxiproxy at {self.url} was asked for {what}: {said}") from None


def _add(proxy: Any, toxic: Toxic) -> None:
    proxy.add_toxic(
        name=toxic.name,
        type=toxic.kind,
        stream=toxic.stream,
        toxicity=toxic.toxicity,
        attributes=toxic.attributes,
    )


def start(program: Path, before: Callable[[], None] | None = None) -> tuple[subprocess.Popen[bytes], str]:
    """Start a server on a free port of loopback; its process and the URL of its API. ``before`` runs in the new
    process. Raises ToxiproxyFailure."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    try:
        process = subprocess.Popen(
            [str(program), "-host", "127.0.0.1", "-port", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=before,
        )
    except OSError as error:
        raise ToxiproxyFailure(f"{program}: cannot be started: {error.strerror}") from None
    until = time.monotonic() + START_S
    while time.monotonic() < until and process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process, f"http://127.0.0.1:{port}"
        except OSError:
            time.sleep(_LOOK_AGAIN_S)
    process.kill()
    process.wait()
    raise ToxiproxyFailure(
        f"{program}: did not answer on its port within {START_S:g} s; is it a Toxiproxy server?"
    )
