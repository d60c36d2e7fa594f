"""The task in a conversation: what is asked, where to start, what day it is, and what the agent itself put in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from pytest_webretrieval.systems.reference.dates import dates_in
from pytest_webretrieval.systems.reference.question import Question, understand

from .conversation import Conversation, Turn
from .given import Given
from .plaintext import urls_in
from .sections import sections_of

LONG_PROMPT = 700  # characters; a longer prompt with addresses holds material to answer from
_LABELLED = re.compile(
    r"^\W*(?:(?:the |user'?s? |research )?(?:question|query|task|request|problem)|frage|aufgabe|問題|问题)\W*[:：]\s*"
    r"(?P<said>.+?)(?:\n\s*\n|\n\W*[A-Z][\w ]{2,30}:|\Z)",
    re.I | re.S | re.M,
)
_FORMAT = re.compile(
    r"\b(?:cite (?:all |your |every |each )|citations? (?:as|in|like|using|with|after|for)|markdown|footnotes?|json\b"
    r"|xml\b|(?:respond|reply|answer|write|output) (?:only )?(?:with|in|as|using)\b"
    r"|include (?:a |the |your )?(?:links?|citations?|sources?|urls?)"
    r"|use (?:the |your )?tools?\b|be (?:concise|brief|precise)|format (?:your|the) )",
    re.I,
)
_STANDING = re.compile(r"\b(?:you act for|you are|you're|your role|signed[- ]in user|on behalf of)\b", re.I)
_START = re.compile(
    r"^\W*(?:start(?:ing)? (?:from|at|with)|urls?|links?|pages?|sources?|see|context)\W*$", re.I
)
_AGAIN = re.compile(
    r"\b(?:try again|again|previous (?:answer|response|reply)|your (?:last |previous )?(?:answer|response|reply|output)"
    r"|validation|invalid|fix (?:the|these)|missing|must (?:be|have|match|include)|not valid)\b",
    re.I,
)
_URGED = re.compile(
    r"\b(?:final answer|answer now|stop (?:searching|using tools)|no more tools|wrap up|conclude"
    r"|last (?:turn|step|chance))\b",
    re.I,
)
_DAY = re.compile(
    r"(?:\btoday\b|\bcurrent date\b|\bthe date\b|\bdate:|\bnow\b|\bheute\b|今天|日期)[^.\n]{0,60}", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """``line`` is the task as one line, ``urls`` the addresses that it names. ``material`` are pages that the prompt
    itself holds. ``urged`` says that the agent asks for the answer now. ``today`` is the day that a prompt names."""

    line: str
    question: Question
    urls: tuple[str, ...] = ()
    material: tuple[Given, ...] = ()
    urged: bool = False
    today: date | None = None
    turns: tuple[Turn, ...] = ()


def task_of(conversation: Conversation) -> Task:
    """The task that is open in a conversation; its ``turns`` are those that belong to it."""
    begin = _beginning(conversation.turns)
    turns = conversation.turns[begin:]
    users = [turn.text for turn in turns if turn.role == "user" and turn.text.strip()]
    text = users[0] if users else ""
    asked = _asked(text)
    material: tuple[Given, ...] = ()
    if len(text) > LONG_PROMPT and urls_in(text):
        material = tuple(given for given in sections_of(text) if len(given.text) > 60)
    urls = urls_in(asked if material else text)
    return Task(
        line=" ".join(asked.split()),
        question=understand(question_in(asked)),
        urls=() if material and not urls_in(asked) else tuple(urls),
        material=material,
        urged=any(_URGED.search(later) for later in users[1:]),
        today=_today("\n".join((conversation.system, *users))),
        turns=turns,
    )


def _beginning(turns: tuple[Turn, ...]) -> int:
    """Where the open task begins: behind the last answer, unless what follows only asks to mend that answer."""
    answers = [
        at for at, turn in enumerate(turns) if turn.role == "assistant" and turn.text and not turn.calls
    ]
    for at in reversed(answers):
        following = next(
            (turn.text for turn in turns[at + 1 :] if turn.role == "user" and turn.text.strip()), ""
        )
        if following and not (len(following) < LONG_PROMPT and _AGAIN.search(following)):
            return at + 1
    return 0


def _asked(text: str) -> str:
    """The part of a prompt that asks."""
    match = _LABELLED.search(text)
    if match and not _is_marked_up(match["said"]):
        rest = " ".join(line for line in text.splitlines() if urls_in(line) and line not in match["said"])
        return f"{match['said']}\n{rest}" if len(text) < LONG_PROMPT else match["said"]
    if len(text) <= LONG_PROMPT:
        return text
    paragraphs = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    asking = [part for part in paragraphs if part.rstrip().endswith(("?", "？")) and len(part) < LONG_PROMPT]
    short = [part for part in paragraphs if len(part) < LONG_PROMPT / 2]
    return (asking or short or [text[:LONG_PROMPT]])[-1 if asking else 0]


def _is_marked_up(said: str) -> bool:
    return len(said) > 2 * LONG_PROMPT


def question_in(asked: str) -> str:
    """What is asked, without addresses, the standing of the user and wishes about the form of the answer."""
    kept: list[str] = []
    for line in asked.splitlines():
        for url in urls_in(line):
            line = line.replace(url, " ")
        if _START.match(line) or not line.strip(" .,;:-–—<>()[]"):
            continue
        for at, sentence in enumerate(re.split(r"(?<=[.!?。！？])\s+", line.strip())):
            beside = bool(kept) or at > 0
            if not (beside and _FORMAT.search(sentence)) and not (_STANDING.search(sentence) and beside):
                kept.append(sentence)
    return " ".join(" ".join(kept).split()) or " ".join(asked.split())


def _today(text: str) -> date | None:
    for match in _DAY.finditer(text):
        if found := dates_in(match[0]):
            return found[0].day
    return None
