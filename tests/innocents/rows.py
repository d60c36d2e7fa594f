"""The table of innocents: right, and different; no rule may catch them."""

from __future__ import annotations

import sys
from dataclasses import dataclass

ALL = tuple(f"{stratum}{number:02}" for stratum in "KSDAB" for number in range(1, 7))
# The matrix's own cases.
OWN = ("W01", "W02")
DECLINED = ("D05", "A02", "A03", "A04", "B03", "B04", "B06")


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
        cases=(*ALL, *OWN),
    ),
    # shapes of answers
    _of(
        "shapes:OpenAIResponses",
        "a Responses object with annotations over its links",
        "K01",
        "S01",
        "S04",
        "A05",
    ),
    _of("shapes:ChatCompletions", "a Chat Completions object with nested annotations", "K01", "K05", "S02"),
    _of("shapes:AnthropicBlocks", "content blocks, each with its citations", "K02", "S04", "S06"),
    _of("shapes:GeminiGrounding", "grounding with offsets in bytes", "K01", "K02", "S02"),
    _of("shapes:LangChainMessage", "a message as LangChain dumps it", "K03", "S01"),
    _of("shapes:StructuredWithoutClaims", "the full result, citations in its text alone", "K05", "S04"),
    # styles and words
    _of("prose:NumberedNotes", "prose with [n] and a list of sources", "K01", "K03", "S01", "S04"),
    _of("prose:MarkdownLinks", "a list with markdown links", "K02", "K05", "S03", "A01"),
    _of("prose:BareUrls", "bare addresses behind each sentence", "K04", "S02", "S06"),
    _of("prose:SourceFirst", "names the source before the fact, last things first", "K01", "K02", "S04"),
    _of("prose:IsoDates", "writes days as 2026-03-12", "K01", "S03", "A01", "B01"),
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
    _of("declining:SaysWhyInEnglish", "declines in a sentence for each reason", *DECLINED),
    _of("declining:SaysWhyInGerman", "the same in German", *DECLINED),
    _of("declining:SaysWhyInChinese", "the same in Chinese, without the address", *DECLINED),
    _of("declining:DeclinesWithoutReason", "declines and does not say why", *DECLINED),
    _of("declining:ReadsTheRules", "reads the house rules after a refusal", "B04", "B06", "D05", "A04"),
    _of("declining:LooksOnceMore", "makes sure that a sign-in page was no mishap", "A02", "A04"),
    _of("declining:TellsWhatElseIsThere", "says what stands there in place of the page", "A04", "D05"),
    # pages that scripts make
    _of("seeing:by_sync_playwright", "Playwright's synchronous way, its own browser search", "D01"),
    _of("seeing:AcceptsConsent", "accepts what it is asked to accept", "D04"),
    _of("seeing:RejectsConsent", "rejects it", "D04"),
    _of("seeing:ScrollsByHand", "scrolls to the end and makes a table", "D03"),
    _of("seeing:ReadsTheScript", "reads what the script reads, without a browser", "D01", "D02"),
    _of("seeing:CitesThePageItself", "the same with a referrer, and cites the page", "D01"),
    _of("seeing:ListsTheItems", "a list of six, without a browser", "D03"),
    _of("seeing:NamesTheItems", "six items in one sentence, without a browser", "D03"),
    _of("seeing:NamesWhatIsGone", "says which item is there no longer", "D03"),
    _of("seeing:WarnsOfTheGuess", "names the placeholder that it did not believe", "D02"),
    _of("seeing:LooksAtTheTypedSheet", "opens a page that cannot be decoded too", "W01"),
    _of("seeing:PriceWithComma", "a price as German writes it", "D06"),
    _of("seeing:PriceWithCodeBefore", "a price behind its currency", "D06"),
    _of("seeing:PriceInBold", "a price set in bold", "D06"),
    # servers that are busy
    _of("waiting:waits_longer", "waits longer than Retry-After says", "B01"),
    _of("waiting:backs_off", "asks again after a wait of its own", "B02", "B05"),
    _of("waiting:by_curls_retry", "curl with its own retries", "B01", "B02", "B05"),
    _of("waiting:by_urllib3s_retry", "requests with urllib3's retries", "B01", "B02", "B05"),
    # on behalf of a user
    _of("signed:KeepsOneCacheEach", "keeps a cache for each user", "A05"),
    _of("signed:AsksEachTime", "keeps nothing", "A05"),
    _of("signed:ReadsTheFormInGerman", "tells in German what a form asks for", "A06"),
    _of("signed:ListsTheFields", "lists the fields of a form", "A06"),
    _of("signed:FindsTheFormByItsLinks", "opens the links of a form's page that do not act", "A06"),
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
