"""Where a run's time went, in a few words, from the wire alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from pytest_webretrieval.wire.attempt import NOT_ITS_OWN

# A pause between two requests that is worth a word, in seconds.
_PAUSE_S = 0.3
# What a browser asks for by itself; nothing waits for it.
_BESIDES = (*NOT_ITS_OWN, "favicon")


def why_slow(duration_s: float, attempts: Sequence[Mapping[str, Any]]) -> str:
    """The largest part of ``duration_s``: a wait after a failed attempt, a slow response, the browser, or the system
    itself. ``attempts`` are rows of attempts.jsonl of one run, in order."""
    attempts = [row for row in attempts if row["webretrieval.role"] not in _BESIDES]
    parts = [*_waits(attempts), *_responses(attempts)]
    seconds, words = max(parts, default=(0.0, ""))
    browser = any(row["webretrieval.channel"] == "browser" for row in attempts)
    if seconds >= duration_s / 2:
        return words + (", in a browser" if browser else "")
    rest = f"; {words}" if seconds >= _PAUSE_S else ""
    return f"a browser{rest}" if browser else f"the system itself{rest}"


def _waits(attempts: Sequence[Mapping[str, Any]]) -> list[tuple[float, str]]:
    found = []
    for before, after in pairwise(attempts):
        pause = after["webretrieval.started_s"] - before["webretrieval.started_s"] - _took(before)
        outcome = before.get("error.type")
        if outcome and pause >= _PAUSE_S:
            found.append((pause, f"waited {pause:.1f} s after {outcome}"))
    return found


def _responses(attempts: Sequence[Mapping[str, Any]]) -> list[tuple[float, str]]:
    return [(_took(row), f"{urlsplit(row['url.full']).hostname} took {_took(row):.1f} s") for row in attempts]


def _took(row: Mapping[str, Any]) -> float:
    return float(row["http.client.request.duration"])
