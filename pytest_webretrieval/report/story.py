"""The story of a run as lines: turn, tool, request, what was given back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pytest_webretrieval.wire.attempt import Attempt
from pytest_webretrieval.wire.story import Beat, Use
from pytest_webretrieval.wire.turns import Turn

from .figures import WIDTH, address, shortened, size

_KNOWN_BY = {
    "traceparent": "",
    "time": "  (by the time of its span)",
    "order": "  (by order)",
    "address": "  (by its address)",
}


def story_lines(beats: Sequence[Beat], attempts: Sequence[Attempt]) -> Iterator[str]:
    """Lines for people, four spaces deeper for what came of what."""
    by_number = {attempt.number: attempt for attempt in attempts}
    for beat in beats:
        yield from _turn(beat.turn) if beat.turn is not None else ("before the first turn of a model",)
        for use in beat.uses:
            yield from _use(use, by_number)
            if not use.sent:
                # A request of nobody's may be this call's as well as another's.
                yield f"        {'not known which of those below it sent' if beat.others else 'sent nothing'}"
            yield from _result(use, beat.turn)
        for number in beat.others:
            yield f"    {_request(by_number[number])}"


def _turn(turn: Turn) -> Iterator[str]:
    offered = f", offered {', '.join(turn.tools[:6])}" if turn.tools else ""
    yield _fit(f"#{turn.attempt} {turn.started_s:.2f} s  model {turn.model or '?'}{offered}")
    if turn.error is not None:
        yield f"    no answer: {turn.error}"
    if turn.text.strip():
        yield _fit(f"    says “{_one_line(turn.text)}”")


def _use(use: Use, by_number: Mapping[int, Attempt]) -> Iterator[str]:
    yield _fit(f"    calls {use.name}({_one_line(use.arguments)})")
    for sent in use.sent:
        yield f"        {_request(by_number[sent.attempt])}{_KNOWN_BY[sent.known_by]}"


def _result(use: Use, turn: Turn | None) -> Iterator[str]:
    if use.given is not None:
        said = "gave the model" if turn is not None else "returned"
        yield _fit(f"        {said} {len(use.given)} characters “{_one_line(use.given)}”")
    elif turn is not None:
        yield "        its result was not given to the model"


def _request(attempt: Attempt) -> str:
    outcome = attempt.status or attempt.error_type or "-"
    where = shortened(address(attempt.url), 48)
    met = f"  met {attempt.fault}" if attempt.fault else ""
    return f"#{attempt.number} {attempt.method} {where}  {outcome}  {size(attempt.bytes_received)}{met}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _fit(line: str) -> str:
    """A line within the width; its indentation stays."""
    rest = line.lstrip(" ")
    return line[: len(line) - len(rest)] + shortened(rest, WIDTH - 7 - (len(line) - len(rest)))
