"""What the results of a task's tool calls have told so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from pytest_webretrieval.systems.reference.dates import day_of
from pytest_webretrieval.systems.reference.kinds import Page
from pytest_webretrieval.systems.reference.search import Hit

from .conversation import Call, Result, Turn
from .given import Given
from .kit import Kit
from .orders import without_orders
from .plaintext import urls_in
from .results import read_result, read_search
from .task import Task
from .tools import purpose
from .walls import page_of

LONGEST_SNIPPET = 1200


@dataclass(slots=True, kw_only=True)
class Known:
    """``hits`` are results of searches, each URL once; ``pages`` what the tools gave, by the URL that was asked for;
    ``before`` what a page was before a browser gave it. ``tries`` counts calls by URL, ``queries`` are the searches,
    ``rounds`` counts turns of calls, ``last`` are the texts of the newest results."""

    hits: list[Hit] = field(default_factory=list)
    pages: dict[str, Page] = field(default_factory=dict)
    before: dict[str, Page] = field(default_factory=dict)
    tries: Counter[str] = field(default_factory=Counter)
    browsed: list[str] = field(default_factory=list)
    looks: int = 0
    scrolls: int = 0
    queries: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    called: list[Call] = field(default_factory=list)
    rounds: int = 0
    last: tuple[str, ...] = ()

    def page(self, url: str) -> Page | None:
        """What the tools gave for ``url``."""
        return self.pages.get(url)

    def of_hits(self) -> list[tuple[Page, Hit]]:
        """What the search itself told of each result, as pages."""
        return [
            (page_of(Given(url=hit.url, title=hit.title, text=f"{hit.title}\n\n{hit.snippet}"), hit.url), hit)
            for hit in self.hits
        ]

    def newest(self) -> date | None:
        """The newest day that a page or a result gives as its own."""
        stamps = [
            page.document.published.day
            for page in self.pages.values()
            if page.kind == "document" and page.document and page.document.published
        ]
        days = [day for hit in self.hits if hit.published and (day := day_of(hit.published))]
        return max((*stamps, *days), default=None)


def known_of(task: Task, kit: Kit, *, obeys: bool) -> Known:
    """All that the turns of a task tell. Orders that stand in pages are no content for one who does not obey
    them."""
    known = Known()
    for given in task.material:
        known.pages[given.url] = page_of(given if obeys else _cleaned(given), given.url)
    asked: dict[str, Call] = {}
    for turn in task.turns:
        if turn.calls:
            known.rounds += 1
            known.called += turn.calls
            asked |= {call.id: call for call in turn.calls}
        if turn.results:
            known.last = tuple(result.text for result in turn.results)
        for result in turn.results:
            call = asked.get(result.call) or _sole(turn, task.turns)
            if call is not None:
                _take(known, call, result, kit, obeys)
    known.pages = {url: _titled(page, known.hits) for url, page in known.pages.items()}
    return known


def _sole(turn: Turn, turns: Sequence[Turn]) -> Call | None:
    """The call before a turn, for a result that names none."""
    before = [call for other in turns[: turns.index(turn)] for call in other.calls]
    return before[-1] if before else None


def _take(known: Known, call: Call, result: Result, kit: Kit, obeys: bool) -> None:
    kind = kit.kind_of(call)
    urls = [url for text in _strings(call.arguments) for url in urls_in(text)]
    given = [item if obeys else _cleaned(item) for item in read_result(result.text, result.failed)]
    if kind == "search" or (kind in ("other", "hand-over") and not urls and len(given) > 1):
        found = read_search(result.text, result.failed)
        known.queries.append(_query_of(call, kit))
        _take_hits(known, [item if obeys else _cleaned(item) for item in found])
    elif kind in ("look", "scroll", "act") and known.browsed:
        known.looks += kind == "look"
        known.scrolls += kind == "scroll"
        if given and (len(given[0].text) > 200 or kind == "look"):
            known.pages[known.browsed[-1]] = page_of(given[0], known.browsed[-1], rendered=True)
    elif urls or kind in ("fetch", "browse"):
        _take_pages(known, kind, urls or [item.url for item in given if item.url], given)


def _query_of(call: Call, kit: Kit) -> str:
    """The words that a call searches for: what stands in a parameter for them, else its longest string."""
    use = kit.use_of(call)
    said = {name: value for name, value in call.arguments.items() if use is None or name != use.selector}
    named = {name: value for name, value in said.items() if purpose(name) == "query"}
    return max(_strings(named), key=len, default="") or max(_strings(said), key=len, default="")


def _take_hits(known: Known, given: Sequence[Given]) -> None:
    if len(given) == 1 and not given[0].url and given[0].failure:
        known.failures.append(given[0].failure)
        return
    held = {hit.url for hit in known.hits}
    for item in given:
        if item.url in held or not item.url:
            continue
        held.add(item.url)
        known.hits.append(
            Hit(
                url=item.url,
                title=item.title,
                snippet=item.text[:LONGEST_SNIPPET],
                published=item.published or None,
            )
        )


def _take_pages(known: Known, kind: str, urls: Sequence[str], given: Sequence[Given]) -> None:
    rendered = kind == "browse"
    for url in urls:
        known.tries[url] += 1
        if rendered:
            known.browsed.append(url)
    if not given:
        given = (Given(text=""),)
    rest = [url for url in urls if not any(item.url == url for item in given)]
    for item in given:
        url = item.url if item.url in urls else rest.pop(0) if rest else item.url or (urls[0] if urls else "")
        page = page_of(item, url, rendered=rendered)
        old = known.pages.get(url)
        if rendered and old is not None:
            known.before[url] = old
        # What a second try did not get takes nothing away from what was there.
        if old is None or old.kind != "document" or page.kind == "document":
            known.pages[url] = page


def _titled(page: Page, hits: Sequence[Hit]) -> Page:
    """With the title that a search told of it, where what opened it told no more than a heading: the page's own, or
    its site's."""
    document = page.document
    title = next((hit.title for hit in hits if hit.url == page.fetched.url), "")
    if document is None or not title or document.title != document.heading:
        return page
    if title.startswith(document.heading):
        return replace(page, document=replace(document, title=title, heading=document.heading or title))
    if title.endswith(document.heading):
        name = title.removesuffix(document.heading).rstrip(" |-–—·")
        return replace(page, document=replace(document, title=title, heading=name))
    return page


def _cleaned(given: Given) -> Given:
    text = without_orders(given.text)
    if text == given.text:
        return given
    return replace(given, text=text)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
