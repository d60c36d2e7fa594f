"""A WebSocket: the page's messages, then every text of the client's sent back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from aiohttp import WSMsgType, web

from .exchange import Exchange
from .log import Log
from .message import Answer


async def converse(
    request: web.BaseRequest, log: Log, exchange: Exchange, answer: Answer
) -> web.StreamResponse:
    """Send the messages of ``answer``, ``delay_s`` before each; they are what the URL gave, a line each."""
    live = web.WebSocketResponse()
    try:
        await live.prepare(request)
    except web.HTTPBadRequest as refusal:
        status = refusal.status
        log.finish(exchange, Answer(status=status), error_type=str(status))
        return web.Response(status=status, text="Not a WebSocket handshake\n")
    sent, error_type = await _send_all(live, answer)
    body = "\n".join(sent).encode()
    headers = {name.lower(): value for name, value in live.headers.items()}
    log.finish(exchange, replace(answer, body=body), sent=len(body), headers=headers, error_type=error_type)
    async for message in live:
        if message.type is WSMsgType.TEXT:
            await live.send_str(message.data)
    return live


async def _send_all(live: web.WebSocketResponse, answer: Answer) -> tuple[list[str], str | None]:
    """What was sent, and how it ended when the client left before the last."""
    sent: list[str] = []
    for text in answer.messages:
        await asyncio.sleep(answer.delay_s)
        if live.closed:
            return sent, "client_closed"
        try:
            await live.send_str(text)
        except ConnectionError:
            return sent, "client_closed"
        sent.append(text)
    return sent, None
