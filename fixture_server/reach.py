"""Which names and addresses the gateway leads to, beside the world's own."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from pytest_webretrieval.outward import Web
from pytest_webretrieval.wire.addresses import address4, address6, is_public


@dataclass(frozen=True, slots=True)
class Reach:
    """``listed`` are hosts that the user named; with ``web`` every public one is reached, and what a system may not
    reach of it is refused where it asks, so that a page's own parts are told from what the system wants."""

    listed: frozenset[str] = frozenset()
    web: Web | None = None

    def has_name(self, name: str) -> bool:
        """Whether a name may be that of a host which is reached."""
        return self.web is not None or name in self.listed

    def has_address(self, address: str) -> bool:
        """Whether an address is that of such a host."""
        return is_public(address) if self.web is not None else address in addresses(self.listed)


@lru_cache(maxsize=64)
def addresses(hosts: frozenset[str]) -> frozenset[str]:
    """The addresses that these names have in a slot."""
    return frozenset(of(host) for host in hosts for of in (address4, address6))
