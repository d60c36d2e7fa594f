"""Whose fault it is that a required fact is not in the answer: the way of the fact from the page to the answer, and
where it was lost."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_webretrieval.cases.truth import Fact

from .conduct import Conduct, quote
from .fault import CODE, GRADER, MODEL, Fault, Home, quoted, start_of
from .file_bytes import without_file_bytes
from .seen import Seen

_NUMBER = re.compile(r"\d[\d.,'’\u00a0\u202f ]*\d|\d")
_FEWEST_DIGITS = 3


def _lost(fault: Fault) -> Iterator[Fact]:
    """The required facts that the answer does not give as it should."""
    found = {finding.fact: finding.state for finding in fault.verdicts.content.facts}
    for fact in fault.conduct.evidence.step.expected_facts:
        if found.get(fact.id, "missing") in ("missing", "contradicted"):
            yield fact


def misread(fault: Fault) -> Home | None:
    """The grader may have read the answer wrongly: the fact stands in it."""
    for fact in _lost(fault):
        answer = fault.conduct.answer
        if fault.label == "unfounded_refusal" and (said := quote(fact, answer)):
            why = f"the answer gives {fact.id}, and was read as a refusal; `webretrieval dispute` if that is wrong"
            return Home(where=GRADER, why=why, evidence=(f"answer: {quoted(said)}",))
        other = _other_notation(fact, answer)
        if fault.label != "contradicted" and other:
            why = f"the answer may give {fact.id} in another notation; `webretrieval dispute` if it does"
            return Home(where=GRADER, why=why, evidence=(f"answer: {quoted(other)}, expected {fact.value}",))
    return None


def _other_notation(fact: Fact, answer: str) -> str | None:
    """A number of the answer with the digits of the fact's value, set apart in another way."""
    wanted = re.sub(r"\D", "", fact.value)
    if fact.match != "number" or len(wanted) < _FEWEST_DIGITS or quote(fact, answer):
        return None
    for found in _NUMBER.finditer(answer):
        if re.sub(r"\D", "", found[0]) == wanted and found[0] != fact.value:
            return found[0]
    return None


def dropped(fault: Fault) -> Home | None:
    """The model said it, and the answer that was returned does not."""
    conduct = fault.conduct
    for fact in _lost(fault):
        said = quote(fact, conduct.last.text) if conduct.last is not None else None
        if conduct.last is not None and said and not quote(fact, conduct.answer):
            return Home(
                where=CODE,
                why=f"the model said {fact.id}, and the answer that was returned does not",
                evidence=(f"#{conduct.last.attempt} says {quoted(said)}", _returned(conduct)),
            )
    return None


def given(fault: Fault) -> Home | None:
    """The model was given it and did not say it."""
    conduct = fault.conduct
    # Who declines because a part is missing is not to blame for the part that was there.
    whole = fault.label != "unfounded_refusal" or all(_was_given(conduct, fact) for fact in _lost(fault))
    for fact in _lost(fault) if whole else ():
        for turn, what, text in conduct.legible():
            if stood := quote(fact, text):
                why = f"{fact.id} stood in what the model was given"
                if fault.label == "contradicted":
                    why += ", and it said another value"
                elif fault.label == "unfounded_refusal":
                    why += ", and it declined"
                else:
                    why += ", and it did not say it"
                evidence = [f"#{turn.attempt} was given ({what}) {quoted(stood)}"]
                if conduct.last is not None:
                    evidence.append(f"#{conduct.last.attempt} says {quoted(start_of(conduct.last.text))}")
                return Home(where=MODEL, why=why, evidence=tuple(evidence))
    return None


def _was_given(conduct: Conduct, fact: Fact) -> bool:
    return any(quote(fact, text) for _, _, text in conduct.legible())


def withheld(fault: Fault) -> Home | None:
    """The page that was fetched says it, and the model was never given it."""
    conduct = fault.conduct
    if conduct.model_elsewhere:
        return None
    for fact in _lost(fault):
        for seen in () if _was_given(conduct, fact) else conduct.showing(fact):
            stood = quote(fact, conduct.view.shelf.text(seen).raw)
            shows = f"#{seen.attempt} {seen.url} says {quoted(str(stood))}"
            if not conduct.turns:
                why = f"it fetched the page that says {fact.id}, and did not say it"
                return Home(where=CODE, why=why, evidence=(shows, _returned(conduct)))
            after = [turn for turn in conduct.turns if turn.started_s >= seen.requested_s]
            if not after:
                why = f"the page that says {fact.id} was fetched after the model's last turn"
                return Home(
                    where=CODE, why=why, evidence=(shows, f"#{conduct.turns[-1].attempt} was the last turn")
                )
            why = f"the page that was fetched says {fact.id}, and what the model was given of it does not"
            return Home(where=CODE, why=why, evidence=(shows, _what_was_left(conduct, seen, fact)))
    return None


def _what_was_left(conduct: Conduct, seen: Seen, fact: Fact) -> str:
    """How much of the page the model was given, and what became of the rest, where that can be seen."""
    page = conduct.view.shelf.text(seen).raw
    found = None
    for turn, what, text in conduct.inputs():
        if (
            turn.started_s >= seen.requested_s
            and what != "message"
            and (found is None or len(text) > len(found[2]))
        ):
            found = turn, what, text
    if found is None:
        return "no result of a tool was given to the model after it"
    turn, what, text = found
    line = f"#{turn.attempt} was given ({what}) {len(text)} characters"
    if without_file_bytes(text) != text:
        return f"{line}, among them the bytes of a PDF as text"
    if "\ufffd" in text or re.search("Ã.|â€", text):
        return f"{line}, in a wrong charset"
    tail = re.sub(r"\W+$", "", text)[-40:]
    at = page.find(tail) if len(tail) > 20 else -1
    value = page.find(fact.value)
    if 0 <= at < value:
        return f"{line}, cut before it: the page's text has {len(page)}"
    return f"{line}; the page's text has {len(page)}"


def _returned(conduct: Conduct) -> str:
    return f"returned: {quoted(start_of(conduct.answer))}" if conduct.answer else "returned: nothing"
