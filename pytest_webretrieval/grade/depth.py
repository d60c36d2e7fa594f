"""How far from the beginning a page was found: the shortest chain of served links from a start URL or
search result."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .seen import Seen, View
from .urls import canonical, resolve
from .values import urls_in

_REFRESH = re.compile(r"url\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)


def depths(view: View, wanted: frozenset[str]) -> dict[str, int]:
    """The depth of each of the ``wanted`` identities that served links lead to; redirects cost nothing.

    Pages are read only as far as it needs to find all of them.
    """
    found = {view.group(url): 0 for url in view.offered}
    groups = {url: view.group(url) for url in wanted}
    names = set(groups.values())
    level = set(found)
    depth = 0
    while level and not names <= found.keys():
        depth += 1
        following: set[str] = set()
        for seen in view.pages:
            if view.group(seen.url) in level:
                following.update(view.group(url) for url in links(seen, view))
        level = following - found.keys()
        found.update(dict.fromkeys(level, depth))
    return {url: found[group] for url, group in groups.items() if group in found}


def links(seen: Seen, view: View) -> Iterator[str]:
    """The identities of the pages that a representation links to."""
    page = view.shelf.page(seen.sha256, seen.content_type)
    if page.tree is None:
        for start, end in urls_in(page.text):
            yield canonical(page.text[start:end])
        return
    for node in page.tree.css(
        "a[href],area[href],iframe[src],link[rel~=alternate][href],link[rel~=next][href]"
    ):
        target = resolve(seen.url, node.attributes.get("href") or node.attributes.get("src") or "")
        if target is not None:
            yield target
    for node in page.tree.css("meta[http-equiv=refresh i]"):
        match = _REFRESH.search(node.attributes.get("content") or "")
        if match and (target := resolve(seen.url, match.group(1))):
            yield target
