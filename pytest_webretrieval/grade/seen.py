"""What one step could know: the representations that it and the steps before it were given, and how they
hang together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pytest_webretrieval.wire.archive import Archive, Representation
from pytest_webretrieval.wire.attempt import NOT_ITS_OWN, Attempt

from .evidence import StepEvidence
from .page import Page, read_page
from .passages import Passage
from .replies import result_urls
from .text import Folded, fold
from .urls import canonical, host_of, resolve, site_of

REDIRECTS = frozenset((301, 302, 303, 307, 308))
API_CHANNELS = frozenset(("search-api", "extract-api"))
_NO_PAGE_ROLES = frozenset(("model", "robots", "favicon", "preflight", "allowed")) | NOT_ITS_OWN


@dataclass(frozen=True, slots=True)
class Seen:
    """One representation of one URL (an identity). Times are seconds since the run began; ``headers`` are
    those in force, after a 304 has updated them; ``status`` is None where an API delivered the content."""

    url: str
    sha256: str
    content_type: str
    step: int
    channel: str
    role: str
    status: int | None
    headers: Mapping[str, str]
    requested_s: float
    arrived_s: float
    attempt: int
    referrer: str | None = None
    user: str | None = None
    revalidated: bool = False


@dataclass(slots=True)
class Shelf:
    """Bodies of a run and what was read from them: each is read once, however often it is asked about."""

    bodies: dict[str, bytes] = field(default_factory=dict)
    pages: dict[str, Page] = field(default_factory=dict)
    texts: dict[tuple[str, bool], Folded] = field(default_factory=dict)
    passages: dict[str, tuple[Passage, ...]] = field(default_factory=dict)

    def page(self, sha256: str, content_type: str) -> Page:
        found = self.pages.get(sha256)
        if found is None:
            found = self.pages[sha256] = read_page(self.bodies.get(sha256, b""), content_type)
        return found

    def text(self, seen: Seen) -> Folded:
        """The visible text, folded."""
        key = (seen.sha256, True)
        if key not in self.texts:
            self.texts[key] = fold(self.page(seen.sha256, seen.content_type).text)
        return self.texts[key]

    def data(self, seen: Seen) -> Folded:
        """What the body states without showing it, folded."""
        key = (seen.sha256, False)
        if key not in self.texts:
            self.texts[key] = fold(self.page(seen.sha256, seen.content_type).data)
        return self.texts[key]


@dataclass(frozen=True, slots=True)
class View:
    """All that one step may be judged by. ``attempts`` are the step's own (late ones too), ``past`` those
    of earlier steps; ``pages`` are the representations in force, ``refused`` the documents with a status
    from 400 on; ``offered`` are the pages that start URLs and search results named."""

    attempts: tuple[Attempt, ...]
    past: tuple[Attempt, ...]
    pages: tuple[Seen, ...]
    refused: tuple[Seen, ...]
    offered: frozenset[str]
    redirects: Mapping[str, str]
    groups: dict[str, str]
    by_url: Mapping[str, tuple[Attempt, ...]]
    shelf: Shelf

    def group(self, url: str) -> str:
        """The name of the set of URLs that this run shows to be one document with ``url`` (an identity)."""
        while (parent := self.groups.get(url, url)) != url:
            url = parent
        return url

    def named_by(self, url: str) -> tuple[Seen, ...]:
        """The representations of the document that ``url`` names, newest last."""
        wanted = self.group(url)
        return tuple(seen for seen in self.pages if self.group(seen.url) == wanted)

    def bundle(self, url: str) -> tuple[Seen, ...]:
        """The document and every response whose referrer chain leads to it; another document is none of
        its parts."""
        own = self.named_by(url)
        if not own:
            return ()
        wanted = self.group(url)
        return own + tuple(
            seen for seen in self.pages if _is_part(seen) and self._leads_to(seen, wanted) and seen not in own
        )

    def _leads_to(self, seen: Seen, wanted: str) -> bool:
        referrer, passed = seen.referrer, set()
        while referrer is not None and referrer not in passed:
            name = canonical(referrer)
            if self.group(name) == wanted:
                return True
            passed.add(referrer)
            parents = self.by_url.get(name, ())
            if any(parent.role == "document" for parent in parents):
                return False
            referrer = next((parent.referrer for parent in parents if parent.referrer), None)
        return False


def _is_part(seen: Seen) -> bool:
    """Whether a response can be a part of the page that referred to it. A client that is no browser does not say
    what it fetches for: data that it reads as a page's script would are a part too, another page is none."""
    return seen.role != "document" or (seen.channel == "direct-fetch" and "json" in seen.content_type)


