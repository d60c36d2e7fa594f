"""The one writer's hand: texts, addresses, headers, bodies and data without their secrets."""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_webretrieval.keyshapes import OTHER_NAMES, SURE_NAMES, looks_random

from . import eventstream
from .secrets import Values, secrets_of
from .spans import Span, applied, settled
from .tokens import IsKnown, by_looks, by_names, is_secret, placeholder

_SURE = re.compile(SURE_NAMES, re.IGNORECASE)
_OTHER = re.compile(OTHER_NAMES, re.IGNORECASE)
_SCHEME = re.compile(r"(?i)(basic|bearer|token|apikey|digest)\s+")
_LONGEST_WORD = 4096


class Scrubber:
    """Takes secrets out of what one run says and shows. ``known`` says of a value whether the world gave it. What was
    found once is found again wherever it stands later."""

    def __init__(
        self, environment: Mapping[str, str] | None = None, known: IsKnown = lambda _: False
    ) -> None:
        self._values = Values(secrets_of(os.environ if environment is None else environment))
        self._known = known
        self._learned: set[str] = set()

    @property
    def learned(self) -> int:
        """How many secrets were found so far that were not known from the beginning."""
        return len(self._learned)

    def values(self, text: str) -> str:
        """The text without what is certain to be a secret; for what the world made itself."""
        return applied(text, settled(self._values.spans(text)))

    def text(self, text: str) -> str:
        return applied(text, settled(self.spans(text)))

    def spans(self, text: str) -> Iterator[Span]:
        """What to replace in a text; those that come first count where two overlap."""
        yield from self._values.spans(text)
        for find in (by_looks, by_names):
            for span in find(text, self._known):
                self._learn(text[span.start : span.end], span.text)
                yield span

    def headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {name: self.header(name, value) for name, value in headers.items()}

    def header(self, name: str, value: str) -> str:
        """One header's value; in what is named like a secret, all that the world did not give."""
        if name in ("cookie", "set-cookie"):
            parts = re.split(r"(\n|;\s*)", value) if name == "cookie" else re.split(r"(\n)", value)
            return "".join(self._cookie(part) for part in parts)
        if not _SURE.fullmatch(name):
            return self.text(value)
        scheme = _SCHEME.match(value)
        rest = value[scheme.end() :] if scheme else value
        if not is_secret(name, rest, self._known) or not is_secret(name, _decoded(rest), self._known):
            return self.values(value)
        told = self._values_or(rest, placeholder(name, rest))
        return f"{scheme[0] if scheme else ''}{told}"

    def body(self, body: bytes, media_type: str) -> bytes:
        """A body whose content encoding is taken off; what is not text is searched as it is."""
        text = body.decode("utf-8", "surrogateescape")
        spans = self.edits(text, media_type)
        return applied(text, spans).encode("utf-8", "surrogateescape") if spans else body

    def edits(self, text: str, media_type: str) -> list[Span]:
        """What to replace in the text of a body."""
        if eventstream.is_event_stream(media_type):
            found = eventstream.edits(text, self.spans)
            return settled((*found, *self._values.spans(text)))
        return settled(self.spans(text))

    def own_body(self, body: bytes) -> bytes:
        """A body that the world made itself, without what is certain to be a secret."""
        if self._values.within(body) is None:
            return body
        return self.values(body.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")

    def data(self, data: Any, name: str = "") -> Any:
        """JSON-able data, with the names that its strings have."""
        if isinstance(data, str):
            sure = name if name and _SURE.fullmatch(name) else None
            named = sure or (name if name and _OTHER.fullmatch(name) else None)
            if named and not any(mark in data for mark in " \n") and is_secret(sure, data, self._known):
                return self._values_or(data, placeholder(named, data))
            return self.text(data)
        if isinstance(data, Mapping):
            return {key: self.data(value, str(key)) for key, value in data.items()}
        if isinstance(data, list | tuple):
            return [self.data(value, name) for value in data]
        return data

    def _cookie(self, part: str) -> str:
        name, equals, rest = part.partition("=")
        value, semicolon, attributes = rest.partition(";")
        if not equals or not is_secret("cookie", value, self._known):
            return self.values(part)
        told = self._values_or(value, placeholder(name.strip(), value))
        return f"{name}={told}{semicolon}{attributes}"

    def _values_or(self, value: str, told: str) -> str:
        """A secret of the environment keeps its own name."""
        plain = self.values(value)
        if plain != value:
            return plain
        self._learn(value, told)
        return told

    def _learn(self, value: str, told: str) -> None:
        if looks_random(value) and len(value) <= _LONGEST_WORD and value not in self._learned:
            self._learned.add(value)
            self._values.learn(value, told)


def _decoded(value: str) -> str:
    """A value in base64 as text, else as it is."""
    try:
        return base64.b64decode(value, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return value
