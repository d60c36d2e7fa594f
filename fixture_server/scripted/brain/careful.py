"""The careful way: open what is to be cited, prefer who speaks for himself, look again where something is missing, and
decline what no page shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from pytest_webretrieval.systems.reference.agree import agreeing, how_many
from pytest_webretrieval.systems.reference.answer import (
    Statement,
    named,
    nearest,
    read_out,
    statements_of,
)
from pytest_webretrieval.systems.reference.copies import copied, credited, origin_among, origin_urls
from pytest_webretrieval.systems.reference.cues import cues
from pytest_webretrieval.systems.reference.escalate import suffices_without, what_lacks
from pytest_webretrieval.systems.reference.kinds import Page
from pytest_webretrieval.systems.reference.lists import is_short_of, is_wanted
from pytest_webretrieval.systems.reference.question import Question, topic_of
from pytest_webretrieval.systems.reference.rank import rank, worth_fetching
from pytest_webretrieval.systems.reference.replace import replacement_among, subject_of
from pytest_webretrieval.systems.reference.router import linked_file
from pytest_webretrieval.systems.reference.search import Hit

from .kit import Kit
from .known import Known
from .refusing import cut_short, nothing_found, unfinished, unreadable, unseen
from .saying import missing, of_first, said
from .step import Decline, Look, Open, Say, Seek, Step
from .task import Task
from .walls import still_asks_consent

START_PAGES = 4
PAGES = 5
TOGETHER = 3
SEARCHES = 2
SCROLLS = 4
TRIES = 2
_REMOVED = frozenset({"gone", "not_found"})
_BY_BROWSER = frozenset({"shell", "empty", "consent"})
_IN_A_BROWSER = frozenset({"rendered", "consent"})
_FILE = cues(r"pdf / files? / documents? / attach(?:ed|ment) / brochure / downloads?")
_ANYTIME = date(2000, 1, 1)


class Careful:
    """One look at what is known. ``more`` says whether tools may still be called."""

    def __init__(self, task: Task, known: Known, kit: Kit, *, more: bool) -> None:
        self._task, self._question = task, task.question
        self._known, self._kit, self._more = known, kit, more

    def step(self) -> Step:
        """What to do next."""
        if self._task.material:
            return self._of_found()
        if self._task.urls and self._kit.fetch is not None:
            return self._of_start()
        if self._task.urls and self._known.pages:
            return self._of_start()
        return self._of_search()

    # From an address

    def _of_start(self) -> Step:
        urls = self._task.urls[:START_PAGES]
        if step := self._opening(urls):
            return step
        pages = [page for url in urls if (page := self._known.page(url)) is not None]
        if not pages:
            return Decline(unfinished("no tool gave the page"))
        readable = [page for page in pages if page.kind == "document"]
        if not readable:
            return self._in_place_of(pages[0])
        if step := self._waited_for(readable[0]):
            return step
        question = self._question
        group = copied(question, readable) if question.after_origin else []
        if group and (step := self._of_origin(group)):
            return step
        if "several" in question.traits and len(readable) > 1:
            ranked = rank(question, [(page, None) for page in readable], self._today())
            if statements := agreeing(question, ranked, how_many(question)):
                return Say(tuple(statements))
        page = readable[0]
        if "linked" in question.traits:
            link = linked_file(question, page)
            if link is None and _FILE.search(question.text):
                return Decline(unfinished(f"what was given of {page.url} has no link to a file"))
            if link and (step := self._opening((link,))):
                return step
            page = (self._known.page(link) if link else None) or page
            if page.kind != "document":
                return Decline(unreadable(page))
        if lacking := missing(question, page):
            return Decline(unfinished(lacking))
        before = self._known.before.get(page.fetched.url)
        return said(read_out(question, page, before.document if before else None))

    def _opening(self, urls: Sequence[str]) -> Step | None:
        """What still has to be opened of these: for the first time, again after a failure, or in a browser."""
        if not self._more or self._kit.fetch is None:
            return None
        known = self._known
        if fresh := tuple(url for url in urls if not known.tries[url]):
            return Open(fresh[:TOGETHER])
        for url in urls:
            page = known.page(url)
            if page is None:
                continue
            if page.kind == "failed" and known.tries[url] < TRIES:
                return Open((url,))
            if page.kind in _BY_BROWSER and self._kit.browse is not None and url not in known.browsed:
                return Open((url,), rendered=True)
        if known.browsed and known.browsed[-1] in urls and self._kit.look is not None and not known.looks:
            return Look()
        return None

    def _waited_for(self, page: Page) -> Step | None:
        """What a page shows only later: in a browser, or by scrolling; to say so where neither can be had."""
        document, question, kit = page.document, self._question, self._kit
        if document is None:
            return None
        url = page.fetched.url
        unseen_yet = url not in self._known.browsed
        text_loads = document.loads or bool(document.waiting or document.blank)
        lack = what_lacks(question, replace(page, document=replace(document, loads=text_loads)))
        before = self._known.before.get(url)
        if "consent" in question.traits and before is not None and still_asks_consent(page, before):
            return Decline(unreadable(replace(page, kind="consent")))
        if not unseen_yet:
            short = is_wanted(question, document) and is_short_of(question, document)
            if short and kit.scroll is None:
                return Decline(cut_short(page))
            scrolls = short and self._more and self._known.scrolls < SCROLLS
            return Look(scrolls=True) if scrolls else None
        if kit.browse is not None and kit.browse != kit.fetch and self._more:
            return Open((url,), rendered=True) if lack or _IN_A_BROWSER & question.traits else None
        if lack is None or kit.browse is not None or suffices_without(question, page):
            return None
        return Decline(unseen(page, lack))

    def _in_place_of(self, page: Page) -> Step:
        """For a start page that cannot be read: its replacement when one is asked for, or when it is gone and
        what holds now is asked for; else why not."""
        question = self._question
        wanted = "replacement" in question.traits or ("recent" in question.traits and page.kind in _REMOVED)
        if not (wanted and page.kind in (*_REMOVED, "soft_404")):
            return Decline(unreadable(page))
        subject = subject_of(page, question)
        if not subject or self._kit.search is None:
            return Decline(unreadable(page))
        if self._more and not self._known.queries:
            return Seek(subject)
        about = Question(text=subject, topic=topic_of(subject))
        others = [hit for hit in self._known.hits if hit.url != page.fetched.final_url]
        chosen = worth_fetching(about, others, PAGES - 1)
        if step := self._opening([hit.url for hit in chosen]):
            return step
        found = replacement_among([page for page, _ in self._read(chosen)], page, about)
        if found is None or found.document is None:
            return Decline(unreadable(page))
        first = f"{named(found.document)} took the place of the removed page"
        return Say(tuple(Statement(text, found) for text in (first, *nearest(about, found.document, 2))))

    # From a search

    def _of_search(self) -> Step:
        known, question = self._known, self._question
        if self._kit.search is None and not known.hits:
            if known.pages:
                return self._of_found()
            return Decline(unfinished("there is no tool that could search for it or open it"))
        if self._more and not known.queries:
            return Seek(question.search_text)
        if self._more and known.failures and not known.hits and len(known.queries) < SEARCHES:
            return Seek(question.search_text)
        chosen = worth_fetching(question, known.hits, PAGES)
        if step := self._opening([hit.url for hit in chosen]):
            return step
        return self._of_found(chosen)

    def _of_found(self, chosen: Sequence[Hit] = ()) -> Step:
        known, question = self._known, self._question
        found = self._read(chosen)
        read = {page.fetched.url for page, _ in found}
        found += [(page, None) for url, page in known.pages.items() if url not in read]
        if question.after_origin and (group := copied(question, [page for page, _ in found])):
            return self._of_origin(group) or Decline(nothing_found(question))
        ranked = rank(question, found, self._today())
        if "several" in question.traits:
            statements = agreeing(question, ranked, how_many(question))
            return Say(tuple(statements)) if statements else self._again() or Decline(nothing_found(question))
        if not ranked:
            return self._again() or Decline(nothing_found(question))
        return said(statements_of(question, ranked[0].page))

    def _again(self) -> Step | None:
        """A second search in other words."""
        known, question = self._known, self._question
        if (
            not self._more
            or self._kit.search is None
            or len(known.queries) >= SEARCHES
            or self._task.material
        ):
            return None
        words = " ".join((*question.exact, *question.topic))
        other = words if words.casefold() != known.queries[-1].casefold() else self._task.line
        return Seek(other) if other and other not in known.queries else None

    def _of_origin(self, group: Sequence[Page]) -> Step | None:
        """The page that a group of copies comes from: one of them, one that they link to, or one by the name in their
        lines of credit, which is searched for."""
        known = self._known
        origin = origin_among(group, group)
        if origin is None:
            own = {page.fetched.url for page in group}
            votes = Counter(url for page in group for url in origin_urls(page) if url not in own)
            linked = [url for url, _ in votes.most_common(2)]
            if step := self._opening(linked):
                return step
            origin = origin_among([page for url in linked if (page := known.page(url))], group)
        if origin is None:
            if step := self._credited(group):
                return step
            origin = origin_among([*known.pages.values()], group)
        if origin is None or origin.document is None:
            return None
        return Say(tuple(Statement(text, origin) for text in of_first(origin)))

    def _credited(self, group: Sequence[Page]) -> Step | None:
        documents = [page.document for page in group if page.document]
        names = Counter(name for document in documents if (name := credited(document)))
        if not names or self._kit.search is None or not self._more:
            return None
        name = names.most_common(1)[0][0]
        query = f"{name} {documents[0].name}"
        if query not in self._known.queries:
            return Seek(query)
        fresh = [hit for hit in self._known.hits if hit.url not in self._known.pages]
        fresh.sort(key=lambda hit: name.casefold() not in hit.title.casefold())
        opened = sum(url not in {page.fetched.url for page in group} for url in self._known.pages)
        return self._opening([hit.url for hit in fresh[:2]]) if opened < 2 * PAGES else None

    def _read(self, hits: Sequence[Hit]) -> list[tuple[Page, Hit | None]]:
        """What was read of these results; where nothing can open pages, what the search told of them."""
        if self._kit.fetch is None:
            return [*self._known.of_hits()]
        return [(page, hit) for hit in hits if (page := self._known.page(hit.url)) is not None]

    def _today(self) -> date:
        return self._task.today or self._known.newest() or _ANYTIME
