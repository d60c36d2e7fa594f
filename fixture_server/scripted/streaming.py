"""Server-sent events, and a text in the pieces that a model would send."""

from __future__ import annotations

import json
import re
from typing import Any

from ..message import Answer

WORDS = 4


def event(data: Any, name: str = "") -> bytes:
    """One event; ``data`` is a text or becomes JSON."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return (f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode()


def parts_of(text: str) -> list[str]:
    """``text`` in pieces of a few words, or of a few characters where no blanks part words."""
    words = re.findall(r"\s*\S{1,24}\s*", text)
    return ["".join(words[at : at + WORDS]) for at in range(0, len(words), WORDS)] or ([text] if text else [])


def streamed(pieces: list[bytes]) -> Answer:
    """An answer that is a stream of events."""
    headers = (("content-type", "text/event-stream; charset=utf-8"), ("cache-control", "no-cache"))
    return Answer(headers=headers, pieces=tuple(pieces))


def whole(data: Any) -> Answer:
    """An answer that is one JSON text."""
    body = json.dumps(data, ensure_ascii=False).encode()
    return Answer(headers=(("content-type", "application/json"),), body=body)
