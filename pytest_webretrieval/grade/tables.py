"""Tables as statements: each cell with the name of its row and of its column, spans filled in first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .passages import Passage
from .statement import read_words

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_MOST_SPAN = 200


def cells(tree: LexborHTMLParser, locale: str | None = None) -> Iterator[Passage]:
    """A passage for each cell of each table that names its columns: the row's words, the column's name, the value."""
    for table in tree.css("table"):
        grid = _grid(table)
        if len(grid) > 1 and all(is_head for _, is_head in grid[0]):
            names = [text for text, _ in grid[0]]
            for row in grid[1:]:
                yield from _row(names, [text for text, _ in row], locale)


def _row(names: list[str], row: list[str], locale: str | None) -> Iterator[Passage]:
    """The cells of a row; what it is about is said by its cells that hold no number."""
    keys = [text for text in row if text and not any(char.isdigit() for char in text)]
    for name, value in zip(names, row, strict=False):
        about = [key for key in keys if key != value]
        if value and (about or value in keys):
            text = " | ".join((*about, name, value))
            words = tuple(word for part in (*about, name, value) for word in read_words(part, locale))
            yield Passage(text, 0, words, is_cell=True)


def _grid(table: LexborNode) -> list[list[tuple[str, bool]]]:
    """Rows of (text, whether it is a heading), each as wide as its spans make it."""
    rows: list[list[tuple[str, bool]]] = []
    hanging: dict[int, tuple[int, tuple[str, bool]]] = {}
    for line in table.css("tr"):
        row: list[tuple[str, bool]] = []
        cells = [node for node in line.iter() if node.tag in ("td", "th")]
        while cells or len(row) in hanging:
            if (held := hanging.pop(len(row), None)) is not None:
                left, cell = held
                if left > 1:
                    hanging[len(row)] = left - 1, cell
                row.append(cell)
                continue
            node = cells.pop(0)
            cell = " ".join(node.text().split()), node.tag == "th"
            for _ in range(_span(node, "colspan")):
                if (down := _span(node, "rowspan")) > 1:
                    hanging[len(row)] = down - 1, cell
                row.append(cell)
        if row:
            rows.append(row)
    return rows


def _span(node: LexborNode, name: str) -> int:
    value = node.attributes.get(name) or "1"
    return min(int(value), _MOST_SPAN) if value.isascii() and value.isdigit() and int(value) else 1
