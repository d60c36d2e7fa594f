"""What a slot's parent does with processes, and how it is done where the slot has a PID namespace of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn, Protocol

from pytest_webretrieval.systems.system import System

from . import child, execute, reaping
from .browsing import browser_lives
from .child import Child
from .fork import fork_into
from .handlers import Handlers
from .layer import RunLayer
from .namespace import NEWUSER, Ids


class Keeping(Protocol):
    """``dead`` tells each process that has ended once (its number, its exit code or minus the signal), and
    ``end_everybody`` those that it ends."""

    def start(self, handlers: Handlers, not_for_it: Iterable[int]) -> Child: ...

    def execute(
        self, argv: list[str], handlers: Handlers, not_for_it: Iterable[int], terminal: tuple[int, ...]
    ) -> int: ...

    def dead(self) -> Iterator[tuple[int, int]]: ...

    def anybody_left(self) -> bool: ...

    def browser_lives(self) -> bool: ...

    def end_everybody(self) -> dict[int, int]: ...


class Namespaced:
    """The parent is the first process of its PID namespace: every orphan is its child, and it can end all. What it
    forks is powerless over the slot. Each finds HOME as the import left it, where a ``layer`` sees to that."""

    def __init__(self, system: System | None, ids: Ids, layer: RunLayer | None) -> None:
        self._system, self._ids, self._layer = system, ids, layer
        self._used = False

    def start(self, handlers: Handlers, not_for_it: Iterable[int]) -> Child:
        assert self._system is not None
        return child.start(self._system, self._fork, handlers, not_for_it)

    def execute(
        self, argv: list[str], handlers: Handlers, not_for_it: Iterable[int], terminal: tuple[int, ...]
    ) -> int:
        return execute.start(argv, self._fork, handlers, not_for_it, terminal)

    def dead(self) -> Iterator[tuple[int, int]]:
        return reaping.dead()

    def anybody_left(self) -> bool:
        return reaping.anybody_left()

    def browser_lives(self) -> bool:
        return browser_lives()

    def end_everybody(self) -> dict[int, int]:
        return reaping.end_everybody()

    def _fork(self, body: Callable[[], NoReturn]) -> int:
        if self._layer is not None and self._used:
            self._layer.renew()
        self._used = True
        return fork_into(NEWUSER, self._ids.inner, self._ids.setgroups, body)
