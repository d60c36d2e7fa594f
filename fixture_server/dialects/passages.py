"""What APIs give of a page that is more than a snippet and less than the page."""

from __future__ import annotations

import textwrap

from fixture_server.text import query_words, snippet


def passage(text: str, query: str, size: int) -> str:
    """The text where it fits into ``size`` characters, else the part of it that holds the most of the query."""
    return text if len(text) <= size else snippet(text, query_words(query), size)


def chunks(text: str, query: str, count: int, size: int) -> list[str]:
    """At most ``count`` pieces of about ``size`` characters, those that hold the most of the query, in the order of the
    page; its beginning where none holds any."""
    pieces = textwrap.wrap(text, size, break_long_words=False, break_on_hyphens=False)
    wanted = query_words(query)
    held = [sum(word in piece.casefold() for word in wanted) for piece in pieces]
    best = sorted(range(len(pieces)), key=lambda place: (-held[place], place))[:count]
    chosen = [place for place in best if held[place]] or best[:1]
    return [pieces[place] for place in sorted(chosen)]
