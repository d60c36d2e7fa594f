"""What a model's response says that it used: tokens, and money where it says so."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_webretrieval.wire import eventstream


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens in and out; ``cached`` are those of ``input`` that were read from a cache, ``stored`` those that were
    written to one. ``cost_usd`` only where the response names it. None is not said."""

    model: str | None = None
    input: int | None = None
    output: int | None = None
    cached: int = 0
    stored: int = 0
    cost_usd: float | None = None

    @property
    def is_told(self) -> bool:
        return self.input is not None and self.output is not None


def read_usage(body: str, media_type: str) -> Usage:
    """The usage of a whole response. Of a stream the last word on each figure counts: providers count as they go."""
    if eventstream.is_event_stream(media_type):
        return _over(eventstream.deltas(body))
    try:
        data = json.loads(body)
    except ValueError:
        return Usage()
    # Gemini streams a JSON list where no events are asked for.
    return _over(data if isinstance(data, list) else [data])


def _over(events: Iterable[Any]) -> Usage:
    usage = Usage()
    for event in events:
        for holder in _holders(event):
            model = holder.get("model") or holder.get("modelVersion")
            if isinstance(model, str):
                usage = replace(usage, model=model)
            told = holder.get("usage") or holder.get("usageMetadata")
            if isinstance(told, dict):
                usage = _with(usage, told)
    return usage


def _holders(event: Any) -> Iterable[Mapping[str, Any]]:
    """The objects in which usage may stand: the response, the message, or the event itself."""
    if isinstance(event, dict):
        yield event
        for key in ("response", "message", "delta"):
            if isinstance(event.get(key), dict):
                yield event[key]


def _with(usage: Usage, told: Mapping[str, Any]) -> Usage:
    if "promptTokenCount" in told or "candidatesTokenCount" in told:
        return _of_gemini(usage, told)
    if "input_tokens" in told and (
        "cache_read_input_tokens" in told or "cache_creation_input_tokens" in told
    ):
        return _of_anthropic(usage, told)
    billed = told.get("billed_units")
    told = billed if isinstance(billed, dict) else told
    entered = _first(told, "input_tokens", "prompt_tokens")
    left = _first(told, "output_tokens", "completion_tokens")
    details = told.get("input_tokens_details") or told.get("prompt_tokens_details") or {}
    cached = _first(details, "cached_tokens") or _first(told, "prompt_cache_hit_tokens")
    return replace(
        usage,
        input=usage.input if entered is None else entered,
        output=usage.output if left is None else left,
        cached=usage.cached if cached is None else cached,
        cost_usd=_cost(told) if _cost(told) is not None else usage.cost_usd,
    )


def _of_anthropic(usage: Usage, told: Mapping[str, Any]) -> Usage:
    """Tokens of the cache are counted beside those of the input there."""
    cached, stored = (
        _first(told, "cache_read_input_tokens") or 0,
        _first(told, "cache_creation_input_tokens") or 0,
    )
    entered, left = _first(told, "input_tokens"), _first(told, "output_tokens")
    return replace(
        usage,
        input=usage.input if entered is None else entered + cached + stored,
        output=usage.output if left is None else left,
        cached=cached,
        stored=stored,
    )


def _of_gemini(usage: Usage, told: Mapping[str, Any]) -> Usage:
    """Thoughts are paid for as output; so are tokens that tools brought in, as input."""
    entered = (_first(told, "promptTokenCount") or 0) + (_first(told, "toolUsePromptTokenCount") or 0)
    left = (_first(told, "candidatesTokenCount") or 0) + (_first(told, "thoughtsTokenCount") or 0)
    return replace(usage, input=entered, output=left, cached=_first(told, "cachedContentTokenCount") or 0)


def _cost(told: Mapping[str, Any]) -> float | None:
    """OpenRouter names the sum, Perplexity its parts."""
    cost = told.get("cost")
    if isinstance(cost, dict):
        cost = cost.get("total_cost")
    return float(cost) if isinstance(cost, int | float) and not isinstance(cost, bool) else None


def _first(told: Mapping[str, Any], *names: str) -> int | None:
    return next((told[name] for name in names if isinstance(told.get(name), int)), None)
