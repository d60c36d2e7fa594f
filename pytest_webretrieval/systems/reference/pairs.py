"""Values under their labels: rows and columns of tables, definition lists, lines with a colon, headings that ask."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from selectolax.lexbor import LexborNode

LONGEST_LABEL = 60
LONGEST_VALUE = 300
_LINE = re.compile(r"(?P<label>[^:：.!?。！？]{2,60})[:：] ?(?P<value>\S.*)")


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and what stands under it."""

    label: str
    value: str

    @property
    def said(self) -> str:
        """Both in one line."""
        return f"{self.label.rstrip(' :：?？')}: {self.value}"


def columns_of(root: LexborNode) -> tuple[Pair, ...]:
    """The pairs of the tables at or under ``root`` whose labels head columns; other rows are lines with a colon."""
    return tuple(pair for table in root.css("table") for pair in _columns(_rows(table)))


def one_row(table: LexborNode) -> tuple[Pair, ...]:
    """The pairs of a table that has headings and one row below them; empty for any other."""
    rows = _rows(table)
    return tuple(_columns(rows)) if len(rows) == 2 else ()


def lines_paired(blocks: Iterable[str], headings: frozenset[str]) -> tuple[Pair, ...]:
    """The pairs of a page's blocks: ``label: value``, and short headings with the one block below them."""
    listed = list(blocks)
    found = [
        Pair(match["label"].strip(), match["value"])
        for block in listed
        if block not in headings and (match := _LINE.fullmatch(block)) and not match["label"][0].isdigit()
    ]
    return (*found, *_headed(listed, headings))


def _headed(blocks: Sequence[str], headings: frozenset[str]) -> Iterator[Pair]:
    for (first, second), after in zip(pairwise(blocks), (*blocks[2:], ""), strict=False):
        alone = not after or after in headings
        if first in headings and second not in headings and alone and len(first) <= LONGEST_LABEL:
            yield Pair(first, second[:LONGEST_VALUE])


def _rows(table: LexborNode) -> list[list[tuple[str, bool]]]:
    return [_row(node) for node in table.css("tr")]


def _row(node: LexborNode) -> list[tuple[str, bool]]:
    """The cells of a row: text, and whether it is a heading."""
    return [
        (" ".join(cell.text(separator=" ").split()), cell.tag == "th")
        for cell in node.iter()
        if cell.tag in ("td", "th")
    ]


def _columns(rows: Sequence[list[tuple[str, bool]]]) -> Iterator[Pair]:
    """A cell under its column's heading; where there are several rows, the first cell of its row says which."""
    if len(rows) < 2 or not all(heading for _, heading in rows[0]):
        return
    labels = [text for text, _ in rows[0]]
    body = [row for row in rows[1:] if len(row) == len(labels)]
    if len(body) > 1 and len(labels) == 2:
        return  # two columns and many rows: each row is a pair itself
    for row in body:
        first = 0 if len(body) == 1 else 1
        name = "" if len(body) == 1 else f"{row[0][0]}, "
        for label, (value, _) in zip(labels[first:], row[first:], strict=True):
            if label and value:
                yield Pair(f"{name}{label}", value)
