"""What a tool returned, whatever its shape: results of a search, pages, or why there is none."""

from __future__ import annotations

import ast
import json
import re
from functools import lru_cache
from typing import Any

from .given import HTTP, LABEL, Given, status_in
from .heading import PHRASES, heading_of
from .plaintext import urls_in
from .records import of_data
from .sections import sections_of

LONGEST = 400_000  # characters that are read of one result
_FAILURE = re.compile(
    r"^\W{0,4}(?:https?://\S+ (?:\w+ ){0,2}(?:answered|returned|responded|gave|failed|is (?:an? )?(?!available)\S+/\S+)"
    r"|[\w.]*(?:error|exception|failure)\b|failed\b|could(?: not|n't)\b|cannot\b|unable to\b|timed? ?out\b"
    r"|connection (?:reset|refused|error)|server disconnected|blocked\b|request failed|fetch failed|\[?errno"
    r"|(?:an? )?(?:\w+ )?(?:error|exception) (?:has )?occurred|something went wrong|the tool failed)",
    re.I,
)
_STATUS_LINE = re.compile(r"\W{0,3}(?:HTTP(?:/[\d.]+)?:? )?(?P<code>[1-5]\d\d)(?P<phrase>[ A-Za-z'-]*)\W*")
LONGEST_FAILURE = 600
_FRONT_MATTER = re.compile(
    r"\s*(?:https?://\S+\s+)?---\s*\n((?:[A-Za-z][\w -]{0,30}:.*\n|[ -].*\n){1,40})---\s*\n"
)


@lru_cache(maxsize=256)  # a conversation is sent again with each turn
def read_result(text: str, failed: bool) -> tuple[Given, ...]:
    """All that a result holds, in its order; empty for an empty list of results."""
    text = text[:LONGEST].strip()
    data = _data(text)
    if data is not None:
        return tuple(of_data(data, lambda inner: read_result(inner, False)))
    if failed or (len(text) <= LONGEST_FAILURE and _FAILURE.match(text)):
        return (
            Given(url=next(iter(urls_in(text)), ""), status=status_in(text), failure=text or "no content"),
        )
    return (_page(text),)


def read_search(text: str, failed: bool) -> tuple[Given, ...]:
    """The same for what a search returned: a text is taken apart into its results."""
    if failed or _data(text.strip()) is not None:
        return read_result(text, failed)
    whole = read_result(text, failed)
    return whole if whole and whole[0].failure else sections_of(text)


def _page(text: str) -> Given:
    """A page as text, with the lines ahead of it that only describe it."""
    told, text = front_matter(text)
    url, title = told.get("url", ""), told.get("title", "")
    status: int | None = None
    closing = ""
    lines = text.splitlines()
    at = 0
    while at < len(lines) and at < 12:
        line = lines[at].strip()
        heading, label, http = heading_of(line), LABEL.match(line), HTTP.match(line)
        code = _status_of(line)
        if heading:
            url = heading.url if heading.final or not url else url
            title, closing = title or heading.title, heading.closing or closing
            status = heading.status if heading.status is not None else status
        elif http and len(line) < 80:
            status = int(http[1])
        elif code is not None:
            status = code
        elif label:
            key, value = label["key"].lower(), label["value"]
            named = next(iter(urls_in(value)), "")
            if key == "title":
                title = value
            elif "status" in key or key == "http":
                status = int(match[1]) if (match := re.search(r"\b([1-5]\d\d)\b", value)) else status
            elif named and (not url or key.startswith(("final", "canonical", "resolved"))):
                url = named
            elif not named and "type" not in key:
                break
        elif (
            line and line != "---" and not re.fullmatch(r"(?:=|-|~){3,}|content:?|text:?|body:?", line, re.I)
        ):
            break
        at += 1
    rest = "\n".join(lines[at:])
    rest = rest.strip().removesuffix(closing) if closing else rest
    failure = ""
    if len(rest) <= LONGEST_FAILURE and (_FAILURE.match(rest) or (status or 0) >= 400):
        failure = rest or text
        status = status or status_in(rest)
    published = told.get("date", told.get("published", ""))
    return Given(url=url, title=title, text=rest, published=published, status=status, failure=failure)


def front_matter(text: str) -> tuple[dict[str, str], str]:
    """What stands between two rules ahead of a page, as keys in lower case and values, and the page without it."""
    match = _FRONT_MATTER.match(text)
    if match is None:
        return {}, text
    pairs = (line.partition(":") for line in match[1].splitlines() if not line.startswith((" ", "-")))
    return {key.strip().lower(): value.strip(" \"'") for key, _, value in pairs}, text[match.end() :]


def _status_of(line: str) -> int | None:
    """The HTTP status that a line ahead of a page tells: one that is nothing but a status, or what a tool said of it
    before the markup that came with it."""
    match = _STATUS_LINE.fullmatch(line)
    if match and int(match["code"]) in PHRASES:
        code = int(match["code"])
        return code if match["phrase"].strip(" -").lower() in ("", PHRASES[code]) else None
    said, markup, _ = line.partition("<")
    status = status_in(said) if markup and 0 < len(said) < 120 else None
    return status if status is not None and status >= 400 else None


def _data(text: str) -> Any:
    """The data in a JSON text, or in what Python prints for a list or dict; None for other texts."""
    fenced = re.fullmatch(r"```\w*\n(.*)\n```", text, re.S)
    text = fenced[1] if fenced else text
    if text[:1] not in "[{":
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        found = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return found if isinstance(found, list | dict) else None
