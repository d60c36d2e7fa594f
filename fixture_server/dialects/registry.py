"""Which dialect answers at which host: the world's own, and those that users bring by an entry point.

Loaded in the world's process only: a user's dialect is code that the harness never imports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from fixture_server import background, models
from fixture_server.message import Answer, Asked
from fixture_server.stage import Stage
from fixture_server.telemetry import receiver

from . import (
    brave,
    exa,
    firecrawl,
    jina,
    keenable,
    linkup,
    mcp,
    parallel,
    perplexity,
    plain,
    searxng,
    serper,
    tavily,
    you,
)

GROUP = "webretrieval.dialects"
CHANNELS = ("search-api", "extract-api")
OWN: tuple[ModuleType, ...] = (
    *(plain, mcp, tavily, exa, firecrawl, jina, brave, perplexity, serper, parallel, you, linkup),
    *(searxng, keenable),
)


class DialectError(Exception):
    """A user's dialect that cannot be used; the message names the entry point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """What answers at ``hosts``.

    ``paths`` are its own where a host is a model's too; None takes the whole host. ``role`` is None where every
    request is role ``api``. ``read`` gives the results of a real answer's body; None where nobody wrote it.
    ``offers`` says what a system is told: channel -> ``base_url``, ``api_key_env`` and the like; ``samples`` are
    requests that are answered where anything is, by channel, without a key.
    """

    name: str
    hosts: tuple[str, ...]
    respond: Callable[[Asked, Stage], Answer]
    channel: Callable[[Asked], str]
    role: Callable[[Asked], str] | None = None
    read: Callable[..., Any] | None = None
    paths: frozenset[str] | None = None
    offers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    samples: Mapping[str, Asked] = field(default_factory=dict)

    def takes(self, asked: Asked) -> bool:
        """Whether a request to one of its hosts is for it."""
        return self.paths is None or asked.path in self.paths


@cache
def dialects() -> Mapping[str, Dialect]:
    """Every dialect by host. Raises DialectError."""
    own = [dialect_of(module.__name__.rpartition(".")[2], module) for module in OWN]
    return by_host([*own, *map(load, entry_points(group=GROUP))])


def dialect_for(asked: Asked) -> Dialect | None:
    """The dialect that a request is for."""
    dialect = dialects().get(asked.host)
    return dialect if dialect is not None and dialect.takes(asked) else None


def offers() -> dict[str, dict[str, Mapping[str, str]]]:
    """What a system is told of the dialects: channel -> name -> facts."""
    found: dict[str, dict[str, Mapping[str, str]]] = {channel: {} for channel in CHANNELS}
    for dialect in dialects().values():
        for channel, facts in dialect.offers.items():
            found[channel][dialect.name] = facts
    return found


def search_hosts() -> frozenset[str]:
    """The hosts of all search APIs. Raises DialectError."""
    return frozenset(host for host, dialect in dialects().items() if CHANNELS[0] in dialect.offers)


def load(point: EntryPoint) -> Dialect:
    """The dialect that an entry point names. Raises DialectError."""
    try:
        module = point.load()
    except Exception as error:
        raise _wrong(point.name, f"{point.value} cannot be imported: {error}") from error
    return dialect_of(point.name, module)


def dialect_of(name: str, module: Any) -> Dialect:
    """The dialect that a module is. Raises DialectError."""
    hosts = getattr(module, "HOSTS", None)
    if isinstance(hosts, str) or not isinstance(hosts, Iterable) or not all(map(_is_host, hosts := [*hosts])):
        raise _wrong(name, "HOSTS must be host names in lower case, such as ('api.acme.com',)")
    for function in ("channel", "respond"):
        if not callable(getattr(module, function, None)):
            signature = (
                "channel(asked) -> str" if function == "channel" else "respond(asked, stage) -> Answer"
            )
            raise _wrong(name, f"it has no function {signature}")
    paths = getattr(module, "PATHS", None)
    return Dialect(
        name=name,
        hosts=tuple(hosts),
        respond=module.respond,
        channel=module.channel,
        role=getattr(module, "role", None),
        read=getattr(module, "read", None),
        paths=None if paths is None else frozenset(paths),
        offers=_offers(name, getattr(module, "OFFERS", {})),
        samples=_samples(name, getattr(module, "SAMPLES", {})),
    )


def by_host(found: Iterable[Dialect]) -> dict[str, Dialect]:
    """Dialects by host. Raises DialectError where two would answer for one host, or have one name."""
    placed: dict[str, Dialect] = {}
    names: set[str] = set()
    for dialect in found:
        if dialect.name in names:
            raise _wrong(dialect.name, "another dialect has this name; choose another")
        names.add(dialect.name)
        for host in dialect.hosts:
            if host in placed:
                raise _wrong(dialect.name, f"host {host} is that of dialect {placed[host].name}")
            if host in background.HOSTS:
                raise _wrong(dialect.name, f"host {host} is one that browsers call by themselves")
            if host in receiver.HOSTS:
                raise _wrong(dialect.name, f"host {host} is where the world takes telemetry")
            if host in models.HOSTS and dialect.paths is None:
                raise _wrong(
                    dialect.name, f"host {host} is a model's too; PATHS must say which paths are its own"
                )
            placed[host] = dialect
    return placed


def _offers(name: str, given: Any) -> Mapping[str, Mapping[str, str]]:
    whole = isinstance(given, Mapping) and all(isinstance(facts, Mapping) for facts in given.values())
    if not whole or not set(given) <= set(CHANNELS):
        raise _wrong(name, f"OFFERS must map {' or '.join(CHANNELS)} to facts such as {{'base_url': …}}")
    return {channel: {key: str(value) for key, value in facts.items()} for channel, facts in given.items()}


def _samples(name: str, given: Any) -> Mapping[str, Asked]:
    if not isinstance(given, Mapping) or not all(isinstance(asked, Asked) for asked in given.values()):
        raise _wrong(name, "SAMPLES must map channels to requests (fixture_server.message.Asked)")
    return dict(given)


def _is_host(host: object) -> bool:
    return isinstance(host, str) and bool(host) and host == host.lower() and not set(host) & set("/: ")


def _wrong(name: str, what: str) -> DialectError:
    return DialectError(f"dialect {name!r} (entry point group {GROUP}): {what}")
