"""What to do next."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webretrieval.systems.reference.answer import Statement

from .orders import Order


@dataclass(frozen=True, slots=True)
class Seek:
    """Search for ``query``."""

    query: str


@dataclass(frozen=True, slots=True)
class Open:
    """Open pages, in a browser or without one."""

    urls: tuple[str, ...]
    rendered: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Read, or scroll, the page that the browser shows."""

    scrolls: bool = False


@dataclass(frozen=True, slots=True)
class Obey:
    """Do what a page says."""

    order: Order


@dataclass(frozen=True, slots=True)
class Say:
    """Answer with these statements, and with what pages told to say (``dictated``)."""

    statements: tuple[Statement, ...]
    dictated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Decline:
    """Say that there is no answer."""

    text: str


Step = Seek | Open | Look | Obey | Say | Decline
