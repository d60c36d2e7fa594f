"""A judge's word on the required facts of which the rules prove neither that the answer gives them nor that it gives
another value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.grade.answers import AnswerFinding, grade_answer

from .settling import Opine

# States of a required fact that prove nothing.
_LEFT_OPEN = ("missing", "ambiguous")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """A required fact that stood nowhere for sure in the answer. ``by`` is the rule that decides, or ``judge``;
    ``verdict`` is that of ``grade.answers``, or ``ungraded``."""

    case: str
    trial: int
    step: int
    fact: str
    value: str
    by: str
    verdict: str
    quote: str = ""
    reason: str = ""


def judge_answers(
    records: Iterable[Mapping[str, Any]],
    answers: Callable[[Mapping[str, Any]], Sequence[str | None]],
    opine: Opine,
) -> Iterator[Answered]:
    """Every required fact that is open, by a rule where one holds, else by the judge, who is asked with a ``question``,
    a ``right_answer`` and an ``answer``. ``answers`` gives the text of each step of a record, None where a step has
    none. Raises JudgeError where the judge cannot be asked."""
    for record in records:
        for number, (step, answer) in enumerate(zip(record["verdicts"], answers(record), strict=False)):
            if answer is None or step["outcome"]["status"] != "answered":
                continue
            for fact in step["content"]["facts"]:
                if fact["state"] in _LEFT_OPEN:
                    place = {"case": record["case"], "trial": record["key"]["trial"], "step": number}
                    yield _judged(place, record["query"], fact, answer, opine)


def _judged(
    place: dict[str, Any], question: str, fact: Mapping[str, Any], answer: str, opine: Opine
) -> Answered:
    about = {**place, "fact": fact["fact"], "value": fact["value"]}
    found = _by_rule(question, fact, answer)
    if found is not None:
        return Answered(**about, by=found.rule, verdict=found.verdict, quote=found.value or "")
    said = opine({"question": question, "right_answer": fact["value"], "answer": answer})
    return Answered(**about, by="judge", verdict=said.verdict, quote=said.quote, reason=said.reason)


def _by_rule(question: str, fact: Mapping[str, Any], answer: str) -> AnswerFinding | None:
    """What the rules decide. A value that may be read in two ways they would take as it is written."""
    if fact["state"] == "ambiguous":
        return None
    found = grade_answer(question, [fact["value"]], answer)
    return found if found.is_decided else None
