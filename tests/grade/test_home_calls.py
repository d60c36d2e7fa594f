"""A tool that raised on what its model should not have called it with is no fault of the code."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_webretrieval.grade.fault import CODE, MODEL, Home
from pytest_webretrieval.grade.home import find_home
from pytest_webretrieval.grade.judge import judge_run
from pytest_webretrieval.systems.contract import Testimony

from .grade_build import Wire, truth

TEXT = {"type": "string"}
SAYS = "Access the web. action=search takes a query and an optional site; action=open takes a url"
URL = "https://vendor.example/start"


def _home(arguments: str, description: str = SAYS, **properties: Any) -> Home:
    schema = {
        "type": "object",
        "properties": {"action": {"type": "string", "enum": ["search", "open"]}, **properties},
        "required": ["action"],
    }
    call = {"id": "c1", "type": "function", "function": {"name": "web", "arguments": arguments}}
    offered = {"name": "web", "description": description, "parameters": schema}
    wire = Wire()
    wire.get(
        "https://api.openai.com/v1/chat/completions",
        json.dumps({"choices": [{"message": {"role": "assistant", "tool_calls": [call]}}]}).encode(),
        media_type="application/json",
        method="POST",
        role="model",
        channel="model",
        request_body=json.dumps({"tools": [{"type": "function", "function": offered}]}).encode(),
    )
    error = 'Traceback\n  File "agent.py", line 3\nBadRequestError: query is missing'
    steps = [
        wire.evidence(None, testimony=Testimony(ending="raised", duration_s=1.0, error=error, error_type="E"))
    ]
    home = find_home(truth(), steps, judge_run(truth(), steps, None), None)
    assert home is not None
    return home


def _web(arguments: str, description: str = SAYS) -> Home:
    return _home(arguments, description, query=TEXT, url=TEXT, site=TEXT)


@pytest.mark.parametrize(
    ("arguments", "shows"),
    [
        (json.dumps({"action": "search", "url": URL}), "its description: “action=search takes a query”"),
        (json.dumps({"action": "open", "url": ""}), "its description: “action=open takes a url”"),
        (json.dumps({"query": "release"}), "its schema: 'action' is a required property"),
        (json.dumps({"action": "find", "query": "release"}), "its schema: 'find' is not one of"),
        ('{"action": "sea', "the arguments are no JSON"),
    ],
)
def test_arguments_that_are_not_offered_are_the_models(arguments: str, shows: str) -> None:
    home = _web(arguments)
    assert home.where == MODEL
    assert home.why == "the model called web as it is not offered, and it raised E"
    assert shows in "\n".join(home.evidence)


@pytest.mark.parametrize(
    ("arguments", "description"),
    [
        ({"action": "search", "query": "release"}, SAYS),
        ({"action": "open", "url": URL}, SAYS),
        ({"action": "search", "url": URL}, "Search the web or open a url"),
        ({"action": "search", "url": URL}, "search can take a query"),
    ],
)
def test_a_tool_that_raises_on_what_it_offers_is_the_codes(
    arguments: dict[str, str], description: str
) -> None:
    assert _web(json.dumps(arguments), description).where == CODE


def test_a_parameter_may_say_for_which_value_it_is_needed() -> None:
    query = {"type": "string", "description": "The words. Required for search."}
    home = _home(json.dumps({"action": "search"}), "Access the web", query=query)
    assert home.where == MODEL
    assert "“query: Required for search”" in home.evidence[1]
