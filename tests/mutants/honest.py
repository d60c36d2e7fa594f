"""What wrong and different systems are made from: the reference system, with all that it was given kept at hand."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, replace
from typing import Any

import httpx
from selectolax.lexbor import LexborHTMLParser

from pytest_webretrieval.systems.contract import Citation, Claim, RetrievalResult, Task
from pytest_webretrieval.systems.reference import System
from pytest_webretrieval.systems.reference.coding import unpacked

SEARCH = "https://websearch.example/search"
AGENT = "honest-router/1.0"
TRUST = (
    httpx.create_ssl_context()
)  # read once, where this is imported, for all the runs that are forked from there
KEPT = 4 * 1024 * 1024  # bytes of a body, unpacked
_SENTENCE_END = re.compile(r"(?<=[a-z0-9”][.!?])\s+(?=[A-Z“])")


@dataclass(frozen=True, slots=True)
class Given:
    """One response: what was asked for, and what came."""

    url: str
    status: int
    media: str
    body: bytes

    @property
    def is_page(self) -> bool:
        return self.status == 200 and "html" in self.media

    @property
    def markup(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def text(self) -> str:
        """The visible text of a page."""
        body = LexborHTMLParser(self.body).body
        return " ".join(body.text(separator=" ").split()) if body is not None else ""

    def named(self, url: str) -> str | None:
        """The text of the page's link to ``url``."""
        base = httpx.URL(self.url)
        nodes = LexborHTMLParser(self.body).css("a[href]")
        return next((node.text() for node in nodes if base.join(node.attributes["href"] or "") == url), None)

    def links(self) -> list[str]:
        """Where the page's links lead, in its order."""
        base = httpx.URL(self.url)
        nodes = LexborHTMLParser(self.body).css("a[href]")
        return [str(base.join(node.attributes["href"] or "")) for node in nodes]


class Keeper(httpx.AsyncBaseTransport):
    """A transport that passes everything on as it comes, and keeps what came."""

    def __init__(self) -> None:
        self.given: list[Given] = []
        self._inner = httpx.AsyncHTTPTransport(verify=TRUST, limits=httpx.Limits(keepalive_expiry=20.0))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        passing = _Passing(str(request.url), response, self.given)
        return httpx.Response(response.status_code, headers=response.headers, stream=passing)

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Passing(httpx.AsyncByteStream):
    """A body on its way; what of it has come by its end, whole or not, is put to the others."""

    def __init__(self, url: str, response: httpx.Response, given: list[Given]) -> None:
        self._url, self._response, self._given = url, response, given
        self._came = bytearray()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        assert isinstance(self._response.stream, httpx.AsyncByteStream)
        async for piece in self._response.stream:
            self._came += piece
            yield piece

    async def aclose(self) -> None:
        await self._response.aclose()
        headers = self._response.headers
        media, coding = headers.get("content-type", ""), headers.get("content-encoding", "")
        body, _ = unpacked(bytes(self._came), coding, KEPT)
        self._given.append(Given(self._url, self._response.status_code, media, body))


class Honest(System):
    """The reference system; an heir changes one thing in what it does or says."""

    def __init__(self) -> None:
        self.keeper = Keeper()
        super().__init__(transport=self.keeper)

    async def retrieve(self, task: Task) -> Any:
        result = await super().retrieve(task)
        change = self.otherwise if result.status == "answered" else self.instead
        return await change(task, result)

    async def otherwise(self, task: Task, result: RetrievalResult) -> Any:
        """What becomes of an honest answer."""
        return result

    async def instead(self, task: Task, result: RetrievalResult) -> Any:
        """What becomes of an honest refusal."""
        return result

    @property
    def pages(self) -> list[Given]:
        """The pages so far, in order of arrival."""
        return [given for given in self.keeper.given if given.is_page]

    async def get(
        self, url: str, method: str = "GET", data: dict[str, str] | None = None, **headers: str
    ) -> Given:
        """One request more, past every cache; redirects are followed. ``data`` are the fields of a form."""
        async with self.client() as client:
            named = {name.replace("_", "-"): value for name, value in headers.items() if value}
            response = await client.request(method, url, data=data, headers=named)
        media = response.headers.get("content-type", "")
        return Given(str(response.url), response.status_code, media, response.content)

    async def search(self, query: str, limit: int = 10) -> list[dict[str, Any]]:
        """Results of the plain search endpoint."""
        async with self.client() as client:
            response = await client.get(SEARCH, params={"q": query, "limit": limit})
        results: list[dict[str, Any]] = response.json()["results"]
        return results

    def client(self) -> httpx.AsyncClient:
        """A client of one's own, without cache."""
        return httpx.AsyncClient(verify=TRUST, headers={"user-agent": AGENT}, follow_redirects=True)


def cookie(task: Task) -> str:
    """The cookies of the user whom the task is for, as a header."""
    held = task.user.credentials if task.user else ()
    return "; ".join(f"{one.name}={one.value}" for one in held if one.kind == "cookie")


def home(url: str) -> str:
    """The home page of a page's host."""
    return str(httpx.URL(url).join("/"))


def said(result: RetrievalResult) -> list[tuple[str, str]]:
    """The statements of the reference system, a sentence each, with the address that it cites."""
    return [
        (sentence, claim.citations[0].url)
        for claim in result.claims
        for sentence in _SENTENCE_END.split(claim.text)
    ]


def tell(statements: Iterable[tuple[str, Iterable[str]]], **more: Any) -> RetrievalResult:
    """An answer of statements, each with the addresses that it cites in brackets behind it."""
    answer, claims = "", []
    for text, urls in statements:
        start = len(answer)
        citations = tuple(Citation(url=url) for url in urls)
        claims.append(Claim(text=text, start=start, end=start + len(text), citations=citations))
        answer += text + "".join(f" ({citation.url})" for citation in citations) + "\n"
    return replace(RetrievalResult(status="answered", answer=answer, claims=tuple(claims)), **more)