def look(evidence: StepEvidence, past: tuple[Attempt, ...], shelf: Shelf) -> View:
    """Read one step's trace and archive. ``past`` are the attempts of earlier steps, ``shelf`` is shared
    by the run."""
    for archive in (evidence.earlier, evidence.archive):
        shelf.bodies.update(archive.bodies)
    # What the user opened to the real machine is none of the web.
    attempts = tuple(attempt for attempt in evidence.trace.attempts if attempt.role != "allowed")
    past = tuple(attempt for attempt in past if attempt.role != "allowed")
    by_number = {attempt.number: attempt for attempt in (*past, *attempts)}
    hidden = _NO_PAGE_ROLES if evidence.shows_the_web else _NO_PAGE_ROLES - {"check"}
    arrived = [
        seen
        for archive in (evidence.earlier, evidence.archive)
        for seen in _arrivals(archive, by_number, hidden)
    ]
    whole = [seen for seen in arrived if (seen.status or 200) < 300]
    pages = _with_revalidations(whole, (*past, *attempts))
    redirects = _redirects((*past, *attempts))
    by_url: dict[str, list[Attempt]] = {}
    for attempt in (*past, *attempts):
        by_url.setdefault(canonical(attempt.url), []).append(attempt)
    view = View(
        attempts=attempts,
        past=past,
        pages=tuple(pages),
        refused=tuple(seen for seen in arrived if (seen.status or 200) >= 400),
        offered=frozenset(_offered(evidence, attempts, shelf)),
        redirects=redirects,
        groups={},
        by_url={url: tuple(found) for url, found in by_url.items()},
        shelf=shelf,
    )
    _join(view)
    return view


def _arrivals(archive: Archive, by_number: Mapping[int, Attempt], hidden: frozenset[str]) -> Iterator[Seen]:
    for representation in archive.representations:
        attempt = by_number.get(representation.attempt)
        if attempt is not None and not _counts(representation, attempt, hidden):
            continue
        start = attempt.started_s if attempt else 0.0
        headers = representation.headers
        yield Seen(
            url=canonical(representation.url),
            sha256=representation.sha256,
            content_type=headers.get("content-type", representation.media_type),
            step=representation.step,
            channel=representation.channel,
            role="document" if attempt is None or attempt.role == "check" else attempt.role,
            status=representation.status,
            headers=headers
            or (attempt.response_headers if attempt and _own(representation, attempt) else {}),
            requested_s=start,
            arrived_s=start + (attempt.duration_s if attempt else 0.0),
            attempt=representation.attempt,
            referrer=attempt.referrer if attempt else None,
            user=attempt.user if attempt else None,
        )


def _own(representation: Representation, attempt: Attempt) -> bool:
    return canonical(representation.url) == canonical(attempt.url)


def _counts(representation: Representation, attempt: Attempt, hidden: frozenset[str]) -> bool:
    """A page or a part of one, whole and in time; an API's reply with its snippets is no page."""
    if attempt.late or attempt.role in hidden or attempt.status is None:
        return False
    if attempt.role == "check" and representation.url.endswith("/robots.txt"):
        return False
    if attempt.error_type in ("incomplete_body", "connection_reset", "decode_error", "tls"):
        return False
    return attempt.channel not in API_CHANNELS or not _own(representation, attempt)


def _with_revalidations(pages: list[Seen], attempts: tuple[Attempt, ...]) -> list[Seen]:
    """Add, for each 304, the stored body that it confirmed, with the headers that it updated."""
    kept = list(pages)
    for attempt in attempts:
        if attempt.status != 304 or attempt.late:
            continue
        url = canonical(attempt.url)
        stored = next(
            (seen for seen in reversed(kept) if seen.url == url and seen.attempt < attempt.number), None
        )
        if stored is None:
            continue
        fresh = {name: value for name, value in attempt.response_headers.items() if name != "content-length"}
        # An Age of the stored response is no age of the answer that confirmed it.
        headers = {name: value for name, value in stored.headers.items() if name != "age"} | fresh
        kept.append(
            Seen(
                url=url,
                sha256=stored.sha256,
                content_type=stored.content_type,
                step=attempt.step,
                channel=attempt.channel,
                role=attempt.role,
                status=stored.status,
                headers=headers,
                requested_s=attempt.started_s,
                arrived_s=attempt.started_s + attempt.duration_s,
                attempt=attempt.number,
                referrer=attempt.referrer,
                user=attempt.user,
                revalidated=True,
            )
        )
    return kept


def _redirects(attempts: Iterable[Attempt]) -> dict[str, str]:
    hops: dict[str, str] = {}
    for attempt in attempts:
        if attempt.redirected_from is not None:
            hops.setdefault(canonical(attempt.redirected_from), canonical(attempt.url))
        if attempt.status in REDIRECTS and (location := attempt.response_headers.get("location")):
            target = resolve(attempt.url, location)
            if target is not None:
                hops[canonical(attempt.url)] = target
    return hops


def _join(view: View) -> None:
    """Unite what redirects and canonical links of this run make one document.

    A canonical link unites within one site only: that a copy names another site's page as its origin says
    nothing of what that page holds.
    """
    for source, target in view.redirects.items():
        _unite(view, source, target)
    for seen in view.pages:
        if seen.role != "document" or "html" not in seen.content_type:
            continue
        named = view.shelf.page(seen.sha256, seen.content_type).canonical
        origin = resolve(seen.url, named) if named else None
        if origin is not None and site_of(host_of(origin)) == site_of(host_of(seen.url)):
            _unite(view, seen.url, origin)


def _unite(view: View, first: str, second: str) -> None:
    left, right = view.group(first), view.group(second)
    if left != right:
        view.groups[left] = right


def _offered(evidence: StepEvidence, attempts: tuple[Attempt, ...], shelf: Shelf) -> Iterator[str]:
    yield from (canonical(url) for url in evidence.start_urls)
    for attempt in attempts:
        if attempt.channel == "search-api" and attempt.body is not None and (attempt.status or 0) < 300:
            yield from result_urls(shelf.bodies.get(attempt.body, b""))
