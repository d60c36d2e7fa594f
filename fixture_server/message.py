"""What a client asked and what the world answers: plain data between the doors and everything that
decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, unquote

from pytest_webretrieval.wire.tracing import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request. ``host`` is lower-case and without a port, ``target`` is path and query as sent, header
    names are lower-case."""

    method: str
    scheme: str
    host: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path, percent-decoded."""
        return unquote(self.target.partition("?")[0])

    @property
    def query(self) -> dict[str, str]:
        """The query's parameters; of a repeated one, the last."""
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @property
    def wants_websocket(self) -> bool:
        """Whether it asks for a WebSocket (RFC 6455, 4.1)."""
        return self.method == "GET" and self.headers.get("upgrade", "").lower() == "websocket"

    @property
    def url(self) -> str:
        """The absolute URL as asked for."""
        return f"{self.scheme}://{self.host}{self.target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Content of a page that an API gave with its answer; it counts as a representation of ``url``. ``status`` is the
    page's own where the API told one, ``headers`` what is known of how and when the API got it."""

    url: str
    body: bytes
    media_type: str
    channel: str
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One response. ``fault`` is None, ``reset`` (the connection is reset and nothing sent) or ``cut`` (half
    of the body is sent, then the connection ends); ``delay_s`` passes before the first byte; ``act`` says that the
    request changed something for good. ``messages`` go over a WebSocket, ``delay_s`` before each. ``pieces`` are
    a body that is streamed, each sent as a write of its own; ``body`` is empty then. ``flow`` makes the pieces
    while they are sent, in place of ``body``. ``spans`` are what the request told of the system itself."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    pieces: tuple[bytes, ...] = ()
    flow: Callable[[], Iterator[bytes]] | None = None
    deliveries: tuple[Delivery, ...] = ()
    messages: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    delay_s: float = 0.0
    fault: str | None = None
    act: bool = False

    def header(self, name: str) -> str | None:
        """The first value of a header, by its lower-case name."""
        return next((value for key, value in self.headers if key.lower() == name), None)


def flat(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by lower-case name; a repeated one's values are joined, cookies by a line end."""
    found: dict[str, str] = {}
    for name, value in headers:
        name = name.lower()
        joined = ("\n" if name == "set-cookie" else ", ") + value
        found[name] = found[name] + joined if name in found else value
    return found
