"""What a request's body means: fields, each with its value as text."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qsl

_BOUNDARY = re.compile(r'boundary="?([^";]+)', re.IGNORECASE)
_NAME = re.compile(rb';\s*name="([^"]*)"')


def body_fields(content_type: str, body: bytes) -> dict[str, str]:
    """``body /PATH`` (a JSON pointer, or the name of a form's field) to value; ``body`` to all of it where nothing is
    known of its parts, or it is not what its type says. Empty for no body."""
    if not body:
        return {}
    kind = content_type.partition(";")[0].strip().lower()
    try:
        if kind == "application/x-www-form-urlencoded":
            found = _form(body)
        elif kind.startswith("multipart/") and (boundary := _BOUNDARY.search(content_type)):
            found = _multipart(body, boundary[1].strip().encode())
        elif kind.endswith("json") or (not kind and body[:1] in b"[{"):
            found = list(_leaves(json.loads(body), ""))
        else:
            found = []
    except (ValueError, RecursionError):
        found = []
    return {f"body {path}": text for path, text in found} if found else {"body": _text(body)}


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}/{key.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, list) and value:
        for place, inner in enumerate(value):
            yield from _leaves(inner, f"{path}/{place}")
    else:
        yield path or "/", json.dumps(value, ensure_ascii=False)


def _form(body: bytes) -> list[tuple[str, str]]:
    named: dict[str, list[str]] = {}
    for name, value in parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True):
        named.setdefault(f"/{name}", []).append(value)
    return [(name, "&".join(sorted(values))) for name, values in named.items()]


def _multipart(body: bytes, boundary: bytes) -> list[tuple[str, str]]:
    """Each part's head and content, in order; the boundary itself is nobody's."""
    _, *parts = (b"\r\n" + body).split(b"\r\n--" + boundary)
    found: list[tuple[str, str]] = []
    for place, part in enumerate(parts[:-1]):
        head, _, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        name = _NAME.search(head)
        path = f"/{place}/{name[1].decode('utf-8', 'replace') if name else ''}"
        found += [(f"{path}/head", _text(head)), (f"{path}/content", _text(content))]
    return found


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return f"{len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}"
