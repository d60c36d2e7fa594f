"""A system in the caller's own process and on its own loop: a proxy door, variables and the guard, for one call at a
time.

There is no slot around it: a deadline cannot end what blocks the loop, and what else runs in the process meanwhile has
the same variables and the same guard.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import os
import socket
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

from pytest_webretrieval.systems.contract import ContractError, Task, Testimony
from pytest_webretrieval.systems.payload import to_payload, unreadable
from pytest_webretrieval.wire.doors import Door

from . import environment as environments
from . import guard
from .host import describe
from .proxy_variables import proxied
from .slot import RunEnd
from .temporary import new_folder, remove
from .trust import write_bundle


@dataclass(slots=True, kw_only=True)
class InsideCall:
    """A callable that takes the prompt, or an object with ``retrieve(task)``; async or not. It runs on ``loop``."""

    function: Any
    loop: asyncio.AbstractEventLoop
    under_way: concurrent.futures.Future[Testimony] | None = None
    cancelled: bool = False

    @property
    def name(self) -> str:
        """As a reference would be written."""
        kind = self.function if hasattr(self.function, "__qualname__") else type(self.function)
        return f"{kind.__module__}:{kind.__qualname__}"

    def cancel(self) -> None:
        """End the call; the environment is as before when its task has ended."""
        self.cancelled = True
        if self.under_way is not None:
            self.under_way.cancel()


class InsideDoor:
    """The door for all calls of a process, and the file of roots. Variables of ``real`` keep their value."""

    name = "inside"

    def __init__(self, ca_pem: bytes, real: Collection[str] = ()) -> None:
        self._real = real
        self._folder = new_folder(f"inside-{os.urandom(4).hex()}")
        self._bundle = write_bundle(self._folder, ca_pem)
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(1024)
        self.doors = (Door("proxy", 4, self._socket.fileno()),)

    async def answer(self, call: InsideCall, task: Task, deadline_s: float) -> Testimony:
        """Put a task to what is called. Awaited on the caller's own loop."""
        began, port = monotonic(), self._socket.getsockname()[1]
        given = environments.inside(environments.offline(os.environ, self._real), self._bundle)
        with _environment(given | proxied(port, (), given)), _guarded(port):
            testimony = await _answered(call.function, task, deadline_s)
        return Testimony(duration_s=monotonic() - began, **testimony)

    def close(self) -> None:
        self._socket.close()
        remove(self._folder)


class InsideRun:
    """One run behind the door; the interface of ``Slot`` as far as a stage needs it."""

    def __init__(self, door: InsideDoor, call: InsideCall) -> None:
        self.name = door.name
        self._door, self._call = door, call

    async def ask(self, task: Task, deadline_s: float) -> Testimony:
        if self._call.cancelled:
            raise asyncio.CancelledError
        answering = self._door.answer(self._call, task, deadline_s)
        self._call.under_way = asyncio.run_coroutine_threadsafe(answering, self._call.loop)
        return await asyncio.wrap_future(self._call.under_way)

    async def end(self) -> RunEnd:
        return RunEnd()


async def _answered(function: Any, task: Task, deadline_s: float) -> dict[str, Any]:
    retrieve = getattr(function, "retrieve", None)
    try:
        async with asyncio.timeout(deadline_s) as limit:
            value = retrieve(task) if callable(retrieve) else function(task.prompt)
            if inspect.isawaitable(value):
                value = await value
        try:
            return {"ending": "answered", "payload": to_payload(value)}
        except ContractError as error:
            return {"ending": "answered", "payload": unreadable(error)}
    except Exception as error:
        if isinstance(error, TimeoutError) and limit.expired():
            return {
                "ending": "timeout",
                "error": f"no answer within {deadline_s:g} s",
                "error_type": "timeout",
            }
        said = describe(error)
        return {"ending": "raised", "error": said["text"], "error_type": said["type"]}


@contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    """``os.environ`` as wanted, and afterwards as it was."""
    before = dict(os.environ)
    _set(wanted)
    try:
        yield
    finally:
        _set(before)


def _set(wanted: Mapping[str, str]) -> None:
    for name in [name for name in os.environ if name not in wanted]:
        del os.environ[name]
    for name, value in wanted.items():
        if os.environ.get(name) != value:
            os.environ[name] = value


@contextmanager
def _guarded(port: int) -> Iterator[None]:
    guard.wake(port)
    try:
        yield
    finally:
        guard.sleep()
