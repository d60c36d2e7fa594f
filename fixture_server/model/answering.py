"""One request to a model that is not scripted: replayed, or let out to a listed host, metered and recorded."""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

from aiohttp import web

from fixture_server.gateway.answering import answer_of, reached
from fixture_server.gateway.hosts import Gateway
from fixture_server.gateway.passing import Passed, pass_on
from fixture_server.gateway.upstream import Chunk, Unreachable, Upstream, phrase
from fixture_server.message import Answer, Asked, flat
from fixture_server.models import refuse
from pytest_webretrieval.wire.attempt import Halt
from pytest_webretrieval.wire.coding import decoded
from pytest_webretrieval.wire.spans import recut

from .prices import cost_usd
from .purse import purse_of
from .replay import next_turn, parsed, played
from .run import ModelRun
from .said import said
from .tape import Turn
from .usage import read_usage

if TYPE_CHECKING:
    from fixture_server.connection import Tap
    from fixture_server.exchange import Exchange
    from fixture_server.log import Log

_QUOTA = "You exceeded your current quota, please check your plan and billing details."
# Of one response, or of one connection: no part of what was said.
_NOT_KEPT = frozenset(
    (
        "date",
        "set-cookie",
        "content-length",
        "content-encoding",
        "transfer-encoding",
        "server",
        "cf-ray",
        "alt-svc",
    )
)


@dataclass(frozen=True, slots=True)
class _Came:
    """A response, and who gave it: ``us`` (a refusal), ``tape`` or ``host``."""

    upstream: Upstream
    by: str


async def respond(
    request: web.BaseRequest, tap: Tap, log: Log, exchange: Exchange, asked: Asked, gateway: Gateway
) -> web.StreamResponse:
    """Answer a request to a model in the modes ``replay`` and ``live``."""
    run = log.model_run
    if run is None:
        came = _refused(asked, 503, "No run")
    elif asked.wants_websocket:
        came = _refused(asked, 501, "WebSockets to a model are neither let out nor replayed")
    elif gateway.outward.model == "replay":
        came = _replayed(run, asked)
    else:
        came = await _let_out(tap, run, asked, gateway)
    chunks: list[Chunk] = []
    passed = await pass_on(request, tap, came.upstream, chunks.append)
    answer = answer_of(asked, came.upstream, chunks)
    if run is not None and came.by != "us":
        exchange.usage = metered(asked, answer)
    if run is not None and came.by == "host":
        run.turns.append(turn_of(run, log, asked, came.upstream, chunks, passed, gateway))
        purse = purse_of(gateway.outward)
        if purse is not None and exchange.usage["cost_usd"]:
            model = run.scrub.text(exchange.usage["model"] or "")
            purse.spend(exchange.usage["cost_usd"], f"{run.case} {asked.host} {model}")
    log.finish(exchange, answer, sent=passed.sent, headers=flat(passed.headers), error_type=passed.error_type)
    return passed.response


def _replayed(run: ModelRun, asked: Asked) -> _Came:
    """The recorded turn; after the first request that has none, nothing is answered any more."""
    if run.diverged is None:
        found = next_turn(run, asked)
        if isinstance(found, Turn):
            return _Came(played(found, run.elsewhere), "tape")
        run.diverged = found
    return _refused(asked, 409, f"replay-diverged: {run.diverged.line}")


async def _let_out(tap: Tap, run: ModelRun, asked: Asked, gateway: Gateway) -> _Came:
    """The host's own response, where it is listed or configured and there is money left."""
    if (told := gateway.no_model(asked.host)) is not None:
        run.trouble = Halt(where="model", why=told)
        return _refused(asked, 503, told)
    purse = purse_of(gateway.outward)
    if purse is not None and purse.is_empty:
        run.trouble = purse.halt
        return _refused(asked, 429, _QUOTA, code="insufficient_quota")
    # What is recorded and metered must be read on its way.
    plain = replace(asked, headers={**asked.headers, "accept-encoding": "identity"})
    try:
        upstream = await reached(tap, gateway, plain)
    except Unreachable as error:
        run.trouble = Halt(where="model", why=str(error))
        return _refused(asked, error.status, str(error))
    run.trouble = None
    return _Came(upstream, "host")


def metered(asked: Asked, answer: Answer) -> dict[str, Any]:
    """What an attempt says of a turn: model, tokens, money."""
    body = answer.body.decode("utf-8", "replace")
    usage = read_usage(body, answer.header("content-type") or "")
    model = said("", asked.method, asked.path, parsed(asked.body)).model
    return {
        "model": model or usage.model,
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cached_tokens": usage.cached if usage.is_told else None,
        "cost_usd": cost_usd(asked.host, model, usage),
    }


def turn_of(
    run: ModelRun,
    log: Log,
    asked: Asked,
    upstream: Upstream,
    chunks: Sequence[Chunk],
    passed: Passed,
    gateway: Gateway,
) -> Turn:
    """What came, to be kept: without secrets, its parts as they were."""
    media_type = upstream.header("content-type") or ""
    pieces = _pieces(chunks, upstream.header("content-encoding"))
    spans = run.scrub.edits("".join(text for _, text in pieces), media_type)
    cut = passed.error_type if passed.error_type != "client_closed" else None
    return Turn(
        method=asked.method,
        host=asked.host,
        target=run.scrub.text(asked.target),
        asked=run.scrub.data(parsed(asked.body)),
        status=upstream.status,
        headers={
            name.lower(): run.scrub.header(name.lower(), value)
            for name, value in upstream.headers
            if name.lower() not in _NOT_KEPT
        },
        chunks=tuple(
            zip((at_s for at_s, _ in pieces), recut([text for _, text in pieces], spans), strict=True)
        ),
        cut=cut,
        upstream=gateway.base(asked),
        began_s=upstream.began - log.began,
    )


def _pieces(chunks: Sequence[Chunk], coding: str | None) -> list[tuple[float, str]]:
    """The parts of a body as text; one part where its coding must be taken off, or a character lies over two."""
    whole = b"".join(chunk.data for chunk in chunks)
    plain = decoded(whole, coding)
    if plain is None or plain != whole:
        return [(chunks[-1].at_s, (plain or whole).decode("utf-8", "surrogateescape"))] if chunks else []
    decoder = getincrementaldecoder("utf-8")("surrogateescape")
    last = len(chunks) - 1
    return [(chunk.at_s, decoder.decode(chunk.data, number == last)) for number, chunk in enumerate(chunks)]


def _refused(asked: Asked, status: int, message: str, code: str | None = None) -> _Came:
    answer = refuse(asked.host, status, message, code=code)
    return _Came(
        Upstream(
            status=answer.status,
            reason=phrase(answer.status),
            headers=(*answer.headers, ("content-length", str(len(answer.body)))),
            began=monotonic(),
            chunks=_one(answer.body),
        ),
        "us",
    )


async def _one(body: bytes) -> AsyncGenerator[Chunk, None]:
    yield Chunk(0.0, body)
