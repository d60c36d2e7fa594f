"""Who speaks on a page: those whose own work it is, or those who pass it on."""

from __future__ import annotations

import re

from .cues import cues
from .document import Document
from .question import Question, overlap
from .values import sentences

_CLAUSE = re.compile(r"[,;:，；：—]|\b(?:and|but|while|because)\b")
_NEGATED = cues(
    r"""not / no / nothing / never / neither / nor / without / hardly / nobody / isn't / aren't / doesn't
    un-?official / 並非 / 并非 / 不是 / 沒有 / 没有 / 非官方"""
)
_OWN_WORK = cues(
    r"""our own / ourselves / itself / its own / own (?:budget|readings?|measurements?|data|research|survey)
    first published here / our (?:results?|readings?|measurements?|data|findings?|survey|tests?)
    we (?:measured|metered|tested|surveyed|counted|recorded|issue|publish|maintain|edit)
    this (?:office|agency|authority|laboratory|department|service|institute)
    (?:primary|raw|original) (?:data|readings?|measurements?) / 本署 / 本局 / 本部 / 本處 / 本機關 / 本頁
    本页"""
)
_OFFICIAL = cues(
    r"""(?:is|are|as|being) the (?:official|authoritative|normative|sole|only official) / authoritative copy
    official .{0,60}(?:come from|issued by|kept by) / internet standard / by law
    under the [a-z]\w+(?: [a-z]\w+)? (?:act|law|code) / 依\w{1,8}法
    官方(?:來源|来源|網站|网站|發布|发布) / 主管機關"""
)
_SPEAKS_OF_SOURCES = cues(
    r"official / measur\w+ / specification / source / authoritative / check\w* / issued / readings? / 官方"
)
_ISSUES = cues(
    r"""issu\w+ / publish\w* / measur\w+ / meter\w+ / edit\w* / maintain\w* / keeps? / kept / releas\w+
    compil\w+ / data (?:of|by) / readings? of / stud(?:y|ied) / ran in / appeared in / come from / 發布
    发布 / 發出 / 发出 / 發表 / 公告 / 負責"""
)
_SECOND_HAND = cues(
    r"""reprint\w* / republish\w* / syndicat\w* / reproduced / courtesy of / according to / mirror(?:ed|s)?
    (?:a|the) report (?:by|of|from) / rests on / cop(?:y|ies) of / taken from / compiled from / repeats?
    轉載 / 转载 / 整理 / 據\w{1,12}報導"""
)
_PERSONAL = re.compile(r"\b(?:I|my|I'm|I've|myself)\b|(?<!自)我(?:最|想|都|的|覺)")
_TALK = cues(
    r"""forum / talk / threads? / blog / weblog / posts / diary / review(?:ed|s)? / magazine / monthly
    how to / guide / tutorials? / notes / lecture / course / newspaper / news / opinion / tickets?
    mailing list / 論壇 / 论坛 / 討論區 / 讨论区 / 新聞 / 新闻 / 晨報 / 日報 / 晚報 / 週刊 / 本報 / 部落格
    博客 / 記者 / 專題 / 专题"""
)
_INVENTED = cues(
    r"""fiction(?:al)? / satir\w+ / parod\w+ / nonsense / inventions? / invented / hoax / spoof / imaginary
    april fools?'? / joke / made[- ]up / 虛構 / 虚构 / 惡搞"""
)
_SALES = cues(
    r"""save up to / (?:buy|order) (?:now|online|here) / our (?:product|claim|offer|shop|range|prices?)
    free trial / upgrade today"""
)
_OBSOLETE = cues(
    r"""obsolete(?:d by)? / superseded by / replaced by / kept for (?:reference|the record)
    out[- ]of[- ]date / outdated / no longer (?:current|in force|maintained|valid)
    was the (?:official|current) / withdrawn / 已廢止 / 舊版 / 已失效"""
)
_REPLACES = cues(r"replaces / obsoletes / supersedes / takes the place")
_TITLE_PARTS = re.compile(r"\s+[|·–—-]\s+|｜|\s*::\s*")


def publisher_of(document: Document) -> str:
    """Whose page it is: its site name, else what its title adds to its heading behind a bar or dash, else
    nothing."""
    if document.site:
        return document.site
    parts = [part.strip() for part in _TITLE_PARTS.split(document.title)]
    others = [part for part in parts if part and part != document.heading]
    return others[-1] if len(parts) > 1 and others else ""


def is_invented(document: Document) -> bool:
    """Whether the page itself says that what it holds is made up."""
    return bool(_INVENTED.search("\n".join((document.title, document.text, document.rest))))


def is_obsolete(document: Document) -> bool:
    """Whether the page says of itself that something else holds in its place."""
    return any(
        _OBSOLETE.search(sentence) and not _REPLACES.search(sentence)
        for block in document.blocks
        for sentence in sentences(block)
    )


def authority(document: Document, question: Question) -> float:
    """How much the page speaks for itself: above 0 for those who did or decided it, below for those who
    tell of it.

    A claim of one's own work or office counts; the same words denied count against, as do second-hand
    wording, talk, sales, invention and obsolescence.
    """
    head = f"{document.title}\n{document.heading}"
    own = official = denied = second = 0
    for sentence in (sentence for block in document.blocks for sentence in sentences(block)):
        second += bool(_SECOND_HAND.search(sentence))
        for clause in _CLAUSE.split(sentence):
            claims_own, claims_office = bool(_OWN_WORK.search(clause)), bool(_OFFICIAL.search(clause))
            if _NEGATED.search(clause):
                denied += claims_own or claims_office or bool(_SPEAKS_OF_SOURCES.search(clause))
            else:
                own += claims_own
                official += claims_office and overlap(question, sentence) >= 0.25
    score = min(own, 2) + 1.5 * min(official, 2) - 1.5 * min(denied, 2) - 1.5 * min(second, 2)
    score += 1.5 * _speaks_for_itself(document)
    score -= 1.5 * bool(_PERSONAL.search(document.text)) + 1.0 * bool(
        _TALK.search(f"{head}\n{document.text[:600]}")
    )
    score -= 1.5 * ("?" in head or "？" in head) + 1.5 * bool(_SALES.search(document.text))
    return score - 6.0 * is_invented(document) - 3.0 * is_obsolete(document)


def _speaks_for_itself(document: Document) -> bool:
    """Whether a sentence names the page's own publisher as the one who issues, measures or keeps."""
    publisher = publisher_of(document).removeprefix("The ").casefold()
    if len(publisher) < 4:
        return False
    return any(
        publisher in sentence.casefold()
        and _ISSUES.search(sentence)
        and not _NEGATED.search(sentence)
        and not _SECOND_HAND.search(sentence)
        for block in document.blocks
        if block not in document.headings
        for sentence in sentences(block)
    )
