"""What the world answers to the harness, as the harness has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_webretrieval.wire.archive import Archive, Representation
from pytest_webretrieval.wire.attempt import Attempt, Divergence, Egress, Halt, Lookup, Trace
from pytest_webretrieval.wire.recording import Account
from pytest_webretrieval.wire.tracing import Span, SpanEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneView:
    """What the harness needs of a scene: its start URLs as drawn, its cheapest channel, the states it
    knows, and its users, each with credentials as drawn: ``kind``, ``name``, ``value``, ``url``."""

    start_urls: tuple[str, ...]
    cheapest: str
    states: tuple[str, ...]
    users: Mapping[str, tuple[Mapping[str, str], ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the harness was given where it looked for itself. ``status`` is None where no answer came; ``error_type`` is
    one word for what went wrong; header names are lower-case, the body is decoded."""

    url: str
    status: int | None
    error_type: str | None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


def account_of(told: Mapping[str, Any]) -> Account:
    """The inverse of ``asdict``, for what came as JSON."""
    return Account(
        missed=tuple(told["missed"]),
        unplayed=tuple(told["unplayed"]),
        expired=tuple(told["expired"]),
        unordered=tuple(told["unordered"]),
        recorded=told["recorded"],
        failure=told["failure"],
    )


def trace_from_wire(message: dict[str, Any], blobs: tuple[bytes, ...]) -> tuple[Trace, Archive]:
    """The inverse of ``telling.trace_to_wire``."""
    attempts = []
    for row in message["attempts"]:
        place = row["request_body"]
        row["request_body"] = b"" if place is None else blobs[place]
        attempts.append(Attempt(**row))
    trace = Trace(
        attempts=tuple(attempts),
        lookups=tuple(Lookup(**row) for row in message["lookups"]),
        egress=tuple(Egress(**row) for row in message["egress"]),
        spans=tuple(
            Span(**{**row, "events": tuple(SpanEvent(**event) for event in row["events"])})
            for row in message["spans"]
        ),
        diverged=tuple(Divergence(**row) for row in message["diverged"]),
        trouble=None if message["halt"] is None else Halt(**message["halt"]),
    )
    return trace, Archive(
        representations=tuple(Representation(**row) for row in message["representations"]),
        bodies={sha256: blobs[place] for sha256, place in message["bodies"].items()},
    )
