"""The story: whose request was whose, by traceparent, by time, by order, by address; and what nobody can tell."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from pytest_webretrieval.wire.attempt import Attempt, Trace
from pytest_webretrieval.wire.story import Sent, tell
from pytest_webretrieval.wire.toolspan import tool_of
from pytest_webretrieval.wire.tracing import Span, line_of, traceparent

TRACE = "5b8efff798038103d269b633813fc60c"


def span(
    number: int, parent: int | None = None, at: float = 1.0, took: float = 1.0, **attributes: Any
) -> Span:
    return Span(
        trace_id=TRACE,
        span_id=f"{number:016x}",
        parent_id=None if parent is None else f"{parent:016x}",
        name="a span",
        started_s=at,
        duration_s=took,
        attributes={name.replace("__", "."): value for name, value in attributes.items()},
    )


def tool(number: int, name: str, at: float, took: float = 1.0, **more: Any) -> Span:
    return span(number, at=at, took=took, **{"gen_ai__tool__name": name}, **more)


def get(number: int, at: float, parent: int | None = None) -> Attempt:
    headers = {} if parent is None else {"traceparent": f"00-{TRACE}-{parent:016x}-01"}
    return Attempt(
        number=number,
        step=0,
        started_s=at,
        duration_s=0.1,
        method="GET",
        url=f"https://a.example/{number}",
        role="document",
        channel="direct-fetch",
        status=200,
        request_headers=headers,
    )


def model(
    number: int,
    at: float,
    *calls: tuple[str, str],
    given: dict[str, str] | None = None,
    arguments: dict[str, str] | None = None,
) -> tuple[Attempt, bytes]:
    told = arguments or {}
    message = {
        "content": "",
        "tool_calls": [
            {"id": key, "function": {"name": name, "arguments": told.get(key, "{}")}} for key, name in calls
        ],
    }
    asked = {
        "messages": [
            {"role": "tool", "tool_call_id": key, "content": text} for key, text in (given or {}).items()
        ]
    }
    attempt = Attempt(
        number=number,
        step=0,
        started_s=at,
        duration_s=0.1,
        method="POST",
        url="https://api.openai.com/v1/chat/completions",
        role="model",
        channel="model",
        status=200,
        request_body=json.dumps(asked).encode(),
        response_headers={"content-type": "application/json"},
        body=str(number),
    )
    return attempt, json.dumps({"choices": [{"message": message}]}).encode()


def story(*parts: Attempt | tuple[Attempt, bytes], spans: tuple[Span, ...] = ()) -> list[list[Any]]:
    """For each beat the number of its turn, its uses as (name, sent, given), its other requests."""
    attempts = tuple(part[0] if isinstance(part, tuple) else part for part in parts)
    bodies = {str(part[0].number): part[1] for part in parts if isinstance(part, tuple)}
    return [
        [
            None if beat.turn is None else beat.turn.attempt,
            [(use.name, use.sent, use.given) for use in beat.uses],
            list(beat.others),
        ]
        for beat in tell(Trace(attempts=attempts, spans=spans), bodies)
    ]


def test_one_call_has_what_was_sent_until_the_next_turn() -> None:
    told = story(
        get(1, 0.5), model(2, 1.0, ("c", "fetch")), get(3, 1.5), model(4, 2.0, given={"c": "page"}), get(5, 3)
    )
    assert told == [
        [None, [], [1]],
        [2, [("fetch", (Sent(3, "order"),), "page")], []],
        [4, [], [5]],
    ]


def test_of_two_calls_nobody_can_tell_without_spans() -> None:
    assert story(model(1, 1.0, ("a", "fetch"), ("b", "fetch")), get(2, 1.5)) == [
        [1, [("fetch", (), None), ("fetch", (), None)], [2]]
    ]


def test_calls_that_went_side_by_side_are_told_apart_by_the_addresses_that_they_name() -> None:
    arguments = {
        "a": '{"url": "https://A.example/2#part"}',
        "b": '{"page": {"url": "http://a.example/3"}}',
        "c": '{"query": "a"}',
    }
    calls = model(1, 1.0, ("a", "fetch"), ("b", "fetch"), ("c", "search"), arguments=arguments)
    moved = replace(get(3, 1.5), status=302, response_headers={"location": "/4"})
    assert story(calls, get(2, 1.4), moved, get(4, 1.6), get(5, 1.7)) == [
        [
            1,
            [
                ("fetch", (Sent(2, "address"),), None),
                ("fetch", (Sent(3, "address"), Sent(4, "address")), None),
                ("search", (), None),
            ],
            [5],
        ]
    ]


def test_an_address_that_two_calls_name_tells_nothing() -> None:
    both = dict.fromkeys("ab", '{"url": "https://a.example/2"}')
    assert story(model(1, 1.0, ("a", "fetch"), ("b", "fetch"), arguments=both), get(2, 1.5)) == [
        [1, [("fetch", (), None), ("fetch", (), None)], [2]]
    ]


def test_a_traceparent_leads_over_ancestors_to_the_tool() -> None:
    spans = (
        tool(1, "search", 1.2, gen_ai__tool__call__id="a"),
        tool(2, "fetch", 1.2, gen_ai__tool__call__id="b"),
        span(3, parent=2),
        span(4, parent=3),
    )
    told = story(
        model(1, 1.0, ("a", "search"), ("b", "fetch")),
        get(2, 1.5, parent=4),
        get(3, 1.5, parent=1),
        get(4, 1.5),
        spans=spans,
    )
    assert told == [
        [1, [("search", (Sent(3, "traceparent"),), None), ("fetch", (Sent(2, "traceparent"),), None)], [4]]
    ]


def test_the_time_of_the_one_open_span_tells_too() -> None:
    spans = (tool(1, "search", 1.2, 0.2), tool(2, "fetch", 1.6, 0.2))
    told = story(
        model(1, 1.0, ("a", "search"), ("b", "fetch")), get(2, 1.3), get(3, 1.7), get(4, 1.9), spans=spans
    )
    assert told == [[1, [("search", (Sent(2, "time"),), None), ("fetch", (Sent(3, "time"),), None)], [4]]]


def test_spans_alone_tell_a_story_where_no_model_is_on_the_wire() -> None:
    spans = (tool(1, "fetch", 1.0, gen_ai__tool__call__result="page"),)
    assert story(get(1, 1.5), get(2, 3.0), spans=spans) == [
        [None, [("fetch", (Sent(1, "time"),), "page")], [2]]
    ]


def test_a_trace_without_anything_is_no_story() -> None:
    assert story() == []


@pytest.mark.parametrize(
    ("attributes", "name", "arguments", "result"),
    [
        (
            {
                "gen_ai.tool.name": "fetch",
                "gen_ai.tool.call.arguments": {"url": "x"},
                "gen_ai.tool.call.result": "page",
            },
            "fetch",
            '{"url": "x"}',
            "page",
        ),
        ({"gen_ai.tool.name": "fetch", "tool_arguments": "{}"}, "fetch", "{}", ""),
        (
            {
                "openinference.span.kind": "TOOL",
                "tool.name": "fetch",
                "input.value": "{}",
                "output.value": "page",
            },
            "fetch",
            "{}",
            "page",
        ),
        (
            {"langsmith.span.kind": "tool", "gen_ai.prompt": "{}", "gen_ai.completion": "page"},
            "a span",
            "{}",
            "page",
        ),
        (
            {
                "langfuse.observation.type": "tool",
                "langfuse.observation.input": "{}",
                "langfuse.observation.output": "page",
            },
            "a span",
            "{}",
            "page",
        ),
        (
            {
                "traceloop.span.kind": "tool",
                "traceloop.entity.name": "fetch",
                "traceloop.entity.input": "{}",
                "traceloop.entity.output": "page",
            },
            "fetch",
            "{}",
            "page",
        ),
        (
            {"ai.toolCall.name": "fetch", "ai.toolCall.args": "{}", "ai.toolCall.result": "page"},
            "fetch",
            "{}",
            "page",
        ),
    ],
)
def test_every_convention_tells_of_tools(
    attributes: dict[str, Any], name: str, arguments: str, result: str
) -> None:
    found = tool_of(
        Span(
            trace_id=TRACE,
            span_id="1",
            parent_id=None,
            name="a span",
            started_s=0,
            duration_s=1,
            attributes=attributes,
        )
    )
    assert found is not None
    assert (found.name, found.arguments, found.result) == (name, arguments, result)


@pytest.mark.parametrize(
    "attributes", [{}, {"openinference.span.kind": "LLM", "input.value": "x"}, {"gen_ai.tool.name": ""}]
)
def test_what_is_no_tool(attributes: dict[str, Any]) -> None:
    assert tool_of(span(1, **attributes)) is None


@pytest.mark.parametrize(
    ("header", "ids"),
    [
        (f"00-{TRACE}-00f067aa0ba902b7-01", (TRACE, "00f067aa0ba902b7")),
        (f" 00-{TRACE.upper()}-00F067AA0BA902B7-00-more", (TRACE, "00f067aa0ba902b7")),
        ("", None),
        (f"00-{TRACE}-00f067aa0ba902b7", None),
        (f"00-{'0' * 32}-00f067aa0ba902b7-01", None),
        ("00-short-00f067aa0ba902b7-01", None),
    ],
)
def test_a_traceparent(header: str, ids: tuple[str, str] | None) -> None:
    assert traceparent({"traceparent": header}) == ids


def test_a_circle_of_spans_ends() -> None:
    spans = [span(1, parent=2), span(2, parent=1)]
    assert [one.span_id for one in line_of(spans, TRACE, spans[0].span_id)] == [one.span_id for one in spans]
