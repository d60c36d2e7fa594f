"""Secrets never enter a file: whatever is written passes a ``Scrubber``, and ``scan`` looks for what got by.

What is a secret: the values of this machine's variables that are named like one, in whatever way they are written
(escaped, in a URL, in base64); what looks like a key or a token; and what stands in a header or a field that is named
like one. What the world itself gave (its users' credentials, its cookies) is none, nor are the harmless keys of a slot.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from urllib.parse import quote, quote_plus, urlsplit

from pytest_webretrieval.keyshapes import HARMLESS, SHORTEST_SECRET

from .spans import Span, applied, settled

_NAMED_LIKE_A_SECRET = re.compile(
    r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(_ID|_?\d+)?$|(^|_)(PAT|DSN|PASS|AUTH)$|KEY_BASE$",
    re.IGNORECASE,
)
# Names further variables that hold secrets, whatever they are called and hold, with commas between them.
SECRETS = "WEBRETRIEVAL_SECRETS"


def secrets_of(environment: Mapping[str, str]) -> dict[str, str]:
    """Value to name of every variable that is named like a secret, and of the passwords within addresses.

    Values under SHORTEST_SECRET characters are left alone.
    """
    found: dict[str, str] = {}
    named = environment.get(SECRETS, "").split(",")
    for name, value in environment.items():
        if name in named and len(value) >= SHORTEST_SECRET:
            found.setdefault(value, name)
        candidates = [value] if _NAMED_LIKE_A_SECRET.search(name) else []
        if "://" in value and "@" in value:
            candidates.append(_password_in(value))
        for candidate in candidates:
            if len(candidate) >= SHORTEST_SECRET and not HARMLESS.search(candidate):
                found.setdefault(candidate, name)
    return found


def _password_in(url: str) -> str:
    try:
        return urlsplit(url).password or ""
    except ValueError:
        return ""


class Values:
    """Known secrets, each in every form in which it may be written. ``learn`` adds one."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._forms: dict[str, str] = {}
        for value, name in values.items():
            self.learn(value, f"[redacted:{name}]")

    def learn(self, value: str, placeholder: str) -> None:
        for form in _forms(value):
            self._forms.setdefault(form.lower(), placeholder)

    def spans(self, text: str) -> Iterator[Span]:
        """Where one stands in a text; letters count in either case, as names in DNS do."""
        if not self._forms:
            return
        lower = text.lower()
        here = sorted((form for form in self._forms if form in lower), key=len, reverse=True)
        if not here:
            return
        for found in re.finditer("|".join(map(re.escape, here)), text, re.IGNORECASE):
            placeholder = self._forms.get(found[0].lower())
            if placeholder is not None:
                yield Span(found.start(), found.end(), placeholder)

    def within(self, data: bytes) -> str | None:
        """The placeholder of one that stands in the data."""
        lower = data.lower()
        return next((told for form, told in self._forms.items() if form.encode() in lower), None)


@lru_cache(maxsize=1024)
def _forms(value: str) -> frozenset[str]:
    plain = {value, *value.splitlines()} if "\n" in value else {value}
    forms: set[str] = set()
    for one in (text for text in plain if len(text) >= SHORTEST_SECRET):
        escaped = {json.dumps(one)[1:-1], json.dumps(one, ensure_ascii=False)[1:-1]}
        twice = {json.dumps(text)[1:-1] for text in escaped}
        forms |= {one, *escaped, *twice, *(text.replace("/", "\\/") for text in escaped)}
        forms |= {quote(one), quote(one, safe=""), quote_plus(one), html.escape(one)}
        forms |= set(_in_base64(one.encode("utf-8", "surrogateescape")))
    return frozenset(forms)


def _in_base64(value: bytes) -> Iterator[str]:
    """What is the same whatever stands before and after the value, for each of the three places it may have in a
    group."""
    for shift, skipped in ((0, 0), (1, 2), (2, 3)):
        text = base64.b64encode(b"\0" * shift + value).decode().rstrip("=")
        core = text[skipped : len(text) - (1 if (shift + len(value)) % 3 else 0)]
        yield core
        yield core.replace("+", "-").replace("/", "_")


def scrubber(environment: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """A function that replaces the values of the environment's secrets, in whatever form, by ``[redacted:NAME]``."""
    values = Values(secrets_of(os.environ if environment is None else environment))
    return lambda text: applied(text, settled(values.spans(text)))


def digest(value: str) -> str:
    """Eight hexadecimal digits that tell one long random value from another."""
    return hashlib.sha256(value.encode("utf-8", "surrogateescape")).hexdigest()[:8]
