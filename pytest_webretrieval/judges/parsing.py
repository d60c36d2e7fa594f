"""A judge's reply, read strictly: one JSON object with a verdict of the list, or it is ``ungraded``.

Nothing is guessed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.grade.quotes import stands_in

from .prompts import Judge

PARSER = 1
UNGRADED = "ungraded"
_FENCED = re.compile(r"\s*```(?:json)?\s*\n(.*)\n\s*```\s*", re.DOTALL)
_KEYS = {"verdict", "quote", "reason"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What a judge said; ``verdict`` is ``ungraded`` where it could not be read or not be believed, and ``reason`` says
    why."""

    verdict: str
    quote: str = ""
    reason: str = ""


def parse(judge: Judge, reply: str, source: str) -> Opinion:
    """Read a reply; ``source`` is the text that its quote must stand in, verbatim but for width, quotes and blanks."""
    fenced = _FENCED.fullmatch(reply)
    try:
        said = json.loads(fenced[1] if fenced else reply, object_pairs_hook=_distinct)
    except ValueError as error:
        return Opinion(verdict=UNGRADED, reason=f"no JSON object: {error}")
    if not isinstance(said, dict) or set(said) != _KEYS or not all(isinstance(v, str) for v in said.values()):
        return Opinion(verdict=UNGRADED, reason="not an object of verdict, quote and reason, each a text")
    if said["verdict"] not in judge.verdicts:
        return Opinion(verdict=UNGRADED, reason=f"{said['verdict']!r} is none of {', '.join(judge.verdicts)}")
    quote = said["quote"].strip()
    if said["verdict"] in judge.needs_quote and not (quote and stands_in(quote, source)):
        return Opinion(verdict=UNGRADED, quote=quote, reason="the quote does not stand in the source")
    return Opinion(verdict=said["verdict"], quote=quote, reason=said["reason"])


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)
