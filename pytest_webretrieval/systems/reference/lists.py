"""Lists of items: rows, cards and entries that stand beside each other in the same way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from .document import Document
from .question import Question, overlap, words_of

LONGEST_ITEM = 400
_ITEM_TAGS = frozenset({"li", "article", "tr"})
_CARD_TAGS = frozenset({"div", "section", "a", "figure", "p"})
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_MORE_WORDS = (
    ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    ("dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez"),
)
_NUMBERS = {word: number for number, word in enumerate(_WORDS, start=1)} | {
    word: number for words in _MORE_WORDS for number, word in enumerate(words, start=2)
}
_COUNT = rf"(\d{{1,4}}|{'|'.join(_NUMBERS)})"
_ANNOUNCED = (
    re.compile(rf"(?<!page )\b\d+ (?:of|out of|/) {_COUNT}\b", re.I),
    re.compile(
        rf"\b{_COUNT} (?:[a-z]+ ){{0,2}}?"
        r"(?:items|results|entries|records|products|articles|listings|events|rows|cards|hits)\b",
        re.I,
    ),
    re.compile(r"共\s*(\d{1,4})\s*(?:項|项|筆|条|條|個|个|件)"),
)
_ASKED = re.compile(
    rf"\b(?:which|what|name|list) (?:the )?{_COUNT} [a-z]+s\b|"
    rf"\b(?:welche|alle|die|qué|cuáles son l[oa]s|l[oa]s) {_COUNT} [a-zäöüñ]+\b|"
    rf"\b(?:all|every one of|each of|the)(?: of)?(?: the)? {_COUNT}\b|\b{_COUNT} (?:[a-z]+ ){{0,2}}?"
    r"(?:items|entries|results|records|products|elements|things|rows|cards|names|titles|of them)\b",
    re.I,
)


_MEASURES = frozenset(
    words_of(
        """seconds minutes hours days nights weeks months years times metres meters miles kilometres feet inches
        grams pounds euros dollars crowns percent degrees points parts copies characters words pages"""
    )
)
_ALL = re.compile(r"\b(?:all|every|each|what|which|list|name|names)\b|全|每|所有|哪", re.I)
_COUNTED = re.compile(rf"\b{_COUNT} ((?:[a-z]+ )?[a-z]+s)\b", re.I)


def number_of(word: str) -> int:
    """The number that digits or an English word name."""
    return int(word) if word.isdigit() else _NUMBERS[word.casefold()]


def asked_for(text: str) -> int | None:
    """How many items a question names; None when it names no number of at least two."""
    for match in _ASKED.finditer(text):
        count = number_of(next(group for group in match.groups() if group))
        if count > 1:
            return count
    return None


def announced_in(text: str) -> int | None:
    """How many items a page says that there are."""
    for pattern in _ANNOUNCED:
        if match := pattern.search(text):
            return number_of(match[1])
    return None


def count_of(question: Question, document: Document) -> int | None:
    """How many items the list that is meant has, by the question, by the page's own count of items, or by its
    count of what the question is about (``nine kites``)."""
    if count := asked_for(question.text) or document.announced:
        return count
    return _counted(question, document)


def _counted(question: Question, document: Document) -> int | None:
    """How many of what the question is about the page says that there are; measures are no things to list."""
    for match in _COUNTED.finditer(document.text):
        nouns = words_of(match[2])
        if set(nouns) & set(question.topic) and nouns[-1] not in _MEASURES and number_of(match[1]) > 1:
            return number_of(match[1])
    return None


def is_wanted(question: Question, document: Document) -> bool:
    """Whether a list is asked for: in so many words, or by the name of what the page counts."""
    if "listed" in question.traits:
        return True
    things = "number" not in question.wants and bool(_ALL.search(question.text))
    return things and _counted(question, document) is not None


def lists_of(root: LexborNode) -> tuple[tuple[str, ...], ...]:
    """The items of each list under ``root``: elements of one kind on the same path of tags, however many
    parents they are spread over. An item that holds further items of its own kind counts once."""
    found: dict[tuple[str, ...], list[str]] = {}
    stack: list[tuple[LexborNode, tuple[str, ...]]] = [(root, ())]
    while stack:
        node, path = stack.pop()
        children = list(node.iter())
        tags = [child.tag or "" for child in children]
        for child, tag in zip(children, tags, strict=True):
            own = (*path, tag)
            listed = tag in _ITEM_TAGS or (child.attributes.get("role") or "") == "listitem"
            if listed or (tag in _CARD_TAGS and tags.count(tag) > 1):
                text = item_text(child)
                if text and len(text) <= LONGEST_ITEM:
                    found.setdefault(own, []).append(text)
        stack.extend(
            (child, (*path, tag)) for child, tag in zip(reversed(children), reversed(tags), strict=True)
        )
    distinct = (tuple(dict.fromkeys(items)) for items in found.values())
    return tuple(items for items in distinct if len(items) > 1)


def item_text(node: LexborNode) -> str:
    """What an item says: its parts set apart by commas where they are blocks of their own."""
    parts = [" ".join((child.text(separator=" ") or "").split()) for child in node.iter()]
    parts = [part.rstrip(" .;,") for part in parts if part.strip(" .;,")]
    whole = " ".join((node.text(separator=" ") or "").split())
    return (
        ", ".join(parts) if len(parts) > 1 and sum(map(len, parts)) >= len(whole) - 2 * len(parts) else whole
    )


def best_list(question: Question, document: Document) -> tuple[str, ...]:
    """The list that is meant: of as many items as are asked for or announced, of real entries, near the
    question's subject. Empty when the page has none."""
    wanted = count_of(question, document)

    def fit(items: Sequence[str]) -> tuple[bool, float, int]:
        words = overlap(question, " ".join(items))
        return len(items) == wanted, words + 0.2 * min(len(items), 5), sum(map(len, items))

    return max(document.lists, key=fit, default=())


def is_short_of(question: Question, document: Document) -> bool:
    """Whether the page holds fewer items than are asked for, or says that it holds more."""
    wanted = max(count_of(question, document) or 0, document.announced or 0)
    held = len(best_list(question, document))
    return held < wanted or (document.more and (not wanted or held < wanted))
