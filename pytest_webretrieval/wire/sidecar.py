"""``NAME.meta.json``: what vcrpy's format does not hold of a recording.

    {"schema": "webretrieval.recording/1", "versions": {...}, "expires_after_days": 90,
     "recordings": [{"request": "GET https://...", "from": "https://...", "source": "live", "recorded_at": "...",
                     "sha256": "...", "encoding": "gzip", "chunks": [[0.05, 120], ...], "error": null, ...}, ...]}

Lines stand in the order of the interactions. A line whose ``sha256`` is not that of the body is about a body that was
edited since; what it says of chunks no longer holds. ``expires_after_days`` may be set by hand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from .cassettes import Interaction, RecordingError, read_vcr, replace_file, vcr_text, versions

SCHEMA = "webretrieval.recording/1"
EXPIRES_AFTER_DAYS = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Cassette:
    """A file of recordings with its sidecar. ``expires_after_days`` counts from when each was recorded."""

    interactions: tuple[Interaction, ...] = ()
    expires_after_days: float = EXPIRES_AFTER_DAYS

    def expired(self, now: datetime) -> tuple[int, ...]:
        """The places of those that are too old to be believed."""
        oldest = now - timedelta(days=self.expires_after_days)
        moments = (one.recorded_at for one in self.interactions)
        return tuple(place for place, at in enumerate(moments) if at is not None and at < oldest)


def meta_path(path: Path) -> Path:
    """The sidecar of a cassette."""
    return path.with_suffix(".meta.json")


def read_cassette(path: Path) -> Cassette | None:
    """A cassette with what its sidecar says; None where there is no file. Raises RecordingError."""
    if not path.exists():
        return None
    interactions, meta = read_vcr(path), _read_meta(meta_path(path))
    lines = meta.get("recordings", [])
    if len(lines) == len(interactions):
        interactions = [
            _told(one, line, meta_path(path)) for one, line in zip(interactions, lines, strict=True)
        ]
    days = meta.get("expires_after_days", EXPIRES_AFTER_DAYS)
    if isinstance(days, bool) or not isinstance(days, int | float):
        raise RecordingError(f"{meta_path(path)}: expires_after_days is not a number: {days!r}")
    return Cassette(interactions=tuple(interactions), expires_after_days=days)


def write_cassette(path: Path, cassette: Cassette) -> None:
    """Write cassette and sidecar, each in one step. Raises RecordingError."""
    # A sidecar that is older than its cassette is known by the sums; the other way round nothing would be lost either.
    replace_file(path, vcr_text(cassette.interactions))
    meta = {
        "schema": SCHEMA,
        "versions": versions(),
        "expires_after_days": cassette.expires_after_days,
        "recordings": [_line(one) for one in cassette.interactions],
    }
    replace_file(meta_path(path), _json(meta))


def remove_cassette(path: Path) -> None:
    """Take away cassette and sidecar, where they are. Raises RecordingError."""
    try:
        path.unlink(missing_ok=True)
        meta_path(path).unlink(missing_ok=True)
    except OSError as error:
        raise RecordingError(f"cannot remove the recording {path}: {error.strerror}") from error


def order_matters(interactions: Sequence[Interaction]) -> tuple[Interaction, ...]:
    """Those that were under way together with an equal request and were answered otherwise: what a client makes of
    them depends on which came first."""
    by_request: dict[tuple[str, str, bytes], list[Interaction]] = {}
    for one in interactions:
        if one.ended_s > one.started_s:
            by_request.setdefault((one.sent.method, one.sent.url, one.sent.body), []).append(one)
    return tuple(
        one
        for equal in by_request.values()
        for one in equal
        if any(
            other.started_s < one.ended_s and one.started_s < other.ended_s and _given(other) != _given(one)
            for other in equal
            if other is not one
        )
    )


def _given(one: Interaction) -> tuple[int, bytes]:
    return one.status, one.body


def _read_meta(path: Path) -> Mapping[str, Any]:
    try:
        meta = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise RecordingError(f"cannot read {path}: {error}; delete it, or record anew") from error
    if not isinstance(meta, dict) or meta.get("schema") != SCHEMA:
        raise RecordingError(f"{path} is no sidecar of schema {SCHEMA}; delete it, or record anew")
    return meta


def _line(one: Interaction) -> dict[str, Any]:
    return {
        "request": one.sent.line,
        "from": one.upstream,
        "source": one.source,
        "recorded_at": None if one.recorded_at is None else one.recorded_at.isoformat(timespec="seconds"),
        "sha256": _digest(one.body),
        "encoding": one.header("content-encoding") or "identity",
        "chunks": [[round(at_s, 6), size] for at_s, size in one.chunks],
        "error": one.error_type,
        "started_s": round(one.started_s, 6),
        "ended_s": round(one.ended_s, 6),
        "cited": one.cited,
    }


def _told(one: Interaction, line: Mapping[str, Any], path: Path) -> Interaction:
    try:
        whole = line["sha256"] == _digest(one.body)
        recorded_at = line["recorded_at"]
        return replace(
            one,
            upstream=line["from"],
            source=line["source"],
            recorded_at=None if recorded_at is None else _moment(recorded_at),
            chunks=tuple((float(at_s), int(size)) for at_s, size in line["chunks"]) if whole else (),
            error_type=line["error"],
            started_s=float(line["started_s"]),
            ended_s=float(line["ended_s"]),
            cited=bool(line["cited"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RecordingError(f"{path}: a line that cannot be read: {error!r}; delete the file") from error


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _json(meta: Mapping[str, Any]) -> str:
    """One line a recording: a diff shows which changed."""
    lines = [json.dumps(line, ensure_ascii=False) for line in meta["recordings"]]
    head = json.dumps({**meta, "recordings": []}, ensure_ascii=False, indent=1)
    return head.removesuffix("[]\n}") + "[\n  " + ",\n  ".join(lines) + "\n ]\n}\n" if lines else head + "\n"
