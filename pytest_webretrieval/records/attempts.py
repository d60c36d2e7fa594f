"""Attempts as rows of attempts.jsonl, under OpenTelemetry's names; ours begin with ``webretrieval.``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from pytest_webretrieval.wire.attempt import Attempt, Trace

from .record import Key

_METHODS = frozenset(
    {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"}
)
_DEFAULT_PORTS = {"http": 80, "https": 443}


def attempt_rows(key: Key, traces: Sequence[Trace]) -> Iterator[dict[str, Any]]:
    """One row an attempt; durations in seconds; absent values are left out.

    Names are those of OpenTelemetry's HTTP client conventions 1.44, and of its conventions for generative AI 1.40.
    """
    for trace in traces:
        for attempt in trace.attempts:
            row = {**_http(attempt), **_model(attempt), **_ours(key, attempt)}
            yield {name: value for name, value in row.items() if value is not None}


def _http(attempt: Attempt) -> dict[str, Any]:
    parts = urlsplit(attempt.url)
    known = attempt.method in _METHODS
    return {
        "http.request.method": attempt.method if known else "_OTHER",
        "http.request.method_original": None if known else attempt.method,
        "url.full": attempt.url,
        "server.address": parts.hostname,
        "server.port": parts.port or _DEFAULT_PORTS.get(parts.scheme),
        "http.response.status_code": attempt.status,
        "error.type": attempt.error_type,
        "http.client.request.duration": round(attempt.duration_s, 6),
        "http.response.body.size": attempt.bytes_received,
    }


def _model(attempt: Attempt) -> dict[str, Any]:
    """Of a turn that a model took; an error of its host took nothing."""
    if attempt.model is None or (attempt.status or 0) >= 400:
        return {}
    return {
        "gen_ai.request.model": attempt.model,
        "gen_ai.usage.input_tokens": attempt.input_tokens,
        "gen_ai.usage.output_tokens": attempt.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": attempt.cached_tokens,
    }


def _ours(key: Key, attempt: Attempt) -> dict[str, Any]:
    return {
        "webretrieval.case": key.case,
        "webretrieval.seed": key.seed,
        "webretrieval.trial": key.trial,
        "webretrieval.test": key.test,
        "webretrieval.step": attempt.step,
        "webretrieval.number": attempt.number,
        "webretrieval.started_s": round(attempt.started_s, 6),
        "webretrieval.role": attempt.role,
        "webretrieval.channel": attempt.channel,
        "webretrieval.body.sha256": attempt.body,
        "webretrieval.resend_by": attempt.resend_by,
        "webretrieval.user": attempt.user,
        "webretrieval.acted": attempt.acted or None,
        "webretrieval.late": attempt.late or None,
        "webretrieval.redacted": attempt.redacted or None,
        "webretrieval.cost_usd": attempt.cost_usd,
        "webretrieval.fault": attempt.fault,
        "webretrieval.reached": None if attempt.reached else False,
    }
