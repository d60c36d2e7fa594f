"""Sentences, and the values that stand in them: versions, prices, numbers, identifiers."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”’»)]?\s+(?=[\"“‘«(]?[A-Z0-9ÄÖÜÉ])|(?<=[。！？])[」』]?\s*")
_DAY = re.compile(r"(?<![\d.,])\d{1,2}\.$")
_MONTH = re.compile(r"(?:Jan|Jän|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)")
_ABBREVIATION = re.compile(
    r"(?:\b(?:No|Nos|Mr|Mrs|Ms|Dr|St|vs|cf|approx|Fig|Sec|Art|e\.g|i\.e|U\.S|Nr|ca|bzw|z\.B)|\b[A-Z])\.$"
)

VERSION = re.compile(
    r"(?<![\w./-])(?:v\d+(?:\.\d+)*|\d+\.\d+(?:\.\d+)*)(?:[-+.]?(?:rc|beta|alpha|pre|dev|post|p)\.?\d*)?(?![\w]|[.,]\d|\s?%|\s?[€$£])",
    re.I,
)
PRICE = re.compile(
    r"(?:[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY|TWD|NT\$|US\$)) ?\d[\d.,' ]*\d?|"
    r"\d[\d.,']*(?:\d)? ?(?:[€$£¥]|(?:EUR|USD|GBP|CHF|JPY|TWD|euros?|dollars?|pounds?|francs?"
    r"|crowns?|kron(?:er|or|a|e)|kr|Kč|zł|yen|yuan|won|rupees?|pesos?|guilders?|shillings?|florins?|元)\b)"
)
AMOUNT = re.compile(r"(?<![\w.,])\d[\d.,' ]*[.,]\d\d(?![\w%]|[.,]\d)")
NUMBER = re.compile(r"(?<![\w.,])[-−+]?\d[\d.,]*(?:\d|(?<=\d))(?: ?(?:%|percent|per cent))?")
DECIMAL = re.compile(r"(?<![\w.,])\d+[.,]\d+(?![\w.,]*\d)")
PERCENT = re.compile(r"(?<![\w.,])\d[\d.,]*(?:(?<=\d)) ?(?:%|percent\b|per cent\b)")


def sentences(block: str) -> list[str]:
    """The sentences of a block, whole when it has no end marks."""
    parts: list[str] = []
    for part in _SENTENCE_END.split(block):
        dated = parts and _DAY.search(parts[-1]) and _MONTH.match(part)
        if parts and (dated or _ABBREVIATION.search(parts[-1])):
            parts[-1] += " " + part
        elif part.strip():
            parts.append(part.strip())
    return parts


def distinct(pattern: re.Pattern[str], text: str) -> list[str]:
    """Every different value of one kind in ``text``, in its order."""
    return list(dict.fromkeys(match[0].strip(" .,") for match in pattern.finditer(text)))
