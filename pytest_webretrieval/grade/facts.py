"""Required facts: said in the answer, and standing in a representation that the run fetched."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pytest_webretrieval.cases.truth import Fact, Step

from .denial import is_negated, is_set_aside, phrase_around
from .hedges import Span, is_one_of_two
from .numerals import wrong_scale
from .seen import Seen, View
from .text import Folded, fold
from .urls import UrlError, canonical, parse
from .values import Hit, find, urls_in
from .verdicts import Ground

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Said:
    """What the answer does with one required fact. ``state`` is that of FactFinding; ``spans`` are raw
    offsets in the answer; ``bearing`` are the representations that state the fact; ``tags`` are causes
    seen on the way."""

    fact: Fact
    state: str
    spans: tuple[tuple[int, int], ...]
    bearing: tuple[Seen, ...]
    ground: Ground
    tags: tuple[str, ...] = ()


def read_facts(step: Step, answer: str, cited: tuple[str, ...], view: View) -> tuple[Said, ...]:
    """Judge each required fact of a step by the answer and the pages. ``cited`` are the URLs that the
    answer cites."""
    whole, prose = fold(answer), fold(without_urls(answer))
    found = {fact.id: _hits(fact, whole if fact.match == "url" else prose) for fact in step.expected_facts}
    right = [(hit.start, hit.end) for hits in found.values() for hit in hits]
    wrong = _wrong_assertions(step, prose, whole, right)
    blame = _blame(step.expected_facts, wrong, found)
    return tuple(
        _judge(
            fact,
            found[fact.id],
            _settled(found[fact.id], whole if fact.match == "url" else prose, right),
            whole if fact.match == "url" else prose,
            blame.get(fact.id),
            cited,
            view,
        )
        for fact in step.expected_facts
    )


def states_fact(fact: Fact, answer: str) -> bool:
    """Whether an answer surely states a fact, by itself: what ``read_facts`` asks of it before it looks at pages."""
    text = fold(answer if fact.match == "url" else without_urls(answer))
    hits = _hits(fact, text)
    return any(hit.sure for hit in _settled(hits, text, [(hit.start, hit.end) for hit in hits]))


def _settled(hits: list[Hit], text: Folded, right: list[Span]) -> list[Hit]:
    """The hits that the answer does not deny; unsure where it offers the value as one of two."""
    return [
        Hit(hit.start, hit.end, hit.sure and not is_one_of_two(text, hit.start, hit.end, right))
        for hit in hits
        if not is_negated(text.text, hit.start, hit.end)
    ]


def without_urls(answer: str) -> str:
    """The answer with its URLs blanked out, of the same length: a version inside an address is not a
    statement."""
    pieces, done = [], 0
    for start, end in urls_in(answer):
        pieces.append(answer[done:start])
        pieces.append(" " * (end - start))
        done = end
    pieces.append(answer[done:])
    return "".join(pieces)


def states(fact: Fact, seen: Seen, view: View) -> str:
    """Whether a representation states a fact: ``yes``, ``no``, ``denied`` or ``unsure``."""
    page = view.shelf.page(seen.sha256, seen.content_type)
    if fact.match == "url" and _is_document(fact.value, seen, view):
        return "yes"
    verdict = "no"
    for text in (view.shelf.text(seen), view.shelf.data(seen)):
        for hit in find(fact, text, page.lang):
            if not hit.sure:
                verdict = "unsure" if verdict == "no" else verdict
            elif is_negated(text.text, hit.start, hit.end):
                verdict = "denied" if verdict == "no" else verdict
            else:
                return "yes"
        if verdict != "no":
            return verdict
    return verdict


def _is_document(value: str, seen: Seen, view: View) -> bool:
    return view.group(canonical(value)) == view.group(seen.url)


def _hits(fact: Fact, text: Folded) -> list[Hit]:
    return find(fact, text)


def _wrong_assertions(
    step: Step, prose: Folded, whole: Folded, right: list[tuple[int, int]]
) -> list[tuple[Fact, tuple[int, int]]]:
    """Wrong values that the answer states as true. One that is part of a right value is not meant; one
    that stands beside the right value under its own name ("updated 7 May", for a wrong value called
    ``updated``) is not wrong."""
    asserted = []
    for fact in step.wrong_values:
        text = whole if fact.match == "url" else prose
        name = _own_name(fact, step) if right else None
        for hit in find(fact, text):
            inside = any(start <= hit.start and hit.end <= end for start, end in right)
            # Beside the right value, a number word counts whatever it counts.
            by_the_way = (
                bool(right) and fact.match == "number" and not _DIGIT.search(text.text, hit.start, hit.end)
            )
            if not hit.sure or inside or by_the_way or is_set_aside(text.text, hit.start, hit.end):
                continue
            if name is not None and name.search(phrase_around(text.text, hit.start, hit.end)):
                continue
            asserted.append((fact, text.raw_span(hit.start, hit.end)))
            break
    return asserted


def _own_name(fact: Fact, step: Step) -> re.Pattern[str] | None:
    """The first word of a wrong value's id that no required fact's id has: what the value would truly be
    called."""
    taken = {word for item in step.expected_facts for word in _words(item.id)}
    own = next((word for word in _words(fact.id) if word not in taken and len(word) > 3), None)
    return re.compile(rf"\b{re.escape(own[:5])}") if own is not None else None


def _words(name: str) -> list[str]:
    return re.split(r"[^a-z]+", name.lower())


def _blame(
    required: tuple[Fact, ...], wrong: list[tuple[Fact, tuple[int, int]]], found: dict[str, list[Hit]]
) -> dict[str, tuple[Fact, tuple[int, int]]]:
    """Which required fact each wrong value stands against: the one whose id it bears (alone or before a
    dot or a colon), else one of its kind that the answer does not give, else the first."""
    blame: dict[str, tuple[Fact, tuple[int, int]]] = {}
    for fact, span in wrong:
        named = [
            item
            for item in required
            if fact.id == item.id or fact.id.startswith((f"{item.id}.", f"{item.id}:"))
        ]
        alike = [item for item in required if item.match == fact.match]
        absent = [item for item in alike if not found[item.id]]
        for item in (*named, *absent, *alike, *required)[:1]:
            blame.setdefault(item.id, (fact, span))
    return blame


def _judge(
    fact: Fact,
    hits: list[Hit],
    stated: list[Hit],
    text: Folded,
    wrong: tuple[Fact, tuple[int, int]] | None,
    cited: tuple[str, ...],
    view: View,
) -> Said:
    sure = [hit for hit in stated if hit.sure]
    spans = tuple(text.raw_span(hit.start, hit.end) for hit in sure)
    verdicts = [(seen, states(fact, seen, view)) for seen in view.pages]
    bearing = tuple(seen for seen, verdict in verdicts if verdict == "yes")

    def said(state: str, rule: str, detail: str | None = None, tags: tuple[str, ...] = ()) -> Said:
        span = wrong[1] if wrong and state == "contradicted" else (spans[0] if spans else None)
        sha256 = bearing[-1].sha256 if bearing else None
        url = bearing[-1].url if bearing else None
        return Said(
            fact,
            state,
            spans,
            bearing,
            Ground(rule=rule, span=span, sha256=sha256, url=url, detail=detail),
            tags,
        )

    if wrong is not None:
        beside = bool(stated) and any(hit.sure for hit in hits)
        rule = "wrong-value-beside-right" if beside else "wrong-value"
        return said("contradicted", rule, wrong[0].value, ("wrong-value",))
    if not sure and fact.match == "url" and _cites(fact, cited, view):
        if bearing:
            return said("matched", "cited-url-is-the-fact")
        return said("not-fetched", "cited-but-never-fetched", tags=("fact-not-fetched",))
    if not sure:
        if stated:
            offered = any(hit in hits and not hit.sure for hit in stated)
            rule = "answer-may-mean-another-value" if offered else "one-of-two"
            return said("ambiguous", rule, tags=("ambiguous-value",))
        if hits:
            return said("missing", "denied-in-the-answer", tags=("negated-fact", "missing-fact"))
        scale = fact.match == "number" and wrong_scale(fact.value, text)
        return said(
            "missing",
            "not-in-the-answer",
            tags=("missing-fact", "unit-scale") if scale else ("missing-fact",),
        )
    if bearing:
        return said("matched", f"{fact.match}-in-answer-and-page")
    if any(verdict == "unsure" for _, verdict in verdicts):
        return said("ambiguous", "page-may-mean-another-value", tags=("ambiguous-value",))
    return said("not-fetched", "said-but-in-no-fetched-page", tags=("fact-not-fetched",))


def _cites(fact: Fact, cited: tuple[str, ...], view: View) -> bool:
    try:
        wanted = str(parse(fact.value))
    except UrlError:
        return False
    return any(canonical(url) == wanted for url in cited)
