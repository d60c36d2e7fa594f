"""An answer out of pages: short statements, each beside the address of the page that says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_webretrieval.systems.contract import Citation, Claim, RetrievalResult, Source

from .authority import publisher_of
from .cues import cues
from .dates import dates_in
from .document import Document, Stamp
from .kinds import Page
from .lists import best_list, is_wanted
from .pick import picked, tells_otherwise
from .prices import price_of
from .question import Question, overlap
from .reading import reading
from .values import NUMBER, VERSION, distinct, sentences

LONGEST_STATEMENT = 280
LONGEST_LIST = 900
NEAREST = 3
# Kinds of value whose form says little: lines near to the question tell more than the first name or number.
_LOOSE = frozenset({"name", "number"})
_CHANGED = cues(
    r"""updated? / modif\w+ / revis\w+ / amend\w+ / changed / edited / geändert / aktualisiert / 更新 / 修訂
    修改"""
)
_PUBLISHED = cues(
    r"""publi\w+ / post(?:ed|ing)? / issued? / releas\w+ / appear\w*
    (?:came|come|went|put|go|goes) (?:out|up) / dated / how old / public / live / veröffentlicht / 發布
    发布 / 發表 / 刊登 / 公布"""
)
_CURRENT = cues(
    r"current / latest / newest / stable / now / today / available / released? / aktuell / 目前 / 最新 / 現行"
)
_PAST = cues(
    r"""previous / former / older? / earlier / prior / last year / superseded? / supersedes / replac\w+
    deprecated / until / before / since / from / requires? / at least / minimum / 舊 / 前一 / 先前"""
)
_VERSION_WORD = cues(r"version / release / firmware / build / update / notes? / 版本")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence, and the page that it was taken from."""

    text: str
    page: Page


def compose(statements: Sequence[Statement]) -> RetrievalResult:
    """Statements as one text with claims: each is followed by its address in brackets, outside the claim."""
    parts: list[str] = []
    claims: list[Claim] = []
    length = 0
    for statement in statements:
        text = _ended(statement.text)
        claims.append(
            Claim(
                text=text, start=length, end=length + len(text), citations=(Citation(url=statement.page.url),)
            )
        )
        part = f"{text} ({statement.page.url})"
        parts.append(part)
        length += len(part) + 1
    return RetrievalResult(
        status="answered",
        answer="\n".join(parts),
        claims=tuple(claims),
        sources=tuple(_sources(statement.page for statement in statements)),
    )


def _sources(pages: Iterable[Page]) -> Iterable[Source]:
    for page in {page.url: page for page in pages}.values():
        yield Source(
            url=page.fetched.url,
            final_url=page.url,
            retrieved_at=page.fetched.retrieved_at,
            channel=page.fetched.channel,
        )


def read_out(question: Question, page: Page, before: Document | None = None) -> list[Statement]:
    """What a page that was given says to the question: its list or the values that are wanted, else all of it
    that an answer can hold. ``before`` is the page without its scripts."""
    document = page.document
    assert document is not None
    listed = any(is_wanted(question, either) for either in (document, before or document))
    if listed and (items := best_list(question, document)):
        return [Statement(text, page) for text in _enumerated(document, items)]
    if (set(question.wants) - _LOOSE or _meant(question, document)) and (
        wanted := statements_of(question, page, [])
    ):
        return wanted
    texts = [named(document)]
    lines = nearest(question, document, NEAREST, least=0.5) if question.wants else []
    if "number" in question.wants and not any(map(NUMBER.search, lines)):
        lines = []
    for line in lines or reading(question, document, before):
        if len(texts) > 1 and len(texts[-1]) + len(line) < LONGEST_STATEMENT:
            texts[-1] = f"{_ended(texts[-1])} {line}"
        else:
            texts.append(line)
    return [Statement(text, page) for text in texts]


