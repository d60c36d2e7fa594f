"""What a page needs to look and work as it does: scripts, styles, images, fonts, frames. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

# selector, attribute
_NEEDED = (
    ("script[src]", "src"),
    ("img[src]", "src"),
    ("source[src]", "src"),
    ("iframe[src]", "src"),
    ("video[poster]", "poster"),
    ("embed[src]", "src"),
    ("object[data]", "data"),
)
_NEEDED_LINKS = frozenset(("stylesheet", "icon", "modulepreload", "preload", "manifest", "apple-touch-icon"))
# Links that a browser follows by itself, though the page would be the same without.
_ASKED_AHEAD = frozenset(("preconnect", "dns-prefetch", "prefetch"))
_SRCSET = re.compile(r"\s*(\S+?)(?:\s+[^,]*)?(?:,|$)")
_CSS_URL = re.compile(
    r"""@import\s+(?:url\()?\s*["']?([^"')\s;]+)|url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]+))\s*\)""",
    re.IGNORECASE,
)
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_MODULE = re.compile(r"""\b(?:import|export)\s*(?:[\w*\s{},$]+?\s*from\s*)?["']([^"'\n]+)["']""")


def html_needs(markup: str, url: str) -> list[str]:
    """The absolute URLs that an HTML page needs, each once, in order."""
    tree = LexborHTMLParser(markup)
    base = _base(tree, url)
    found: list[str] = []
    for selector, attribute in _NEEDED:
        found += [node.attributes.get(attribute) or "" for node in tree.css(selector)]
    for node in tree.css("img[srcset], source[srcset]"):
        found += [match[1] for match in _SRCSET.finditer(node.attributes.get("srcset") or "") if match[1]]
    for node in tree.css("link[href]"):
        if _NEEDED_LINKS & _relations(node.attributes.get("rel")):
            found.append(node.attributes.get("href") or "")
    for node in tree.css("style"):
        found += _css_urls(node.text(deep=True))
    for node in tree.css("[style]"):
        found += _css_urls(node.attributes.get("style") or "")
    for node in tree.css('script[type="module"]:not([src])'):
        found += _imports(node.text(deep=True))
    return _absolute(found, base)


def css_needs(text: str, url: str) -> list[str]:
    """The absolute URLs that a style sheet needs: ``@import`` and ``url()``."""
    return _absolute(_css_urls(text), url)


def script_needs(text: str, url: str) -> list[str]:
    """The absolute URLs of the modules that a module imports by a path."""
    return _absolute(_imports(text), url)


def asked_ahead(markup: str, url: str) -> frozenset[str]:
    """The hosts that a browser asks for by itself when it meets the page, whether or not it needs them."""
    tree = LexborHTMLParser(markup)
    base = _base(tree, url)
    links = [
        node.attributes.get("href") or ""
        for node in tree.css("link[href]")
        if _ASKED_AHEAD & _relations(node.attributes.get("rel"))
    ]
    return frozenset(
        host for one in _absolute(links, base) if (host := (urlsplit(one).hostname or "").lower())
    )


def _relations(rel: str | None) -> frozenset[str]:
    return frozenset((rel or "").lower().split())


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.css_first("base[href]")
    return urljoin(url, node.attributes.get("href") or "") if node is not None else url


def _css_urls(text: str) -> Iterator[str]:
    for match in _CSS_URL.finditer(_CSS_COMMENT.sub(" ", text)):
        yield next((group for group in match.groups() if group), "")


def _imports(text: str) -> Iterator[str]:
    """Paths and addresses; a bare name is resolved by an import map, which only a browser reads."""
    return (name for name in _MODULE.findall(text) if name.startswith(("/", "./", "../", "https:", "http:")))


def _absolute(links: Iterable[str], base: str) -> list[str]:
    found: dict[str, None] = {}
    for link in links:
        try:
            url = urldefrag(urljoin(base, link.strip())).url
        except ValueError:
            continue  # no URL, and no browser makes one of it
        if link.strip() and urlsplit(url).scheme in ("http", "https") and url != base:
            found[url] = None
    return list(found)
