"""Whether a tool searches, fetches, browses, acts in a browser, hands over, or takes the final answer."""

from __future__ import annotations

import re

from pytest_webretrieval.systems.reference.cues import words as word_set

from .conversation import Tool

QUERY = word_set(
    """query q queries search searchquery keywords keyword terms term question objective topic prompt"""
)
URL = word_set(
    """url urls uri uris link links href page pageurl address website site webpage target sourceurl"""
)
ANSWER = word_set(
    """answer finalanswer response result output text content summary message report reply final markdown"""
)
SEARCHES = word_set(
    """search find lookup query google bing brave tavily exa serper duckduckgo searxng research web"""
)
FETCHES = word_set(
    """fetch open read visit get scrape extract crawl load download browse view retrieve access request http
    curl"""
)
BROWSES = word_set(
    """browser browse navigate goto render rendered playwright selenium puppeteer chrome chromium headless"""
)
ACTS = word_set(
    """click scroll press type fill select hover screenshot wait drag key submit delete remove send post pay
    buy upload write save update create execute run evaluate"""
)
LOOKS = word_set("snapshot content text page read html markdown observe state extract view")
FINISHES = word_set("final finish done answer respond submit complete conclude return")
_SAID_BROWSES = re.compile(
    r"\b(?:browser|java ?script|playwright|selenium|chrom(?:e|ium)|headless|render(?:s|ed|ing)?|dynamic)\b",
    re.I,
)
_SAID_FINAL = re.compile(
    r"\bfinal (?:answer|response|result|output|report)\b|\bends? (?:this|the) (?:conversation|run)\b", re.I
)
_SAID_SEARCHES = re.compile(
    r"\bsearch(?:es|ing)?\b|\bfind (?:pages|results|documents)\b|\blook(?:s|ing)? up\b", re.I
)
_SAID_FETCHES = re.compile(
    r"\b(?:fetch|open|read|visit|download|scrape|extract|load|get|return)\w*\b.{0,60}\b(?:page|url|site|link|document|web)",
    re.I,
)
_NEGATED = re.compile(
    r"\b(?:no|not|without|never|n't|cannot|instead of|cheaper than|unlike)\b[^.;]*|n't\b[^.;]*", re.I
)


def words_of(name: str) -> list[str]:
    """The words of a name in any of the usual spellings, lower-case."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    return [word.lower() for word in re.split(r"[^A-Za-z0-9]+", parted) if word]


def purpose(name: str) -> str:
    """``query``, ``url``, ``answer`` or nothing: what a parameter is for by its name."""
    words = words_of(name)
    joined = "".join(words)
    for group, known in (("url", URL), ("query", QUERY), ("answer", ANSWER)):
        if joined in known:
            return group
    for group, known in (
        ("url", frozenset({"url", "urls", "uri", "href"})),
        ("query", frozenset({"query", "queries"})),
    ):
        if known & set(words):
            return group
    return ""


def kind_of(tool: Tool) -> str:
    """``search``, ``fetch``, ``browse``, ``look``, ``scroll``, ``act``, ``finish``, ``hand-over`` or ``other``."""
    words = set(words_of(tool.name))
    said = _NEGATED.sub("", tool.description)
    parameters = tool.parameters.get("properties") or {}
    purposes = {purpose(name) for name in parameters}
    if words >= {"transfer", "to"} or words & {"handoff", "delegate"}:
        return "hand-over"
    if "url" not in purposes and _is_final(words, said, purposes):
        return "finish"
    if words & ACTS and not words & {"search"}:
        return "scroll" if "scroll" in words else "act"
    if "url" in purposes or (not parameters and words & {"goto", "navigate"}):
        if words & BROWSES:
            return "browse" if not _plain_fetch(words, said) else "fetch"
        if words & FETCHES or _SAID_FETCHES.search(said):
            return "browse" if _SAID_BROWSES.search(said) else "fetch"
        if "query" not in purposes:
            return "other" if words & SEARCHES - {"web"} else "fetch"
    if words & {"search", "google", "bing", "tavily", "exa", "serper", "duckduckgo", "searxng", "lookup"}:
        return "search"
    if "query" in purposes and (words & SEARCHES or _SAID_SEARCHES.search(said)):
        return "search"
    if not (tool.parameters.get("required") or ()) and words & LOOKS and (words & BROWSES or "page" in words):
        return "look"
    if not parameters and words & FETCHES:
        return "fetch"
    return "other"


def says_browser(tool: Tool) -> bool:
    """Whether the description of a tool tells of a browser or of what only one does."""
    return bool(_SAID_BROWSES.search(_NEGATED.sub("", tool.description)))


def _plain_fetch(words: set[str], said: str) -> bool:
    """Whether a tool that is called after browsing only fetches."""
    return "browse" in words and not _SAID_BROWSES.search(said) and bool(said)


def _is_final(words: set[str], said: str, purposes: set[str]) -> bool:
    if words & {"search", "fetch", "open", "read", "get"}:
        return False
    if _SAID_FINAL.search(said) or "final" in words or words & {"finish", "done", "conclude"}:
        return True
    return bool(words & FINISHES and ("answer" in purposes or "answer" in words))
