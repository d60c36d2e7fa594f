"""Jina's answers as text: labelled lines before a page's content, and numbered ones for a list of results."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .shape import Delivered

TITLE, URL, DESCRIPTION, DATE = "Title", "URL Source", "Description", "Date"
PUBLISHED, WARNING, CONTENT = "Published Time", "Warning", "Markdown Content"
_PAGE = re.compile(
    rf"{TITLE}: (?P<title>.*)\n\n{URL}: (?P<url>\S+)\n(?P<head>(?:\n.+\n)*?)\n{CONTENT}:\n(?P<content>.*)",
    re.DOTALL,
)
_FIELD = re.compile(rf"^\[\d+\] (?P<label>{TITLE}|{URL}|{DESCRIPTION}|{DATE}|{CONTENT}): ?", re.MULTILINE)


def page_text(page: Delivered, warning: str | None, summaries: Iterable[str]) -> str:
    """A page of the reader; ``summaries`` stand behind its content."""
    head = [f"{PUBLISHED}: {page.published}"] if page.published else []
    head += [f"{WARNING}: {warning}"] if warning else []
    lines = [
        f"{TITLE}: {page.title}",
        f"{URL}: {page.url}",
        *head,
        f"{CONTENT}:\n{page.content or ''}",
        *summaries,
    ]
    return "\n\n".join(lines) + "\n"


def results_text(results: Iterable[Delivered]) -> str:
    """The results of a search."""
    return "\n\n".join(_result_text(place, one) for place, one in enumerate(results, 1)) + "\n"


def read_page(text: str) -> Delivered | None:
    """None where the text is no page of the reader."""
    found = _PAGE.match(text)
    if found is None:
        return None
    published = re.search(rf"^{PUBLISHED}: (.+)$", found["head"], re.MULTILINE)
    return Delivered(
        url=found["url"],
        title=found["title"],
        content=found["content"].strip(),
        published=published[1] if published else None,
    )


def read_results(text: str) -> tuple[Delivered, ...]:
    """None of them where the text is no list of results."""
    results: list[dict[str, str]] = []
    fields = list(_FIELD.finditer(text))
    ends = [*(field.start() for field in fields[1:]), len(text)]
    for field, end in zip(fields, ends, strict=False):
        value = text[field.end() : end].strip()
        if field["label"] == TITLE:
            results.append({})
        if results:
            results[-1].setdefault(field["label"], value)
    return tuple(
        Delivered(
            url=one.get(URL, ""),
            title=one[TITLE],
            snippet=one.get(DESCRIPTION, ""),
            content=one.get(CONTENT) or None,
            published=one.get(DATE),
        )
        for one in results
    )


def _result_text(place: int, result: Delivered) -> str:
    fields = {TITLE: result.title, URL: result.url, DESCRIPTION: result.snippet, DATE: result.published}
    lines = [f"[{place}] {label}: {value}" for label, value in fields.items() if value]
    lines += [f"[{place}] {CONTENT}: \n{result.content}"] if result.content else []
    return "\n".join(lines)
