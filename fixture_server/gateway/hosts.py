"""Which hosts the gateway passes on, and where to."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from fixture_server import background, models
from fixture_server.dialects.registry import dialect_for, dialects
from fixture_server.message import Asked
from fixture_server.reach import Reach
from fixture_server.roles import channel_of, role_of
from fixture_server.telemetry import receiver
from pytest_webretrieval.outward import Outward
from pytest_webretrieval.wire.addresses import is_public

from .names import RealNames
from .upstream import Unreachable, Upstream, forward

# Roles in which a system asks for itself; what a page has a browser fetch is the page's doing.
_OWN_WISH = ("document", "api", "model")


class Denied(Unreachable):
    """A host of the real web that a system may not reach. It is told to the log as a try to leave where ``is_wish``
    says that the system itself asked for it."""

    def __init__(self, message: str, *, is_wish: bool) -> None:
        super().__init__(message, "denied", 403)
        self.is_wish = is_wish


class Gateway:
    """The hosts that the user listed, each with the server that stands for it (None: the host itself); in the live lane
    every host of the real web."""

    def __init__(self, outward: Outward) -> None:
        self.outward = outward
        split = (entry.partition("=") for entry in outward.gateway)
        self._bases: Mapping[str, str | None] = {host: url or None for host, _, url in split}
        self.reach = Reach(frozenset(self._bases), outward.web)
        self.names = RealNames()

    @property
    def hosts(self) -> frozenset[str]:
        """All that are listed."""
        return self.reach.listed

    @property
    def keeps(self) -> bool:
        """Whether anything is passed on that is recorded here: a model's turns are kept elsewhere."""
        return any(host not in models.HOSTS or host in dialects() for host in self._bases)

    def leads_to(self, host: str) -> bool:
        """Whether a host is passed on at all."""
        return self.reach.has_name(host)

    def takes(self, asked: Asked) -> bool:
        """Whether a request is passed on; a model is asked outside in the mode ``live`` alone. What browsers do by
        themselves, and what frameworks tell of their runs, stays here."""
        if not self.leads_to(asked.host) or models.is_observation(asked):
            return False
        if asked.host in background.HOSTS or asked.host in receiver.HOSTS:
            return False
        return self.outward.model == "live" or role_of(asked) != "model"

    def base(self, asked: Asked) -> str:
        """Where a request goes: scheme, host, perhaps the beginning of a path."""
        return self._bases.get(asked.host) or f"{asked.scheme}://{asked.host}"

    def source(self, asked: Asked) -> str:
        """``live`` where the host itself answers, ``emulator`` where another server stands for it."""
        base = self._bases.get(asked.host)
        return "live" if base is None or urlsplit(base).hostname == asked.host else "emulator"

    def no_model(self, host: str) -> str | None:
        """Why a model is not asked at a host; None where it is. On the real web only the configured one is: of another
        nobody said what it may cost."""
        web = self.outward.web
        if web is None:
            listed = ", ".join(sorted(self.hosts))
            told = f"--webretrieval-gateway {host} would let this model out; listed are {listed}"
            return None if self.leads_to(host) else told
        return None if host in web.models else f"{host} is no host of a configured [live.channels.model]"

    def price(self, asked: Asked) -> float | None:
        """What a request costs in USD by the user's list; None is not known. Who fetches for itself pays nobody, unless
        that list says so."""
        web, dialect = self.outward.web, dialect_for(asked)
        if web is None:
            return None
        if dialect is None:
            return web.prices.get(channel_of(asked), 0.0)
        return web.prices.get(f"{dialect.channel(asked)}:{dialect.name}")

    def check(self, asked: Asked) -> None:
        """Raises Denied where a system may not reach the host."""
        web = self.outward.web
        if web is None or asked.host in self._bases:
            return
        if not web.admits(asked.host):
            raise self.denial(asked, f"{asked.host} is not among the hosts that may be reached")
        if not _may_be_public(asked.host):
            raise self.denial(asked, f"{asked.host} is not a public address")

    def denial(self, asked: Asked, message: str) -> Denied:
        """What is raised of a request that may not go where it leads."""
        return Denied(message, is_wish=role_of(asked) in _OWN_WISH)

    def is_private(self, asked: Asked) -> bool:
        """Whether a host may lead to the local network: the user named the server that stands for it."""
        return self._bases.get(asked.host) is not None

    async def forward(self, asked: Asked) -> Upstream:
        """The response to a request that is passed on. Raises Unreachable."""
        self.check(asked)
        try:
            return await forward(asked, self.base(asked), private=self.is_private(asked))
        except Unreachable as error:
            if error.error_type == "upstream_private" and self.outward.web is not None:
                raise self.denial(asked, str(error)) from error
            raise


def _may_be_public(host: str) -> bool:
    """Whether a host is a name, or an address of the open internet; what a name leads to shows when it is used."""
    try:
        return is_public(host.removeprefix("[").removesuffix("]"))
    except ValueError:
        return True
