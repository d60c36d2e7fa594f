"""A tool whose parameter says what it does is several tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fixture_server.scripted.brain.conversation import Call, Tool
from fixture_server.scripted.brain.kit import kit_of

from .talk import Talk

PAGE = "https://shop.example/kettle"
QUESTION = "What does the copper kettle cost?"
HITS = json.dumps([{"url": PAGE, "title": "Copper kettle", "content": "A kettle of copper."}])
TEXT = {"type": "string"}


def _tool(selector: str, schema: dict[str, Any], *names: str, **more: Any) -> Tool:
    properties = {selector: schema, **dict.fromkeys(names, TEXT)}
    parameters = {"type": "object", "properties": properties, "required": [selector], **more}
    return Tool(
        name="web",
        description="Access the web. search takes a query; open takes a url",
        parameters=parameters,
    )


WEB = _tool("action", {"type": "string", "enum": ["search", "open"]}, "query", "url")
SHAPES = [
    WEB,
    _tool("op", {"enum": ["fetch_page", "web_search"]}, "input"),
    _tool("mode", {"type": "string", "enum": ["url", "query"]}, "input"),
    _tool("kind", {"anyOf": [{"const": "search"}, {"const": "visit"}]}, "query", "url"),
    _tool(
        "action",
        {"$ref": "#/$defs/Action"},
        "query",
        "url",
        **{"$defs": {"Action": {"type": "string", "enum": ["search", "read"]}}},
    ),
    Tool(
        name="web",
        parameters={
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["search", "open"]},
                "query": {"type": ["string", "null"]},
                "url": {"type": ["string", "null"]},
            },
            "required": ["action", "query", "url"],
            "additionalProperties": False,
        },
    ),
]


@pytest.mark.parametrize("tool", SHAPES, ids=["required", "input", "nouns", "anyOf", "reference", "strict"])
def test_one_tool_searches_and_opens(tool: Tool) -> None:
    (selector, *_) = tool.parameters["properties"]

    def act(call: Call) -> str:
        value = str(call.arguments[selector])
        told = [text for name, text in call.arguments.items() if name != selector and text]
        assert len(told) == 1, call
        if value in ("search", "web_search", "query"):
            assert "://" not in told[0]
            return HITS
        assert told == [PAGE]
        return f"URL: {PAGE}\n\n# Copper kettle\n\nThe copper kettle costs 48.50 EUR."

    talk = Talk((tool,), act)
    assert "48.50 EUR" in talk.ask(QUESTION)
    assert len(talk.calls) == 2
    opening = Talk((tool,), act)
    assert "48.50 EUR" in opening.ask(f"{QUESTION} {PAGE}")
    assert len(opening.calls) == 1


def test_a_browser_of_one_tool() -> None:
    browser = Tool(
        name="browser",
        parameters={
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["click", "goto", "read", "scroll"]},
                "url": TEXT,
                "selector": TEXT,
            },
            "required": ["action"],
        },
    )
    kit = kit_of([browser])
    actions = [
        use.parameters["properties"]["action"]["const"] for use in (kit.browse, kit.look, kit.scroll) if use
    ]
    assert actions == ["goto", "read", "scroll"]
    assert kit.fetch == kit.browse
    assert kit.search is None
    assert kit.kind_of(Call(name="browser", arguments={"action": "click"})) == "act"


@pytest.mark.parametrize(
    ("name", "values", "names", "kinds"),
    [
        ("search_web", ["search", "news", "images"], ("query",), ["search"]),
        ("search_web", ["web", "news"], ("query",), ["search"]),
        ("search_web", ["google", "bing"], ("query",), ["search"]),
        ("search_web", ["search_results", "sourced_answer"], ("query",), ["search"]),
        ("search_web", ["search", "extract"], ("query",), ["search"]),
        ("fetch_page", ["markdown", "html", "text"], ("url",), ["fetch"]),
        ("fetch_page", ["markdown", "extract", "screenshot"], ("url",), ["fetch"]),
        ("fetch_page", ["load", "domcontentloaded"], ("url",), ["fetch"]),
        ("fetch_url", ["GET", "POST"], ("url", "body"), ["fetch"]),
    ],
)
def test_values_that_are_no_uses_make_no_tools(
    name: str, values: list[str], names: tuple[str, ...], kinds: list[str]
) -> None:
    properties = {"how": {"type": "string", "enum": values}, **dict.fromkeys(names, TEXT)}
    tool = Tool(name=name, parameters={"type": "object", "properties": properties, "required": [*properties]})
    assert [use.kind for use in kit_of([tool]).uses] == kinds
