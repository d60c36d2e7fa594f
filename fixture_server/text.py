"""What a page says, for the index and for APIs that deliver content: title, text, words, snippets."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CJK = r"\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN = re.compile(f"[{_CJK}]+")
_WORD = re.compile(rf"[{_CJK}]+|(?:(?![{_CJK}])[^\W_])+(?:[.'’-](?:(?![{_CJK}])[^\W_])+)*")
_SPACES = re.compile(r"[ \t\r\f\v\u00a0]+")
_BLOCKS = (
    "p,div,section,article,header,footer,main,aside,nav,li,ul,ol,dl,dt,dd,h1,h2,h3,h4,h5,h6,tr,table,br,pre"
)
_UNSEEN = "script,style,noscript,template,head"
SNIPPET = 300

# Words that say nothing about a subject; a query of nothing else keeps them.
STOP = frozenset(
    re.findall(
        r"[\w']+",
        """a an and are as at be by did do does find for from give get has have how i in into is it its list
        me my of on or our read report say says show tell that the their there these this to today today's was
        were what when where which who why will with you your""",
    )
)


@dataclass(frozen=True, slots=True)
class Readable:
    """A page's title and its text, one block a line."""

    title: str
    text: str


def read_html(markup: str) -> Readable:
    """Title (``title``, else the first ``h1``) and visible text."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(markup)
    title = tree.css_first("title") or tree.css_first("h1")
    heading = _SPACES.sub(" ", title.text(deep=True)).strip() if title is not None else ""
    for node in tree.css(_UNSEEN):
        node.decompose()
    for node in tree.css(_BLOCKS):
        node.insert_before("\n")
        node.insert_after("\n")
    for node in tree.css("td,th"):
        node.insert_after(" ")
    return Readable(" ".join(heading.split()), tidy(tree.body.text(deep=True) if tree.body else ""))


def read_plain(text: str) -> Readable:
    """The first line that is not empty is the title."""
    lines = tidy(text)
    return Readable(lines.partition("\n")[0].lstrip("# "), lines)


def tidy(text: str) -> str:
    """One space between words, no empty lines."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def words(text: str) -> list[str]:
    """The words of a text; a run of Chinese, Japanese or Korean gives its overlapping pairs of characters."""
    found: list[str] = []
    for word in _WORD.findall(text):
        if _RUN.fullmatch(word):
            found.extend(pairs(word))
        else:
            found.append(word)
    return found


def pairs(run: str) -> list[str]:
    """Overlapping pairs of characters; a single character stands for itself."""
    return [run[i : i + 2] for i in range(len(run) - 1)] or [run]


def segmented(text: str) -> str:
    """The text with every run of Chinese, Japanese or Korean written as its pairs, for an indexer that splits
    at spaces."""
    return _RUN.sub(lambda run: f" {' '.join(pairs(run.group()))} ", text)


def query_words(query: str) -> list[str]:
    """The words of a query that say something, each once, in order."""
    unique = list(dict.fromkeys(word.casefold() for word in words(query)))
    return [word for word in unique if word not in STOP] or unique


def snippet(text: str, wanted: list[str], size: int = SNIPPET) -> str:
    """About ``size`` characters around the place that holds the most of the wanted words, at word
    boundaries."""
    flat = " ".join(text.split())
    if len(flat) <= size:
        return flat
    start = _best_start(flat.casefold(), wanted, size) if len(flat.casefold()) == len(flat) else 0
    start = max(0, min(start, len(flat) - size))
    end = start + size
    if start:
        start = flat.find(" ", start, start + 30) + 1 or start
    if end < len(flat):
        space = flat.rfind(" ", end - 30, end)
        end = space if space > start else end
    return ("... " if start else "") + flat[start:end].strip() + (" ..." if end < len(flat) else "")


def _best_start(flat: str, wanted: list[str], size: int) -> int:
    hits = sorted((found.start(), word) for word in wanted for found in re.finditer(re.escape(word), flat))
    best, best_count, first = 0, 0, 0
    for last in range(len(hits)):
        while hits[last][0] - hits[first][0] > size * 2 // 3:
            first += 1
        count = len({word for _, word in hits[first : last + 1]})
        if count > best_count:
            best, best_count = hits[first][0], count
    return best - size // 6
