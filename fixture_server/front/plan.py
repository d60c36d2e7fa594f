"""Which faults meet which connection, and which document, of one run."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from pytest_webretrieval.cases.faults import DOWN, SEARCH_API, Fault

_ROLE = "fixture://"
_CONNECTION, _DOCUMENT = "connection", "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A fault at its host in force; ``path`` is decoded, and None where every path is meant."""

    fault: Fault
    host: str
    path: str | None = None


@dataclass(slots=True, kw_only=True)
class Plan:
    """The faults of a run's connections (``placed``) and packets (``lost``: the kernel's work, which the front only
    names), and how often each has had its turn. What is drawn is drawn by seed, case and the number of
    the connection (or of the document)."""

    placed: tuple[Placed, ...] = ()
    lost: tuple[Placed, ...] = ()
    seed: int = 0
    case: str = ""
    connections: int = 0
    documents: int = 0
    turns: dict[int, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.placed)

    def named(self, host: str) -> str | None:
        """What a trace says of any request of a host: that packets are lost."""
        return next((one.fault.label for one in self.lost if one.host == host), None)

    def refuses(self, host: str) -> Fault | None:
        """The fault by which nobody answers this connection; it counts as one that was tried."""
        number = self.connections + 1
        for fault in self._meeting(_CONNECTION, host, None, number, only=lambda fault: fault.toxic == DOWN):
            self.connections = number
            return fault
        return None

    def of_connection(self, host: str) -> tuple[Fault, ...]:
        """The toxics of a connection that has begun to ask."""
        self.connections += 1
        return self._meeting(
            _CONNECTION, host, None, self.connections, only=lambda fault: fault.toxic != DOWN
        )

    def of_document(self, host: str, path: str) -> tuple[Fault, ...]:
        """The toxics of one document, beside those of its connection."""
        self.documents += 1
        return self._meeting(_DOCUMENT, host, path, self.documents, only=lambda fault: True)

    def _meeting(
        self, by: str, host: str, path: str | None, number: int, *, only: Callable[[Fault], bool]
    ) -> tuple[Fault, ...]:
        chance = random.Random(f"{self.seed}:{self.case}:{by}:{number}")
        found = []
        for place, one in enumerate(self.placed):
            fault = one.fault
            if fault.by != by or one.host != host or not only(fault) or one.path not in (None, path):
                continue
            turn = self.turns[place] = self.turns.get(place, 0) + 1
            meets = chance.random() < fault.toxicity
            if meets and (fault.first is None or turn <= fault.first):
                found.append(fault)
        return tuple(found)


def place(fault: Fault, url: Callable[[str], str], apis: Iterable[str]) -> tuple[Placed, ...]:
    """A fault where it happens; ``url`` gives the URL in force for an address by role, ``apis`` are the hosts of search
    APIs, each of which has a fault of all of them for itself."""
    if fault.host == SEARCH_API:
        return tuple(Placed(fault=fault, host=host, path=fault.path) for host in sorted(apis))
    if not fault.host.startswith(_ROLE):
        return (Placed(fault=fault, host=fault.host, path=fault.path),)
    parts = urlsplit(url(f"{fault.host}{fault.path or '/'}"))
    path = None if fault.path is None else unquote(parts.path)
    return (Placed(fault=fault, host=(parts.hostname or "").lower(), path=path),)
