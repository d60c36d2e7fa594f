"""What every dialect's answer is made of: JSON in, a key, JSON out, and a refusal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fixture_server.message import Answer, Asked, Delivery

TROUBLES = ("invalid", "exhausted", "throttled")


class Refused(Exception):
    """A request that an API does not take. Its dialect sends ``status`` and the message in its provider's shape;
    ``code`` is the provider's own word for it, where it has one."""

    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def json_body(asked: Asked) -> dict[str, Any]:
    """The object that a request carries. Raises Refused (400)."""
    try:
        given = json.loads(asked.body)
    except ValueError as error:
        raise Refused(400, "Invalid request body: not JSON.") from error
    if not isinstance(given, dict):
        raise Refused(400, "Invalid request body: an object is expected.")
    return given


def json_answer(
    status: int, content: Any, *headers: tuple[str, str], deliveries: tuple[Delivery, ...] = ()
) -> Answer:
    """An answer in JSON, characters beyond ASCII as they are."""
    return Answer(
        status=status,
        headers=(("content-type", "application/json; charset=utf-8"), *headers),
        body=json.dumps(content, ensure_ascii=False).encode(),
        deliveries=deliveries,
    )


def key_of(
    asked: Asked, *, headers: tuple[str, ...] = (), bearer: bool = True, query: str | None = None
) -> str | None:
    """The API key that a request shows in one of ``headers``, as a bearer token or in the parameter ``query``."""
    shown = [asked.headers.get(name, "") for name in headers]
    scheme, _, token = asked.headers.get("authorization", "").partition(" ")
    if bearer and scheme.lower() == "bearer":
        shown.append(token)
    if query is not None:
        shown.append(asked.query.get(query, ""))
    return next((key.strip() for key in shown if key.strip()), None)


def trouble_of(key: str | None) -> str | None:
    """What stands against a key: ``missing``, or the word of ``TROUBLES`` that it holds, by which a client can meet
    each refusal. Any other key opens the API."""
    if key is None:
        return "missing"
    return next((word for word in TROUBLES if word in key.lower()), None)


def admit(key: str | None, refusals: Mapping[str, tuple[int, str, str]]) -> None:
    """Let a key in, or raise the refusal (status, message, code) of what stands against it."""
    if (trouble := trouble_of(key)) is not None:
        raise Refused(*refusals[trouble])


def answered(body: bytes) -> dict[str, Any]:
    """The object that a provider answered with; empty where it answered with anything else."""
    try:
        content = json.loads(body)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
