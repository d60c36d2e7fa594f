"""What the pages beside own cases say, and which of them carry a fact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path

from fixture_server.declarations import Serve
from fixture_server.marks import Template
from fixture_server.sites import Page, load_pages
from fixture_server.text import read_html
from fixture_server.yaml_keys import SiteError
from pytest_webretrieval.cases.case import CaseError
from pytest_webretrieval.cases.forms import forms_of
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Fact


@dataclass(frozen=True, slots=True)
class Said:
    """A page's address by role, and the text of each of its answers."""

    address: str
    texts: tuple[str, ...]


@lru_cache(maxsize=16)
def said_by(site: Path | None) -> tuple[Said, ...]:
    """What the pages of a site say; read once a process. Raises ``CaseError``."""
    if site is None:
        return ()
    try:
        return tuple(Said(page.address, tuple(_texts(page))) for page in load_pages(site))
    except SiteError as error:
        raise CaseError(str(error)) from None


def carriers(facts: Sequence[Fact], pages: Iterable[Said]) -> tuple[str, ...]:
    """The addresses of the pages on which any of the facts can be read, in any of the forms that pages use."""
    wanted = {text for fact in facts for value in (fact.value, *fact.aliases) for text in forms_of(value)}
    return tuple(
        real(page.address)
        for page in pages
        if any(stands_in(text, told) for told in page.texts for text in wanted)
    )


def real(address: str) -> str:
    """An address of a host that is not drawn as people know it; another one as it is."""
    return f"https://{address.removeprefix('fixture://')}" if "." in host_of(address) else address


def host_of(address: str) -> str:
    return address.partition("://")[2].partition("/")[0]


def _texts(page: Page) -> Iterator[str]:
    """What each answer of the page that succeeds says."""
    for serve in (step for states in page.variants for one in states.values() for step in one.parts):
        body = page.bodies.get(serve.body or "")
        if isinstance(body, Template) and serve.status == 200 and serve.location is None:
            yield _text(body, serve, page)


def _text(body: Template, serve: Serve, page: Page) -> str:
    markup = "".join(piece if isinstance(piece, str) else getattr(piece, "text", "") for piece in body.pieces)
    kind = page.media_type(serve)
    return read_html(markup).text if kind.startswith("text/html") else unescape(markup)
