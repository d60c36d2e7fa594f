"""Whether an answer says the same as one of the gold answers to a question, by rules alone.

Every rule (``answer_rules``) is a way in which two phrasings are one answer: the same words, the same without blanks or
inflection, the same date, range, name or place, the gathered words of a description. What no rule proves is not
correct: the grader errs towards INCORRECT.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .answer_reading import Gold, Said
from .answer_rules import RULES
from .hedges import is_one_of_two
from .words import is_number, runs

CORRECT, INCORRECT, NOT_ATTEMPTED = "CORRECT", "INCORRECT", "NOT_ATTEMPTED"
_OPEN = "no-rule-holds"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFinding:
    """The verdict on one answer, the rule that decided, and the gold (or wrong) value that was found."""

    verdict: str
    rule: str
    value: str | None = None

    @property
    def is_decided(self) -> bool:
        """False where no rule proves anything: then INCORRECT is the cautious word, and another may know better."""
        return self.rule != _OPEN


def grade_answer(
    question: str, golds: Sequence[str], answer: str, wrong: Sequence[str] = ()
) -> AnswerFinding:
    """Judge an answer against the gold answers to its question, any of which will do.

    ``wrong`` are values that make an answer wrong even beside a gold. Raises ValueError without a gold answer.
    """
    if not any(gold.strip() for gold in golds):
        raise ValueError("an answer can be judged against at least one gold answer; none is given")
    said = Said(question, final_answer(answer))
    for value in wrong:
        named = Gold(value, said)
        if runs(named.texts, said.texts) and not named.is_denied:
            return AnswerFinding(verdict=INCORRECT, rule="wrong-value", value=value)
    for name, holds in RULES.items():
        for text in golds:
            gold = Gold(text, said)
            if gold.words and not gold.is_denied and holds(gold, said):
                if _is_hedged(gold, said):
                    return AnswerFinding(verdict=INCORRECT, rule="one-of-two", value=text)
                return AnswerFinding(verdict=CORRECT, rule=name, value=text)
    if not said.words or _NOT_ATTEMPTED.search(said.plain):
        return AnswerFinding(verdict=NOT_ATTEMPTED, rule="nothing-claimed")
    return AnswerFinding(verdict=INCORRECT, rule=_OPEN)


_FINAL = re.compile(
    r"^\W*(?:final answer|answer|antwort|réponse|respuesta|答案|最終答案)\W*[:：][*_\s]*(\S.*)$", re.I | re.M
)
_NOT_ATTEMPTED = re.compile(
    r"\b(?:i|we) (?:do not|don't|cannot|can't|could not|couldn't|(?:am|was|were) (?:unable to|not able to|not sure))\b"
    r"|\b(?:no|not enough|insufficient) (?:\w+ ){0,2}information\b|\bunknown\b|不知道|無法|无法|沒有資料"
)


def final_answer(text: str) -> str:
    """What an answer settles on: behind its last line that begins with ``Answer:``, and behind the last equals sign
    there; the whole text where no line does."""
    lines = _FINAL.findall(text)
    return str(lines[-1]).rpartition("=")[2].strip() if lines else text


def _is_hedged(gold: Gold, said: Said) -> bool:
    """A number that stands in the answer only as one of two: "41 or 43"."""
    if len(gold.texts) != 1 or not is_number(gold.texts[0]):
        return False
    places = [word for word in said.words if word.text == gold.texts[0]]
    return bool(places) and all(is_one_of_two(said.folded, word.start, word.end) for word in places)
