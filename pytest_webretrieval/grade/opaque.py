"""Whether a model's provider searched and read the web by itself, where nobody looks on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_webretrieval.wire.attempt import Attempt
from pytest_webretrieval.wire.turns import read_turns

from .citations import cited_urls
from .evidence import OPAQUE, WIRE, StepEvidence
from .seen import View
from .urls import canonical

_NOT_THERE = (404, 410)

# Parts of an answer that a provider's own search or reading leaves in it.
_PARTS = frozenset(
    (
        *("web_search_call", "url_citation"),  # OpenAI
        *("server_tool_use", "web_search_tool_result", "web_fetch_tool_result"),  # Anthropic
    )
)
# Fields that hold what it found: Gemini's, and those of models that search (Perplexity and those that speak like it).
_FIELDS = ("groundingMetadata", "grounding_metadata", "search_results")


def witnessed(steps: Sequence[StepEvidence], witness: str) -> list[StepEvidence]:
    """The steps with what their evidence is: ``witness``, or OPAQUE where that would be the wire and does not show what
    was done on the web."""
    if witness == WIRE and any(is_opaque(step.trace.attempts, step.archive.bodies) for step in steps):
        witness = OPAQUE
    return [replace(step, witness=witness) for step in steps]


def is_opaque(attempts: Iterable[Attempt], bodies: Mapping[str, bytes]) -> bool:
    """Whether an answer of a model tells of its provider's own search."""
    asked = [attempt for attempt in attempts if attempt.role == "model" and attempt.body is not None]
    said = [turn.answer for turn in read_turns(asked, bodies)]
    # A stream that was cut gives no answer in one piece, and a provider's own shape none that is read.
    said += [whole for attempt in asked for whole in _objects(bodies.get(attempt.body or "", b""))]
    return any(_tells(part) for answer in said for part in _parts(answer))


def cites_what_nobody_read(evidence: StepEvidence, view: View) -> bool:
    """Whether no page that the answer cites could be fetched by the harness either. One that is not there says nothing
    for the answer; one that lets nobody in, or broke off, says nothing at all."""
    cited = cited_urls(evidence.result) if evidence.result is not None else ()
    return bool(cited) and all(_kept_from_us(canonical(url), view) for url in cited)


def _kept_from_us(url: str, view: View) -> bool:
    looks = [attempt for attempt in view.by_url.get(url, ()) if attempt.role == "check"]
    return not view.named_by(url) and all(attempt.status not in _NOT_THERE for attempt in looks)


def _tells(part: Mapping[str, Any]) -> bool:
    kind = part.get("type")
    return (isinstance(kind, str) and kind in _PARTS) or any(part.get(name) for name in _FIELDS)


def _parts(value: Any) -> Iterator[Mapping[str, Any]]:
    """Every object within JSON data, itself too."""
    if isinstance(value, Mapping):
        yield value
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    for item in value:
        yield from _parts(item)


def _objects(body: bytes) -> Iterator[Any]:
    """The JSON of a body, or of each event of a stream."""
    text = body.decode("utf-8", "replace")
    for line in (
        text,
        *(line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")),
    ):
        try:
            yield json.loads(line)
        except ValueError:
            continue
