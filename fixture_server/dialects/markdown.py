"""What a body says, as APIs that deliver content write it: its text, its markdown, its links."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from fixture_server.text import read_html, read_plain, tidy

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_UNSEEN = "script,style,noscript,template,head,svg,iframe"
AROUND = ("nav", "header", "footer", "aside")  # what stands around the content of a page
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = frozenset(
    (
        *_HEADINGS,
        *("address", "article", "aside", "blockquote", "body", "dd", "details", "dialog", "div", "dl", "dt"),
        *(
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "header",
            "hr",
            "legend",
            "li",
            "main",
            "nav",
        ),
        *("ol", "p", "pre", "section", "summary", "table", "ul"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Markup:
    """``html`` is empty for what is none; ``links`` and ``images`` are absolute, each once, in the page's order."""

    title: str = ""
    text: str = ""
    markdown: str = ""
    html: str = ""
    description: str | None = None
    language: str | None = None
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()


def read_markup(markup: str, url: str) -> Markup:
    """HTML that stands at ``url``."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(markup)
    readable = read_html(markup)
    root, description = tree.css_first("html"), tree.css_first("meta[name=description]")
    links, images = _targets(tree, "a[href]", "href", url), _targets(tree, "img[src]", "src", url)
    _remove(tree, _UNSEEN)
    return Markup(
        title=readable.title,
        text=readable.text,
        markdown="" if tree.body is None else "\n\n".join(_blocks(tree.body, url)),
        html=markup,
        description=None if description is None else description.attributes.get("content"),
        language=None if root is None else root.attributes.get("lang"),
        links=links,
        images=images,
    )


def narrowed(markup: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> str:
    """The HTML of the nodes that one of the selectors of ``include`` names (all where there are none), without those
    that one of ``exclude`` names. Raises ValueError for what is no selector."""
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    tree = LexborHTMLParser(markup)
    try:
        if exclude:
            _remove(tree, ",".join(exclude))
        if not include:
            return tree.html or ""
        return "\n".join(node.html or "" for node in tree.css(",".join(include)))
    except SelectolaxError as error:
        raise ValueError(f"not selectors: {', '.join(include + exclude)}") from error


def read_text(text: str) -> Markup:
    """A body that is text already; its markdown is what it is."""
    readable = read_plain(text)
    return Markup(title=readable.title, text=readable.text, markdown=text.strip())


def read_pdf(body: bytes) -> Markup:
    """The text of a PDF; nothing where it cannot be read."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = PdfReader(BytesIO(body))
        text = tidy("\n".join(page.extract_text() for page in reader.pages))
        title = (reader.metadata.title if reader.metadata else None) or ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return Markup()
    return Markup(title=title.strip() or text.partition("\n")[0], text=text, markdown=text)


def _remove(tree: LexborHTMLParser, selector: str) -> None:
    # One at a time: a node within one that is gone must not be touched.
    while (node := tree.css_first(selector)) is not None:
        node.decompose()


def _targets(tree: LexborHTMLParser, selector: str, attribute: str, url: str) -> tuple[str, ...]:
    found = (urljoin(url, node.attributes.get(attribute) or "") for node in tree.css(selector))
    return tuple(dict.fromkeys(target for target in found if target.startswith(("http://", "https://"))))


def _blocks(node: LexborNode, url: str) -> Iterator[str]:
    """The blocks of a node in their order. Emphasis is not marked: it would part what is one word for a reader."""
    run: list[str] = []
    for child in node.iter(include_text=True):
        if child.tag in _BLOCKS or _holds_blocks(child):
            yield from _flushed(run)
            yield from _block(child, url)
        else:
            run.append(_inline(child, url))
    yield from _flushed(run)


def _holds_blocks(node: LexborNode) -> bool:
    return any(child.tag in _BLOCKS for child in node.iter())


def _flushed(run: list[str]) -> Iterator[str]:
    lines = tidy("".join(run))
    run.clear()
    if lines:
        yield lines


def _block(node: LexborNode, url: str) -> Iterator[str]:
    match node.tag:
        case tag if tag in _HEADINGS:
            if heading := " ".join(_inlines(node, url).split()):
                yield f"{'#' * int(tag[1])} {heading}"
        case "pre":
            yield f"```\n{node.text(deep=True).strip()}\n```"
        case "hr":
            yield "---"
        case "ul" | "ol":
            yield from filter(None, ["\n".join(_items(node, url))])
        case "table":
            yield from filter(None, ["\n".join(_table(node, url))])
        case "blockquote":
            yield _indented("\n\n".join(_blocks(node, url)), "> ", "> ")
        case _:
            yield from _blocks(node, url)


def _items(node: LexborNode, url: str) -> Iterator[str]:
    for number, item in enumerate((child for child in node.iter() if child.tag == "li"), 1):
        mark = f"{number}. " if node.tag == "ol" else "- "
        if inside := "\n".join(_blocks(item, url)):
            yield _indented(inside, mark, " " * len(mark))


def _table(node: LexborNode, url: str) -> Iterator[str]:
    """Pipes; the first row is the head, as markdown knows no table without one."""
    for number, row in enumerate(node.css("tr")):
        cells = [
            " ".join(_inlines(cell, url).split()).replace("|", "\\|")
            for cell in row.iter()
            if cell.tag in ("td", "th")
        ]
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield f"| {' | '.join('---' for _ in cells)} |"


def _inlines(node: LexborNode, url: str) -> str:
    return "".join(_inline(child, url) for child in node.iter(include_text=True))


def _inline(node: LexborNode, url: str) -> str:
    match node.tag:
        case "-text":
            return " ".join(f"|{node.text(deep=False)}|".split())[1:-1]
        case "br":
            return "\n"
        case "img":
            return f"![{node.attributes.get('alt') or ''}]({urljoin(url, node.attributes.get('src') or '')})"
        case "a" if node.attributes.get("href"):
            text = " ".join(_inlines(node, url).split())
            return f"[{text}]({urljoin(url, node.attributes['href'] or '')})" if text else ""
        case tag if tag in _BLOCKS:
            return f"\n{_inlines(node, url)}\n"
        case _:
            return _inlines(node, url)


def _indented(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    return "\n".join((first if i == 0 else rest) + line for i, line in enumerate(lines)).rstrip()
