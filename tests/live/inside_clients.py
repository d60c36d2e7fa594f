"""Clients as people use them, run inside: prints what each got as JSON."""

from __future__ import annotations

import asyncio
import json
import os
import socket
from typing import Any

import aiohttp
import httpx
from openai import AsyncOpenAI, AuthenticationError
from tavily import AsyncTavilyClient
from tavily.errors import InvalidAPIKeyError


async def main() -> None:
    print(json.dumps({one.__name__: await one() for one in (pages, websocket, searches, model, names)}))


async def pages() -> Any:
    async with httpx.AsyncClient(http2=True) as client:
        got = [await client.get(url) for url in os.environ["URLS"].split()]
    return [[one.status_code, one.http_version, len(one.content)] for one in got]


async def websocket() -> Any:
    async with aiohttp.ClientSession() as session, session.ws_connect(os.environ["WEBSOCKET"]) as socket_:
        first = await socket_.receive_str()
        await socket_.send_str("and back")
        return [first, await socket_.receive_str()]


async def searches() -> Any:
    found = await AsyncTavilyClient().search("When does the tram museum reopen?", max_results=2)
    try:
        await AsyncTavilyClient("tvly-another-key").search("anything")
    except InvalidAPIKeyError as refused:
        return [found["results"], str(refused)]
    return None


async def model() -> Any:
    question: Any = [{"role": "user", "content": "Say hello."}]
    said = await AsyncOpenAI().chat.completions.create(model="gpt-5-mini", messages=question)
    try:
        await AsyncOpenAI(api_key="sk-another").chat.completions.create(model="gpt-5-mini", messages=question)
    except AuthenticationError as refused:
        return [said.choices[0].message.role, refused.status_code]
    return None


async def names() -> Any:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(os.environ["HOST"], 443, type=socket.SOCK_STREAM)
    return sorted(str(address[0]) for *_, address in found)


asyncio.run(main())
