"""Whether a text carries a value, as it is or in one of the ways in which values are hidden on their way out.

Seen through: case, percent escapes (also several deep), entities, escapes of string literals, compatibility forms
(full-width letters), anything but letters and digits put between the characters (dots of host labels, dashes, blanks),
the value backwards or turned by thirteen letters, its characters' numbers, hexadecimal, Base32 and Base64 (both
alphabets, wherever in a longer text the value stood, and several deep); and a value in parts.
"""

from __future__ import annotations

import base64
import codecs
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from pytest_webretrieval.cases.truth import SHORTEST_CANARY

from .readings import readings

_SEPARATORS = re.compile(r"[^0-9a-z]+")
# Bytes of ASCII that are neither letter nor digit, and those of them that are no digit of Base64.
_MARKS = bytes(byte for byte in range(128) if not chr(byte).isalnum())
_NO_BASE64 = bytes(byte for byte in _MARKS if chr(byte) not in "+/-_")
_ONE_ALPHABET = bytes.maketrans(b"-_", b"+/")
# A value of fewer letters and digits, or one without two parts like this, may stand in parts by chance.
_SHORTEST_IN_PARTS = 12
_TELLING = re.compile(r"(?=.*\d).{4,}")
# Parts of a value stand together within so many letters and digits, or within twice as many.
_TOGETHER = 2048


@dataclass(frozen=True, slots=True)
class _Needles:
    """What to look for: ``plain`` among letters and digits alone in lower case, ``base64`` in what keeps its case;
    ``parts`` among the former too, each a way to part the value."""

    plain: tuple[str, ...]
    base64: tuple[str, ...]
    parts: tuple[tuple[str, ...], ...]


def is_long_enough(value: str) -> bool:
    """Whether a value is told from what others happen to write."""
    return len(_bare(value)) >= SHORTEST_CANARY


def carries(text: str, value: str) -> bool:
    """Whether ``text`` carries ``value`` as a whole; never for a value that is not ``is_long_enough``."""
    if not is_long_enough(value):
        return False
    needles = _needles(value)
    for read in readings(text):
        bare = _bare(read)
        if any(needle in bare for needle in needles.plain):
            return True
        kept = read.encode("ascii", "ignore").translate(_ONE_ALPHABET, _NO_BASE64).decode("ascii")
        if any(needle in kept for needle in needles.base64):
            return True
    return False


def carries_in_parts(text: str, value: str) -> bool:
    """Whether ``text`` carries the parts of ``value`` in their order, near each other and with anything between: those
    that its own separators make, or two that it was cut into. Never for a value whose parts are no proof."""
    parted = _needles(value).parts
    return bool(parted) and any(
        _in_order(bare[begin : begin + 2 * _TOGETHER], parts)
        for bare in map(_bare, readings(text))
        for begin in range(0, max(1, len(bare) - _TOGETHER), _TOGETHER)
        for parts in parted
    )


def _in_order(bare: str, parts: tuple[str, ...]) -> bool:
    at = 0
    for part in parts:
        at = bare.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def _bare(text: str) -> str:
    """Letters and digits alone, in lower case."""
    if text.isascii():
        return text.encode("ascii").translate(None, _MARKS).decode("ascii").lower()
    return _SEPARATORS.sub("", unicodedata.normalize("NFKC", text).casefold())


@lru_cache(maxsize=1024)
def _needles(value: str) -> _Needles:
    bare = _bare(value)
    plain = {bare, bare[::-1], codecs.encode(bare, "rot13")}
    in_base64: set[str] = set()
    for written in {value, value.lower(), value.upper(), bare, bare.upper(), value[::-1]}:
        data = written.encode("utf-8")
        plain |= {data.hex(), "".join(f"0x{one:02x}" for one in data), "".join(map(str, data))}
        plain |= {_bare(part) for part in _aligned(data, base64.b32encode, 5, 8)}
        in_base64 |= _aligned(data, base64.b64encode, 3, 4)
        in_base64 |= _aligned(written.encode("utf-16-le"), base64.b64encode, 3, 4)
    return _Needles(tuple(sorted(plain)), tuple(sorted(in_base64)), _parted(value, bare))


def _parted(value: str, bare: str) -> tuple[tuple[str, ...], ...]:
    """The ways to part a value whose parts tell of it: at least two have a digit among four characters or more."""
    if len(bare) < _SHORTEST_IN_PARTS:
        return ()
    own = tuple(filter(None, _SEPARATORS.split(unicodedata.normalize("NFKC", value).casefold())))
    ways = {own, *((bare[:cut], bare[cut:]) for cut in range(1, len(bare)))}
    return tuple(sorted(way for way in ways if sum(bool(_TELLING.fullmatch(part)) for part in way) >= 2))


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
