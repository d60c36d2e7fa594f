"""Where the doors to the real machine stand inside: at each address that the allowed host has here."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pytest_webretrieval.wire.addresses import address4, address6, split_endpoint


@dataclass(frozen=True, slots=True, kw_only=True)
class Relay:
    """A door at ``address`` and ``port`` inside, of ``family`` 4 or 6, that leads to ``target``, HOST:PORT."""

    family: int
    address: str
    port: int
    target: str


def relays_to(targets: Iterable[str]) -> tuple[Relay, ...]:
    """The doors for each HOST:PORT; of two at the same place, the first. Raises ValueError for what is none."""
    found: dict[tuple[str, int], Relay] = {}
    for target in targets:
        host, port = split_endpoint(target)
        for family, address in _places(host):
            relay = Relay(family=family, address=address, port=port, target=target)
            found.setdefault((address, port), relay)
    return tuple(found.values())


def _places(host: str) -> Iterator[tuple[int, str]]:
    """An address is itself here too, and a name has the addresses that the world's DNS gives it."""
    if host == "localhost":
        yield from ((4, "127.0.0.1"), (6, "::1"))
        return
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        yield from ((4, address4(host)), (6, address6(host)))
    else:
        yield address.version, str(address)
