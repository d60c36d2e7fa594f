"""A WebSocket of the real web: messages are passed both ways; the server's are what the URL gave, a line each."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp import WSMsgType, web
from aiohttp.abc import AbstractResolver, ResolveResult

from fixture_server.kept import ARCHIVED
from fixture_server.message import Answer, Asked
from fixture_server.resetting import reset

from .public import public_addresses
from .upstream import CONNECT_S

if TYPE_CHECKING:
    from fixture_server.exchange import Exchange
    from fixture_server.log import Log

# Of the handshake and its connection; each side makes its own.
_OF_THE_HANDSHAKE = ("connection", "upgrade", "host", "content-length", "transfer-encoding")


class _Redirected(Exception):
    """The server sends whoever shakes hands elsewhere. Its client is told so: where it leads is another request."""

    def __init__(self, status: int, location: str) -> None:
        super().__init__(location)
        self.status, self.location = status, location


class _PublicResolver(AbstractResolver):
    """Names with public addresses only. Raises PrivateAddress."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=socket.AI_NUMERICHOST,
            )
            for address in await public_addresses(host, port)
        ]

    async def close(self) -> None:
        """Nothing is open."""


async def converse(
    request: web.BaseRequest, log: Log, exchange: Exchange, asked: Asked, base: str, *, private: bool
) -> web.StreamResponse:
    """Shake hands with the server, then with the client, and pass messages on until one of them leaves, or sends one of
    more than ARCHIVED bytes. Raises PrivateAddress."""
    offered = [
        name.strip() for name in asked.headers.get("sec-websocket-protocol", "").split(",") if name.strip()
    ]
    headers = {
        name: value
        for name, value in asked.headers.items()
        if name not in _OF_THE_HANDSHAKE and not name.startswith("sec-websocket-")
    }
    connector = aiohttp.TCPConnector(resolver=None if private else _PublicResolver())
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=CONNECT_S)
    async with aiohttp.ClientSession(
        connector=connector, timeout=timeout, skip_auto_headers=("user-agent",), trace_configs=[_unled()]
    ) as session:
        try:
            far = await session.ws_connect(
                f"{base}{asked.target}", headers=headers, protocols=offered, max_msg_size=ARCHIVED
            )
        except _Redirected as told:
            answer = Answer(status=told.status, headers=(("location", told.location),))
            log.finish(exchange, answer, headers={"location": told.location}, error_type=None)
            return web.Response(status=told.status, headers={"location": told.location})
        except aiohttp.WSServerHandshakeError as refusal:
            answer = Answer(status=refusal.status)
            log.finish(exchange, answer, error_type=str(refusal.status))
            return web.Response(status=refusal.status)
        except (aiohttp.ClientError, OSError, TimeoutError):
            log.finish(exchange, None, error_type="upstream_refused")
            return reset(request)
        near = web.WebSocketResponse(protocols=[far.protocol] if far.protocol else (), max_msg_size=ARCHIVED)
        await near.prepare(request)
        came: list[bytes] = []
        both = (
            asyncio.ensure_future(_pass_on(far, near, came)),
            asyncio.ensure_future(_pass_on(near, far, None)),
        )
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in both:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
            await far.close()
            await near.close()
    body = b"\n".join(came)
    answer = Answer(status=101, headers=(("content-type", "text/plain; charset=utf-8"),), body=body)
    log.finish(exchange, answer, sent=len(body), headers={"content-type": "text/plain; charset=utf-8"})
    return near


def _unled() -> aiohttp.TraceConfig:
    """Ends a handshake that is redirected: aiohttp would follow, past every check of ours."""

    async def stop(_: aiohttp.ClientSession, __: Any, params: aiohttp.TraceRequestRedirectParams) -> None:
        raise _Redirected(params.response.status, params.response.headers.get("location", ""))

    config = aiohttp.TraceConfig()
    config.on_request_redirect.append(stop)
    return config


async def _pass_on(here: Any, there: Any, kept: list[bytes] | None) -> None:
    size = 0
    async for message in here:
        if message.type is WSMsgType.TEXT:
            await there.send_str(message.data)
            data = message.data.encode("utf-8", "replace")
        elif message.type is WSMsgType.BINARY:
            await there.send_bytes(message.data)
            data = message.data
        else:
            continue
        size += len(data)
        if kept is not None and size <= ARCHIVED:
            kept.append(data)
