"""What a judge, or a person, is shown of the pages that a claim cites: all of it where it fits, else what is closest
to the claim, with every cut in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from pytest_webretrieval.grade.passages import Passage, passages
from pytest_webretrieval.grade.statement import CONTENT, read_words

# Characters of the pages of one claim.
SHOWN = 24_000
# Stands where something was left out.
CUT = "\n[...]\n"
_BETWEEN = "\n\n"
_LONGEST = 2_000  # characters of a sentence that are shown, or left out, as one


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """``is_cut`` where the pages say more than ``text`` has."""

    text: str
    is_cut: bool


def source_of(
    record: Mapping[str, Any],
    finding: Mapping[str, Any],
    page: Callable[[Mapping[str, Any], str], str],
) -> Shown | None:
    """What is shown beside a claim of a record: of every page that it cites and that was fetched; None where none was.
    ``page`` gives the text of a representation by its SHA-256."""
    ground = finding["ground"]["sha256"]
    fetched = finding.get("pages") or ([] if ground is None else [ground])
    texts = dict.fromkeys(page(record, sha256) for sha256 in fetched)
    return show(finding["claim"], list(texts)) if texts else None


def show(claim: str, texts: Sequence[str]) -> Shown:
    """The texts one behind the other; where that is more than SHOWN characters, the sentences that share most words
    with the claim, each with those beside it, as they follow on one another."""
    whole = _BETWEEN.join(texts)
    if len(whole) <= SHOWN:
        return Shown(text=whole, is_cut=False)
    cut = [list(_short(text)) for text in texts]
    rows = [row for parts in cut for row in _with_neighbours(parts)]
    kept: set[Passage] = set()
    left = SHOWN
    for at in closest(claim, rows):
        for part in rows[at]:
            size = len(part.text) + len(CUT)
            if part not in kept and size <= left:
                kept.add(part)
                left -= size
    said = (_joined(text, parts, kept) for text, parts in zip(texts, cut, strict=True))
    return Shown(text=_BETWEEN.join(said), is_cut=True)


def closest(claim: str, rows: Sequence[Sequence[Passage]]) -> list[int]:
    """The numbers of all rows of passages, those first that share most words with a claim."""
    wanted = frozenset(word.stem for word in read_words(claim) if word.kind in CONTENT)
    shared = [len(wanted & frozenset().union(*(one.stems for one in row))) for row in rows]
    return sorted(range(len(rows)), key=lambda at: -shared[at])


def _short(text: str) -> Iterator[Passage]:
    """The sentences of a text, the longest of them in parts."""
    for sentence in passages(text):
        for at in range(0, len(sentence.text), _LONGEST):
            part = sentence.text[at : at + _LONGEST]
            yield Passage(part, sentence.start + at, read_words(part))


def _with_neighbours(parts: Sequence[Passage]) -> Iterator[tuple[Passage, ...]]:
    for at, part in enumerate(parts):
        yield (part, *parts[max(0, at - 1) : at], *parts[at + 1 : at + 2])


def _joined(text: str, parts: Sequence[Passage], kept: set[Passage]) -> str:
    """The kept parts of a text as they stand there, a mark wherever something was left out."""
    runs = ((is_kept, list(run)) for is_kept, run in groupby(parts, kept.__contains__))
    return "".join(text[run[0].start : run[-1].end] if is_kept else CUT for is_kept, run in runs)
