"""Requests to the model providers' hosts, by the protocol that each speaks and where."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from .. import models
from ..message import Answer, Asked
from . import chat, messages, responses
from .request import Refused
from .streaming import whole

# Where each host has OpenAI's protocols, before ``/chat/completions``.
PREFIXES = {
    "api.openai.com": ("/v1",),
    "api.anthropic.com": ("/v1",),
    "api.groq.com": ("/openai/v1",),
    "api.deepseek.com": ("", "/v1", "/beta"),
    "api.x.ai": ("/v1",),
    "api.together.xyz": ("/v1",),
    "api.fireworks.ai": ("/inference/v1",),
    "api.cerebras.ai": ("/v1",),
    "api.perplexity.ai": ("", "/v1"),
    "api.mistral.ai": ("/v1",),
    "api.cohere.com": ("/compatibility/v1",),
    "openrouter.ai": ("/api/v1",),
    "router.huggingface.co": ("/v1",),
    "generativelanguage.googleapis.com": ("/v1beta/openai",),
}
_WITH_RESPONSES = frozenset(
    {"api.openai.com", "api.x.ai", "api.groq.com", "openrouter.ai", "api.fireworks.ai"}
)
# These speak a protocol of their own beside OpenAI's; no model answers in it.
_OWN_PROTOCOL = frozenset({"api.cohere.com", "generativelanguage.googleapis.com"})
_ANTHROPIC = "api.anthropic.com"
_SINCE = 1_735_689_600
_MODEL = "scripted"


def respond(asked: Asked, skill: str, memory: MutableMapping[str, Any]) -> Answer:
    """The scripted model's answer, or the provider's error. ``memory`` is the run's."""
    try:
        return _answer(asked, skill, memory)
    except Refused as refused:
        return models.refuse(asked.host, refused.status, str(refused), param=refused.param, code=refused.code)


def _answer(asked: Asked, skill: str, memory: MutableMapping[str, Any]) -> Answer:
    path = asked.path.rstrip("/") or "/"
    if asked.host == _ANTHROPIC and path in ("/v1/messages", "/v1/messages/count_tokens", "/v1/models"):
        return _anthropic(asked, path, skill)
    prefix = next((own for own in PREFIXES.get(asked.host, ()) if _endpoint(path, own)), None)
    if prefix is None:
        if asked.host not in PREFIXES or asked.host in _OWN_PROTOCOL:
            return models.respond(asked)
        raise Refused(404, f"Invalid URL ({asked.method} {asked.path})")
    _check_key(asked)
    endpoint = path[len(prefix) :]
    if endpoint.startswith("/models"):
        return _models(asked, endpoint)
    if endpoint.startswith("/responses/") and asked.host in _WITH_RESPONSES:
        return responses.kept(asked, memory)
    if asked.method != "POST":
        raise Refused(
            405, f"Not allowed to {asked.method} on {asked.path} (HINT: Perhaps you meant to use POST?)."
        )
    if endpoint == "/chat/completions":
        return chat.respond(asked, skill)
    if asked.host in _WITH_RESPONSES:
        return responses.respond(asked, skill, memory)
    raise Refused(404, f"Invalid URL ({asked.method} {asked.path})")


def _endpoint(path: str, prefix: str) -> bool:
    rest = path.removeprefix(prefix) if path.startswith(prefix) else ""
    known = ("/chat/completions", "/responses", "/models")
    return rest in known or rest.startswith(("/responses/", "/models/"))


def _check_key(asked: Asked) -> None:
    scheme, _, key = asked.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not key.strip():
        message = (
            "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer "
            "auth (i.e. Authorization: Bearer YOUR_KEY)."
        )
        raise Refused(401, message)


def _models(asked: Asked, endpoint: str) -> Answer:
    name = endpoint.removeprefix("/models").lstrip("/")
    model = {"id": name or _MODEL, "object": "model", "created": _SINCE, "owned_by": "system"}
    return whole(model if name else {"object": "list", "data": [model]})


def _anthropic(asked: Asked, path: str, skill: str) -> Answer:
    scheme, _, token = asked.headers.get("authorization", "").partition(" ")
    if not asked.headers.get("x-api-key", "").strip() and not (scheme.lower() == "bearer" and token.strip()):
        raise Refused(401, "x-api-key header is required")
    if path == "/v1/models":
        model = {
            "type": "model",
            "id": _MODEL,
            "display_name": "Scripted",
            "created_at": "2025-01-01T00:00:00Z",
        }
        return whole({"data": [model], "has_more": False, "first_id": _MODEL, "last_id": _MODEL})
    if not asked.headers.get("anthropic-version"):
        raise Refused(400, "anthropic-version: header is required")
    if asked.method != "POST":
        raise Refused(405, "Method Not Allowed")
    return messages.count(asked) if path.endswith("/count_tokens") else messages.respond(asked, skill)
