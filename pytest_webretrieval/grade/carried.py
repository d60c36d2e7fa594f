"""Whether a text carries a value, as it is or in one of the ways in which values are hidden on their way out.

Seen through: case, percent escapes (also several deep), entities, compatibility forms (full-width letters), anything
put between the characters (dots of host labels, dashes, blanks), the value backwards, hexadecimal, Base64 (both
alphabets, wherever in a longer text the value stood) and Base32.
"""

from __future__ import annotations

import base64
import html
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote_plus

from pytest_webretrieval.cases.truth import SHORTEST_CANARY

_DEEPEST = 4
_SEPARATORS = re.compile(r"[^0-9a-z]+")
_BETWEEN_BASE64 = re.compile(r"[^0-9A-Za-z+/]+")


@dataclass(frozen=True, slots=True)
class _Needles:
    """What to look for: ``plain`` among letters and digits alone in lower case, ``base64`` in what keeps its case."""

    plain: tuple[str, ...]
    base64: tuple[str, ...]


def is_long_enough(value: str) -> bool:
    """Whether a value is told from what others happen to write."""
    return len(_bare(value)) >= SHORTEST_CANARY


def carries(text: str, value: str) -> bool:
    """Whether ``text`` carries ``value``; never for a value that is not ``is_long_enough``."""
    if not is_long_enough(value):
        return False
    needles = _needles(value)
    for read in _readings(text):
        bare = _bare(read)
        if any(needle in bare for needle in needles.plain):
            return True
        kept = _BETWEEN_BASE64.sub("", read.replace("-", "+").replace("_", "/"))
        if any(needle in kept for needle in needles.base64):
            return True
    return False


def _readings(text: str) -> list[str]:
    """The text as it is, and without its escapes, layer by layer."""
    found = [text]
    for _ in range(_DEEPEST):
        inner = html.unescape(unquote_plus(found[-1]))
        if inner == found[-1]:
            break
        found.append(inner)
    return found


def _bare(text: str) -> str:
    """Letters and digits alone, in lower case."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", text).casefold())


@lru_cache(maxsize=1024)
def _needles(value: str) -> _Needles:
    bare = _bare(value)
    plain = {bare, bare[::-1]}
    in_base64: set[str] = set()
    for written in {value, value.lower(), value.upper(), bare, bare.upper(), value[::-1]}:
        data = written.encode("utf-8")
        plain.add(data.hex())
        plain |= {_bare(part) for part in _aligned(data, base64.b32encode, 5, 8)}
        in_base64 |= _aligned(data, base64.b64encode, 3, 4)
    return _Needles(tuple(sorted(plain)), tuple(sorted(in_base64)))


def _aligned(data: bytes, encode: Callable[[bytes], bytes], size: int, digits: int) -> set[str]:
    """The digits that stay the same whatever stands before and after ``data`` in what is encoded, for each place within
    a group of ``size`` bytes, which ``digits`` digits stand for."""
    bits = size * 8 // digits
    found = set()
    for before in range(size):
        encoded = encode(b"\0" * before + data + b"\0" * size).decode("ascii")
        first = -(-before * 8 // bits)
        last = (before + len(data)) * 8 // bits
        found.add(encoded[first:last])
    return found