def _enumerated(document: Document, items: Sequence[str]) -> list[str]:
    """The items of a list as one sentence, cut so that all of them fit into an answer."""
    longest = max(20, LONGEST_LIST // len(items) - 2)
    listed = "; ".join(item if len(item) <= longest else item[:longest].rsplit(" ", 1)[0] for item in items)
    return [f"{named(document)} lists: {listed}"[: LONGEST_LIST + 200]]


def _ended(text: str) -> str:
    return text if text[-1] in ".!?。！？" else text + "."


def statements_of(question: Question, page: Page, otherwise: list[str] | None = None) -> list[Statement]:
    """What ``page`` says to the question: the values that are wanted, else its name and the lines nearest
    to it (or what is given for that case)."""
    document = page.document
    assert document is not None
    if line := _meant(question, document):
        return [Statement(line, page)]
    texts: list[str] = []
    for want in question.wants:
        if want == "number" and texts:
            continue  # the value in the words of a looser kind
        text = _WANTED[want](question, document)
        if text and text not in texts:
            texts.append(text)
    if not texts:
        texts = [named(document), *nearest(question, document, 2)] if otherwise is None else otherwise
    return [Statement(text, page) for text in texts if text]


def _meant(question: Question, document: Document) -> str | None:
    """The line with the value that is meant. A day that stands in the text is that of something else where the page's
    own is asked for."""
    return None if _asks_for_stamp(question) else picked(question, document)


def _asks_for_stamp(question: Question) -> bool:
    """Whether the day is asked for that a page states about itself."""
    asked = _CHANGED.search(question.text) or _PUBLISHED.search(question.text)
    return "date" in question.wants and bool(asked)


def states_nothing(question: Question, page: Page) -> str | None:
    """Why a page cannot give the one value that is asked for; None when it can, or when that is no
    question."""
    document = page.document
    if document is None or question.wants != ("date",):
        return None
    if _meant(question, document) or _date(question, document):
        return None
    return f"{page.url} does not state such a date"


def named(document: Document) -> str:
    """A sentence that names the page, and its publisher where the title tells it apart."""
    name = document.name or document.url
    publisher = publisher_of(document)
    return f"“{name}” ({publisher})" if publisher and publisher not in name else f"“{name}”"


def _date(question: Question, document: Document) -> str | None:
    """The day that is asked for: of the last change, of publication, or of what the question's own words
    name."""
    name = document.name or "The page"
    if _CHANGED.search(question.text):
        return _stamped(name, "was last changed", document.modified)
    if _PUBLISHED.search(question.text):
        return _stamped(name, "was published", document.published)
    dated = [line for line in _lines(document) if dates_in(line) and not tells_otherwise(question, line)]
    best = max(dated, key=lambda line: overlap(question, line), default=None)
    if best is not None and overlap(question, best) >= 0.5:
        return _cut(best)
    if stamped := _stamped(name, "was published", document.published):
        return stamped
    return _cut(best) if best is not None and (len(dated) == 1 or overlap(question, best)) else None


def _stamped(name: str, verb: str, stamp: Stamp | None) -> str | None:
    return f"“{name}” {verb} on {stamp.written}" if stamp else None


def _title(question: Question, document: Document) -> str | None:
    return f"The title is “{document.name}”" if document.name else None


def _version(question: Question, document: Document) -> str | None:
    """The version that the page calls current, in its own words where they name no other one."""
    best: tuple[float, str, str] | None = None
    lines = dict.fromkeys((document.heading, document.title, *document.blocks))
    for place, block in enumerate(line for line in lines if line):
        for sentence in sentences(block):
            for match in VERSION.finditer(sentence):
                value = match[0]
                near = sentence[max(0, match.start() - 40) : match.start()]
                if value[0] not in "vV" and not _VERSION_WORD.search(near):
                    continue
                score = 3.0 * bool(_CURRENT.search(sentence)) + bool(_VERSION_WORD.search(sentence))
                score += 2.0 * (block in (document.heading, document.title))
                score -= 4.0 * bool(_PAST.search(near)) + place / 50
                if best is None or score > best[0]:
                    best = (score, value, sentence)
    if best is None:
        return None
    _, value, sentence = best
    name = document.name
    if len(distinct(VERSION, sentence)) == 1 and len(sentence) <= LONGEST_STATEMENT:
        said = sentence if sentence == name or not name else f"{name}: {sentence}"
    else:
        said = f"{name}: the current version is {value}" if value not in name else name
    stamp = document.published
    return f"{said} (published {stamp.written})" if stamp and stamp.written not in said else said


def _lines(document: Document) -> list[str]:
    return [sentence for block in document.blocks for sentence in sentences(block)]


def _valued(question: Question, document: Document, pattern: re.Pattern[str]) -> str | None:
    """The sentence nearest to the question among those that hold a value of the wanted kind."""
    held = [line for line in _lines(document) if pattern.search(line)]
    return _cut(max(held, key=lambda line: overlap(question, line))) if held else None


def _price(question: Question, document: Document) -> str | None:
    return price_of(question, document) or _valued(question, document, NUMBER)


def _number(question: Question, document: Document) -> str | None:
    return _valued(question, document, NUMBER)


def _name(question: Question, document: Document) -> str | None:
    return named(document)


_WANTED = {
    "date": _date,
    "version": _version,
    "price": _price,
    "title": _title,
    "number": _number,
    "name": _name,
}


def nearest(question: Question, document: Document, count: int, *, least: float = 0.0) -> list[str]:
    """The ``count`` sentences of the running text that are nearest to the question and hold at least that
    share of it, in the page's order.

    Ties go to what stands first: the lead says what a page is about.
    """
    running = [
        sentence
        for block in document.blocks
        if block not in document.headings and (len(block) >= 40 or ": " in block)
        for sentence in sentences(block)
    ]
    near = [overlap(question, sentence) for sentence in running]
    fit = [at for at in range(len(running)) if near[at] >= least]
    ranked = sorted(fit, key=lambda at: (-near[at], at))[:count]
    return [_cut(running[at]) for at in sorted(ranked)]


def _cut(text: str) -> str:
    if len(text) <= LONGEST_STATEMENT:
        return text
    return text[:LONGEST_STATEMENT].rsplit(" ", 1)[0] + " …"
