"""Names that must lead to the open internet: an address is checked, and the checked one is connected to.

A name that is nobody's business may be made to lead to a machine of the local network, once or at the second question;
what asks for it here is other people's code.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable
from typing import Any

import httpcore

from pytest_webretrieval.wire.addresses import is_public


class PrivateAddress(Exception):
    """A name has an address that is not public."""


class PublicBackend(httpcore.AnyIOBackend):
    """Connects to names with public addresses only. Raises PrivateAddress where any is not: who mixes them has
    something in mind."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        failure: Exception = httpcore.ConnectError(f"{host} has no address")
        for address in await public_addresses(host, port):
            try:
                return await super().connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure


async def public_addresses(host: str, port: int) -> list[str]:
    """The addresses of a name, in the system's order. Raises PrivateAddress, or OSError where there is none."""
    loop = asyncio.get_running_loop()
    found = [str(info[4][0]) for info in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    for address in found:
        if not is_public(address):
            raise PrivateAddress(f"{host} leads to {address}, which is not a public address")
    return found
