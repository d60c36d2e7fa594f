"""OTLP/HTTP as a collector takes it: traces are kept with the run, metrics and logs accepted and dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pytest_webretrieval.wire.otlp import spans_of
from pytest_webretrieval.wire.tracing import RECEIVER, Span

from ..message import Answer, Asked

HOSTS = frozenset((RECEIVER,))
SIGNALS = ("/v1/traces", "/v1/metrics", "/v1/logs", "/v1development/profiles")
_INVALID = 3  # google.rpc.Code
_PROTOBUF, _JSON = "application/x-protobuf", "application/json"


class _Refused(Exception):
    """A request that a collector does not take: its status, and why."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


def respond(asked: Asked, began_at: float) -> Answer:
    """The answer, with the spans that came; ``began_at`` is the Unix time at which the run began. Codings (gzip,
    deflate) are off the body: the doors see to that."""
    kind = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if asked.path not in SIGNALS:
            raise _Refused(404, f"{asked.path} is no signal; here are {', '.join(SIGNALS)}")
        if asked.method != "POST":
            raise _Refused(405, f"{asked.method} is not taken; POST an export")
        if kind not in (_PROTOBUF, _JSON):
            raise _Refused(415, f"content-type {kind or '(none)'} is not taken; send {_PROTOBUF} or {_JSON}")
        spans: tuple[Span, ...] = ()
        if asked.path == SIGNALS[0]:
            spans = tuple(spans_of(_read(asked.body, kind), began_at))
    except _Refused as refused:
        return _refusal(refused.status, str(refused))
    except ValueError as error:
        return _refusal(400, str(error)[:300])
    # An empty message of protobuf has no bytes.
    body = b"" if kind == _PROTOBUF else b"{}"
    return Answer(headers=(("content-type", kind),), body=body, spans=spans)


def _refusal(status: int, why: str) -> Answer:
    """As a ``google.rpc.Status`` in JSON, whatever came: clients log it as text."""
    body = json.dumps({"code": _INVALID, "message": why}).encode()
    return Answer(status=status, headers=(("content-type", _JSON),), body=body)


def _read(body: bytes, kind: str) -> Mapping[str, Any]:
    """An export as OTLP's JSON says it. Raises ValueError and _Refused."""
    if kind == _PROTOBUF:
        try:
            from .protobuf import read_export
        except ImportError:
            raise _Refused(
                415,
                f"{_PROTOBUF} needs `pip install pytest-webretrieval[otel]` where pytest runs; {_JSON} does not",
            ) from None
        return read_export(body)
    data = json.loads(body)
    if not isinstance(data, dict):
        raise ValueError("expected an object")
    return data
