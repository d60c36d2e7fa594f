"""Citations: each claim that carries a required fact is held against the pages that it cites, as served in
this run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.systems.contract import Claim, RetrievalResult

from .facts import Said, states, without_urls
from .seen import Seen, View
from .text import Folded, fold, sentences
from .urls import canonical, compile_pattern, host_of, site_of
from .verdicts import CitationFinding, CitationVerdict, Ground

_RESERVED = ("example.com", "example.org", "example.net")
# A claim that only names sources: what is left of it when URLs and markers are gone is one of these words.
_SOURCE_WORDS = re.compile(
    r"\b(?:sources?|see(?: also)?|via|from|at|and|or|the|official|page|link|read more|references?|citations?|"
    r"quellen?|siehe|fuentes?|véase|voir|ref|cf)\b|來源|来源|出典|參見|参见|参考|資料|[^\w]|[\d_]|\bhttps?\b",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[([^\]\n]*)\]\(<?[^\s)>]*(?:\([^\s)]*\)[^\s)>]*)*>?(?: \"[^\"]*\")?\)")
# What can be checked word for word in a sentence: numbers, versions and dates, and quotes of some length.
_CHECKABLE = re.compile(r"(?<![\w.])[-+]?[$€£]?v?\d[\w.,:%-]*\w|(?<![\w.])\d|\"([^\"\n]{12,300})\"")
_ANY_CITATION = re.compile(r"https?://|\[[^\]\n]*\]\(|\[\d|【", re.IGNORECASE)
_MARKERS = re.compile(r"\[\d[\d, \-]*\]|【[^】\n]*】")
_ORDINAL_AT_START = re.compile(r"^\s*(?:[-*•]\s+|\(?\d{1,2}[.)]\s+|#+\s+)")


@dataclass(frozen=True, slots=True)
class Cited:
    """The verdict, the causes seen on the way, and for each fact the representations that its citations
    rest on."""

    verdict: CitationVerdict
    tags: tuple[str, ...]
    facts_cited: frozenset[str]
    facts_supported: frozenset[str]
    resting: dict[str, tuple[Seen, ...]]
    unsupported_extras: int


def cited_urls(result: RetrievalResult) -> tuple[str, ...]:
    """Every URL that the answer cites, once, in order."""
    return tuple(dict.fromkeys(citation.url for claim in result.claims for citation in claim.citations))


def read_citations(truth: Truth, result: RetrievalResult, said: tuple[Said, ...], view: View) -> Cited:
    """Check the citations of an answered step."""
    stated = [
        item for item in said if item.state in ("matched", "not-fetched", "contradicted") and item.spans
    ]
    carriers = {item.fact.id: _carriers(item, result) for item in stated}
    by_claim: dict[int, list[Said]] = {}
    for item in stated:
        for index in carriers[item.fact.id]:
            by_claim.setdefault(index, []).append(item)
    tags: set[str] = set()
    findings: list[CitationFinding] = []
    supported_claims = 0
    resting: dict[str, list[Seen]] = {}
    unknown = 0
    backed: dict[str, set[str]] = {}
    for index, items in by_claim.items():
        own = [
            _check(truth, result.claims[index], url, items, view, tags)
            for url in _distinct(result.claims[index])
        ]
        findings.extend(finding for finding, _ in own)
        good = [(finding, held) for finding, held in own if _is_good(finding)]
        carried = {item.fact.id for item in items}
        held_by_good = {fact for _, held in good for fact in held}
        bad = any(_is_bad(finding) for finding, _ in own)
        unknown += any(finding.support == "unknown" for finding, _ in own) and not bad
        if carried <= held_by_good and not bad:
            supported_claims += 1
        for finding, held in good:
            for fact, where in held.items():
                backed.setdefault(fact, set()).add(site_of(host_of(canonical(finding.url))))
                resting.setdefault(fact, []).extend(where)
    for item in stated:
        if not carriers[item.fact.id]:
            tags.add("citation-missing")
    extras = _extras(result, set(by_claim), said, view)
    too_many = extras.cited_unsupported + extras.uncited_unsupported > truth.max_extra_claims
    if too_many and said:
        tags.add("unsupported-extra")
        if extras.uncited_unsupported:
            tags.add("uncited-claim")
    matched = [item for item in said if item.state in ("matched", "not-fetched")]
    # A claim that carries facts and cites nothing is checked too, and fails.
    bare = len({item.fact.id for item in stated if not carriers[item.fact.id]})
    sources = set().union(*backed.values()) if backed else set()
    if stated and len(sources) < truth.min_sources and supported_claims:
        tags.add("too-few-sources")
    verdict = CitationVerdict(
        findings=tuple(findings),
        matched_facts=len(matched),
        facts_with_citation=sum(bool(carriers.get(item.fact.id)) for item in matched),
        checked=len(by_claim) + bare,
        supported=supported_claims,
        unknown=unknown,
        sources=len(sources),
        min_sources=truth.min_sources,
        extra_claims=extras.cited,
        extra_unsupported=extras.cited_unsupported,
        uncited_claims=extras.uncited,
    )
    return Cited(
        verdict=verdict,
        tags=tuple(sorted(tags)),
        facts_cited=frozenset(fact for fact, found in carriers.items() if found),
        facts_supported=frozenset(backed),
        resting={fact: tuple(where) for fact, where in resting.items()},
        unsupported_extras=extras.cited_unsupported + extras.uncited_unsupported,
    )


def _distinct(claim: Claim) -> list[str]:
    """The URLs that a claim cites, one for each document name."""
    return list({canonical(citation.url): citation.url for citation in claim.citations}.values())


def _carriers(item: Said, result: RetrievalResult) -> list[int]:
    """The claims that carry a fact: those with citations that overlap one of its spans; without any, the
    nearest claim behind it in the same paragraph that only names sources; without that, such claims at the
    end of the answer."""
    cited = [(index, claim) for index, claim in enumerate(result.claims) if claim.citations]
    found = [
        index
        for index, claim in cited
        if any(claim.start < end and start < claim.end for start, end in item.spans)
    ]
    if found:
        return found
    bare = [
        (index, claim) for index, claim in cited if only_names_sources(result.answer[claim.start : claim.end])
    ]
    for _, end in item.spans:
        paragraph = result.answer.find("\n\n", end)
        limit = paragraph if paragraph >= 0 else len(result.answer)
        nearest = [index for index, claim in bare if end <= claim.start <= limit]
        if nearest:
            return nearest[:1] if _claims_between(result, end, limit) else nearest
    last = max((end for _, end in item.spans), default=0)
    if len(bare) == len(cited):
        return [index for index, claim in bare if claim.start >= last]
    return []


def _claims_between(result: RetrievalResult, start: int, end: int) -> bool:
    return any(
        start <= claim.start < end
        and claim.citations
        and not only_names_sources(result.answer[claim.start : claim.end])
        for claim in result.claims
    )


def only_names_sources(text: str) -> bool:
    """Whether nothing but words for sources stands before the first link, as in "Source: https://..."."""
    first = _ANY_CITATION.search(text)
    return first is not None and len(_SOURCE_WORDS.sub("", text[: first.start()]).strip()) <= 2


def _check(
    truth: Truth, claim: Claim, url: str, items: list[Said], view: View, tags: set[str]
) -> tuple[CitationFinding, dict[str, tuple[Seen, ...]]]:
    """One claim against one URL; beside the finding, the facts that the page bears out and where."""
    name = canonical(url)
    bundle = view.bundle(name)
    facts = tuple(item.fact.id for item in items)
    provenance = provenance_of(truth, name)
    verdicts = {item.fact.id: [(seen, states(item.fact, seen, view)) for seen in bundle] for item in items}
    held = {
        fact: tuple(seen for seen, verdict in found if verdict == "yes")
        for fact, found in verdicts.items()
        if any(verdict == "yes" for _, verdict in found)
    }
    support, rule = _support(facts, held, verdicts, bundle, view)
    if not bundle:
        tags.add("citation-not-retrieved")
        if host_of(name).removeprefix("www.") in _RESERVED:
            tags.add("fabricated-citation")
        if _in_snippet(name, view):
            tags.add("cite-search-snippet")
    elif rule == "empty-source":
        tags.add("empty-source")
    elif support == "none":
        tags.add("citation-mismatch")
    elif support == "contradicted":
        tags.add("citation-contradicts")
    if provenance != "allowed":
        tags.add("citation-not-allowed")
    if provenance == "known-copy":
        tags.add("cited-mirror")
    where = next((seen for found in held.values() for seen in found), bundle[0] if bundle else None)
    finding = CitationFinding(
        claim=claim.text,
        url=url,
        facts=facts,
        fetched=bool(bundle),
        support=support,
        provenance=provenance,
        ground=Ground(
            rule=rule, span=(claim.start, claim.end), sha256=where.sha256 if where else None, url=name
        ),
    )
    return finding, held


def _support(
    facts: tuple[str, ...],
    held: dict[str, tuple[Seen, ...]],
    verdicts: dict[str, list[tuple[Seen, str]]],
    bundle: tuple[Seen, ...],
    view: View,
) -> tuple[str, str]:
    if not bundle:
        return "none", "cited-url-never-fetched"
    if len(held) == len(facts):
        return "full", "every-fact-stands-in-the-bundle"
    states_of_rest = {verdict for fact in facts if fact not in held for _, verdict in verdicts[fact]}
    if "denied" in states_of_rest:
        return "contradicted", "the-bundle-denies-a-fact"
    if "unsure" in states_of_rest:
        return "unknown", "the-bundle-may-mean-another-value"
    if held:
        return "partial", "some-facts-stand-in-the-bundle"
    if not any(view.shelf.text(seen).text or view.shelf.data(seen).text for seen in bundle):
        return "none", "empty-source"
    return "none", "no-fact-stands-in-the-bundle"


def provenance_of(truth: Truth, url: str) -> str:
    """``allowed``, ``known-copy`` or ``not-allowed``, by the identity of ``url`` alone."""
    if any(compile_pattern(pattern).admits(url) for pattern in truth.known_copies):
        return "known-copy"
    allowed = any(compile_pattern(pattern).admits(url) for pattern in truth.allowed_sources)
    return "allowed" if allowed else "not-allowed"


def _is_good(finding: CitationFinding) -> bool:
    return finding.fetched and finding.provenance == "allowed" and finding.support in ("full", "partial")


def _is_bad(finding: CitationFinding) -> bool:
    return (
        not finding.fetched or finding.provenance != "allowed" or finding.support in ("none", "contradicted")
    )


def _in_snippet(url: str, view: View) -> bool:
    """Whether a search reply named the page that was cited and never opened."""
    return url in view.offered and any(
        attempt.channel == "search-api" and attempt.body is not None for attempt in view.attempts
    )


@dataclass(frozen=True, slots=True)
class _Extras:
    cited: int
    cited_unsupported: int
    uncited: int
    uncited_unsupported: int


def _extras(result: RetrievalResult, fact_claims: set[int], said: tuple[Said, ...], view: View) -> _Extras:
    """Claims beside the required facts. Only what can be checked word for word counts: a sentence that
    states no number, date, version or quote is not held against anybody."""
    fact_spans = [span for item in said for span in item.spans]
    cited = cited_unsupported = 0
    covered: list[tuple[int, int]] = []
    for index, claim in enumerate(result.claims):
        if not claim.citations:
            continue
        covered.append((claim.start, claim.end))
        if index in fact_claims:
            continue
        text = result.answer[claim.start : claim.end]
        tokens = list(_checkable(text))
        if (not tokens and only_names_sources(text)) or _overlaps((claim.start, claim.end), fact_spans):
            continue
        cited += 1
        pages = [seen for url in _distinct(claim) for seen in view.bundle(canonical(url))]
        if not pages or not _borne_out(tokens, pages, view):
            cited_unsupported += 1
    uncited = uncited_unsupported = 0
    for start, end in sentences(result.answer):
        if _overlaps((start, end), covered) or _overlaps((start, end), fact_spans):
            continue
        tokens = list(_checkable(result.answer[start:end]))
        if not tokens:
            continue
        uncited += 1
        uncited_unsupported += not _borne_out(tokens, list(view.pages), view)
    return _Extras(cited, cited_unsupported, uncited, uncited_unsupported)


def _overlaps(span: tuple[int, int], others: list[tuple[int, int]]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in others)


def _checkable(text: str) -> Iterator[str]:
    prose = without_urls(_MARKERS.sub(" ", _LINK.sub(r" \1 ", _ORDINAL_AT_START.sub("", text))))
    for match in _CHECKABLE.finditer(fold(prose).text):
        yield match.group(1) or match.group().strip(".,:%-+$€£")


def _borne_out(tokens: list[str], pages: list[Seen], view: View) -> bool:
    """Whether every checkable token stands, as a string of its own, in one of the pages."""
    texts = [text for seen in pages for text in (view.shelf.text(seen), view.shelf.data(seen))]
    return all(any(_stands(token, text) for text in texts) for token in tokens)


def _stands(token: str, text: Folded) -> bool:
    bare = token.replace(",", "")
    return token in text.text or (bare != token and bare in text.text) or _grouped(token) in text.text


def _grouped(token: str) -> str:
    return f"{int(token):,}" if token.isdigit() and len(token) > 4 else token
