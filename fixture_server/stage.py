"""What one run has: the world as its seed draws it, its scene, its step."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from pytest_webretrieval.cases.addresses import draw_hosts
from pytest_webretrieval.cases.draw import address as draw_address
from pytest_webretrieval.cases.draw import draw_values, show
from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.outward import Outward

from .declarations import Published, Scene, Serve
from .front.plan import Plan
from .marks import FactMark, Template
from .sites import Page, Sites
from .users import Users, drawn
from .yaml_keys import SiteError

if TYPE_CHECKING:
    from .index import Index

EDITIONS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The sites as one seed draws them.

    ``values`` holds ``CASE.fact`` -> value; ``urls`` an address by role -> its URL; ``pages`` (host, path) ->
    page. ``rendered`` and ``index`` keep what was made once.
    """

    seed: int
    today: date
    sites: Sites
    values: Mapping[str, str]
    urls: Mapping[str, str]
    pages: Mapping[tuple[str, str], Page]
    hosts: frozenset[str]
    rendered: dict[object, bytes] = field(default_factory=dict)
    index: list[Index] = field(default_factory=list)

    def url(self, address: str) -> str:
        """The URL in force for an address by role; addresses without a page (dead links) are drawn too."""
        return self.urls.get(address) or draw_address(self.seed, address)

    def variant(self, page: Page) -> Mapping[str, Serve]:
        """The variant that the seed chose; seed 0 takes the first."""
        if self.seed == 0 or len(page.variants) == 1:
            return page.variants[0]
        digest = hashlib.sha256(f"{self.seed}:{page.address}".encode()).digest()
        return page.variants[int.from_bytes(digest[:8], "big") % len(page.variants)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One run at one of its steps. ``memory`` is the run's own, for pages that remember; ``visits`` counts
    the requests of each page (in each state), ``places`` says how far its sequence has come, and since when (monotonic
    seconds). ``faults`` are those of its connections. ``outward`` says how the model and the gateway work; ``case`` and
    ``trial`` name recordings, and nothing that answers a system may read them."""

    edition: Edition
    scene: Scene
    started: datetime
    step: int = 1
    state: str = "initial"
    user: str | None = None
    outward: Outward = field(default_factory=Outward)
    case: str = ""
    trial: int = 0
    faults: Plan = field(default_factory=Plan)
    memory: dict[str, object] = field(default_factory=dict)
    visits: dict[tuple[str, str], int] = field(default_factory=dict)
    places: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)

    def page_at(self, host: str, path: str) -> Page | None:
        """The page behind a host and a decoded path."""
        return self.edition.pages.get((host, path))

    @property
    def users(self) -> Users:
        """The scene's users with what they hold in this run."""
        return drawn(self.scene.users, self.edition.seed, self.scene.name, self.edition.url)

    def serve(self, page: Page) -> Serve:
        """How the page answers in the scene's state, before its sequence and before it is known who asks."""
        states = self.edition.variant(page)
        in_scene = page.address in self.scene.pages
        return states.get(self.state, states["initial"]) if in_scene else states["initial"]

    def visit(self, page: Page, serve: Serve) -> Serve:
        """Count a request of the page, and say which of the answers of ``serve`` is this one's."""
        key = (page.address, self.state)
        self.visits[key] = self.visits.get(key, 0) + 1
        if not serve.sequence:
            return serve
        if self.serve(page).asked:
            key = (f"{page.address}#{serve.where.line}", self.state)  # each recorded request goes its own way
        place, since = self.places.get(key, (-1, 0.0))
        moment = monotonic()
        if place < 0 or moment - since >= serve.sequence[place].hold_s:
            place = min(place + 1, len(serve.sequence) - 1)
        self.places[key] = (place, moment)
        return serve.sequence[place]

    def text(self, template: Template) -> str:
        """A template in this run's values, addresses and times."""
        return template.render(self.edition.values.__getitem__, self.edition.url, self.started)

    def moment(self, offset_s: float) -> datetime:
        """A moment relative to the run's start, in whole seconds."""
        return (self.started + timedelta(seconds=offset_s)).replace(microsecond=0)

    def published(self, published: Published | None) -> datetime | None:
        """When a page says that it was published."""
        if published is None:
            return None
        return published.moment if published.offset_s is None else self.moment(published.offset_s)


def make_editions(sites: Sites, truths: Mapping[str, Truth]) -> Callable[[int, date], Edition]:
    """A function from seed and day to edition that keeps the last EDITIONS of them."""
    return lru_cache(maxsize=EDITIONS)(partial(make_edition, sites, truths))


def make_edition(sites: Sites, truths: Mapping[str, Truth], seed: int, today: date) -> Edition:
    """Draw the sites by seed; ``today`` is for facts that are the day itself.

    Raises SiteError when two pages get one URL, ValueError when two roles get one domain.
    """
    draw_hosts(seed, {urlsplit(address).netloc for address in sites.pages})
    values = {
        f"{case}.{fact}": value
        for case, truth in truths.items()
        for fact, value in draw_values(truth, seed, today=today).items()
    }
    urls = {address: draw_address(seed, address) for address in sites.pages}
    pages: dict[tuple[str, str], Page] = {}
    for address, url in urls.items():
        parts = urlsplit(url)
        key = ((parts.hostname or "").lower(), unquote(parts.path) or "/")
        if key in pages:
            where = sites.pages[address].where
            raise SiteError(where.path, where.line, f"{address} and {pages[key].address} are both {url}")
        pages[key] = sites.pages[address]
    return Edition(
        seed=seed,
        today=today,
        sites=sites,
        values=values,
        urls=urls,
        pages=pages,
        hosts=frozenset(host for host, _ in pages),
    )


def check_marks(sites: Sites, truths: Mapping[str, Truth]) -> None:
    """Every mark names a fact of truth and holds its value of seed 0. Raises SiteError with file and line."""
    known = {case: draw_values(truth, 0) for case, truth in truths.items()}
    for page in sites.pages.values():
        for path, line, template in _templates(page):
            for mark in template.facts:
                if message := _wrong(mark, known):
                    raise SiteError(path, mark.line if line is None else line, message)


def _templates(page: Page) -> Iterator[tuple[Path, int | None, Template]]:
    for name, body in page.bodies.items():
        if isinstance(body, Template):
            yield page.files[name], None, body
    for states in page.variants:
        for serve in (step for s in states.values() for step in s.parts):
            texts = [text for _, text in serve.headers] + ([serve.location] if serve.location else [])
            yield from ((serve.where.path, serve.where.line, text) for text in texts)


def _wrong(mark: FactMark, known: Mapping[str, Mapping[str, str]]) -> str | None:
    if mark.case not in known:
        return f"the mark names case {mark.case}, which no truth file has"
    if mark.fact not in known[mark.case]:
        facts = ", ".join(sorted(known[mark.case])) or "none"
        return f"the mark names {mark.case}.{mark.fact}; facts of {mark.case} are: {facts}"
    value = known[mark.case][mark.fact]
    try:
        wanted = value if mark.form is None else show(value, mark.form)
    except ValueError as error:
        return f"{mark.key}:{mark.form}: {error}"
    if mark.text == wanted:
        return None
    return f"the mark holds {mark.text!r}, but {mark.key} is {wanted!r} in the truth file; write that"


def now() -> datetime:
    """Real time: protocol time is never drawn."""
    return datetime.now(UTC)
