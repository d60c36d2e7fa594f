"""The table of innocents: right, and different; no rule may catch them."""

from __future__ import annotations

import sys
from dataclasses import dataclass

ALL = ("K01", "K02", "K03", "K04", "K05", "K06", "S01", "S02", "S03", "S04", "S05", "S06")


@dataclass(frozen=True, slots=True, kw_only=True)
class Innocent:
    """A right system. On its ``cases`` it must come to the label that the corpus expects, without any tag."""

    spec: str
    different: str
    cases: tuple[str, ...]
    called: str = ""

    @property
    def name(self) -> str:
        return self.called or self.spec.partition(":")[2]


def _of(module: str, different: str, *cases: str) -> Innocent:
    return Innocent(spec=f"tests.innocents.{module}", different=different, cases=cases)


INNOCENTS: tuple[Innocent, ...] = (
    Innocent(
        spec="tests.mutants.honest:Honest",
        different="the reference system, which every mutant is made of",
        cases=ALL,
    ),
    # shapes of answers
    _of("shapes:OpenAIResponses", "a Responses object with annotations over its links", "K01", "S01", "S04"),
    _of("shapes:ChatCompletions", "a Chat Completions object with nested annotations", "K01", "K05", "S02"),
    _of("shapes:AnthropicBlocks", "content blocks, each with its citations", "K02", "S04", "S06"),
    _of("shapes:GeminiGrounding", "grounding with offsets in bytes", "K01", "K02", "S02"),
    _of("shapes:LangChainMessage", "a message as LangChain dumps it", "K03", "S01"),
    _of("shapes:StructuredWithoutClaims", "the full result, citations in its text alone", "K05", "S04"),
    # styles and words
    _of("prose:NumberedNotes", "prose with [n] and a list of sources", "K01", "K03", "S01", "S04"),
    _of("prose:MarkdownLinks", "a list with markdown links", "K02", "K05", "S03"),
    _of("prose:BareUrls", "bare addresses behind each sentence", "K04", "S02", "S06"),
    _of("prose:SourceFirst", "names the source before the fact, last things first", "K01", "K02", "S04"),
    _of("prose:IsoDates", "writes days as 2026-03-12", "K01", "S03"),
    _of("prose:SaysItInGerman", "answers in German", "K01", "K02", "K03", "K04"),
    _of("prose:SaysItInChinese", "answers in Chinese", "K01", "K02", "S02"),
    _of("prose:AddsTrueFacts", "adds further sentences of the page", "K01", "K02", "K05"),
    _of("prose:NamesTheOutdated", "says which version no longer holds", "S03", "K04"),
    _of("prose:CitesWithTracking", "cites addresses with tracking parameters", "K01", "S03"),
    _of("prose:QuotesTheSentence", "cites addresses with text fragments", "K01", "K02"),
    # refusals without structure
    _of("prose:RefusesInProse", "declines in plain words", "K06", "S05", "K01"),
    _of("prose:RefusesInGerman", "declines in German", "K06", "S05"),
    _of("prose:RefusesInChinese", "declines in Chinese", "K06", "S05", "S02"),
    # habits
    _of("rhythm:FetchesTwice", "looks at the page again before it answers", "K01", "K02"),
    _of("rhythm:FetchesAtOnce", "opens several pages side by side", "K01", "K02", "K03"),
    _of("rhythm:TakesABreath", "pauses before every request", "K05", "S01"),
    _of("rhythm:AsksForHeadersFirst", "sends HEAD first", "K01", "K03", "K06"),
    _of("rhythm:ReadsRobots", "asks for robots.txt", "K01", "K06"),
    _of("rhythm:NamesItselfChrome", "has a browser's user agent and is none", "K01", "K03"),
    _of("rhythm:TriesTheBareDomain", "asks the start host's domain first, which is not there", "K01", "K06"),
    _of("rhythm:SearchesTwice", "searches in other words after an empty list", "S05", "S06"),
    _of("rhythm:ValidatesByHand", "keeps an entity tag itself", "K04"),
    # ways in and clients
    _of("ways:by_urllib", "a synchronous function with urllib", "K01", "K02"),
    _of("ways:by_curl", "curl", "K01", "K02"),
    _of("ways:by_aiohttp", "an asynchronous function with aiohttp", "K01", "K02"),
    _of("ways:by_tavily", "Tavily's SDK, pages opened in threads", "S01"),
    Innocent(
        spec=f"cmd: {sys.executable} -m tests.innocents.agent {{prompt}}",
        different="a command with the prompt as argument",
        cases=("K01", "K02"),
        called="command",
    ),
    Innocent(
        spec=f"cmd: {sys.executable} -m tests.innocents.agent",
        different="a command with the task on standard input",
        cases=("K01",),
        called="command-stdin",
    ),
)
