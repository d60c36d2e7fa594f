"""A text as it is, and as it is without what it was written in, layer by layer.

What is undone: escapes of addresses, of markup and of string literals; Base64 and hexadecimal where they hold text.
How much is undone is bounded by the size of the text.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable
from urllib.parse import unquote_plus

_DEEPEST = 4
# All readings beside the text itself hold at most so many times its characters, and so many more.
_MOST_TIMES, _MOST_MORE = 4, 64 * 1024
_LITERAL = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))")
# The digits that letters, digits and most marks come to: those beyond them differ between the alphabets, and stand in
# addresses for something else.
_BASE64 = re.compile(r"[0-9A-Za-z]{12,}")
_HEXADECIMAL = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
_BLANKS = str.maketrans("", "", "\t\r\n")


def readings(text: str) -> list[str]:
    """``text`` first, then what each layer holds."""
    found, layer = {text: None}, [text]
    left = _MOST_TIMES * len(text) + _MOST_MORE
    for _ in range(_DEEPEST):
        inner = [read for outer in layer for undo in _UNDO if (read := undo(outer)) not in found]
        layer = []
        for read in dict.fromkeys(inner):
            left -= len(read)
            if left < 0:
                return list(found)
            found[read] = None
            layer.append(read)
    return list(found)


def _without_escapes(text: str) -> str:
    plain = html.unescape(unquote_plus(text)) if "%" in text or "&" in text or "+" in text else text
    return _LITERAL.sub(lambda one: chr(int(one[1] or one[2], 16)), plain) if "\\" in plain else plain


def _out_of_base64(text: str) -> str:
    return _BASE64.sub(lambda run: _held(run[0]) or run[0], text)


def _held(run: str) -> str | None:
    """The text in a run of Base64's digits, or None. Up to three of them may belong to what stands before."""
    for before in range(4):
        own = run[before:]
        own = own[:-1] if len(own) % 4 == 1 else own
        held = _as_text(base64.b64decode(own + "=" * (-len(own) % 4)))
        if held is not None:
            return run[:before] + held
    return None


def _out_of_hexadecimal(text: str) -> str:
    return _HEXADECIMAL.sub(lambda run: _as_text(bytes.fromhex(run[0])) or run[0], text)


def _as_text(data: bytes) -> str | None:
    """UTF-8 or UTF-16 without what no text holds; None for anything else."""
    try:
        text = data.replace(b"\0", b"").decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if text.translate(_BLANKS).isprintable() else None


_UNDO: tuple[Callable[[str], str], ...] = (_without_escapes, _out_of_base64, _out_of_hexadecimal)
