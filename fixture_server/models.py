"""The model providers' hosts, and how each provider words an error."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .message import Answer, Asked

MESSAGE = "The model is not available at the moment. Please try again later."
_OPENAI = {401: "invalid_request_error", 404: "invalid_request_error", 429: "requests"}
_ANTHROPIC = {
    401: "authentication_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
}
_GOOGLE = {400: "INVALID_ARGUMENT", 401: "UNAUTHENTICATED", 404: "NOT_FOUND", 503: "UNAVAILABLE"}


def _openai(status: int, message: str, **more: Any) -> Any:
    kind = "server_error" if status >= 500 else _OPENAI.get(status, "invalid_request_error")
    return {"error": {"message": message, "type": kind, "param": more.get("param"), "code": more.get("code")}}


def _anthropic(status: int, message: str, **more: Any) -> Any:
    kind = "api_error" if status >= 500 else _ANTHROPIC.get(status, "invalid_request_error")
    return {"type": "error", "error": {"type": kind, "message": message}}


def _google(status: int, message: str, **more: Any) -> Any:
    return {"error": {"code": status, "message": message, "status": _GOOGLE.get(status, "UNKNOWN")}}


def _openrouter(status: int, message: str, **more: Any) -> Any:
    return {"error": {"code": status, "message": message, "metadata": {"provider_name": None}}}


def _mistral(status: int, message: str, **more: Any) -> Any:
    kind = "service_unavailable" if status >= 500 else "invalid_request_error"
    code = more.get("code") or ("3000" if status >= 500 else "1000")
    return {"object": "error", "message": message, "type": kind, "param": more.get("param"), "code": code}


def _cohere(status: int, message: str, **more: Any) -> Any:
    return {"message": message}


def _text(status: int, message: str, **more: Any) -> Any:
    return {"error": message}


HOSTS: dict[str, Callable[..., Any]] = {
    "api.openai.com": _openai,
    "api.anthropic.com": _anthropic,
    "generativelanguage.googleapis.com": _google,
    "aiplatform.googleapis.com": _google,
    "openrouter.ai": _openrouter,
    "api.mistral.ai": _mistral,
    "api.groq.com": _openai,
    "api.deepseek.com": _openai,
    "api.x.ai": _openai,
    "api.together.xyz": _openai,
    "api.fireworks.ai": _openai,
    "api.cerebras.ai": _openai,
    "api.perplexity.ai": _openai,
    "api.cohere.com": _cohere,
    "router.huggingface.co": _text,
}


# What a provider's own framework tells it of its runs, beside the model: nobody asks a model there.
OBSERVATIONS = {"api.openai.com": ("/v1/traces/ingest",)}


def is_observation(asked: Asked) -> bool:
    """Whether a request to a model's host only tells what a framework saw."""
    return asked.path in OBSERVATIONS.get(asked.host, ())


def refuse(
    host: str, status: int, message: str, *, param: str | None = None, code: str | None = None
) -> Answer:
    """An error in the shape of the provider behind ``host``. ``x-should-retry`` is the header by which providers tell
    their SDKs not to."""
    body = json.dumps(HOSTS[host](status, message, param=param, code=code), ensure_ascii=False).encode()
    headers = (("content-type", "application/json"), ("x-should-retry", "false"))
    return Answer(status=status, headers=headers, body=body)


def respond(asked: Asked) -> Answer:
    """That no model answers here, in the provider's own words; what only tells something is taken."""
    if is_observation(asked):
        return Answer(status=204)
    return refuse(asked.host, 503, MESSAGE)
