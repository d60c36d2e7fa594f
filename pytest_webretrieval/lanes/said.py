"""What the pages beside own cases say, and which of them carry a fact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path
from urllib.parse import quote

from fixture_server.declarations import Serve
from fixture_server.marks import Template
from fixture_server.sites import Page, load_pages
from fixture_server.text import read_html
from fixture_server.yaml_keys import SiteError
from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.forms import forms_of
from pytest_webretrieval.cases.patterns import as_pattern
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Fact


@dataclass(frozen=True, slots=True)
class Said:
    """A page's address by role, and the texts of its answers by the query string that is asked with; empty for none."""

    address: str
    texts: Mapping[str, tuple[str, ...]]


@lru_cache(maxsize=16)
def said_by(site: Path | None) -> tuple[Said, ...]:
    """What the pages of a site say; read once a process. Raises ``CaseError``."""
    if site is None:
        return ()
    try:
        return tuple(Said(page.address, _texts(page)) for page in load_pages(site))
    except SiteError as error:
        raise CaseError(str(error)) from None


def carriers(facts: Sequence[Fact], pages: Iterable[Said]) -> tuple[str, ...]:
    """The addresses, as patterns, at which any of the facts can be read, in any of the forms that pages use."""
    wanted = {text for fact in facts for value in (fact.value, *fact.aliases) for text in forms_of(value)}
    return tuple(
        as_pattern(real(f"{page.address}?{query}" if query else page.address))
        for page in pages
        for query, texts in page.texts.items()
        if any(stands_in(text, told) for told in texts for text in wanted)
    )


def real(address: str) -> str:
    """An address of a host that is not drawn as people know it; another one as it is."""
    return f"https://{address.removeprefix('fixture://')}" if "." in host_of(address) else address


def host_of(address: str) -> str:
    return address.partition("://")[2].partition("/")[0]


def _texts(page: Page) -> dict[str, tuple[str, ...]]:
    """What each answer of the page that succeeds says, by query."""
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for query, serve in (
        one for states in page.variants for state in states.values() for one in _answers(state)
    ):
        body = page.bodies.get(serve.body or "")
        if isinstance(body, Template) and serve.status == 200 and serve.location is None:
            found[query] += (_text(body, serve, page),)
    return dict(found)


def _answers(serve: Serve) -> Iterator[tuple[str, Serve]]:
    """Every answer within one, with the query that it is given to."""
    for request, answer in serve.asked:
        yield from ((request.query or "", one) for one in answer.parts)
    for parameter, answer in serve.query.items():
        name, _, value = parameter.partition("=")
        yield f"{quote(name)}={quote(value)}", answer
    if not serve.asked:
        yield from (("", one) for one in (serve, *serve.sequence, *serve.users.values(), serve.post) if one)


def _text(body: Template, serve: Serve, page: Page) -> str:
    markup = "".join(piece if isinstance(piece, str) else getattr(piece, "text", "") for piece in body.pieces)
    kind = page.media_type(serve)
    return read_html(markup).text if kind.startswith("text/html") else unescape(markup)
