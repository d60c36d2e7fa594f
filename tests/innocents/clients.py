"""The plain reader by the clients that people use, each as it is."""

from __future__ import annotations

import asyncio
import http.client
import ssl
import subprocess
from collections.abc import Mapping
from urllib.parse import urlsplit

from .plain import MOST, Got, Plain, Purse, held


class ByHttpClient(Plain):
    """The standard library, a connection for each request."""

    async def once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        return await asyncio.to_thread(self._once, url, headers, timeout_s)

    def _once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        parts = urlsplit(url)
        connection = http.client.HTTPSConnection(
            parts.hostname or "", timeout=timeout_s, context=ssl.create_default_context()
        )
        try:
            connection.request("GET", parts._replace(scheme="", netloc="").geturl(), headers=dict(headers))
            answer = connection.getresponse()
            return held(url, answer.status, answer.getheaders(), answer.read(MOST))
        finally:
            connection.close()


class ByCurl(Plain):
    """curl, which is stopped where it has read enough."""

    async def once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        return await asyncio.to_thread(self._once, url, headers, timeout_s)

    def _once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        named = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
        command = ["curl", "-sS", "-i", "--http1.1", "-m", str(timeout_s), *named, url]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as curl:
            assert curl.stdout
            came = curl.stdout.read(MOST)
            if len(came) == MOST:
                curl.kill()
            elif curl.wait():
                raise EOFError(url)
        head, _, body = came.partition(b"\r\n\r\n")
        status, *lines = head.decode("latin-1").split("\r\n")
        fields = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
        return Got(url, int(status.split()[1]), {name.lower(): value for name, value in fields}, body)


class ByRequests(Plain):
    """requests with a session for all; it searches by Tavily's SDK."""

    def __init__(self) -> None:
        import requests

        super().__init__()
        self.session = requests.Session()

    async def once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        return await asyncio.to_thread(self._once, url, headers, timeout_s)

    def _once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        self.session.cookies.clear()
        with self.session.get(
            url, headers=headers, timeout=timeout_s, stream=True, allow_redirects=False
        ) as answer:
            body = answer.raw.read(MOST, decode_content=False)
            return held(url, answer.status_code, list(answer.headers.items()), body)

    async def found(self, query: str, purse: Purse) -> list[str]:
        from tavily import AsyncTavilyClient  # type: ignore[import-untyped]

        while True:
            try:
                found = await AsyncTavilyClient().search(query, max_results=5)
            except Exception:
                if purse.retries <= 0:
                    return []
                purse.retries -= 1
                await asyncio.sleep(0.4)
            else:
                return [hit["url"] for hit in found["results"]]


class ByAiohttp(Plain):
    """aiohttp, side by side with whatever else its loop does."""

    async def once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        import aiohttp

        timeout = aiohttp.ClientTimeout(total=timeout_s)
        async with (
            aiohttp.ClientSession(auto_decompress=False, timeout=timeout) as session,
            session.get(url, headers=headers, allow_redirects=False) as answer,
        ):
            body = b""
            async for piece in answer.content.iter_any():
                body += piece
                if len(body) >= MOST:
                    break
            return held(url, answer.status, list(answer.headers.items()), body)


class ByHttpx(Plain):
    """httpx, a client for each request."""

    async def once(self, url: str, headers: Mapping[str, str], timeout_s: float) -> Got:
        import httpx

        body = b""
        async with (
            httpx.AsyncClient(timeout=timeout_s) as client,
            client.stream("GET", url, headers=dict(headers)) as answer,
        ):
            async for piece in answer.aiter_raw():
                body += piece
                if len(body) >= MOST:
                    break
        return held(url, answer.status_code, list(answer.headers.items()), body)
