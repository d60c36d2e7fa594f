"""Keys and tokens in a text, by their looks and by the names of the fields that hold them, and what stands for them."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator

from pytest_webretrieval.keyshapes import (
    BEARER,
    HARMLESS,
    JWT,
    MARKED,
    OTHER_NAMES,
    PASSWORD_IN_URL,
    PRIVATE_KEY,
    SURE_NAMES,
    looks_random,
)

from .secrets import digest
from .spans import Span

IsKnown = Callable[[str], bool]

# What may fail after it has run far has an end: pages of the web may hold anything, in any amount.
_LOOKS = re.compile(
    rf"(?P<key>(?:{PRIVATE_KEY})(?:[^-]*+(?:-(?!----)[^-]*+)*+-----END [A-Z ]*PRIVATE KEY-----)?)"
    rf"|(?P<jwt>{JWT})|(?P<bearer>{BEARER})|(?P<url>{PASSWORD_IN_URL})|(?P<marked>{MARKED})",
    re.DOTALL,
)
_NAMES = rf"(?P<sure>{SURE_NAMES})|(?P<other>{OTHER_NAMES})"
# In JSON, also in JSON that is a string of JSON, and in what prints like it.
_IN_JSON = re.compile(
    rf"(?<![\w-])(?P<q>\\{{0,15}}[\"'])(?:{_NAMES})(?P=q)\s*:\s*(?P<w>\\*[\"'])(?P<value>(?:(?!(?P=w))(?:\\.|[^\\])){{1,4096}})",
    re.IGNORECASE | re.DOTALL,
)
_IN_FORM = re.compile(
    rf"(?:(?<=[?&;\s\"'])|^)(?=[\w-]{{2,64}}=)(?:{_NAMES})=(?P<value>[^&\s\"'<>;\\]{{1,4096}})",
    re.IGNORECASE | re.MULTILINE,
)
_IN_PARTS = re.compile(
    rf"(?<=name=\")(?:{_NAMES})\"[^\n]*\r?\n(?:[^\n]+\n){{0,6}}?\r?\n(?P<value>[^\r\n]{{1,4096}})",
    re.IGNORECASE,
)
_IN_HEADER = re.compile(
    rf"(?:^|(?<=[\s\"']))(?=[\w-]{{2,64}}[ \t]*:)(?:{_NAMES})[ \t]*:[ \t]*(?:(?:bearer|basic|token|apikey)[ \t]+)?"
    r"(?P<value>[^\s\"',;\\]{4,4096})",
    re.IGNORECASE | re.MULTILINE,
)
_IN_FIELDS = (_IN_JSON, _IN_FORM, _IN_PARTS, _IN_HEADER)
_JWT_HEAD = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0"  # {"alg":"none","typ":"JWT"}
_NEVER = 4102444800  # the year 2100: what is replayed shall not have run out meanwhile
# Whatever stands for a secret, in a text from which secrets were taken.
PLACEHOLDER = re.compile(
    rf"\[redacted:[^\]]*\]|{_JWT_HEAD}\.[\w-]+\.redacted|[A-Za-z_-]*redacted-[0-9a-f]{{8}}"
)


def by_looks(text: str, known: IsKnown) -> Iterator[Span]:
    """Keys, tokens and passwords in a text that show by themselves."""
    for found in _LOOKS.finditer(text):
        kind, value = str(found.lastgroup), found[0]
        start = found.start()
        if kind == "bearer":
            scheme = re.match(r"\w+\s+", value)
            start += scheme.end() if scheme else 0
            value = text[start : found.end()]
        elif kind == "url":
            value = value.rpartition("@")[0].rpartition(":")[2]
            start = found.end() - 1 - len(value)
        if not HARMLESS.search(value) and not known(value):
            yield Span(start, start + len(value), _in_place_of(kind, value))


def by_names(text: str, known: IsKnown) -> Iterator[Span]:
    """Values of fields that are named like a secret: in JSON, in a query or a form, in parts, in headers."""
    for pattern in _IN_FIELDS:
        for found in pattern.finditer(text):
            value = found["value"]
            if is_secret(found["sure"], value, known):
                name = found["sure"] or found["other"]
                yield Span(*found.span("value"), placeholder(name, value))


def is_secret(sure: str | None, value: str, known: IsKnown) -> bool:
    """Whether a field's value is a secret; ``sure`` is the name where nothing else is kept under it."""
    if HARMLESS.search(value) or known(value):
        return False
    return bool(sure) or looks_random(value)


def placeholder(name: str, value: str) -> str:
    """``[redacted:NAME]``; long random values are told apart, so that what is replayed goes together."""
    return (
        f"[redacted:{name.lower()}:{digest(value)}]" if looks_random(value) else f"[redacted:{name.lower()}]"
    )


def _in_place_of(kind: str, value: str) -> str:
    match kind:
        case "jwt":
            claims = json.dumps({"sub": f"redacted-{digest(value)}", "exp": _NEVER}, separators=(",", ":"))
            return f"{_JWT_HEAD}.{base64.urlsafe_b64encode(claims.encode()).decode().rstrip('=')}.redacted"
        case "marked":
            mark = re.match(r"[A-Za-z]+(?:[_-](?:ant|or|proj|live|test|pat))?[_-]|[A-Z]{4}|AIza", value)
            return f"{mark[0] if mark else ''}redacted-{digest(value)}"
        case "url":
            return "redacted"
        case _:
            return f"[redacted:{kind}:{digest(value)}]"
