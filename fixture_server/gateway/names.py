"""Names of the real web: whether they exist, as this machine's own resolver says."""

from __future__ import annotations

import asyncio
import socket
from time import monotonic

KEPT_S = 60.0
_NO_SUCH_NAME = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))


class RealNames:
    """What the resolver said is remembered for a minute."""

    def __init__(self) -> None:
        self._said: dict[str, tuple[bool, float]] = {}

    def has(self, name: str) -> bool:
        """Whether a name that was looked for exists."""
        return self._said.get(name, (False, 0.0))[0]

    async def find(self, name: str) -> None:
        """Look for a name. A resolver that is out of order says nothing against it: then the request will tell."""
        exists, at = self._said.get(name, (False, -KEPT_S))
        if monotonic() - at < KEPT_S:
            return
        try:
            await asyncio.get_running_loop().getaddrinfo(name, None, type=socket.SOCK_STREAM)
            exists = True
        except socket.gaierror as error:
            exists = error.errno not in _NO_SUCH_NAME
        except UnicodeError:
            exists = False
        self._said[name] = exists, monotonic()
