"""A trace and an archive as one message of JSON and blobs."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace

Reply = tuple[dict[str, Any], tuple[bytes, ...]]


def trace_to_wire(trace: Trace, archive: Archive) -> Reply:
    """A trace and an archive as one message; bytes go as blobs, each named by its place among them."""
    blobs: list[bytes] = []

    def place(data: bytes) -> int:
        blobs.append(data)
        return len(blobs) - 1

    attempts = []
    for attempt in trace.attempts:
        body = place(attempt.request_body) if attempt.request_body else None
        attempts.append({**row(attempt), "request_body": body})
    return {
        "attempts": attempts,
        "lookups": [row(lookup) for lookup in trace.lookups],
        "egress": [row(left) for left in trace.egress],
        "spans": [asdict(span) for span in trace.spans],
        "diverged": [row(one) for one in trace.diverged],
        "halt": None if trace.trouble is None else row(trace.trouble),
        "representations": [row(given) for given in archive.representations],
        "bodies": {sha256: place(body) for sha256, body in archive.bodies.items()},
    }, tuple(blobs)


def row(thing: Any) -> dict[str, Any]:
    """The fields of a dataclass, as they are."""
    return {part.name: getattr(thing, part.name) for part in fields(thing)}
