"""The world's ear for OpenTelemetry: what real exporters send, JSON and protobuf, and what is none."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from typing import Any

import httpx
import pytest
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import Status, StatusCode

from pytest_webretrieval.wire.otlp import ATTRIBUTES, VALUE
from pytest_webretrieval.wire.tracing import RECEIVER, Span

from .conftest import Slot

URL = f"https://{RECEIVER}/v1/traces"
PROTOBUF, JSON = {"content-type": "application/x-protobuf"}, {"content-type": "application/json"}


@pytest.fixture
def slot(slot_in_shared_world: Slot) -> Slot:
    """A slot of the test's own."""
    return slot_in_shared_world


def recorded() -> bytes:
    """A tool call with a request in it, as the SDK encodes it."""
    memory = InMemorySpanExporter()
    provider = TracerProvider(resource=Resource({"service.name": "agent"}))
    provider.add_span_processor(SimpleSpanProcessor(memory))
    tracer = provider.get_tracer("tests")
    with tracer.start_as_current_span("execute_tool fetch") as tool:
        tool.set_attribute("gen_ai.tool.name", "fetch")
        tool.set_attribute("gen_ai.tool.call.arguments", '{"url": "https://a.example/"}')
        with tracer.start_as_current_span("GET") as request:
            request.set_attributes(
                {"http.response.status_code": 503, "ok": False, "t": 0.5, "urls": ["a", "b"]}
            )
            request.add_event("retry", {"n": 2})
            request.set_status(Status(StatusCode.ERROR, "unavailable"))
    return encode_spans(memory.get_finished_spans()).SerializeToString()


def exported(**span: Any) -> bytes:
    now = time.time_ns()
    data = {
        "traceId": "5B8EFFF798038103D269B633813FC60C",
        "spanId": "EEE19B7EC3C1B174",
        "name": "a span",
        "startTimeUnixNano": str(now),
        "endTimeUnixNano": now + 500_000_000,
        **span,
    }
    return json.dumps({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": [data]}]}]}).encode()


async def sent(
    slot: Slot, body: bytes, headers: dict[str, str], url: str = URL
) -> tuple[httpx.Response, tuple[Span, ...]]:
    async with slot.client() as client:
        response = await client.post(url, content=body, headers=headers)
    trace, archive = await slot.drain()
    assert [(attempt.role, attempt.request_body) for attempt in trace.attempts] == [("background", b"")]
    assert not trace.egress
    assert not archive.representations
    return response, trace.spans


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("pack", "coding"),
    [
        (bytes, {}),
        (gzip.compress, {"content-encoding": "gzip"}),
        (zlib.compress, {"content-encoding": "deflate"}),
    ],
)
async def test_spans_of_the_sdk(slot: Slot, pack: Any, coding: dict[str, str]) -> None:
    await slot.begin()
    response, (request, tool) = await sent(slot, pack(recorded()), {**PROTOBUF, **coding})
    assert (response.status_code, response.content, response.headers["content-type"]) == (
        200,
        b"",
        "application/x-protobuf",
    )
    assert (tool.name, tool.parent_id, tool.error) == ("execute_tool fetch", None, None)
    assert dict(tool.attributes) == {
        "gen_ai.tool.name": "fetch",
        "gen_ai.tool.call.arguments": '{"url": "https://a.example/"}',
    }
    assert (request.trace_id, request.parent_id) == (tool.trace_id, tool.span_id)
    assert (len(tool.trace_id), len(tool.span_id)) == (32, 16)
    assert dict(request.attributes) == {
        "http.response.status_code": 503,
        "ok": False,
        "t": 0.5,
        "urls": ["a", "b"],
    }
    assert (request.error, request.events[0].name, dict(request.events[0].attributes)) == (
        "unavailable",
        "retry",
        {"n": 2},
    )
    assert 0 <= tool.started_s <= request.started_s < 5
    assert request.duration_s <= tool.duration_s < 5


@pytest.mark.asyncio(loop_scope="module")
async def test_spans_in_json(slot: Slot) -> None:
    await slot.begin()
    attributes = [
        {"key": "n", "value": {"intValue": "12"}},
        {"key": "map", "value": {"kvlistValue": {"values": [{"key": "a", "value": {"boolValue": True}}]}}},
        {"key": "list", "value": {"arrayValue": {"values": [{"doubleValue": 1.5}, {}]}}},
    ]
    response, (span,) = await sent(slot, exported(attributes=attributes, parentSpanId=""), JSON)
    assert (response.status_code, response.json()) == (200, {})
    assert (span.trace_id, span.span_id, span.parent_id) == (
        "5b8efff798038103d269b633813fc60c",
        "eee19b7ec3c1b174",
        None,
    )
    assert dict(span.attributes) == {"n": 12, "map": {"a": True}, "list": [1.5, None]}
    assert span.duration_s == pytest.approx(0.5)


@pytest.mark.asyncio(loop_scope="module")
async def test_what_is_too_much_is_cut(slot: Slot) -> None:
    await slot.begin()
    many = [{"key": f"k{n}", "value": {"stringValue": "x" * 20_000}} for n in range(100)]
    events = [{"name": "e", "timeUnixNano": "1"}] * 100
    _, (span,) = await sent(slot, exported(attributes=many, events=events), JSON)
    assert len(span.attributes) == ATTRIBUTES
    assert {len(value) for value in span.attributes.values()} == {VALUE + 1}
    assert len(span.events) == 16


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("signal", ["metrics", "logs"])
async def test_other_signals_are_taken_and_dropped(slot: Slot, signal: str) -> None:
    await slot.begin()
    response, spans = await sent(slot, b"\x0a\x00", PROTOBUF, f"https://{RECEIVER}/v1/{signal}")
    assert (response.status_code, spans) == (200, ())


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("path", "headers", "body", "status", "says"),
    [
        ("/v1/traces", JSON, b"{", 400, "Expecting property name"),
        ("/v1/traces", JSON, b"[]", 400, "expected an object"),
        ("/v1/traces", JSON, b'{"resourceSpans": [3]}', 400, "not an export of spans"),
        ("/v1/traces", JSON, exported(spanId="xyz"), 400, "'xyz' is no id of 16 hex digits"),
        ("/v1/traces", PROTOBUF, b"\xff\xff", 400, "not an export of spans"),
        ("/v1/traces", {"content-type": "text/plain"}, b"", 415, "content-type text/plain is not taken"),
        ("/v2/traces", JSON, b"{}", 404, "/v2/traces is no signal"),
    ],
    ids=["half", "list", "no object", "id", "protobuf", "text", "path"],
)
async def test_what_is_no_export_is_refused(
    slot: Slot, path: str, headers: dict[str, str], body: bytes, status: int, says: str
) -> None:
    await slot.begin()
    response, spans = await sent(slot, body, headers, f"https://{RECEIVER}{path}")
    assert (response.status_code, spans) == (status, ())
    assert says in response.json()["message"]


@pytest.mark.asyncio(loop_scope="module")
async def test_between_two_runs_it_is_taken_and_nobodys(slot: Slot) -> None:
    async with slot.client() as client:
        assert (await client.post(URL, content=exported(), headers=JSON)).status_code == 200
    await slot.begin()
    trace, _ = await slot.drain()
    assert trace.spans == ()
