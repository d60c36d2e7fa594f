"""The visible text of a page, by block, and what does not belong to its main part."""

from __future__ import annotations

import re
from collections.abc import Callable

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .consent import LONGEST_BANNER, accepts, rejects, speaks_of_consent
from .cues import words
from .pairs import one_row

_BESIDE_TAGS = frozenset({"nav", "footer"})
_BESIDE_ROLES = frozenset({"navigation", "contentinfo", "search", "dialog"})
_CONSENT = re.compile(r"(?:^|[-_ ])(?:cookies?|consent|gdpr|cmp)(?:$|[-_ ])", re.I)
_BESIDE = re.compile(
    r"(?:^|[-_ ])(?:comments?|replies|respond|disqus|related|recommended|sidebar|promo|advert(?:isement)?|"
    r"ads?|newsletter|subscribe|share|social|breadcrumbs?|menu|skip)(?:$|[-_ ])",
    re.I,
)
_KEPT = frozenset({"html", "body", "main", "article"})
_BLOCKS = words(
    """address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol p pre section summary table tbody
    tfoot thead tr ul caption option select textarea button"""
)
_HEADS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELLS = frozenset({"td", "th"})
_FILLED = frozenset({"", "text", "number", "email", "tel", "url", "date", "time", "month", "search"})
SHORTEST_MAIN = 20
SHORTEST_PART = 40


def flat(text: str | None) -> str:
    """``text`` on one line, with single blanks."""
    return " ".join((text or "").split())


def take_out_consent(tree: LexborHTMLParser) -> str:
    """Remove banners that ask for consent; their text. They are known by their names, else by a button that
    answers such a request beside words about consent or in a dialog of yes and no."""
    named = _take_out(tree, lambda node: node.tag not in _KEPT and bool(_CONSENT.search(_named(node))))
    unnamed = []
    for button in tree.css("button,[role=button],input[type=button],input[type=submit]"):
        said = flat(button.text()) or button.attributes.get("value") or ""
        if not (accepts(said) or rejects(said)):
            continue
        if (banner := _banner_around(button)) is not None:
            unnamed.append(flat(banner.text(separator=" ")))
            banner.decompose()
    return " ".join((named, *unnamed)).strip()


def _banner_around(button: LexborNode) -> LexborNode | None:
    """The smallest element around a button that asks for consent and is no main part of the page."""
    node = button.parent
    while node is not None and node.tag not in _KEPT:
        text = node.text()
        if len(text) > LONGEST_BANNER:
            return None
        if speaks_of_consent(text) or (_is_dialog(node) and _is_choice(node)):
            return node
        node = node.parent
    return None


def _is_dialog(node: LexborNode) -> bool:
    attributes = node.attributes
    modal = (attributes.get("aria-modal") or "").lower() == "true"
    return (
        modal or node.tag == "dialog" or (attributes.get("role") or "").lower() in ("dialog", "alertdialog")
    )


def _is_choice(node: LexborNode) -> bool:
    """Whether an element offers a yes and a no and nothing to fill in."""
    said = [flat(button.text()) for button in node.css("button,[role=button]")]
    return any(map(accepts, said)) and any(map(rejects, said)) and not node.css("input,textarea,select")


def take_out_beside(tree: LexborHTMLParser) -> str:
    """Remove navigation, footers, comments and side columns; their text."""
    return _take_out(tree, _is_beside)


def _is_beside(node: LexborNode) -> bool:
    if node.tag in _KEPT:
        return False
    role = (node.attributes.get("role") or "").lower()
    return node.tag in _BESIDE_TAGS or role in _BESIDE_ROLES or bool(_BESIDE.search(_named(node)))


def _named(node: LexborNode) -> str:
    return f"{node.attributes.get('id') or ''} {node.attributes.get('class') or ''}"


def _take_out(tree: LexborHTMLParser, unwanted: Callable[[LexborNode], bool]) -> str:
    """Remove the outermost elements that are unwanted; their text. The tree is walked without recursion, as
    pages nest as deep as they like."""
    texts = []
    stack = [tree.body] if tree.body is not None else []
    while stack:
        for child in list(stack.pop().iter()):
            if unwanted(child):
                texts.append(flat(child.text(separator=" ")))
                child.decompose()
            else:
                stack.append(child)
    return " ".join(texts)


def main_part(tree: LexborHTMLParser) -> LexborNode | None:
    """The element that holds the main part: the longest of those that say so, when it says anything; else
    body."""
    for selector in ("main,[role=main]", "article,[itemprop=articleBody]"):
        nodes = tree.css(selector)
        if nodes:
            best = max(nodes, key=lambda node: len(node.text()))
            if len(flat(best.text())) > SHORTEST_MAIN:
                return best
    return tree.body


def blocks_of(root: LexborNode) -> tuple[tuple[str, ...], frozenset[str]]:
    """Text by block element, and those blocks that are headings.

    A row of a table with two cells, a cell under its heading where there is one row, and a pair of a definition list
    become ``label: value``; fields of a form give what is filled in.
    """
    blocks: list[str] = []
    headings: set[str] = set()
    line: list[str] = []

    def flush() -> str:
        text = flat("".join(line))
        line.clear()
        if text:
            blocks.append(text)
        return text

    stack: list[tuple[LexborNode, bool]] = [(root, False)]
    while stack:
        node, leaving = stack.pop()
        tag = node.tag or ""
        if leaving:
            if (text := flush()) and tag in _HEADS:
                headings.add(text)
        elif node.is_text_node:
            line.append(node.text_content or "")
        elif tag == "br":
            line.append(" ")
        elif tag == "input":
            line.append(_filled_in(node))
        elif tag == "table" and (pairs := one_row(node)):
            flush()
            blocks.extend(pair.said for pair in pairs)
        elif tag == "tr":
            flush()
            cells = [flat(cell.text(separator=" ")) for cell in node.iter() if cell.tag in _CELLS]
            line.append((": " if len(cells) == 2 else " | ").join(cell for cell in cells if cell))
            flush()
        elif tag == "dt":
            flush()
            line.append(flat(node.text(separator=" ")) + ": ")
        elif tag == "dd" and line:
            line.append(flat(node.text(separator=" ")))
            flush()
        else:
            if tag in _BLOCKS:
                flush()
                stack.append((node, True))
            children = list(node.iter(include_text=True))
            stack.extend((child, False) for child in reversed(children))
    flush()
    return tuple(blocks), frozenset(headings)


def _filled_in(node: LexborNode) -> str:
    kind = (node.attributes.get("type") or "").lower()
    return f" {node.attributes.get('value') or ''} " if kind in _FILLED else " "
