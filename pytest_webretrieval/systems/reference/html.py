"""HTML to a Document: what a reader sees in the main part, and what the page says about itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .blocks import SHORTEST_PART, blocks_of, flat, main_part, take_out_beside, take_out_consent
from .document import Document, Link
from .forms import fields_of
from .lists import announced_in, lists_of
from .pairs import columns_of
from .placeholders import blanks_of, busy_signs, is_waiting, says_more
from .sight import take_out_unseen
from .stamps import machine_stamps, time_stamps, visible_stamps

LONGEST_REFRESH_S = 5.0
_PUZZLES = (
    "iframe[src*=captcha i],script[src*=captcha i],[class*=captcha i],[id*=captcha i],iframe[src*=challenge i]"
    ",script[src*=challenge i]"
)
_LOADS = re.compile(
    r"\bfetch\s*\(|XMLHttpRequest|IntersectionObserver|innerHTML|textContent|innerText|append"
    r"|insertAdjacent|replaceChild|attachShadow|customElements|createElement|import\s*\(|new WebSocket|EventSource"
)
_REFRESH = re.compile(r"\s*(\d+(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?['\"]?([^'\"]+)", re.I)
_WEB = ("http", "https")
# What a script loaded from elsewhere counts for beside the length of those in the page.
_LOADED_SCRIPT = 500


def read_html(text: str, url: str) -> Document:
    """The Document for a page's decoded source; ``url`` is where it came from."""
    tree = LexborHTMLParser(text)
    base = urljoin(url, _attribute(tree, "base[href]", "href"))
    machine = machine_stamps(tree)
    noscript = " ".join(node.text(separator=" ") for node in tree.css("noscript"))
    scripts = sum(
        len(node.text()) + _LOADED_SCRIPT * ("src" in node.attributes) for node in tree.css("script")
    )
    loads = any(_LOADS.search(node.text()) or "src" in node.attributes for node in tree.css("script"))
    captcha = tree.css_first(_PUZZLES) is not None
    struck = take_out_unseen(tree)
    passwords = len(tree.css("input[type=password]"))
    links = tuple(_links(tree, base))
    consent, beside = take_out_consent(tree), take_out_beside(tree)
    whole = flat(tree.body.text(separator=" ")) if tree.body is not None else ""
    signs, fields = busy_signs(tree), fields_of(tree)
    root = main_part(tree)
    blocks, headings = blocks_of(root) if root is not None else ((), frozenset())
    if sum(map(len, blocks)) < SHORTEST_PART and tree.body is not None:
        blocks, headings = blocks_of(tree.body)
    timed = time_stamps(root) if root is not None else ()
    heading = _text(tree, "h1") or next((block for block in blocks if block in headings), "")
    return Document(
        url=url,
        media="html",
        title=_text(tree, "head > title") or _text(tree, "title"),
        heading=heading,
        lang=_attribute(tree, "html[lang]", "lang"),
        canonical=_canonical(tree, base),
        site=flat(_attribute(tree, "meta[property='og:site_name']", "content")),
        blocks=blocks,
        headings=headings,
        rest=beside,
        stamps=(*visible_stamps(blocks), *timed, *machine),
        links=links,
        password_forms=passwords,
        scripts=scripts,
        loads=loads,
        noscript=flat(noscript),
        refresh=_refresh(tree, base),
        consent=consent,
        fields=fields,
        lists=lists_of(root) if root is not None else (),
        columns=columns_of(root) if root is not None else (),
        struck=struck,
        waiting=(*signs, *(block for block in blocks if is_waiting(block))),
        blank=blanks_of(blocks),
        announced=announced_in(whole),
        more=says_more(whole),
        captcha=captcha,
    )


def _text(tree: LexborHTMLParser, selector: str) -> str:
    node = tree.css_first(selector)
    return flat(node.text(separator=" ")) if node is not None else ""


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str:
    node = tree.css_first(selector)
    return ((node.attributes.get(name) or "") if node is not None else "").strip()


def _canonical(tree: LexborHTMLParser, base: str) -> str | None:
    """One absolute http(s) address, else None: a page with two contradicting ones has none (RFC 6596)."""
    targets = {
        urljoin(base, (node.attributes.get("href") or "").strip()).partition("#")[0]
        for node in tree.css("link[rel][href]")
        if "canonical" in (node.attributes.get("rel") or "").lower().split()
    }
    target = targets.pop() if len(targets) == 1 else ""
    return target if urlsplit(target).scheme in _WEB else None


def _refresh(tree: LexborHTMLParser, base: str) -> tuple[float, str] | None:
    for node in tree.css("meta[http-equiv][content]"):
        if (node.attributes.get("http-equiv") or "").lower() != "refresh":
            continue
        if match := _REFRESH.match(node.attributes.get("content") or ""):
            return float(match[1]), urljoin(base, match[2].strip())
    return None


def _links(tree: LexborHTMLParser, base: str) -> Iterator[Link]:
    for node in tree.css("a[href]"):
        target = urljoin(base, (node.attributes.get("href") or "").strip()).partition("#")[0]
        if urlsplit(target).scheme in _WEB:
            yield Link(url=target, text=flat(node.text(separator=" ")), around=_around(node))


def _around(node: LexborNode) -> str:
    return flat(node.parent.text(separator=" "))[:400] if node.parent is not None else ""
