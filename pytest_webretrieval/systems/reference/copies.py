"""The same text in several places, and which of them it comes from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlsplit

from .authority import publisher_of
from .document import Document
from .kinds import Page
from .question import Question, overlap, words_of

SHINGLE = 4
# Share of the shorter text's shingles that the other one has: near copies are cut and get a line of credit.
SAME_TEXT = 0.4

_WORD = r"[A-Z][\w’'&-]*(?:\.(?=\w)[\w’'&-]*)*"
_NAME = rf"(?:[Tt]he )?(?P<name>{_WORD}(?: (?:(?:of|and|the|de|la|&) )*{_WORD})*)"
_CREDIT = re.compile(
    r"(?i:\b(?:first|originally) (?:appeared|ran|published|printed|reported)(?: in| by| on)?|"
    r"\bsyndicated (?:from|by)|\bsyndication ?:|\borigin(?:al)? ?:|\bsource ?:|"
    r"\breprinted (?:[\w ]{0,24})?(?:from|by permission of)|\bcourtesy of|\brepublished from|"
    r"\bcredit ?:) +" + _NAME
)
_CREDIT_CJK = re.compile(
    r"(?:轉載自|转载自|原載於|原载于|原文出處|出處|来源|來源) ?[:：]?《?(?P<name>[\u3400-\u9fff]{2,16})"
)
_CITE = re.compile(
    r"\b(?:origin(?:al)?|source|first (?:ran|appeared|published)|read it at|full story|cite)\b|原文|出處",
    re.I,
)


def host(url: str) -> str:
    """The host of ``url`` without ``www``."""
    return (urlsplit(url).hostname or "").removeprefix("www.")


def same_text(one: Document, other: Document) -> bool:
    """Whether two pages carry the same running text, cut or credited as it may be."""
    first, second = _shingles(one), _shingles(other)
    if not first or not second:
        return False
    return len(first & second) / min(len(first), len(second)) >= SAME_TEXT


def _shingles(document: Document) -> frozenset[tuple[str, ...]]:
    words = words_of(" ".join(block for block in document.blocks if block not in document.headings))
    return frozenset(tuple(words[at : at + SHINGLE]) for at in range(len(words) - SHINGLE + 1))


def credited(document: Document) -> str | None:
    """The name that a page credits its text to, in a line such as ``first appeared in the Daily Name``."""
    for block in document.blocks:
        for pattern in (_CREDIT, _CREDIT_CJK):
            if match := pattern.search(block):
                return match["name"].strip(" .")
    return None


def credits_itself(document: Document) -> bool:
    """Whether the credit line names the page's own publisher."""
    name = credited(document)
    return name is not None and same_name(name, publisher_of(document))


def same_name(one: str, other: str) -> bool:
    """Whether two names are the same but for case and a leading article."""
    return bool(one and other) and _bare(one) == _bare(other)


def _bare(name: str) -> str:
    return re.sub(r"^the ", "", " ".join(name.casefold().split()))


def origin_urls(page: Page) -> list[str]:
    """Addresses on other hosts that a page itself names as where its text comes from: canonical first, then
    links."""
    document = page.document
    assert document is not None
    own = host(page.fetched.final_url)
    found = []
    if document.canonical and host(document.canonical) != own:
        found.append(document.canonical)
    for link in document.links:
        if host(link.url) != own and (_CITE.search(link.text) or _CITE.search(link.around)):
            found.append(link.url)
    return list(dict.fromkeys(found))


def points_to(one: Page, other: Page) -> bool:
    """Whether ``one`` names ``other`` as its source: by address, by its publisher's name, or by a credit
    line."""
    assert one.document is not None
    assert other.document is not None
    targets = {_place(other.url), _place(other.fetched.final_url), _place(other.fetched.url)}
    if any(_place(link.url) in targets for link in one.document.links):
        return True
    publisher = publisher_of(other.document).removeprefix("The ")
    return len(publisher) >= 4 and publisher.casefold() in one.document.text.casefold()


def _place(url: str) -> tuple[str, str]:
    return host(url), urlsplit(url).path.rstrip("/")


def clusters(pages: Sequence[Page]) -> list[list[Page]]:
    """Pages in groups of the same text, the largest group first."""
    groups: list[list[Page]] = []
    for page in pages:
        assert page.document is not None
        for group in groups:
            if any(other.document and same_text(page.document, other.document) for other in group):
                group.append(page)
                break
        else:
            groups.append([page])
    return sorted(groups, key=len, reverse=True)


def leans(one: Page, other: Page) -> bool:
    """Whether two pages are not independent: same host, same text, or one names the other as its source."""
    assert one.document is not None
    assert other.document is not None
    return (
        host(one.url) == host(other.url)
        or same_text(one.document, other.document)
        or points_to(one, other)
        or points_to(other, one)
    )


def copied(question: Question, pages: Sequence[Page]) -> list[Page]:
    """The group of pages that carry the same text and is nearest to the question; empty when nothing is
    copied.

    A group counts by its size, by its notices of credit, and by how much of the subject it holds.
    """
    best: tuple[float, list[Page]] | None = None
    for group in clusters([page for page in pages if page.kind == "document"]):
        notices = sum(
            bool(page.document and (credited(page.document) or origin_urls(page))) for page in group
        )
        if len(group) < 2 and not notices:
            continue
        near = max(
            overlap(question, page.document.text + page.document.title) for page in group if page.document
        )
        score = len(group) + notices + 4.0 * near
        if best is None or score > best[0]:
            best = (score, group)
    return best[1] if best else []


def origin_among(candidates: Sequence[Page], group: Sequence[Page]) -> Page | None:
    """The candidate that the group comes from: one that credits itself, or that the others name by address
    or by name, and that carries their text. None when no candidate is named by anybody."""
    addresses = Counter(url for page in group for url in origin_urls(page))
    names = Counter(name for page in group if page.document and (name := credited(page.document)))
    best: tuple[float, Page] | None = None
    for page in candidates:
        document = page.document
        if page.kind != "document" or document is None:
            continue
        if not any(other.document and same_text(document, other.document) for other in group):
            continue
        places = {_place(page.url), _place(page.fetched.final_url), _place(page.fetched.url)}
        votes = sum(count for url, count in addresses.items() if _place(url) in places)
        votes += sum(count for name, count in names.items() if same_name(name, publisher_of(document)))
        if origin_urls(page) or (credited(document) and not credits_itself(document)):
            votes = 0
        if votes and (best is None or votes > best[0]):
            best = (votes, page)
    return best[1] if best else None
