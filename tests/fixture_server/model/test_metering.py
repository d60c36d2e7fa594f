"""Usage out of each provider's response, and its price."""

from __future__ import annotations

import json
import multiprocessing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from fixture_server.model.prices import cost_usd, price_list, price_of
from fixture_server.model.purse import Purse
from fixture_server.model.usage import Usage, read_usage
from fixture_server.models import HOSTS


def events(*rows: dict[str, Any]) -> str:
    return "".join(f"event: x\ndata: {json.dumps(row)}\n\n" for row in rows) + "data: [DONE]\n\n"


SSE, JSON = "text/event-stream; charset=utf-8", "application/json"
CHAT = {"prompt_tokens": 1000, "completion_tokens": 50, "prompt_tokens_details": {"cached_tokens": 600}}
RESPONSES = {"input_tokens": 1000, "output_tokens": 50, "input_tokens_details": {"cached_tokens": 600}}
WAYS: dict[str, tuple[str, str]] = {
    "chat": (json.dumps({"model": "m", "usage": CHAT}), JSON),
    "chat, streamed": (
        events({"model": "m", "choices": [1], "usage": None}, {"model": "m", "usage": CHAT}),
        SSE,
    ),
    "responses": (json.dumps({"model": "m", "usage": RESPONSES}), JSON),
    "responses, streamed": (
        events(
            {"type": "response.created", "response": {"model": "m", "usage": None}},
            {"type": "response.completed", "response": {"model": "m", "usage": RESPONSES}},
        ),
        SSE,
    ),
    "messages": (
        json.dumps(
            {
                "model": "m",
                "usage": {"input_tokens": 400, "cache_read_input_tokens": 600, "output_tokens": 50},
            }
        ),
        JSON,
    ),
    "messages, streamed": (
        events(
            {
                "type": "message_start",
                "message": {
                    "model": "m",
                    "usage": {"input_tokens": 400, "cache_read_input_tokens": 600, "output_tokens": 1},
                },
            },
            {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 50}},
        ),
        SSE,
    ),
    "gemini": (
        json.dumps(
            {
                "modelVersion": "m",
                "usageMetadata": {
                    "promptTokenCount": 1000,
                    "candidatesTokenCount": 20,
                    "thoughtsTokenCount": 30,
                    "cachedContentTokenCount": 600,
                },
            }
        ),
        JSON,
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_provider_counts_in_its_own_words(way: str) -> None:
    body, media_type = WAYS[way]
    assert read_usage(body, media_type) == Usage(model="m", input=1000, output=50, cached=600)


def test_a_stream_that_does_not_say_is_not_metered() -> None:
    usage = read_usage(events({"model": "m", "choices": [{"delta": {"content": "a"}}]}), SSE)
    assert usage == Usage(model="m")
    assert cost_usd("api.openai.com", "gpt-4o-mini", usage) is None


def test_a_cost_that_the_response_names_counts() -> None:
    told = {"model": "m", "usage": {"prompt_tokens": 1, "completion_tokens": 1, "cost": 0.25}}
    assert cost_usd("openrouter.ai", "m", read_usage(json.dumps(told), JSON)) == 0.25
    told["usage"]["cost"] = {"total_cost": 0.5, "input_tokens_cost": 0.1}  # type: ignore[index]
    assert cost_usd("api.perplexity.ai", "m", read_usage(json.dumps(told), JSON)) == 0.5


def test_a_price_is_per_million_and_less_from_the_cache() -> None:
    usage = Usage(model="gpt-4o-mini-2024-07-18", input=1_000_000, output=1_000_000, cached=400_000)
    assert cost_usd("api.openai.com", "gpt-4o-mini", usage) == pytest.approx(0.6 * 0.15 + 0.4 * 0.075 + 0.6)


def test_what_is_stored_and_what_is_long_costs_more() -> None:
    stored = Usage(model="claude-sonnet-4-5-20250929", input=100_000, output=0, stored=100_000)
    assert cost_usd("api.anthropic.com", "", stored) == pytest.approx(0.375)
    long = Usage(model="claude-sonnet-4-5", input=300_000, output=1000)
    assert cost_usd("api.anthropic.com", "", long) == pytest.approx(300_000 * 6e-6 + 1000 * 22.5e-6)


def test_a_model_without_a_price_has_no_cost() -> None:
    assert price_of("api.openai.com", "house-blend") is None
    assert price_of("api.example.test", "gpt-4o") is None
    assert cost_usd("api.openai.com", "house-blend", Usage(input=1, output=1)) is None


def test_the_list_says_of_when_it_is_and_where_from() -> None:
    for host, told in price_list().items():
        assert host in HOSTS
        assert isinstance(told["as_of"], date)
        assert told["source"].startswith("https://")
        for name, price in told["models"].items():
            assert 0 < price["input"] <= price["output"] * 2, name


def _spend(path: Path) -> None:
    for _ in range(50):
        Purse(path=path, cap_usd=1).spend(0.001, "x")


def test_all_processes_pay_from_one_purse(tmp_path: Path) -> None:
    path = tmp_path / "run" / "spending.jsonl"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_spend, args=(path,)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    purse = Purse(path=path, cap_usd=0.15)
    assert purse.spent_usd == pytest.approx(0.15)
    assert Purse(path=path, cap_usd=0.2).is_empty is False


def test_half_a_line_of_a_killed_process_counts_for_nothing(tmp_path: Path) -> None:
    purse = Purse(path=tmp_path / "spending.jsonl", cap_usd=0.5)
    purse.spend(0.5, "x")
    assert purse.is_empty
    with purse.path.open("a", encoding="utf-8") as file:
        file.write('{"usd": 9')
    assert purse.spent_usd == 0.5
