"""What Jina's search finds: results alone, or each with its page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from fixture_server.stage import Stage

from .hits import Found, Wanted, find
from .jina_reader import Options, Reading, read_page
from .operators import read_operators
from .pages import fetched
from .parameters import number_of, one_of, text_of, texts_of
from .reply import Refused
from .shape import Delivered, Shape, without_nulls

RESULT = Shape(snippet="description", content="content", published="date")
OPERATORS = ("site", "ext", "filetype", "intitle", "loc")
MOST_RESULTS, MOST_PAGES, TOKENS_PER_TEN = 20, 100, 10_000
SCALES = {"web": 1, "images": 5, "news": 5}


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """``readings`` has the page of a result, by its URL, where it was read."""

    query: str
    found: tuple[Delivered, ...]
    readings: Mapping[str, Reading]
    tokens: int

    def told(self) -> list[dict[str, Any]]:
        """The results in JSON."""
        return [without_nulls(RESULT.write(one)) | self._usage(one.url) for one in self.found]

    def _usage(self, url: str) -> dict[str, Any]:
        reading = self.readings.get(url)
        return {} if reading is None else {"usage": {"tokens": reading.tokens}}


def results_of(given: Mapping[str, Any], options: Options, stage: Stage) -> Results:
    """Raises Refused: a search for content that finds none fails."""
    query = _query(given)
    kind = one_of(given, "type", tuple(SCALES))
    bare = options.form == "no-content"
    most = number_of(given, "num" if "num" in given else "count", 0, MOST_RESULTS, 10 if bare else 5)
    first = (number_of(given, "page", 1, MOST_PAGES, 1) - 1) * most
    words, wanted = read_operators(query, Wanted(dated=kind == "news"))
    hits = [] if kind == "images" else list(islice(find(words, wanted, stage), first, first + most))
    if not hits and not bare:
        raise Refused(422, f"No search results available for query {query}", "AssertionFailureError")
    readings = {} if bare else _readings(hits, options, stage)
    return Results(
        query=query,
        found=tuple(_delivered(hit, readings.get(hit.url)) for hit in hits),
        readings=readings,
        tokens=-(-len(hits) // 10) * TOKENS_PER_TEN * SCALES[kind],
    )


def _query(given: Mapping[str, Any]) -> str:
    """The query with the operators that were given apart from it, those of one kind joined by OR."""
    apart = [
        " OR ".join(
            f'{name}:"{value}"' if " " in value else f"{name}:{value}" for value in texts_of(given, name)
        )
        for name in OPERATORS
    ]
    return " ".join([text_of(given, "q"), *filter(None, apart)])


def _readings(hits: list[Found], options: Options, stage: Stage) -> dict[str, Reading]:
    pages = {hit.url: fetched(hit.url, stage) for hit in hits}
    return {
        url: read_page(page, url, options) for url, page in pages.items() if page is not None and page.text
    }


def _delivered(hit: Found, reading: Reading | None) -> Delivered:
    date = None if hit.published is None else hit.published.date().isoformat()
    told = Delivered(url=hit.url, title=hit.title, snippet=hit.snippet, published=date)
    return told if reading is None else replace(told, content=reading.page.content)
