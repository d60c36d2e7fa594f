"""What took the place of a page that was removed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote, urlsplit

from .authority import authority
from .copies import host
from .cues import cues
from .document import Document
from .kinds import Page
from .question import Question, overlap, topic_of, words_of
from .values import sentences

_QUOTED = re.compile(r"[\"“«「『]([^\"”»」』]{4,120})[\"”»」』]")
_SEPARATOR = re.compile(r"\s[|·–—-]\s")
_REMOVAL = cues(
    r"""page / 404 / 410 / gone / not found / withdrawn / removed / deleted / no longer / error / sorry / oops
    this / has been / was / is / been / 找不到 / 網頁 / 頁面 / 已移除"""
)
_TAKES_PLACE = cues(
    r"""replac\w+ / supersed\w+ / (?:tak\w+|took) the place / successor / formerly / previously / used to be
    instead of / moved (?:here|from) / new home / succeeds / ersetzt / remplace / 取代 / 代替 / 原名
    前身"""
)


def subject_of(removed: Page, question: Question) -> str:
    """What the removed page was about, in its own words: a title that it quotes, else what its title, its
    address or the question adds to the bare notice. Empty when none of them says anything."""
    document = removed.document
    if document is not None:
        if quoted := _QUOTED.findall(document.text):
            return str(max(quoted, key=len)).strip()
        for clause in _clauses(document):
            text = " ".join(_REMOVAL.sub(" ", clause).split())
            if topic_of(text):
                return text
    path = " ".join(re.findall(r"[^\W\d_]{3,}", unquote(urlsplit(removed.fetched.url).path)))
    return path if topic_of(path) else " ".join(question.topic)


def _clauses(document: Document) -> list[str]:
    """The parts of a heading, and those of a title but for the last one of several, which names the site."""
    title = _SEPARATOR.split(document.title)
    heading = [] if document.heading == document.title else _SEPARATOR.split(document.heading)
    return [*heading, *(title[:-1] or title)]


def replacement_among(pages: Sequence[Page], removed: Page, about: Question) -> Page | None:
    """The page that says it replaces the removed one, else the nearest one of the same site; None without
    either."""
    best: tuple[float, Page] | None = None
    phrase = " ".join(words_of(about.text))
    for page in pages:
        document = page.document
        if page.kind != "document" or document is None:
            continue
        says = max(
            (
                overlap(about, sentence) + (phrase in " ".join(words_of(sentence)))
                for block in document.blocks
                for sentence in sentences(block)
                if _TAKES_PLACE.search(sentence)
            ),
            default=0.0,
        )
        own = host(page.fetched.final_url) == host(removed.fetched.final_url)
        near = overlap(about, f"{document.title}\n{document.text}")
        if (max(says, near) if own else says / 2) < 0.5:
            continue
        score = 3.0 * says + near + 1.5 * own + 0.3 * authority(document, about)
        if best is None or score > best[0]:
            best = (score, page)
    return best[1] if best else None
