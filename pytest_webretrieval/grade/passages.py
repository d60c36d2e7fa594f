"""A text cut into passages, and how far one of them says what a claim says."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from .statement import CONTENT, Word, read_words
from .text import fold, sentences

_PRONOUN = re.compile(r"\b(?:he|she|it|they|er|sie|il|elle|ils|elles)\b", re.IGNORECASE)
_NEAR = 3  # words before the first match in which a cue still bears on it
_HEARD = 6  # words before it in which somebody is named who says it, or says that it may be
_BEHIND = 3  # words behind the last match that may still take it back ("..., critics claim")


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence of a text, two in a row, or a cell of a table with the names of its row and column: what it says,
    and what the sentence before it and the title say. Offsets are those of the text."""

    text: str
    start: int
    words: tuple[Word, ...]
    before: tuple[Word, ...] = ()
    paired: bool = False
    is_cell: bool = False
    stems: frozenset[str] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "stems", frozenset(word.stem for word in self.words))

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def asks(self) -> bool:
        return self.text.rstrip(" \"'”’)").endswith("?")


@lru_cache(maxsize=512)
def passages(text: str, locale: str | None = None, topic: str = "") -> tuple[Passage, ...]:
    """The sentences of a text; ``topic`` is what all of it is about, as its title says."""
    found: list[Passage] = []
    about = read_words(topic, locale)
    before: tuple[Word, ...] = ()
    folded = fold(text)
    words = deque(read_words(text, locale))
    for start, end in sentences(text):
        own: list[Word] = []
        while words and folded.raw_span(words[0].start, words[0].end)[0] < end:
            own.append(words.popleft())
        found.append(Passage(text[start:end], start, tuple(own), before + about))
        before = found[-1].words
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Match:
    """How far a passage says what a claim says: for each content word of the claim the places in the passage's words
    that say it."""

    claim: tuple[Word, ...]
    content: tuple[Word, ...]
    passage: Passage
    places: tuple[tuple[int, ...], ...]

    @property
    def missing(self) -> list[Word]:
        """What the passage does not say, without a subject that the sentence before it names: how the claim begins,
        or a name that the passage has a pronoun for."""
        lacking = [word for word, found in zip(self.content, self.places, strict=True) if not found]
        lead = 0
        while lead < len(self.places) and not self.places[lead]:
            lead += 1
        before = self.passage.before
        subject = [
            word
            for at, word in enumerate(lacking)
            if at < lead or (word.kind == "name" and has_pronoun(self.passage))
        ]
        if all(any(word.says(other) for other in before) for word in subject):
            return [word for word in lacking if word not in subject]
        return lacking

    @property
    def found(self) -> list[tuple[int, ...]]:
        return [places for places in self.places if places]

    @property
    def order(self) -> float:
        """The share of the matched words that stand in the claim's order, where they stand closest together. A word
        that the claim says more often than the passage counts as often as there."""
        low, high = self.bounds
        inside = [[place for place in places if low <= place <= high] for places in self.found]
        told = Counter(tuple(places) for places in inside)
        return longest_rise(inside) / sum(min(times, len(places)) for places, times in told.items())

    @property
    def bounds(self) -> tuple[int, int]:
        """The first and the last place of the shortest stretch of the passage that has every matched word."""
        places = sorted((place, index) for index, found in enumerate(self.found) for place in found)
        best = places[0][0], places[-1][0]
        held: Counter[int] = Counter()
        low = 0
        for place, index in places:
            held[index] += 1
            while held[places[low][1]] > 1:
                held[places[low][1]] -= 1
                low += 1
            if len(held) == len(self.found) and place - places[low][0] < best[1] - best[0]:
                best = places[low][0], place
        return best

    @property
    def spread(self) -> float:
        """How many words of the passage stand between the first and the last match, to one that matches."""
        low, high = self.bounds
        return (high - low + 1) / len(self.found)

    def cues(self, kind: str) -> tuple[set[str], set[str]]:
        """The stems of a kind of cue in the claim, and about the matched words."""
        low, high = self.bounds
        window = self.passage.words[max(0, low - _NEAR) : high + 1]
        return stems_of(self.claim, kind), stems_of(window, kind)

    @property
    def hedges(self) -> tuple[set[str], set[str]]:
        """The words of doubt and report of the claim, and of the passage up to right behind the matched words: who
        said it may stand well before."""
        low, high = self.bounds
        told = self.passage.words[max(0, low - _HEARD) : high + 1 + _BEHIND]
        return stems_of(self.claim, "doubt"), stems_of(told, "doubt")

    def cues_beside(self, kind: str) -> tuple[set[str], set[str]]:
        """The stems of a kind of cue in the claim, and right before a matched word."""
        low, high = self.bounds
        ahead = {
            at
            for found in self.found
            for place in found
            if low <= place <= high
            for at in (place - 1, place - 2)
        }
        beside = [self.passage.words[at] for at in sorted(ahead) if at >= 0]
        return stems_of(self.claim, kind), stems_of(beside, kind)


def has_pronoun(passage: Passage) -> bool:
    """Whether a passage speaks of somebody or something that it does not name."""
    return _PRONOUN.search(passage.text) is not None


def stems_of(words: Iterable[Word], kind: str) -> set[str]:
    """The stems of the words of a kind."""
    return {word.stem for word in words if word.kind == kind}


def matches(words: tuple[Word, ...], source: Sequence[Passage]) -> Iterator[Match]:
    """How each passage says ``words``, then every two sentences in a row of which the first does not ask; those that
    say less than half of their content are passed over."""
    content = tuple(word for word in words if word.kind in CONTENT)
    by_value = sum(word.kind in ("number", "date") for word in content)
    stems = [word.stem for word in content if word.kind not in ("number", "date")]
    least = max(2, len(content))
    for passage in source:
        if 2 * (by_value + sum(stem in passage.stems for stem in stems)) >= least:
            yield from _match(words, content, passage)
    for one, two in pairwise(source):
        if one.asks or one.is_cell or two.is_cell:
            continue
        if 2 * (by_value + sum(stem in one.stems or stem in two.stems for stem in stems)) >= least:
            gap = " " * max(1, two.start - one.end)
            pair = Passage(one.text + gap + two.text, one.start, one.words + two.words, paired=True)
            yield from _match(words, content, pair)


def _match(words: tuple[Word, ...], content: tuple[Word, ...], passage: Passage) -> Iterator[Match]:
    seen: Counter[tuple[str, str]] = Counter()
    places = []
    for word in content:
        found = tuple(at for at, other in enumerate(passage.words) if word.says(other))
        if word.kind in ("number", "date", "code"):
            # A value that is said twice is not said by one place: "3/3", "from 12 to 12".
            seen[word.kind, word.stem] += 1
            found = found if len(found) >= seen[word.kind, word.stem] else ()
        places.append(found)
    if sum(map(bool, places)) * 2 >= max(2, len(content)):
        yield Match(words, content, passage, tuple(places))


def longest_rise(places: Sequence[Sequence[int]]) -> int:
    """How many of the words, at one of its places each, stand in rising order."""
    tails: list[int] = []
    for found in places:
        for place in sorted(found, reverse=True):
            at = bisect_left(tails, place)
            if at == len(tails):
                tails.append(place)
            else:
                tails[at] = place
    return len(tails)
