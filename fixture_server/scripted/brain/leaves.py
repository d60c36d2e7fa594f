"""Strings and numbers that a JSON Schema allows, where nothing better is known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from .written import matching

_FORMATS = {
    "date": "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "P1D",
    "email": "reader@mail.example",
    "hostname": "site.example",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://site.example/",
    "uri-reference": "/",
    "url": "https://site.example/",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def string(schema: Mapping[str, Any]) -> str:
    """A string within the limits of its schema."""
    least, most = int(schema.get("minLength", 0)), schema.get("maxLength")
    text = ""
    if isinstance(pattern := schema.get("pattern"), str):
        text = matching(pattern) or ""
    elif isinstance(form := schema.get("format"), str):
        text = _FORMATS.get(form, "")
    text = text.ljust(least, "a")
    return text if most is None else text[: int(most)]


def number(schema: Mapping[str, Any], *, whole: bool) -> float | int:
    """A number within the limits of its schema."""
    step = schema.get("multipleOf") or (1 if whole else None)
    least, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    most, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    value: float = 1 if whole else 0
    low = max((bound for bound in (least, above) if bound is not None), default=None)
    high = min((bound for bound in (most, below) if bound is not None), default=None)
    if low is not None and (value < low or value == above):
        value = low
    if high is not None and (value > high or value == below):
        value = high
    if step:
        value = math.ceil(value / step) * step
        if high is not None and value > high:
            value = math.floor(high / step) * step
        value += step * (value == above) - step * (value == below)
    elif value in (above, below):
        value = (
            (low + high) / 2
            if low is not None and high is not None
            else value + (1 if value == above else -1)
        )
    return int(value) if whole else value
