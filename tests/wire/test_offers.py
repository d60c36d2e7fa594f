"""What a request offers to a model is read in each provider's shape."""

from __future__ import annotations

import json

import pytest

from pytest_webretrieval.wire.offers import Offer, offers_in

SCHEMA = {"type": "object", "properties": {"url": {"type": "string"}}}
FETCH = Offer(name="fetch", description="Fetch a page", parameters=SCHEMA)


@pytest.mark.parametrize(
    "tool",
    [
        {
            "type": "function",
            "function": {"name": "fetch", "description": "Fetch a page", "parameters": SCHEMA},
        },
        {"type": "function", "name": "fetch", "description": "Fetch a page", "parameters": SCHEMA},
        {"name": "fetch", "description": "Fetch a page", "input_schema": SCHEMA},
    ],
    ids=["chat", "responses", "messages"],
)
def test_an_offer_is_read_in_any_shape(tool: object) -> None:
    assert offers_in(json.dumps({"tools": [tool, {"type": "web_search"}]}).encode()) == (FETCH,)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"tools": 3}', b'{"tools": [3, {"function": 4}]}'])
def test_a_request_without_offers_has_none(body: bytes) -> None:
    assert offers_in(body) == ()
