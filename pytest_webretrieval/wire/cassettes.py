"""Recordings as files: vcrpy's own YAML, which vcrpy reads and plays, and beside it what that format does not hold.

``NAME.yaml`` holds requests and responses byte for byte, a body as it was sent (its Content-Encoding says how), base64
where it is not text. ``NAME.meta.json`` holds one line a recording (see ``sidecar``). To write needs vcrpy, which is
imported then; to read needs nothing but YAML, so that a replay costs neither the package nor its second of imports.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

INSTALL = "recording needs vcrpy: pip install 'pytest-webretrieval[record]'"


class RecordingError(Exception):
    """A recording that cannot be read or written; the message names the file and how to mend it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A request. ``url`` is absolute, header names are lower-case."""

    method: str
    url: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def line(self) -> str:
        """What names a recording to people: method and URL without what comes after ``?``."""
        parts = urlsplit(self.url)
        return f"{self.method} {parts.scheme}://{parts.netloc}{parts.path}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """A request and its response as it came.

    ``chunks`` are (seconds since the request went out, size) of each part of the body; empty where nobody knows, then
    the body is one part. ``error_type`` says how the body broke off; None where it is whole. ``source`` is ``live``, or
    ``emulator`` where another server stood for the host; ``upstream`` is where the response came from. ``started_s``
    and ``ended_s`` are seconds since the run began. ``cited`` marks a page that was fetched because the answer cited
    it, not by the system. ``recorded_at`` is None where the file does not say.
    """

    sent: Sent
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    chunks: tuple[tuple[float, int], ...] = ()
    error_type: str | None = None
    recorded_at: datetime | None = None
    source: str = "live"
    upstream: str = ""
    started_s: float = 0.0
    ended_s: float = 0.0
    cited: bool = False

    def header(self, name: str) -> str | None:
        """The first value of a header, by its lower-case name."""
        return next((value for key, value in self.headers if key.lower() == name), None)


def read_vcr(path: Path) -> list[Interaction]:
    """The interactions of a file in vcrpy's format, in order. Raises RecordingError."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        held = yaml.load(path.read_text(encoding="utf-8"), loader)["interactions"]
        return [_from_vcr(one["request"], one["response"]) for one in held]
    except OSError as error:
        raise RecordingError(f"cannot read the recording {path}: {error.strerror}") from error
    except (yaml.YAMLError, ValueError, TypeError, KeyError, AttributeError) as error:
        what = " ".join(str(error).split())
        raise RecordingError(
            f"{path} is no recording in vcrpy's format ({type(error).__name__}: {what}); record it anew"
        ) from error


def vcr_text(interactions: Sequence[Interaction]) -> str:
    """The same as text of a file, by vcrpy itself. Raises RecordingError where vcrpy is not there."""
    try:
        from vcr.request import Request  # type: ignore[import-untyped]
        from vcr.serialize import serialize  # type: ignore[import-untyped]
        from vcr.serializers import yamlserializer  # type: ignore[import-untyped]
    except ImportError as error:
        raise RecordingError(INSTALL) from error
    requests = [
        Request(one.sent.method, one.sent.url, one.sent.body or None, dict(one.sent.headers))
        for one in interactions
    ]
    cassette = {"requests": requests, "responses": [_to_vcr(one) for one in interactions]}
    return str(serialize(cassette, yamlserializer))


def replace_file(path: Path, text: str) -> None:
    """Write a file in one step: whoever reads it, or kills us, finds the old one whole or the new one. Raises
    RecordingError."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink(missing_ok=True)
        raise RecordingError(f"cannot write the recording {path}: {error.strerror}") from error


def versions() -> dict[str, str]:
    """Of what writes recordings."""
    from importlib.metadata import version

    return {name: version(name) for name in ("pytest-webretrieval", "vcrpy")}


def _to_vcr(one: Interaction) -> dict[str, Any]:
    headers: dict[str, list[str]] = {}
    for name, value in one.headers:
        headers.setdefault(name, []).append(value)
    return {
        "status": {"code": one.status, "message": one.reason},
        "headers": headers,
        "body": {"string": one.body},
    }


def _from_vcr(request: dict[str, Any], response: dict[str, Any]) -> Interaction:
    return Interaction(
        sent=Sent(
            method=str(request["method"]),
            url=str(request["uri"]),
            headers={name.lower(): value for name, value in _headers(request.get("headers"))},
            body=_bytes(request.get("body")),
        ),
        status=int(response["status"]["code"]),
        reason=response["status"].get("message") or "",
        headers=tuple(_headers(response.get("headers"))),
        body=_bytes(response["body"].get("string")),
    )


def _headers(held: dict[str, Any] | None) -> Iterator[tuple[str, str]]:
    for name, values in (held or {}).items():
        for value in values if isinstance(values, list) else [values]:
            yield str(name), str(value)


def _bytes(body: str | bytes | dict[str, Any] | None) -> bytes:
    """Text, or what is marked as base64; requests of other recorders have ``{string: ...}`` too."""
    if isinstance(body, dict):
        body = body.get("string")
    return body.encode() if isinstance(body, str) else body or b""
