"""Results that are data: lists and records of any provider, or of the agent's own making."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from .given import Given, status_in

_URL_KEYS = ("url", "link", "href", "uri", "source_url", "page_url", "sourceurl", "source", "id")
_FINAL_KEYS = ("final_url", "finalurl", "resolved_url", "canonical_url", "canonical")
_TITLE_KEYS = ("title", "name", "heading", "headline")
_TEXT_KEYS = (
    *("raw_content", "markdown", "full_text", "fulltext", "page_content", "text", "content", "body", "html"),
    *("snippet", "description", "summary", "extract", "excerpt", "abstract", "highlights", "excerpts"),
    *("extra_snippets", "page", "output", "result", "data"),
)
_PAGE_KEYS = _TEXT_KEYS[:9]
_DATE_KEYS = (
    "published_date",
    "publisheddate",
    "published",
    "date",
    "page_age",
    "age",
    "last_updated",
    "updated",
)
_ERROR_KEYS = ("error", "errors", "error_message", "exception", "failure", "detail", "message")
_STATUS_KEYS = ("status_code", "statuscode", "http_status", "status", "code")


def of_data(data: object, read_text: Callable[[str], Iterable[Given]]) -> Iterator[Given]:
    """What the data hold, in their order; ``read_text`` reads the texts in them that hold more than a value."""
    if isinstance(data, list):
        for item in data:
            if isinstance(item, str):
                yield from read_text(item) if len(item) > 80 else ()
            else:
                yield from of_data(item, read_text)
        return
    if not isinstance(data, Mapping):
        return
    folded = {str(key).lower().replace("-", "_"): value for key, value in data.items()}
    if set(folded) <= {"type", "text", "annotations", "meta"} and isinstance(folded.get("text"), str):
        yield from read_text(folded["text"])
        return
    if any(isinstance(folded.get(key), str) and folded[key] for key in _PAGE_KEYS):
        yield _record(folded)  # what lists beside a page's text hold is less: its links, its images
        return
    lists = [value for value in folded.values() if isinstance(value, list) and any(map(_is_record, value))]
    nested = [value for value in folded.values() if isinstance(value, Mapping) and _holds_lists(value)]
    if lists or nested:
        for value in lists:
            yield from of_data([item for item in value if isinstance(item, Mapping)], read_text)
        for inner in nested:
            yield from of_data(inner, read_text)
        return
    if _is_empty_list(folded):
        return
    yield _record(folded)


def _is_record(item: Any) -> bool:
    return isinstance(item, Mapping) and bool(
        _address(item) or any(key in item for key in ("error", "text", "content"))
    )


def _holds_lists(value: Mapping[str, Any]) -> bool:
    return any(isinstance(inner, list) and any(map(_is_record, inner)) for inner in value.values())


def _is_empty_list(folded: Mapping[str, Any]) -> bool:
    """Whether it is the frame of a search that found nothing."""
    listed = any(
        folded.get(key) == [] for key in ("results", "items", "hits", "documents", "organic", "data", "web")
    )
    return listed and not any(folded.get(key) for key in _ERROR_KEYS)


def _address(item: Mapping[str, Any]) -> str:
    for key in (*_URL_KEYS, *(name.upper() for name in _URL_KEYS[:2])):
        value = item.get(key)
        if isinstance(value, str) and value.startswith(("http://", "https://")):
            return value
    return ""


def _record(folded: Mapping[str, Any]) -> Given:
    text = next((said for key in _TEXT_KEYS if (said := _said(folded.get(key)))), "")
    final = next((folded[key] for key in _FINAL_KEYS if isinstance(folded.get(key), str) and folded[key]), "")
    status = next((code for key in _STATUS_KEYS if (code := _code(folded.get(key))) is not None), None)
    failure = next((said for key in _ERROR_KEYS[: 5 if text else 7] if (said := _said(folded.get(key)))), "")
    if not text and not failure:
        text = "\n".join(f"{key}: {value}" for key, value in _leaves(folded))
    if failure and status is None:
        status = status_in(failure)
    return Given(
        url=final if final.startswith("http") else _address(folded),
        title=next((str(folded[key]) for key in _TITLE_KEYS if folded.get(key)), ""),
        text=text,
        published=next((str(folded[key]) for key in _DATE_KEYS if folded.get(key)), ""),
        status=status,
        failure=failure if not text or (status or 0) >= 400 else "",
    )


def _said(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return "\n".join(said for item in value if (said := _said(item)))
    if isinstance(value, Mapping):
        return next((said for key in (*_TEXT_KEYS, *_ERROR_KEYS) if (said := _said(value.get(key)))), "")
    return ""


def _leaves(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    stack: list[tuple[str, Any]] = list(reversed(list(data.items())))
    while stack:
        key, value = stack.pop()
        if isinstance(value, Mapping):
            stack.extend((str(name), inner) for name, inner in reversed(list(value.items())))
        elif isinstance(value, list):
            stack.extend((key, inner) for inner in reversed(value))
        elif value not in (None, ""):
            yield key, value


def _code(value: Any) -> int | None:
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 100 <= value < 600 else None
