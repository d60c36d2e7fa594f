"""One request to a server outside, and its response as it comes.

    upstream = await forward(asked, "https://api.openai.com", private=False)   # head only; raises Unreachable
    async with aclosing(upstream.chunks) as chunks:                            # closing them ends the request
        async for chunk in chunks:                                             # raises Cut where the stream breaks off
            ...                                                                # chunk.data as sent, still encoded

``passing.pass_on`` does the second half towards a client, with a function that sees every chunk that came. A recorded
response is an ``Upstream`` too (``played.played``): whoever passes one on need not know which it has.
"""

from __future__ import annotations

import importlib.util
import socket
import ssl
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from fixture_server.message import Asked
from pytest_webretrieval.wire.addresses import endpoint
from pytest_webretrieval.wire.coding import narrowed

if TYPE_CHECKING:
    import httpcore

CONNECT_S, SILENCE_S = 15.0, 600.0
PORTS = {"http": 80, "https": 443}
# RFC 9110, 7.6.1: of one connection, not of the message. `expect` is answered by whoever has read the body.
_OF_THE_CONNECTION = frozenset(
    (
        *("connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"),
        *("te", "trailer", "transfer-encoding", "upgrade", "expect"),
    )
)


class Unreachable(Exception):
    """No response came. ``error_type`` is one word for the log, ``status`` what a client is told: 502, or 504 where
    time ran out."""

    def __init__(self, message: str, error_type: str, status: int = 502) -> None:
        super().__init__(message)
        self.error_type, self.status = error_type, status


class Cut(Exception):
    """A response that broke off. ``error_type`` is ``incomplete_body`` or ``upstream_timeout``."""

    def __init__(self, error_type: str) -> None:
        super().__init__(error_type)
        self.error_type = error_type


@dataclass(frozen=True, slots=True)
class Chunk:
    """Part of a body as it came; ``at_s`` is seconds since the request went out."""

    at_s: float
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """A response whose head has come. ``headers`` are as sent, repeated ones too, but for those of the connection;
    ``began`` is when the request went out (monotonic seconds). ``chunks`` can be read once."""

    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    began: float
    chunks: AsyncGenerator[Chunk, None]

    def header(self, name: str) -> str | None:
        """The first value of a header, by its lower-case name."""
        return next((value for key, value in self.headers if key.lower() == name), None)


async def forward(asked: Asked, base: str, *, private: bool) -> Upstream:
    """Send a request to ``base`` (scheme, host and perhaps the beginning of a path) and give its response when the
    head has come: redirects are responses like any other, nothing is decoded, no proxy of the environment is used.

    Each request has a connection of its own, so that none is ever sent twice; HTTP/2 where the server speaks it and
    the extra ``live`` is installed. Without ``private``, a name that leads
    to an address that is not public is refused, and the address that was checked is the one that is used. Raises
    Unreachable.
    """
    import httpcore

    from .public import PublicBackend

    parts = urlsplit(base)
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    place = httpcore.Origin(parts.scheme.encode(), host.encode("idna"), port)
    connection = httpcore.AsyncHTTPConnection(
        place,
        ssl_context=_trust() if parts.scheme == "https" else None,
        network_backend=httpcore.AnyIOBackend() if private else PublicBackend(),
        http2=_speaks_http2(),
    )
    began = monotonic()
    try:
        request = _request(asked, place, f"{parts.path.rstrip('/')}{asked.target}")
        response = await connection.handle_async_request(request)
    except BaseException as error:
        await connection.aclose()
        if isinstance(error, Exception):
            raise _unreachable(endpoint(host, port), error) from error
        raise
    return Upstream(
        status=response.status,
        reason=_reason(response),
        headers=_received(response.headers),
        began=began,
        chunks=_chunks(response, connection, began),
    )


@cache
def _trust() -> ssl.SSLContext:
    """The authorities of this machine (``SSL_CERT_FILE`` names others)."""
    return ssl.create_default_context()


@cache
def _speaks_http2() -> bool:
    return importlib.util.find_spec("h2") is not None


def _reason(response: httpcore.Response) -> str:
    """The words beside the status; HTTP/2 has none."""
    said = response.extensions.get("reason_phrase")
    if said is not None:
        return _text(said)
    return phrase(response.status)


def phrase(status: int) -> str:
    """The words that belong to a status; empty for one that nobody has named."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


def _request(asked: Asked, place: httpcore.Origin, target: str) -> httpcore.Request:
    """The request as it goes on: ``host`` is that of the place, the length that of the body, and of codings those that
    can be read when the page is judged."""
    import httpcore

    named = {name.strip().lower() for name in asked.headers.get("connection", "").split(",")}
    dropped = _OF_THE_CONNECTION | named | {"host"}
    headers = {name: value for name, value in asked.headers.items() if name not in dropped}
    if "accept-encoding" in headers:
        headers["accept-encoding"] = narrowed(headers["accept-encoding"])
    if asked.body or "content-length" in headers:
        headers["content-length"] = str(len(asked.body))
    default = place.port == PORTS[place.scheme.decode()]
    name = place.host.decode()
    host = f"[{name}]" if ":" in name else name
    headers = {"host": host if default else endpoint(name, place.port), **headers}
    return httpcore.Request(
        asked.method.encode(),
        httpcore.URL(scheme=place.scheme, host=place.host, port=place.port, target=target.encode("ascii")),
        headers=[(key.encode(), value.encode("utf-8", "surrogateescape")) for key, value in headers.items()],
        content=asked.body,
        extensions={"timeout": {"connect": CONNECT_S, "read": SILENCE_S, "write": SILENCE_S}},
    )


def _received(raw: list[tuple[bytes, bytes]]) -> tuple[tuple[str, str], ...]:
    headers = [(name.decode("ascii", "replace"), _text(value)) for name, value in raw]
    named = {
        part.strip().lower()
        for name, value in headers
        if name.lower() == "connection"
        for part in value.split(",")
    }
    dropped = _OF_THE_CONNECTION | named
    return tuple((name, value) for name, value in headers if name.lower() not in dropped)


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


async def _chunks(
    response: httpcore.Response, connection: httpcore.AsyncHTTPConnection, began: float
) -> AsyncGenerator[Chunk, None]:
    import httpcore

    try:
        async for data in response.aiter_stream():
            if data:
                yield Chunk(monotonic() - began, data)
    except httpcore.ReadTimeout as error:
        raise Cut("upstream_timeout") from error
    except (httpcore.NetworkError, httpcore.ProtocolError) as error:
        raise Cut("incomplete_body") from error
    finally:
        await connection.aclose()


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _unreachable(place: str, error: Exception) -> Unreachable:
    import httpcore

    from .public import PrivateAddress

    causes = list(_causes(error))
    why = next((str(cause) for cause in reversed(causes) if str(cause)), type(error).__name__)
    if isinstance(error, PrivateAddress):
        return Unreachable(f"{error}; name the server itself, as HOST=URL", "upstream_private")
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return Unreachable(f"{place} showed no certificate to trust: {why}", "upstream_tls")
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return Unreachable(f"{place} has no address: {why}", "upstream_unknown_host")
    if isinstance(error, httpcore.TimeoutException):
        return Unreachable(f"{place} did not answer in time", "upstream_timeout", 504)
    if isinstance(error, httpcore.ConnectError):
        return Unreachable(f"{place} cannot be reached: {why}", "upstream_refused")
    if isinstance(error, httpcore.LocalProtocolError | ValueError):
        return Unreachable(f"the request cannot be passed on to {place}: {why}", "upstream_request")
    return Unreachable(f"{place} ended the connection without an answer: {why}", "upstream_reset")
