"""How one step came to its answer: what its model was given and said, beside what was fetched and what was returned."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import unquote

from pytest_webretrieval.cases.truth import Fact, Truth
from pytest_webretrieval.systems import claims
from pytest_webretrieval.systems.contract import ContractError, RetrievalResult
from pytest_webretrieval.wire.attempt import Attempt
from pytest_webretrieval.wire.turns import Call, Turn, read_turns

from .citations import cited_urls
from .denial import is_negated
from .evidence import StepEvidence
from .facts import without_urls
from .file_bytes import without_file_bytes
from .replies import result_urls
from .seen import API_CHANNELS, Seen, Shelf, View, look
from .text import fold
from .urls import canonical, compile_pattern
from .values import find

_URL = re.compile(r"https?://[^\s\"'<>\\)\]}]+")
_AROUND = 60  # characters at each side of a quote


@dataclass(frozen=True)
class Conduct:
    """One step under its truth. ``turns`` are those that were answered; ``unheard`` are the model's attempts that gave
    none that can be read."""

    truth: Truth
    evidence: StepEvidence
    view: View
    turns: tuple[Turn, ...]
    unheard: tuple[Attempt, ...]

    @property
    def answer(self) -> str:
        """What was returned; empty for nothing."""
        return self.evidence.result.answer if self.evidence.result is not None else ""

    @property
    def fetches(self) -> tuple[Attempt, ...]:
        """The requests that the system sent to the web in time."""
        return tuple(
            attempt
            for attempt in self.view.attempts
            if attempt.role in ("document", "api") and not attempt.late
        )

    @property
    def model_elsewhere(self) -> bool:
        """Whether a model may have been asked where nothing can be read: on the real machine, or in another shape."""
        allowed = any(attempt.role == "allowed" for attempt in self.evidence.trace.attempts)
        return allowed or bool(self.unheard)

    @cached_property
    def last(self) -> Turn | None:
        """The last turn that says something instead of calling a tool; where there is none, the very last one, if it
        hands its answer over as the arguments of a call."""
        said = next((turn for turn in reversed(self.turns) if turn.text.strip() and not turn.calls), None)
        if said is not None or not self.turns or len(self.turns[-1].calls) != 1:
            return said
        call = self.turns[-1].calls[0]
        try:
            handed = json.loads(call.arguments)
        except ValueError:
            return None
        return replace(self.turns[-1], text=" ".join(call.strings), answer=handed, calls=())

    @cached_property
    def last_reading(self) -> RetrievalResult | None:
        """What the model's last text would be as an answer."""
        if self.last is None:
            return None
        try:
            return claims.read(self.last.answer)
        except ContractError:
            return claims.read(self.last.text)

    @property
    def cited_by_model(self) -> tuple[str, ...]:
        """The identities of the pages that the model's last text cites."""
        reading = self.last_reading
        if reading is None:
            return ()
        return tuple(dict.fromkeys(canonical(url) for url in cited_urls(reading)))

    @property
    def calls(self) -> Iterator[tuple[Turn, Call]]:
        return ((turn, call) for turn in self.turns for call in turn.calls)

    def inputs(self) -> Iterator[tuple[Turn, str, str]]:
        """All that the model was given, as turn, what it was, and text; each text once."""
        passed: set[str] = set()
        names = {call.id: call.name for _, call in self.calls}
        for turn in self.turns:
            given = [(f"result of {names.get(one.call_id, 'a tool')}", one.text) for one in turn.given]
            for what, text in (*given, ("message", turn.told)):
                if text and text not in passed:
                    passed.add(text)
                    yield turn, what, text

    def legible(self) -> Iterator[tuple[Turn, str, str]]:
        """The same without the bytes of files."""
        return ((turn, what, without_file_bytes(text)) for turn, what, text in self.inputs())

    def names(self, text: str) -> frozenset[str]:
        """The identities of the addresses in a text."""
        return frozenset(canonical(found.rstrip(".,;:!?*_`")) for found in _URL.findall(text))

    @cached_property
    def named_to_model(self) -> frozenset[str]:
        """The pages whose addresses the model was given."""
        return frozenset(url for _, _, text in self.inputs() for url in self.names(text))

    def is_allowed(self, url: str) -> bool:
        """Whether the page of an identity is a source that truth allows."""
        return any(compile_pattern(pattern).admits(url) for pattern in self.truth.allowed_sources)

    def shown_by_search(self) -> Iterator[tuple[Attempt, str]]:
        """Each page that a search reply named, with the search."""
        for attempt in self.fetches:
            if attempt.channel == "search-api" and attempt.body is not None and (attempt.status or 0) < 300:
                for url in dict.fromkeys(result_urls(self.view.shelf.bodies.get(attempt.body, b""))):
                    yield attempt, url

    def reached(self, url: str) -> bool:
        """Whether anything was sent for a page, to itself or to an API that was told its address."""
        wanted = self.view.group(url)
        if any(self.view.group(canonical(attempt.url)) == wanted for attempt in self.view.attempts):
            return True
        apis = (attempt for attempt in self.fetches if attempt.channel in API_CHANNELS)
        return bool(self.view.named_by(url)) or any(
            url in self.names(f"{unquote(attempt.url)}\n{attempt.request_body.decode('utf-8', 'replace')}")
            for attempt in apis
        )

    def showing(self, fact: Fact) -> tuple[Seen, ...]:
        """The pages that were fetched in time and visibly state a fact."""
        return tuple(
            seen
            for seen in self.view.pages
            if seen.role != "model" and quote(fact, self.view.shelf.text(seen).raw)
        )


def conduct_of(truth: Truth, steps: Sequence[StepEvidence], number: int) -> Conduct:
    """The conduct of one step of a run."""
    shelf = Shelf()
    past: tuple[Attempt, ...] = ()
    for earlier in steps[:number]:
        past = (*past, *earlier.trace.attempts)
    evidence = steps[number]
    view = look(evidence, past, shelf)
    turns = read_turns(evidence.trace.attempts, shelf.bodies)
    answered = tuple(turn for turn in turns if turn.error is None)
    heard = {turn.attempt for turn in answered}
    unheard = tuple(
        attempt
        for attempt in evidence.trace.attempts
        if attempt.role == "model" and not attempt.late and attempt.number not in heard
    )
    return Conduct(truth, evidence, view, answered, unheard)


def quote(fact: Fact, text: str) -> str | None:
    """A line around the first place where a text surely states a fact; None where it does not."""
    folded = fold(text if fact.match == "url" else without_urls(text))
    for hit in find(fact, folded):
        if hit.sure and not is_negated(folded.text, hit.start, hit.end):
            start, end = folded.raw_span(hit.start, hit.end)
            return excerpt(text, start, end)
    return None


def excerpt(text: str, start: int, end: int) -> str:
    """A line around a span, with an ellipsis where it is cut."""
    before, after = max(0, start - _AROUND), min(len(text), end + _AROUND)
    line = " ".join(text[before:after].split())
    return f"{'…' if before else ''}{line}{'…' if after < len(text) else ''}"
