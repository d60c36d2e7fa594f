"""The price that is meant, among all the amounts of money that a page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .cues import cues
from .document import Document
from .question import Question, overlap
from .values import AMOUNT, PRICE, distinct, sentences

LONGEST_LINE = 280
_NEAR = 44
_OTHER = cues(
    r"""was / were / old / rrp / msrp / list(?: price)? / before / previous(?:ly)? / former(?:ly)? / instead of
    usual(?:ly)? / regular(?:ly)? / compared? (?:at|to) / until / yesterday / last (?:week|month|year|season)
    from / up to / starting / sav(?:e|es|ed|ing|ings) / discount / off / rebate / deposit / down payment
    instal?lments? / per (?:month|year|week|day|night) / monthly / yearly / a (?:month|year|week|day|night)
    deliver(?:y|ed) / shipping / postage / freight / handling / packing / gift wrap\w* / insurance / warranty
    orders? (?:over|above|under) / minimum / voucher / coupon / refund / trade[- ]in / accessor(?:y|ies)
    (?:spare|replacement) \w+ / refills? / member(?:s|ship)? / students? / trade / wholesale / pack of
    (?:net|excl(?:uding|\.)?|without|before|plus) (?:of )?(?:vat|tax) / export / used / second[- ]hand
    refurbished / rent(?:al)? / hire / statt / bisher / alt / uvp / versand / au lieu de / livraison / antes
    envío / 原價 / 原价 / 運費 / 运费 / 舊價"""
)
_MAIN = cues(
    r"""price / our price / now / today / costs? / for sale / buy / current / each / including / incl\.? / total
    preis / jetzt / prix / precio / 價格 / 价格 / 售價 / 售价 / 現價 / 现价 / 特價"""
)
_BESIDE = cues(
    r"""(?:you|customers) (?:may|might|also|will)\b.* / also (?:bought|viewed|liked) / similar / related
    recommended / more (?:from|like) / others? / recently viewed / accessories / goes (?:well )?with
    often bought / in the same\b.* / from the same\b.* / compare / reviews? / don't miss / bestsellers?"""
)


@dataclass(frozen=True, slots=True)
class Amount:
    """One amount: its text, the line that it stands in, and how likely it is the price that is meant."""

    written: str
    line: str
    score: float


def price_of(question: Question, document: Document) -> str | None:
    """A sentence with the price that is meant; None when the page shows no amount."""
    pattern = PRICE if PRICE.search(document.text) else AMOUNT
    amounts = list(_amounts(question, document, pattern))
    if not amounts:
        return None
    counts = {amount.written: 0 for amount in amounts}
    for amount in amounts:
        counts[amount.written] += amount.score > 0
    best = max(amounts, key=lambda amount: amount.score + 0.4 * min(counts[amount.written], 3))
    alone = len(distinct(pattern, best.line)) == 1
    if alone and len(best.line) <= LONGEST_LINE and len(best.line) > len(best.written) + 8:
        return best.line
    of = f" of “{document.name}”" if document.name else ""
    return f"The price{of} is {best.written}"


def _amounts(question: Question, document: Document, pattern: re.Pattern[str]) -> Iterator[Amount]:
    beside = False
    label = ""
    heading = document.heading
    since = 0
    for block in document.blocks:
        if block in document.headings:
            since = 0 if block == heading else since
            beside = beside or (block != heading and bool(_BESIDE.search(block)))
        since += 1
        for line in sentences(block):
            for match in pattern.finditer(line):
                written = match[0].strip(" .,")
                left = line[max(0, match.start() - _NEAR) : match.start()]
                right = line[match.end() : match.end() + 24]
                bare = len(line) <= len(written) + 4
                around = f"{label} {left}" if bare else left
                score = 2.0 - min(since, 40) / 20
                score += 1.5 * bool(_MAIN.search(around)) + 2.0 * overlap(question, f"{around} {line}")
                score -= 3.0 * bool(
                    _OTHER.search(_last_part(around, pattern)) or _OTHER.search(_first_part(right))
                )
                score -= 4.0 * beside + 4.0 * _is_struck(document, written)
                yield Amount(written, line, score)
        label = block if len(block) <= _NEAR and not pattern.search(block) else ""


def _last_part(text: str, pattern: re.Pattern[str]) -> str:
    """What stands before an amount since the last comma or other amount."""
    cut = max(text.rfind(mark) for mark in (",", ";", "(", "·", "|"))
    amounts = [match.end() for match in pattern.finditer(text)]
    return text[max([cut + 1, *amounts]) :]


def _first_part(text: str) -> str:
    ends = [at for mark in (",", ";", "(", ")", "·", "|", ".") if (at := text.find(mark)) >= 0]
    return text[: min(ends, default=len(text))]


def _is_struck(document: Document, written: str) -> bool:
    return any(written in text for text in document.struck)
