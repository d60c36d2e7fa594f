"""URLs in a text: markdown links, autolinks, and bare URLs freed of what only stands behind them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

_MARKDOWN = re.compile(r"(?<!\\)(!?)\[((?:[^\[\]\\]|\\.|\[[^\[\]]{0,200}\]){0,400})\]\(", re.DOTALL)
_TITLE = re.compile(r"""\s+(?:"[^"]{0,300}"|'[^']{0,300}'|\([^()]{0,300}\))\s*\)""")
_AUTOLINK = re.compile(r"<(https?://[^\s<>]{1,4000})>", re.IGNORECASE)
_BARE = re.compile(
    r"https?://[^\s<>\"`|\\^{}。，、；：！？…「」『』（）【】《》〈〉“”‘’„«»｡]+", re.IGNORECASE
)
_NEXT_URL = re.compile(r"[,;]https?://", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_ENTITY_THAT_ENDS = re.compile(r"&(?:quot|lt|gt|nbsp|apos|#39|#34|#60|#62);", re.IGNORECASE)
_CLOSING = {")": "(", "]": "[", "}": "{"}
_TRAILING = ".,;:!?'*_~"
_LONGEST_URL = 2000
_LONGEST_OTHER = 200


@dataclass(frozen=True, slots=True)
class Link:
    """``text[start:end]`` is the whole link; ``label`` is what a reader sees (None for a bare URL). ``url``
    is None for an image and for a target that is no absolute http or https URL."""

    start: int
    end: int
    url: str | None
    label: str | None = None


def is_absolute(url: object) -> bool:
    """Whether it is an absolute http or https URL with a host."""
    if not isinstance(url, str) or re.search(r"[\x00-\x1f]", url):
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme.lower() in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def same_source(url: str) -> str:
    """A key by which two spellings count as one citation: without fragment, unless that is a route of an
    app."""
    bare, hash_mark, fragment = url.partition("#")
    return url if fragment.startswith(("/", "!")) and hash_mark else bare


def find_links(text: str) -> list[Link]:
    """Every link, in order, without overlap."""
    found: list[Link] = []
    at = 0
    for link in _merged(_markdown(text), _autolinks(text)):
        if link.start >= at:
            found.extend(_bare(text, at, link.start))
            found.append(link)
            at = link.end
    found.extend(_bare(text, at, len(text)))
    return found


def _merged(*rows: Iterator[Link]) -> list[Link]:
    return sorted((link for row in rows for link in row), key=lambda link: link.start)


def _markdown(text: str) -> Iterator[Link]:
    at = 0
    while match := _MARKDOWN.search(text, at):
        target = _target(text, match.end())
        if target is None:
            at = match.start() + 1
            continue
        url, end = target
        shown = None if match[1] or not is_absolute(url) else url
        yield Link(match.start(), end, shown, match[2])
        at = end


def _target(text: str, at: int) -> tuple[str, int] | None:
    """The destination that begins behind ``(``, and where the link ends."""
    while at < len(text) and text[at] in " \t\n":
        at += 1
    if text[at : at + 1] == "<":
        close = text.find(">", at, at + _LONGEST_URL)
        return None if close < 0 else _closed(text, _unescaped(text[at + 1 : close]), close + 1)
    depth, start = 0, at
    longest = _LONGEST_URL if text[at : at + 4].lower() == "http" else _LONGEST_OTHER
    limit = min(len(text), at + longest)
    while at < limit:
        char = text[at]
        if char == "\\" and at + 1 < limit:
            at += 1
        elif char.isspace():
            return _closed(text, _unescaped(text[start:at]), at)
        elif char == "(":
            depth += 1
        elif char == ")":
            if depth == 0:
                return _unescaped(text[start:at]), at + 1
            depth -= 1
        at += 1
    return None


def _closed(text: str, url: str, at: int) -> tuple[str, int] | None:
    if title := _TITLE.match(text, at):
        return url, title.end()
    closing = re.compile(r"\s*\)").match(text, at)
    return None if closing is None else (url, closing.end())


def _unescaped(url: str) -> str:
    return _decoded(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", url))


def _decoded(url: str) -> str:
    """Entities once, and only those that are closed: ``&copy=1`` is a parameter."""
    return _ENTITY.sub(lambda match: html.unescape(match[0]), url)


def _autolinks(text: str) -> Iterator[Link]:
    for match in _AUTOLINK.finditer(text):
        url = _decoded(match[1])
        if is_absolute(url):
            yield Link(match.start(), match.end(), url)


def _bare(text: str, start: int, end: int) -> Iterator[Link]:
    at = start
    while match := _BARE.search(text, at, end):
        raw = _trimmed(match[0])
        at = match.start() + max(len(raw), len("http://"))
        url = _decoded(raw)
        if is_absolute(url):
            yield Link(match.start(), match.start() + len(raw), url)


def _trimmed(raw: str) -> str:
    for stop in (_NEXT_URL, _ENTITY_THAT_ENDS):
        if cut := stop.search(raw):
            raw = raw[: cut.start()]
    raw = raw[: _first_unmatched(raw)]
    while raw and (raw[-1] in _TRAILING or raw[-1] in "([{"):
        raw = raw[:-1]
    return raw


def _first_unmatched(raw: str) -> int:
    """Where the first closing bracket stands that nothing opened."""
    depth = dict.fromkeys(_CLOSING.values(), 0)
    for index, char in enumerate(raw):
        if char in depth:
            depth[char] += 1
        elif char in _CLOSING:
            depth[_CLOSING[char]] -= 1
            if depth[_CLOSING[char]] < 0:
                return index
    return len(raw)
