"""A sample for people: a few of each verdict, drawn by a seed, in an order that tells nothing, without the verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from pytest_webretrieval.grade.answers import CORRECT

from .prompts import ANSWER, RELEVANCE
from .serving import HELPS

_THEN = "# Judge by what is shown alone. Then: webretrieval adjudicate RUN --what {what} --labels THIS-FILE\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """What people are asked of one kind of item: the labels that they may give, those that call it right, the question,
    and the name of the rate of what is right."""

    labels: tuple[str, ...]
    right: frozenset[str]
    question: str
    rate: str


SHEETS: dict[str, Sheet] = {
    "support": Sheet(
        labels=("full", "partial", "none", "contradicted"),
        right=frozenset(("full",)),
        question="# Say of each claim what its source does to it: full, partial, none or contradicted, and why.\n",
        rate="borne out",
    ),
    "answer": Sheet(
        labels=ANSWER.verdicts,
        right=frozenset((CORRECT,)),
        question="# Say of each answer whether it gives the right one: CORRECT, INCORRECT or NOT_ATTEMPTED, and why.\n",
        rate="said after all",
    ),
    "relevance": Sheet(
        labels=RELEVANCE.verdicts,
        right=frozenset(grade for grade in RELEVANCE.verdicts if int(grade) >= HELPS),
        question="# Say of each result how it serves its query, from 0 (off the subject) to 4 (all of it), and why.\n",
        rate="of help",
    ),
}


class SheetError(Exception):
    """A sheet that people have not finished, or that cannot be read; one line that says what to mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What a judge of that kind (a name of SHEETS) was asked, by the names of its inputs, and the verdict that counts;
    one that is none of the sheet's labels leaves it open."""

    what: str
    shown: Mapping[str, str]
    verdict: str

    @property
    def id(self) -> str:
        return hashlib.sha256("\0".join(self.shown.values()).encode()).hexdigest()[:12]

    @property
    def is_open(self) -> bool:
        return self.verdict not in SHEETS[self.what].labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """What a person says of an item."""

    id: str
    label: str
    reason: str


def draw(items: Iterable[Item], size: int, seed: int) -> list[Item]:
    """About ``size`` items, as many of each verdict as of any other while there are any, at least two of each; no open
    ones."""
    by_verdict: dict[str, list[Item]] = {}
    for item in {item.id: item for item in items if not item.is_open}.values():
        by_verdict.setdefault(item.verdict, []).append(item)
    if not by_verdict:
        return []
    each = max(2, size // len(by_verdict))
    drawn = [
        item
        for verdict in sorted(by_verdict)
        for item in sorted(by_verdict[verdict], key=lambda item: _lot(item, seed))[:each]
    ]
    return sorted(drawn, key=lambda item: _lot(item, seed + 1))


def _lot(item: Item, seed: int) -> str:
    return hashlib.sha256(f"{seed}:{item.id}".encode()).hexdigest()


def sheet(items: Sequence[Item], what: str) -> str:
    """The file that people fill in."""
    rows = [{"id": item.id, **item.shown, "label": "", "reason": ""} for item in items]
    head = SHEETS[what].question + _THEN.format(what=what)
    return head + yaml.safe_dump(rows, allow_unicode=True, sort_keys=False, width=100)


def read_sheet(path: Path, what: str) -> Iterator[Labelled]:
    """Raises SheetError for the first row that is not finished."""
    try:
        rows: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise SheetError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) and "id" in row for row in rows):
        raise SheetError(f"{path}: not a list of rows with an id; draw a sample anew")
    labels = SHEETS[what].labels
    for row in rows:
        label, reason = (
            "" if row.get(name) is None else str(row[name]).strip() for name in ("label", "reason")
        )
        if label not in labels:
            raise SheetError(f"{path}: row {row['id']}: label {label!r} is none of {', '.join(labels)}")
        if not reason:
            raise SheetError(f"{path}: row {row['id']}: no reason; one sentence will do")
        yield Labelled(id=str(row["id"]), label=label, reason=reason)
