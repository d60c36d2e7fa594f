"""What a provider calls the parts of a result: one description by which results are written and read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MANY = "[]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """One result of an answer. ``content`` is the page's text where the API gave it, ``published`` the date in the
    provider's own form."""

    url: str
    title: str = ""
    snippet: str = ""
    content: str | None = None
    published: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The key of each part; None for a part that the provider does not tell.

    ``metadata.title`` is a key of an object within the result, ``highlights[]`` one that holds a list of texts (a
    line each).
    """

    url: str = "url"
    title: str | None = "title"
    snippet: str | None = None
    content: str | None = None
    published: str | None = None

    def write(self, delivered: Delivered) -> dict[str, Any]:
        """A result; what there is none of is null."""
        result: dict[str, Any] = {}
        for key, text in self._parts(delivered):
            *outer, last = key.removesuffix(MANY).split(".")
            inside = result
            for name in outer:
                inside = inside.setdefault(name, {})
            inside[last] = (text.split("\n") if text else []) if key.endswith(MANY) else text
        return result

    def read(self, result: Mapping[str, Any]) -> Delivered:
        """What a result says, whatever it leaves out."""
        return Delivered(
            url=_text(result, self.url) or "",
            title=_text(result, self.title) or "",
            snippet=_text(result, self.snippet) or "",
            content=_text(result, self.content),
            published=_text(result, self.published),
        )

    def _parts(self, delivered: Delivered) -> Iterator[tuple[str, str | None]]:
        for key, text in (
            (self.url, delivered.url),
            (self.title, delivered.title),
            (self.snippet, delivered.snippet),
            (self.content, delivered.content),
            (self.published, delivered.published),
        ):
            if key is not None:
                yield key, text


def rows(answer: Mapping[str, Any], place: str) -> list[dict[str, Any]]:
    """The results at a place such as ``data.web``: objects alone, none where the answer has no such list."""
    found = _at(answer, place)
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def without_nulls(result: Mapping[str, Any]) -> dict[str, Any]:
    """For a provider that leaves out what there is none of."""
    return {key: value for key, value in result.items() if value is not None}


def _at(content: Any, place: str) -> Any:
    for name in place.split("."):
        content = content.get(name) if isinstance(content, dict) else None
    return content


def _text(result: Mapping[str, Any], key: str | None) -> str | None:
    found = None if key is None else _at(result, key.removesuffix(MANY))
    if isinstance(found, list):
        return "\n".join(text for text in found if isinstance(text, str))
    return found if isinstance(found, str) else None
