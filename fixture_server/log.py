"""The log of one run: what was asked, what led to it, and how it ended."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Attempt, Egress, Lookup, Trace
from pytest_webretrieval.wire.tracing import Span

from .exchange import Broken, Ending, Exchange, Passage
from .kept import Kept
from .message import Answer, Asked
from .reach import Reach
from .roles import absolute, channel_of, is_ahead, is_origin_only, role_of
from .stage import Stage
from .users import who_asks

if TYPE_CHECKING:
    from .gateway.run import GatewayRun
    from .model.run import ModelRun

# Of what a request sends so much is kept: it tells what left, and of a model whose fault an answer is. Once a run has
# sent much, only the beginnings. What tells of the system itself is kept as its spans.
BODY_KEPT = 8 * 1024 * 1024
BODIES_KEPT = 64 * 1024 * 1024
BEGINNING_KEPT = 64 * 1024
_NOT_KEPT = ("background", "check")
SPANS_KEPT = 4096
# Chromium reloads a page that showed an error 1, 5, 30, ... seconds after it.
RELOAD_S = 0.9


@dataclass(slots=True, kw_only=True)
class Log:
    """All of one run, or of the time between two runs (``stage`` is None then).

    ``answered`` is set from a drain until the next step: what comes then is late. ``sent`` counts the bytes that are
    kept of what requests sent. ``reach`` is where the gateway leads, ``gateway_run`` is what it keeps of the run,
    ``model_run`` that of a model that is not scripted.
    """

    stage: Stage | None
    reach: Reach = field(default_factory=Reach)
    gateway_run: GatewayRun | None = None
    model_run: ModelRun | None = None
    began: float = field(default_factory=monotonic)
    answered: bool = False
    count: int = 0
    sent: int = 0
    attempts: list[Attempt] = field(default_factory=list)
    lookups: list[Lookup] = field(default_factory=list)
    egress: list[Egress] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    kept: Kept = field(default_factory=Kept)
    trouble: list[str] = field(default_factory=list)
    in_flight: dict[int, Exchange] = field(default_factory=dict)
    idle: asyncio.Event = field(default_factory=asyncio.Event)
    redirects: dict[str, list[str]] = field(default_factory=dict)
    documents: dict[str, str] = field(default_factory=dict)
    broken: dict[tuple[int, str, str], Broken] = field(default_factory=dict)
    seen: set[tuple[int, str, str, int]] = field(default_factory=set)

    @property
    def step(self) -> int:
        """The step in force; 0 between runs."""
        return 0 if self.stage is None else self.stage.step

    def user_of(self, asked: Asked) -> str | None:
        """Whose credential the request carries, whoever the step is for."""
        return None if self.stage is None else who_asks(asked, self.stage.users)

    def open(self, asked: Asked, began: float, served_before: bool) -> Exchange:
        """Note a request whose headers are complete; ``began`` is when its first byte came (monotonic
        seconds)."""
        self.count += 1
        step, role, channel = self.step, role_of(asked), channel_of(asked)
        resend = channel == "browser" and self._is_resend(asked, step, began)
        exchange = Exchange(
            number=self.count,
            began=began,
            asked=asked,
            step=step,
            user=self.user_of(asked),
            late=self.answered and self.stage is not None,
            role=role,
            channel=channel,
            referrer=self._referrer(asked),
            redirected_from=self._redirected_from(asked.url),
            resend_by="browser" if resend else None,
            served_before=served_before,
            fault=None if self.stage is None else self.stage.faults.named(asked.host),
        )
        self.broken.pop((step, asked.method, asked.url), None)
        self.in_flight[exchange.number] = exchange
        if role == "document":
            self.documents[_origin(asked.url)] = asked.url
        return exchange

    def hear(self, exchange: Exchange, asked: Asked) -> None:
        """Note the whole of a request: what it is may depend on its body."""
        exchange.asked = asked
        exchange.role, exchange.channel = role_of(asked), channel_of(asked)

    def finish(
        self,
        exchange: Exchange,
        answer: Answer | None,
        *,
        sent: int = 0,
        headers: dict[str, str] | None = None,
        error_type: str | None = None,
        status: int | None = None,
    ) -> None:
        """Note how a request ended (see Ending), when its client knows too; only the first word on each counts."""
        if exchange.done or exchange.held:
            return
        ending = Ending(answer=answer, sent=sent, headers=headers or {}, error_type=error_type, status=status)
        exchange.acted = answer is not None and answer.act
        if exchange.crossing is None:
            self._note(exchange, ending)
        else:
            exchange.held = True
            exchange.crossing.finish(ending, partial(self._note, exchange))

    def _note(self, exchange: Exchange, ending: Ending) -> None:
        exchange.done = True
        answer, sent, headers, error_type = ending.answer, ending.sent, ending.headers, ending.error_type
        self.in_flight.pop(exchange.number, None)
        if not self.in_flight:
            self.idle.set()
        asked = exchange.asked
        body = None
        if answer is not None:
            self._follow(asked, answer)
            body = self.kept.keep(exchange, answer, ending)
            self.spans += answer.spans[: max(0, SPANS_KEPT - len(self.spans))]
        elif error_type == "connection_reset":
            key = (exchange.step, asked.method, asked.url)
            self.broken[key] = Broken(monotonic(), exchange.served_before)
        status = ending.status if answer is None else answer.status
        if error_type is None and status is not None and status >= 400:
            error_type = str(status)
        self.attempts.append(
            Attempt(
                number=exchange.number,
                step=exchange.step,
                started_s=max(0.0, exchange.began - self.began),
                duration_s=monotonic() - exchange.began,
                method=asked.method,
                url=asked.url,
                role=exchange.role,
                channel=exchange.channel,
                status=status,
                error_type=error_type,
                request_headers=asked.headers,
                response_headers=headers,
                request_body=self._kept_of(asked.body, exchange.role),
                body=body,
                bytes_received=sent,
                referrer=exchange.referrer,
                redirected_from=exchange.redirected_from,
                resend_by=exchange.resend_by,
                user=exchange.user,
                late=exchange.late,
                acted=exchange.acted,
                fault=exchange.fault,
                reached=exchange.reached,
                **exchange.usage,
            )
        )

    def _kept_of(self, sent: bytes, role: str) -> bytes:
        """As much of a request's body as is kept."""
        if role in _NOT_KEPT:
            return b""
        kept = sent[: BODY_KEPT if self.sent < BODIES_KEPT else BEGINNING_KEPT]
        self.sent += len(kept)
        return kept

    def fail(self, asked: Asked, began: float, error_type: str, status: int | None = None) -> None:
        """Note a request that never was one: a failed handshake, half a request, what is not HTTP."""
        self.finish(self.open(asked, began, False), None, error_type=error_type, status=status)

    def look_up(self, name: str, kind: str, known: bool) -> None:
        """Note a name that was asked for."""
        self.lookups.append(
            Lookup(step=self.step, started_s=monotonic() - self.began, name=name, kind=kind, known=known)
        )

    def leave(self, protocol: str, address: str, port: int) -> None:
        """Note a first packet to where no door is; once a step for each address and port."""
        key = (self.step, protocol, address, port)
        if key not in self.seen:
            self.seen.add(key)
            started = monotonic() - self.began
            self.egress.append(
                Egress(step=self.step, started_s=started, protocol=protocol, address=address, port=port)
            )

    def note_passage(self, passage: Passage) -> None:
        """Note a relayed connection that has ended, or one that goes on beyond a drain: what it carries afterwards is
        noted anew, then with the step in force. One that carried nothing since is not."""
        if not passage.news:
            return
        self.count += 1
        self.attempts.append(
            Attempt(
                number=self.count,
                step=self.step,
                started_s=max(0.0, passage.began - self.began),
                duration_s=monotonic() - max(passage.began, self.began),
                method="CONNECT",
                url=f"tcp://{passage.target}",
                role="allowed",
                channel="direct-fetch",
                error_type=passage.error_type,
                bytes_received=passage.received,
                late=self.answered and self.stage is not None,
            )
        )
        passage.news, passage.received = False, 0

    async def settle(self, longest_s: float) -> None:
        """Wait until no request is under way, at most so long; what is still open is then logged as
        unanswered."""
        if self.in_flight:
            self.idle.clear()
            try:
                async with asyncio.timeout(longest_s):
                    await self.idle.wait()
            except TimeoutError:
                pass
        for exchange in list(self.in_flight.values()):
            if exchange.crossing is not None:
                exchange.crossing.over("unanswered")
            self.finish(exchange, None, error_type="unanswered")

    def take(self) -> tuple[Trace, Archive]:
        """Everything since the last time; the archive holds every body that this part of the trace names."""
        trace = Trace(
            attempts=tuple(sorted(self.attempts, key=lambda attempt: attempt.number)),
            lookups=tuple(self.lookups),
            egress=tuple(self.egress),
            spans=tuple(self.spans),
        )
        archive = self.kept.take({attempt.body for attempt in trace.attempts})
        for part in (self.attempts, self.lookups, self.egress, self.spans):
            part.clear()
        return trace, archive

    def _follow(self, asked: Asked, answer: Answer) -> None:
        """Note where an answer sends its client."""
        location = answer.header("location")
        if location is not None and 300 <= answer.status < 400:
            self.redirects.setdefault(absolute(asked.url, location), []).append(asked.url)

    def _redirected_from(self, url: str) -> str | None:
        sources = self.redirects.get(url)
        return sources.pop() if sources else None

    def _is_resend(self, asked: Asked, step: int, began: float) -> bool:
        """Whether a browser sends by itself again what a reset had broken.

        It does so at once where the connection had served before, and reloads a page that showed an error as often
        as it takes, a second later the first time; a reload shows in its cache-control.
        """
        broken = self.broken.get((step, asked.method, asked.url))
        if broken is None:
            return False
        reloads = asked.headers.get("cache-control") == "max-age=0"
        return broken.served_before or (reloads and began - broken.at >= RELOAD_S)

    def _referrer(self, asked: Asked) -> str | None:
        """What led to a request: a part of a page leads to its page. What is fetched ahead is no part of any."""
        if is_ahead(asked.headers):
            return None
        given = asked.headers.get("origin" if asked.wants_websocket else "referer")
        if given is None or not is_origin_only(given):
            return given
        return self.documents.get(_origin(given), given)


def _origin(url: str) -> str:
    return "/".join(url.split("/")[:3])
