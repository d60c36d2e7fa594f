"""Every cited claim of an answer held against the pages that it cites, by what its words say: beside the required
facts, and without the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pytest_webretrieval.systems.contract import Claim, RetrievalResult

from .citations import only_names_sources
from .passages import Passage, passages
from .seen import Seen, View
from .support import CONTRADICTED, FULL, NONE, PARTIAL, UNKNOWN, Support, weigh
from .tables import cells
from .urls import canonical
from .verdicts import ClaimFinding, Ground

# What several cited pages come to: one that proves the claim suffices, one that refutes it counts against silence.
_STRONGEST = (FULL, CONTRADICTED, PARTIAL, UNKNOWN, NONE)


def weigh_claims(result: RetrievalResult, view: View) -> tuple[ClaimFinding, ...]:
    """A finding for each claim that cites something and says something."""
    return tuple(
        _finding(result, claim, view)
        for claim in result.claims
        if claim.citations and not only_names_sources(result.answer[claim.start : claim.end])
    )


def _finding(result: RetrievalResult, claim: Claim, view: View) -> ClaimFinding:
    text = result.answer[claim.start : claim.end] or claim.text
    urls = tuple({canonical(citation.url): citation.url for citation in claim.citations}.values())
    weighed = [item for url in urls for item in _against(text, url, view)]
    verdict, support, seen = min(weighed, key=lambda item: _STRONGEST.index(item[0]))
    passage = support.passage if support is not None else None
    return ClaimFinding(
        claim=text,
        urls=urls,
        support=verdict,
        ground=Ground(
            rule=support.rule if support is not None else "cited-url-never-fetched",
            span=(claim.start, claim.end),
            sha256=seen.sha256 if seen is not None else None,
            url=seen.url if seen is not None else None,
            detail=passage.text if passage is not None else None,
        ),
        pages=tuple(dict.fromkeys(seen.sha256 for _, _, seen in weighed if seen is not None)),
    )


def _against(text: str, url: str, view: View) -> Iterator[tuple[str, Support | None, Seen | None]]:
    bundle = view.bundle(canonical(url))
    if not bundle:
        yield NONE, None, None
    for seen in bundle:
        support = weigh(text, _source(seen, view), view.shelf.page(seen.sha256, seen.content_type).lang)
        yield support.verdict, support, seen


def _source(seen: Seen, view: View) -> tuple[Passage, ...]:
    """What a representation shows and states, read once a run."""
    known = view.shelf.passages.get(seen.sha256)
    if known is None:
        page = view.shelf.page(seen.sha256, seen.content_type)
        shown: Iterable[Passage] = passages(page.text, page.lang, page.title)
        table = cells(page.tree, page.lang) if page.tree is not None else ()
        stated = passages(page.data, page.lang, page.title)
        known = view.shelf.passages[seen.sha256] = (*shown, *table, *stated)
    return known
