"""Text of a page, as tools give it (plain, markdown, HTML), as a Document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from pytest_webretrieval.systems.reference.document import Document, Link
from pytest_webretrieval.systems.reference.html import read_html
from pytest_webretrieval.systems.reference.lists import announced_in
from pytest_webretrieval.systems.reference.placeholders import blanks_of, is_waiting, says_more
from pytest_webretrieval.systems.reference.stamps import visible_stamps
from pytest_webretrieval.systems.reference.values import PRICE, sentences

LONGEST = 120_000  # characters that are read of one page
LONGEST_TITLE = 160
_MARKUP = re.compile(
    r"<!doctype html|<html[\s>]|<body[\s>]|<(?:p|div|article|h1|table|main)[\s>].*?</", re.I | re.S
)
_HEADING = re.compile(r"#{1,6}\s+(.*?)\s*#*$")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})$")
_BULLET = re.compile(r"(?:[-*+•]|\d{1,2}[.)])\s+(?=\S)")
_LINK = re.compile(
    r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(\s*<?(https?://[^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*)>?[^)]*\)"
)
_BARE = re.compile(r"https?://[^\s<>\"'`|\\^{}]*[^\s<>\"'`|\\^{}.,;:!?)\]（）。，、」』】]")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3}|_{1,3})(?=\S)(.+?)(?<=\S)\1(?![\w*])")
_RULE = re.compile(r"[\s|:*_=-]+$")
_ENDED = re.compile(r"[.!?:;。！？：；][\"”’»)\]」』]*$")
WRAPPED = 60  # a line at least so long and without a full stop goes on in the next
FLAT = 160  # characters
_GAP = re.compile(r"(?<=\S) {2,}(?=\S)")
_TITLED = re.compile(r"(?P<name>\S[^|\n]{2,100}?) \| ")
_NEXT = re.compile(r"\s+(?=[^\W\d_a-z])")


def document_of(text: str, url: str, title: str = "") -> Document:
    """The Document in what a tool gave for ``url``; ``title`` is what the tool called it."""
    text = text[:LONGEST]
    if _MARKUP.search(text[:4000]):
        return read_html(text, url)
    text = unescape(text)  # who takes the tags out of a page with a pattern leaves its entities in
    links: list[Link] = []
    lines = list(_lines(text, links))
    blocks = tuple(part for line, _ in lines if line for part in _parted(line))
    headings = frozenset(line for line, kind in lines if kind == "heading" and line)
    first = _first_name(next((line for line, _ in lines if line), ""))
    heading = next((line for line, kind in lines if kind == "heading" and line), first)
    if heading != first and blocks[:1] == (first,) and first.startswith(f"{heading} "):
        # What stood in the page's head is its title, and no line of the page.
        title, blocks = title or first, blocks[1:]
    whole = " ".join(blocks)
    return Document(
        url=url,
        media="html",
        title=title or heading,
        heading=heading or title,
        blocks=blocks,
        headings=headings | frozenset((heading,) if heading else ()),
        stamps=visible_stamps(blocks),
        links=tuple(links),
        lists=tuple(_lists(lines)),
        blank=blanks_of(blocks),
        waiting=tuple(line for block in blocks for line in sentences(block) if is_waiting(line)),
        announced=announced_in(whole),
        more=says_more(whole),
    )


def _first_name(block: str) -> str:
    """What the first block of a page calls it; of a page in one line, what stands before the bar of its title."""
    if len(block) <= LONGEST_TITLE and not _ENDED.search(block) and len(_parted(block)) < 2:
        return block
    match = _TITLED.match(block)
    return match["name"] if match else ""


def _parted(line: str) -> list[str]:
    """A line with several prices in a row as the lines that it was made of: behind a price, a capital letter begins
    the next."""
    prices = list(PRICE.finditer(line))
    if len(prices) < 2:
        return [line]
    parts, begin = [], 0
    for price in prices:
        if following := _NEXT.match(line, price.end()):
            parts.append(line[begin : price.end()])
            begin = following.end()
    return [*parts, line[begin:]] if begin < len(line) else parts


def urls_in(text: str) -> list[str]:
    """Every http(s) address in ``text``, each once, in its order."""
    return list(dict.fromkeys(_BARE.findall(text)))


def _lines(text: str, links: list[Link]) -> Iterator[tuple[str, str]]:
    """Blocks with their kind (``heading``, ``item``, ``row``, ``text``, ``break``); links are added to ``links``."""
    open_text = ""
    raw = [part for line in text.splitlines() for part in _apart(line)]
    for at, line in enumerate(raw):
        bare = line.strip().lstrip(">").strip()
        following = raw[at + 1].strip() if at + 1 < len(raw) else ""
        if not bare or _RULE.fullmatch(bare):
            if open_text:
                yield open_text, "text"
                open_text = ""
            yield "", "break"
            continue
        heading, bullet = _HEADING.match(bare), _BULLET.match(bare)
        kind = "text"
        if heading or _UNDERLINE.fullmatch(following):
            kind, bare = "heading", heading[1] if heading else bare
        elif bullet:
            kind, bare = "item", bare[bullet.end() :]
        elif bare.startswith("|") and bare.count("|") > 1:
            kind, bare = "row", _cells(bare)
        bare = _plain(bare, links)
        if kind == "text" and open_text and _goes_on(open_text, bare):
            open_text = f"{open_text}{'' if bare.startswith(': ') else ' '}{bare}"
            continue
        if open_text:
            yield open_text, "text"
            open_text = ""
        if kind == "text":
            open_text = bare
        else:
            yield bare, kind
    if open_text:
        yield open_text, "text"


def _apart(line: str) -> list[str]:
    """A line, or what stands apart in it by more than a blank where a page is given in one."""
    return _GAP.split(line.strip()) if len(line) > FLAT else [line]


def _goes_on(before: str, line: str) -> bool:
    if _ENDED.search(before):
        return False
    return (
        line[:1].islower()
        or line[:1] in ",.;)"
        or line.startswith(": ")
        or (len(before) >= WRAPPED and not before.isupper())
    )


def _cells(row: str) -> str:
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    return (": " if len(cells) == 2 else " | ").join(cell for cell in cells if cell)


def _plain(line: str, links: list[Link]) -> str:
    """A line without its marks."""

    def shown(match: re.Match[str]) -> str:
        if not match[1]:
            links.append(Link(url=match[3].partition("#")[0], text=match[2].strip(), around=around))
        return match[2]

    around = _EMPHASIS.sub(r"\2", _LINK.sub(lambda match: match[2], line)).strip()[:400]
    known = len(links)
    text = _LINK.sub(shown, line)
    if len(links) == known:
        links += [Link(url=url.partition("#")[0], text=around, around=around) for url in urls_in(text)]
    return " ".join(_EMPHASIS.sub(r"\2", text).split())


def _lists(lines: list[tuple[str, str]]) -> Iterator[tuple[str, ...]]:
    """The items of each list: neighbours of one kind, blank lines between them allowed."""
    items: list[str] = []
    kind_of_items = ""
    for line, kind in (*lines, ("", "end")):
        if kind == "break":
            continue
        if kind == kind_of_items and kind in ("item", "row"):
            items.append(line)
            continue
        if len(items) > 1:
            yield tuple(dict.fromkeys(items))
        items, kind_of_items = ([line], kind) if kind in ("item", "row") else ([], "")
