"""The zygote of a slot that has a proxy only, and how its parent keeps processes.

It obeys the same orders as a zygote with namespaces, for one slot: a client that is made when the system is imported
knows the slot's own door, which no other slot may use.

``starts`` is ``fork`` (import once, fork each run) or ``spawn`` (import in each run: for machines on which a process
that has imported frameworks must not be forked, as macOS).
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from socket import recv_fds, socket
from typing import NoReturn

from pytest_webretrieval.systems.system import System
from pytest_webretrieval.wire.frames import pack

from . import child, execute, guard, proxy_run, reaping
from .child import Child
from .fork import fork_here
from .frames import split
from .handlers import Handlers
from .importing import import_system
from .keeping import Keeping
from .parent import Parent
from .plan import Plan
from .processes import descendants, end_descendants, go_with_parent, inherit_orphans

FORK, SPAWN = "fork", "spawn"
_MOST_FDS = 4


def run(orders: socket, plan: Plan, starts: str) -> NoReturn:
    """Obey until the socket ends."""
    guard.wake_by_environment()
    system: System | None = None
    buffer = bytearray()
    while True:
        data, descriptors, _, _ = recv_fds(orders, 1 << 16, _MOST_FDS)
        if not data:
            os._exit(0)
        buffer += data
        while (frame := split(buffer)) is not None:
            if frame.message()["do"] == "import":
                if starts == SPAWN:
                    answer = proxy_run.declared(plan)
                else:
                    system, answer = import_system(plan)
                orders.sendall(pack(answer))
                gc.collect()
                gc.freeze()
            else:
                _fork_parent(
                    descriptors, Forked(system) if starts == FORK else Spawned(plan), orders.fileno()
                )


def _fork_parent(descriptors: list[int], keeping: Keeping, orders_fd: int) -> None:
    control_fd, *terminal = descriptors
    with suppress(Exception):
        sys.stdout.flush()
        sys.stderr.flush()

    def body() -> NoReturn:
        os.close(orders_fd)
        inherit_orphans()
        go_with_parent()
        control = socket(fileno=control_fd)
        control.sendall(pack({"doors": [], "notes": []}))
        Parent(control, keeping, tuple(terminal)).run()

    fork_here(body)
    for descriptor in descriptors:
        os.close(descriptor)


class _Below:
    """What both ways have in common: the parent ends what is below it."""

    groups: tuple[int, ...] = ()

    def execute(
        self, argv: list[str], handlers: Handlers, not_for_it: Iterable[int], terminal: tuple[int, ...]
    ) -> int:
        return execute.start(argv, _fork, handlers, not_for_it, terminal)

    def dead(self) -> Iterator[tuple[int, int]]:
        return reaping.dead()

    def browser_lives(self) -> bool:
        return False

    def anybody_left(self) -> bool:
        return bool(descendants(os.getpid()))

    def end_everybody(self) -> dict[int, int]:
        return end_descendants(self.groups)


class Forked(_Below):
    """Runs are forked from the parent, which has the imported system."""

    def __init__(self, system: System | None) -> None:
        self._system = system

    def start(self, handlers: Handlers, not_for_it: Iterable[int]) -> Child:
        assert self._system is not None
        return child.start(self._system, _fork, handlers, not_for_it)


class Spawned(_Below):
    """Runs are programs that import the system."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def start(self, handlers: Handlers, not_for_it: Iterable[int]) -> Child:
        run = proxy_run.start(self._plan)
        self.groups = (run.number,)  # it leads its own session, in which orphans of it may be left
        return run


def _fork(body: Callable[[], NoReturn]) -> int:
    def with_us() -> NoReturn:
        go_with_parent()
        body()

    return fork_here(with_us)
