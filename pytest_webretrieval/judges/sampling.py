"""A sample for people: a few of each verdict, drawn by a seed, in an order that tells nothing, without the verdict."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

LABELS = ("full", "partial", "none", "contradicted")
_HEAD = (
    "# Say of each claim what its source does to it: full, partial, none or contradicted, and why, in a sentence.\n"
    "# Judge by the source alone. Then: webretrieval adjudicate RUN --labels THIS-FILE\n"
)


class SheetError(Exception):
    """A sheet that people have not finished, or that cannot be read; one line that says what to mend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A claim, the text that it was held against, and the verdict that counts for it."""

    claim: str
    source: str
    verdict: str

    @property
    def id(self) -> str:
        return hashlib.sha256(f"{self.claim}\0{self.source}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """What a person says of an item."""

    id: str
    label: str
    reason: str


def draw(items: Iterable[Item], size: int, seed: int) -> list[Item]:
    """About ``size`` items, as many of each verdict as of any other while there are any, at least two of each."""
    by_verdict: dict[str, list[Item]] = {}
    for item in {item.id: item for item in items}.values():
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


def sheet(items: Sequence[Item]) -> str:
    """The file that people fill in."""
    rows = [
        {"id": item.id, "claim": item.claim, "source": item.source, "label": "", "reason": ""}
        for item in items
    ]
    return _HEAD + yaml.safe_dump(rows, allow_unicode=True, sort_keys=False, width=100)


def read_sheet(path: Path) -> Iterator[Labelled]:
    """Raises SheetError for the first row that is not finished."""
    try:
        rows: Any = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise SheetError(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(rows, list) or not all(isinstance(row, Mapping) and "id" in row for row in rows):
        raise SheetError(f"{path}: not a list of rows with an id; draw a sample anew")
    for row in rows:
        label, reason = str(row.get("label") or ""), str(row.get("reason") or "").strip()
        if label not in LABELS:
            raise SheetError(f"{path}: row {row['id']}: label {label!r} is none of {', '.join(LABELS)}")
        if not reason:
            raise SheetError(f"{path}: row {row['id']}: no reason; one sentence will do")
        yield Labelled(id=str(row["id"]), label=label, reason=reason)
