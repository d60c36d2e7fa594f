"""Which hosts the gateway passes on, and where to."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from fixture_server import models
from fixture_server.dialects.registry import dialects
from fixture_server.message import Asked
from fixture_server.roles import role_of
from pytest_webretrieval.outward import Outward

from .upstream import Upstream, forward


class Gateway:
    """The hosts that the user listed, each with the server that stands for it; None: the host itself."""

    def __init__(self, outward: Outward) -> None:
        self.outward = outward
        split = (entry.partition("=") for entry in outward.gateway)
        self._bases: Mapping[str, str | None] = {host: url or None for host, _, url in split}

    @property
    def hosts(self) -> frozenset[str]:
        """All that are listed."""
        return frozenset(self._bases)

    @property
    def keeps(self) -> bool:
        """Whether anything is passed on that is recorded here: a model's turns are kept elsewhere."""
        return any(host not in models.HOSTS or host in dialects() for host in self._bases)

    def takes(self, asked: Asked) -> bool:
        """Whether a request is passed on; a model is asked outside in the mode ``live`` alone, and what frameworks
        tell a provider of their runs stays here."""
        if asked.host not in self._bases or models.is_observation(asked):
            return False
        return self.outward.model == "live" or role_of(asked) != "model"

    def base(self, asked: Asked) -> str:
        """Where a request goes: scheme, host, perhaps the beginning of a path."""
        return self._bases[asked.host] or f"{asked.scheme}://{asked.host}"

    def source(self, asked: Asked) -> str:
        """``live`` where the host itself answers, ``emulator`` where another server stands for it."""
        base = self._bases[asked.host]
        return "live" if base is None or urlsplit(base).hostname == asked.host else "emulator"

    async def forward(self, asked: Asked) -> Upstream:
        """The response to a request whose host is listed. Raises Unreachable."""
        return await forward(asked, self.base(asked), private=self._bases[asked.host] is not None)
