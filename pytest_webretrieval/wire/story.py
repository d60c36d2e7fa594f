"""A run told in order: a turn of the model, the tools that it called, what each of them sent, what the model was given.

A request belongs to a tool by its ``traceparent``, which leads to a span and by its ancestors to a tool's; else to the
one tool whose span was open when it was sent; else, where the model called one tool only and no span tells of that, to
it; else to the one call that names its address, or the address from which it was redirected.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit

from .attempt import NOT_ITS_OWN, Attempt, Trace
from .toolspan import ToolSpan, tool_of
from .tracing import Span, line_of, traceparent
from .turns import Call, Turn, read_turns, strings_in

_TOLD_ALONE = ("model", *NOT_ITS_OWN)
_Page = tuple[str, str, str]  # host, path, query


@dataclass(frozen=True, slots=True)
class Sent:
    """An attempt of a tool, and how it is known to be its own: ``traceparent``, ``time`` (of its span), ``order`` or
    ``address``."""

    attempt: int
    known_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """One use of a tool. ``given`` is its result as the model was given it, or as its span tells where no model is on
    the wire; None where there is none."""

    name: str
    arguments: str
    sent: tuple[Sent, ...] = ()
    given: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat:
    """A turn and what came of it until the next; ``turn`` is None for what came before the first. ``others`` are
    requests that belong to no one tool."""

    turn: Turn | None
    uses: tuple[Use, ...] = ()
    others: tuple[int, ...] = ()


def tell(trace: Trace, bodies: Mapping[str, bytes]) -> tuple[Beat, ...]:
    """The story of a trace; ``bodies`` are those of its archive."""
    turns = read_turns(trace.attempts, bodies)
    tools = [tool for span in trace.spans if (tool := tool_of(span)) is not None]
    sent = sorted(
        (one for one in trace.attempts if one.role not in _TOLD_ALONE), key=lambda attempt: attempt.started_s
    )
    given = {one.call_id: one.text for turn in turns for one in turn.given}
    beats = []
    starts = [turn.started_s for turn in turns]
    before = [one for one in sent if not turns or one.started_s < starts[0]]
    early = [tool for tool in tools if not turns or tool.span.started_s < starts[0]]
    if before or early:
        beats.append(_beat(None, early, before, trace.spans, given))
    for turn, end in zip(turns, [*starts[1:], float("inf")], strict=False):
        own = [one for one in sent if turn.started_s <= one.started_s < end]
        used = [tool for tool in tools if turn.started_s <= tool.span.started_s < end]
        beats.append(_beat(turn, used, own, trace.spans, given))
    return tuple(beats)


def _beat(
    turn: Turn | None,
    tools: Sequence[ToolSpan],
    sent: Sequence[Attempt],
    spans: Sequence[Span],
    given: Mapping[str, str],
) -> Beat:
    pairs = _paired(turn.calls if turn is not None else (), tools)
    uses = [
        Use(
            name=call.name if call is not None else tool.name if tool is not None else "",
            arguments=call.arguments if call is not None else tool.arguments if tool is not None else "",
            given=given.get(call.id)
            if call is not None
            else tool.result or None
            if tool is not None
            else None,
        )
        for call, tool in pairs
    ]
    named = [{_page(text) for text in strings_in(use.arguments)} for use in uses]
    others = []
    for attempt in sent:
        place, known_by = _owner(attempt, [tool for _, tool in pairs], spans)
        if place is None and len(pairs) == 1 and pairs[0][1] is None:
            place, known_by = 0, "order"
        if place is None:
            place, known_by = _named(attempt, named), "address"
        if place is None:
            others.append(attempt.number)
        else:
            use = uses[place]
            uses[place] = replace(use, sent=(*use.sent, Sent(attempt.number, known_by)))
            if location := attempt.response_headers.get("location"):
                named[place].add(_page(urljoin(attempt.url, location)))
    return Beat(turn=turn, uses=tuple(uses), others=tuple(others))


def _paired(calls: Sequence[Call], tools: Sequence[ToolSpan]) -> list[tuple[Call | None, ToolSpan | None]]:
    """Each call with the span that tells of it, by id, else by name in order; then spans of no call."""
    left = list(tools)
    pairs: list[tuple[Call | None, ToolSpan | None]] = []
    for call in calls:
        found = next((tool for tool in left if call.id and tool.call_id == call.id), None)
        found = found or next((tool for tool in left if not tool.call_id and tool.name == call.name), None)
        if found is not None:
            left.remove(found)
        pairs.append((call, found))
    return [*pairs, *((None, tool) for tool in left)]


def _owner(
    attempt: Attempt, tools: Sequence[ToolSpan | None], spans: Sequence[Span]
) -> tuple[int | None, str]:
    """The place of the tool among ``tools`` that sent a request, and how that is known."""
    named = traceparent(attempt.request_headers)
    if named is not None:
        ids = {(span.trace_id, span.span_id) for span in line_of(spans, *named)} | {named}
        for place, tool in enumerate(tools):
            if tool is not None and (tool.span.trace_id, tool.span.span_id) in ids:
                return place, "traceparent"
    around = [
        place
        for place, tool in enumerate(tools)
        if tool is not None and tool.span.started_s <= attempt.started_s <= tool.span.ended_s
    ]
    return (around[0], "time") if len(around) == 1 else (None, "")


def _named(attempt: Attempt, named: Sequence[Collection[_Page | None]]) -> int | None:
    """The place of the one call that names the page of a request; None where none or several do."""
    page = _page(attempt.url)
    places = [place for place, pages in enumerate(named) if page is not None and page in pages]
    return places[0] if len(places) == 1 else None


def _page(text: str) -> _Page | None:
    """What tells one address from another, whether it is asked for by http or https; None for what is no address."""
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        return None
    if parts.scheme not in ("http", "https"):
        return None
    return parts.netloc.lower(), parts.path or "/", parts.query
