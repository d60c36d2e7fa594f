"""The freshness grader on the static vectors of the cache-tests suite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from email.utils import formatdate
from pathlib import Path
from typing import Any

from pytest_webretrieval.grade.httpcache import may_reuse

from .measured import Measured, every

NOW = 1_790_000_000.0
_OFFSETS = ("date", "expires", "last-modified")


def measure(data: Path) -> Iterator[Measured]:
    """The required vectors, as a private and as a shared cache."""
    text = (data / "freshness" / "freshness.vectors.json").read_text(encoding="utf-8")
    for cache in ("private", "shared"):
        rows = [r for r in json.loads(text)["vectors"] if r["kind"] == "required" and cache in r["applies"]]
        wrong = [row["id"] for row in rows if _reusable(row, cache) != (row["expect"] == "fresh")]
        yield every(f"freshness vectors, {cache} cache", len(rows), wrong)


def _reusable(row: Mapping[str, Any], cache: str) -> bool:
    headers = _headers(row["response_headers"])
    headers.setdefault("date", formatdate(NOW, usegmt=True))
    return may_reuse(headers, row["status"], NOW, NOW, NOW + row["elapsed_s"], cache=cache)


def _headers(pairs: Iterable[tuple[str, Any]]) -> dict[str, str]:
    """Several fields of one name are one list; a number under a date field counts from the server's clock."""
    found: dict[str, str] = {}
    for name, value in pairs:
        key = name.lower()
        offset = isinstance(value, int) and key in _OFFSETS
        text = formatdate(NOW + value, usegmt=True) if offset else str(value)
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found
