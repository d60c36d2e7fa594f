"""The model providers' hosts: they exist, and say in each provider's own words that no model answers here."""

from __future__ import annotations

import json
from typing import Any

from .message import Answer, Asked

MESSAGE = "The model is not available at the moment. Please try again later."


def _openai(asked: Asked) -> Any:
    return {"error": {"message": MESSAGE, "type": "server_error", "param": None, "code": None}}


def _anthropic(asked: Asked) -> Any:
    return {"type": "error", "error": {"type": "api_error", "message": MESSAGE}}


def _google(asked: Asked) -> Any:
    return {"error": {"code": 503, "message": MESSAGE, "status": "UNAVAILABLE"}}


def _openrouter(asked: Asked) -> Any:
    return {"error": {"code": 503, "message": MESSAGE, "metadata": {"provider_name": None}}}


def _mistral(asked: Asked) -> Any:
    return {
        "object": "error",
        "message": MESSAGE,
        "type": "service_unavailable",
        "param": None,
        "code": "3000",
    }


def _cohere(asked: Asked) -> Any:
    return {"message": MESSAGE}


def _text(asked: Asked) -> Any:
    return {"error": MESSAGE}


HOSTS = {
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


def respond(asked: Asked) -> Answer:
    """503 in the provider's shape. ``x-should-retry`` is the header by which providers tell their SDKs not
    to."""
    body = json.dumps(HOSTS[asked.host](asked)).encode()
    return Answer(
        status=503, headers=(("content-type", "application/json"), ("x-should-retry", "false")), body=body
    )
