"""OTLP's protobuf in the form of its JSON. Needs the extra ``otel``."""

from __future__ import annotations

from typing import Any

from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


def read_export(body: bytes) -> dict[str, Any]:
    """One ``ExportTraceServiceRequest``. Raises ValueError."""
    request = ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except DecodeError as error:
        raise ValueError(f"not an export of spans: {error}") from None
    data: dict[str, Any] = MessageToDict(request)
    # The general form of bytes is base64; OTLP's own JSON has ids in hex.
    for resource, plain in zip(request.resource_spans, data.get("resourceSpans", ()), strict=True):
        for scope, plain_scope in zip(resource.scope_spans, plain.get("scopeSpans", ()), strict=True):
            for span, plain_span in zip(scope.spans, plain_scope.get("spans", ()), strict=True):
                plain_span["traceId"], plain_span["spanId"] = span.trace_id.hex(), span.span_id.hex()
                plain_span["parentSpanId"] = span.parent_span_id.hex()
    return data
