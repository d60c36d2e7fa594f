"""Ids and counts that the same request gets again: nothing here is drawn."""

from __future__ import annotations

import hashlib
import math
from typing import Any

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def identity(prefix: str, seed: bytes, *parts: object, length: int = 24) -> str:
    """An id that ``seed`` and ``parts`` decide, such as ``call_3vJ...``."""
    digest = hashlib.sha256(seed + repr(parts).encode()).digest()
    number, letters = int.from_bytes(digest), []
    for _ in range(length):
        number, rest = divmod(number, len(_ALPHABET))
        letters.append(_ALPHABET[rest])
    return prefix + "".join(letters)


def tokens(*values: Any) -> int:
    """About as many tokens as a model would count in texts or data: four characters each, two for other scripts."""
    text = "".join(value if isinstance(value, str) else repr(value) for value in values if value)
    narrow = sum(ord(char) < 0x2E80 for char in text)
    return math.ceil(narrow / 4 + (len(text) - narrow) / 2)
