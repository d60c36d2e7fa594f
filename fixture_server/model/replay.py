"""A recorded turn for a request that is the same but for what is another at each run; else, what differs."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from time import monotonic
from typing import Any

from fixture_server.gateway.upstream import Chunk, Cut, Upstream, phrase
from fixture_server.message import Asked
from pytest_webretrieval.wire import eventstream
from pytest_webretrieval.wire.attempt import Divergence
from pytest_webretrieval.wire.spans import recut, settled

from .comparing import Difference, differences
from .places import data_now, where_now
from .run import ModelRun
from .said import Said, said
from .sameness import Sameness
from .tape import Tape, Turn

# How many differences are named.
_NAMED = 3


def next_turn(run: ModelRun, asked: Asked) -> Turn | Divergence:
    """The first turn of the tape that answers what is asked and was not given yet: two that are under way at once may
    come in either order."""
    run.count += 1
    if run.tape is None:
        kind, detail = run.missing
        return Divergence(turn=run.count, kind=kind, detail=detail)
    now = said_of(asked, run)
    found: list[list[Difference]] = []
    for number, turn in enumerate(run.tape.turns):
        if number in run.played:
            continue
        same = Sameness(then=run.tape.recorded_at, now=run.started, ids=dict(run.ids))
        apart = differences(_recorded(turn, run.elsewhere), now, same)
        if not apart:
            run.played.add(number)
            run.ids.update(same.ids)
            return turn
        found.append(apart)
    if not found:
        return Divergence(turn=run.count, kind="turns", detail=f"the recording has {_turns(run.tape)}")
    apart = min(found, key=len)
    others = [f"{one.kind}: {one.detail}" for one in apart[1:_NAMED]]
    more = [f"and {len(apart) - _NAMED} more"] if len(apart) > _NAMED else []
    return Divergence(turn=run.count, kind=apart[0].kind, detail="; ".join((apart[0].detail, *others, *more)))


def said_of(asked: Asked, run: ModelRun) -> Said:
    """What a request says now, as it would have been recorded."""
    return said(asked.host, asked.method, asked.path, run.scrub.data(parsed(asked.body)))


def parsed(body: bytes) -> Any:
    """A request's JSON; its text where it is none."""
    text = body.decode("utf-8", "replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


def played(turn: Turn, elsewhere: Mapping[str, str]) -> Upstream:
    """The response of a turn, with addresses as they are now; none of its parts is waited for."""
    pieces = [text for _, text in turn.chunks]
    if elsewhere:
        pieces = recut(pieces, settled(_moved(turn, elsewhere)))
    chunks = [
        Chunk(at_s, text.encode("utf-8", "surrogateescape"))
        for (at_s, _), text in zip(turn.chunks, pieces, strict=True)
    ]
    headers = [(name, value) for name, value in turn.headers.items() if name.lower() != "content-length"]
    if len(chunks) < 2 and turn.cut is None:
        headers.append(("content-length", str(sum(len(chunk.data) for chunk in chunks))))
    return Upstream(
        status=turn.status,
        reason=phrase(turn.status),
        headers=tuple(headers),
        began=monotonic(),
        chunks=_given(chunks, turn.cut),
    )


def _moved(turn: Turn, elsewhere: Mapping[str, str]) -> list[Any]:
    if eventstream.is_event_stream(turn.headers.get("content-type", "")):
        return eventstream.edits(turn.body, lambda text: where_now(text, elsewhere))
    return where_now(turn.body, elsewhere)


def _recorded(turn: Turn, elsewhere: Mapping[str, str]) -> Said:
    path = turn.target.partition("?")[0]
    return said(turn.host, turn.method, path, data_now(turn.asked, elsewhere))


def _turns(tape: Tape) -> str:
    count = len(tape.turns)
    return "one turn" if count == 1 else f"{count} turns"


async def _given(chunks: list[Chunk], cut: str | None) -> AsyncGenerator[Chunk, None]:
    for chunk in chunks:
        if chunk.data:
            yield chunk
    if cut is not None:
        raise Cut(cut)
