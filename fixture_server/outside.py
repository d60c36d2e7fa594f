"""What lies outside the world: names, hosts and addresses that are nobody's here.

Doors answer whatever address is asked, so that a try to leave by one of them shows in what was asked for.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from functools import lru_cache

from pytest_webretrieval.wire.addresses import address4, address6

from . import background
from .log import Log
from .names import is_quiet
from .reach import Reach, addresses
from .route import fixed, knows
from .stage import Stage

NOWHERE = Reach()
_RESERVED = ".example"  # RFC 2606: nobody outside has a name under it


def is_outside(host: str, stage: Stage | None, reach: Reach = NOWHERE) -> bool:
    """Whether a name or an address (lower-case, perhaps with a port) is that of somebody outside; ``reach`` is where
    the gateway leads.

    A name that the site of one of the world's own hosts would have is wrong, but leads nowhere else.
    """
    name = _without_port(host).rstrip(".")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        known = reach.has_name(name) or knows(name, stage) or is_quiet(name)
        return not (not name or known or _is_of_a_site(name, stage))
    return not (address.is_loopback or address.is_unspecified or has_address(str(address), stage, reach))


def tell(log: Log, scheme: str, host: str | None, port: int) -> None:
    """Note a request, or a hello, for a host outside, at the door for ``port``."""
    if host and is_outside(host, log.stage, log.reach):
        name = _without_port(host)
        log.leave("tcp" if _is_address(name) else scheme, name, port)


def has_address(address: str, stage: Stage | None, reach: Reach = NOWHERE) -> bool:
    """Whether an address is that of one of the world's names, or of a host to which the gateway leads."""
    drawn = frozenset() if stage is None else stage.edition.hosts
    return reach.has_address(address) or any(address in addresses(hosts) for hosts in (fixed(), drawn))


def host_at(address: str, stage: Stage | None) -> str | None:
    """Whose address it is; None where it is that of none of the world's names."""
    drawn = frozenset() if stage is None else stage.edition.hosts
    return _by_address(fixed() | drawn).get(address)


def is_background(address: str) -> bool:
    """Whether an address is that of a host that browsers call by themselves."""
    return address in addresses(_BACKGROUND)


@lru_cache(maxsize=64)
def _by_address(hosts: frozenset[str]) -> Mapping[str, str]:
    return {of(host): host for host in hosts for of in (address4, address6)}


_BACKGROUND = frozenset(background.HOSTS)


def _is_of_a_site(name: str, stage: Stage | None) -> bool:
    if stage is None or not name.endswith(_RESERVED):
        return False
    site = ".".join(name.split(".")[-2:])
    return any(host == site or host.endswith(f".{site}") for host in stage.edition.hosts)


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host if host.count(":") > 1 else host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
