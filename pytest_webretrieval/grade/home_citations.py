"""Whose fault it is that the facts are right and the citations are not."""

from __future__ import annotations

from .citations import cited_urls
from .conduct import Conduct
from .fault import CODE, MODEL, UNKNOWN, Fault, Home, quoted, start_of
from .urls import canonical

_OF_A_PAGE = (
    "cite-search-snippet",
    "fabricated-citation",
    "cited-mirror",
    "citation-not-retrieved",
    "citation-not-allowed",
    "citation-contradicts",
    "empty-source",
    "citation-mismatch",
)


def _returned(conduct: Conduct) -> tuple[str, ...]:
    if conduct.evidence.result is None:
        return ()
    return tuple(dict.fromkeys(canonical(url) for url in cited_urls(conduct.evidence.result)))


def lost(fault: Fault) -> Home | None:
    """The model cited a page, and the answer that was returned does not."""
    conduct = fault.conduct
    if conduct.last is None:
        return None
    returned = _returned(conduct)
    gone = [url for url in conduct.cited_by_model if url not in returned]
    if not gone:
        return None
    has = f"returned with {', '.join(returned)}" if returned else "returned without a citation"
    return Home(
        where=CODE,
        why="the model cited a page, and the answer that was returned does not",
        evidence=(f"#{conduct.last.attempt} cites {gone[0]}", has),
    )


def added(fault: Fault) -> Home | None:
    """The answer cites a page that the model's last text does not name."""
    conduct = fault.conduct
    if conduct.last is None:
        return None
    named = set(conduct.cited_by_model) | conduct.names(conduct.last.text)
    new = [url for url in _returned(conduct) if url not in named]
    if not new:
        return None
    return Home(
        where=CODE,
        why="the answer cites a page that the model's last text does not name",
        evidence=(
            f"returned with {new[0]}",
            f"#{conduct.last.attempt} says {quoted(start_of(conduct.last.text))}",
        ),
    )


def missing(fault: Fault) -> Home | None:
    """Neither the model's last text nor the answer cites."""
    conduct = fault.conduct
    if "citation-missing" not in fault.tags or conduct.last is None or conduct.cited_by_model:
        return None
    says = f"#{conduct.last.attempt} cites nothing"
    allowed = [url for url in sorted(conduct.named_to_model) if conduct.is_allowed(url)]
    if allowed:
        why = "the model was given the page's address and did not cite it"
        return Home(where=MODEL, why=why, evidence=(f"it was given {allowed[0]}", says))
    if conduct.turns[-1].given or conduct.turns[-1].told:
        why = "what the model was given has no address of an allowed source to cite"
        return Home(
            where=CODE, why=why, evidence=(f"{len(conduct.named_to_model)} addresses were given to it", says)
        )
    return None


def chosen(fault: Fault) -> Home | None:
    """The model cited the wrong page: could it know better?"""
    conduct = fault.conduct
    wrong = [
        item
        for item in fault.verdicts.citation.findings
        if item.facts and (item.support != "full" or item.provenance != "allowed" or not item.fetched)
    ]
    finding = next((item for item in wrong if canonical(item.url) in conduct.cited_by_model), None)
    if finding is None or conduct.last is None or not set(_OF_A_PAGE) & set(fault.tags):
        return None
    culprit = canonical(finding.url)
    cites = f"#{conduct.last.attempt} cites {culprit}"
    if culprit not in conduct.named_to_model:
        why = "the model cited a page that stands in nothing that it was given"
        return Home(where=MODEL, why=why, evidence=(cites,))
    allowed = [url for url in sorted(conduct.named_to_model) if conduct.is_allowed(url)]
    if conduct.is_allowed(culprit):
        does_not = "for what it does not say" if finding.fetched else "that was never fetched"
        return Home(where=MODEL, why=f"the model cited a page {does_not}", evidence=(cites,))
    if allowed:
        why = "the model was given an allowed source too, and cited another page"
        return Home(where=MODEL, why=why, evidence=(f"it was given {allowed[0]}", cites))
    target = conduct.view.redirects.get(culprit, "")
    if conduct.is_allowed(target):
        why = "the page moved to an allowed source, and the model was not told the new address"
        return Home(where=CODE, why=why, evidence=(f"{culprit} leads to {target}", cites))
    shown = [(search, url) for search, url in conduct.shown_by_search() if conduct.is_allowed(url)]
    if shown:
        search, url = shown[0]
        why = "a search found an allowed source, and its address was not given to the model"
        return Home(where=CODE, why=why, evidence=(f"#{search.number} names {url}", cites))
    why = "no allowed source was ever named to the model: it may be the search's words, or the world"
    return Home(where=UNKNOWN, why=why, evidence=(cites,))


def unfetched(fault: Fault) -> Home | None:
    """The model said what no page says that was fetched."""
    conduct = fault.conduct
    if "fact-not-fetched" not in fault.tags or conduct.last is None:
        return None
    facts = [item for item in fault.verdicts.content.facts if item.state == "not-fetched"]
    if not facts or facts[0].value not in conduct.last.text:
        return None
    why = f"the model said {facts[0].fact} without a page that says so"
    return Home(
        where=MODEL,
        why=why,
        evidence=(f"#{conduct.last.attempt} says {quoted(start_of(conduct.last.text))}",),
    )
