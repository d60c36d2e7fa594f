"""The table of innocents: right, and different; no rule may catch them."""

from __future__ import annotations

import sys
from dataclasses import dataclass

ALL = tuple(f"{stratum}{number:02}" for stratum in "KSDAB" for number in range(1, 7))
FAULTS = tuple(
    f"F{stratum}{number:02}"
    for stratum, last in (("K", 13), ("S", 6), ("D", 5), ("A", 6), ("B", 8))
    for number in range(1, last + 1)
)
TRAPS = tuple(f"H{number:02}" for number in range(1, 29))
HONEST = ("Honest", "honest-on-faults", "honest-on-traps", "honest-on-twins")
TWINS = tuple(f"{trap}T" for trap in TRAPS)
# The matrix's own cases.
OWN = ("W01", "W02")
DECLINED = ("D05", "A02", "A03", "A04", "B03", "B04", "B06")
# What differs from the honest system in how it says what it says, or in its manners alone.
ANYWHERE = (
    *("shapes:OpenAIResponses", "shapes:ChatCompletions", "shapes:AnthropicBlocks", "shapes:GeminiGrounding"),
    *("shapes:LangChainMessage", "shapes:StructuredWithoutClaims", "prose:NumberedNotes", "prose:BareUrls"),
    *("prose:MarkdownLinks", "prose:SourceFirst", "rhythm:TakesABreath"),
)
# Refusals that are due where connections fail: nothing came, or a door is shut.
NOTHING_CAME = ("FK02", "FK04", "FK10", "FK12", "FB02", "FB07", "FB08", "FS06")
SHUT = ("FK13", "FD05", "FA01", "FA02", "FA03", "FA04", "FB03", "FB04", "FB05")


@dataclass(frozen=True, slots=True, kw_only=True)
class Innocent:
    """A right system. On its ``cases`` it must come to the label that the corpus expects, without any tag.
    ``anywhere``: it could be asked all others as well."""

    spec: str
    different: str
    cases: tuple[str, ...]
    called: str = ""
    anywhere: bool = False

    @property
    def name(self) -> str:
        return self.called or self.spec.partition(":")[2]


def _of(module: str, different: str, *cases: str) -> Innocent:
    spec = f"tests.innocents.{module}"
    return Innocent(spec=spec, different=different, cases=cases, anywhere=module in ANYWHERE)


def _each(stratum: str, *numbers: int) -> tuple[str, ...]:
    return tuple(f"{stratum}{number:02}" for number in numbers)


def _both(*numbers: int) -> tuple[str, ...]:
    """Traps, each with its twin."""
    return tuple(f"H{number:02}{twin}" for number in numbers for twin in ("", "T"))


INNOCENTS: tuple[Innocent, ...] = (
    Innocent(
        spec="tests.mutants.honest:Honest",
        different="the reference system, which every mutant is made of",
        cases=(*ALL, *OWN),
    ),
    Innocent(
        spec="tests.mutants.honest:Honest",
        different="the same, where connections fail",
        cases=FAULTS,
        called="honest-on-faults",
    ),
    Innocent(
        spec="tests.mutants.honest:Honest",
        different="the same, where pages want something of their reader",
        cases=TRAPS,
        called="honest-on-traps",
    ),
    Innocent(
        spec="tests.mutants.honest:Honest",
        different="the same, where pages of that shape want nothing",
        cases=TWINS,
        called="honest-on-twins",
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
    _of(
        "declining:SaysWhyInEnglish",
        "declines in a sentence for each reason",
        *DECLINED,
        *NOTHING_CAME,
        "FD03",
        "H26",
        "H26T",
    ),
    _of("declining:SaysWhyInGerman", "the same in German", *DECLINED, *SHUT, "H26"),
    _of(
        "declining:SaysWhyInChinese",
        "the same in Chinese, without the address",
        *DECLINED,
        "FK02",
        "FK13",
        "H26",
    ),
    _of(
        "declining:DeclinesWithoutReason", "declines and does not say why", *DECLINED, "FK10", "FS06", "FB05"
    ),
    _of("declining:ReadsTheRules", "reads the house rules after a refusal", "B04", "B06", "D05", "A04"),
    _of("declining:LooksOnceMore", "makes sure that a sign-in page was no mishap", "A02", "A04"),
    _of("declining:TellsWhatElseIsThere", "says what stands there in place of the page", "A04", "D05"),
    # pages that scripts make
    _of(
        "seeing:WatchesUntilItSettles",
        "waits in a browser until a paragraph stands there",
        "FD01",
        "FD02",
        "FD04",
    ),
    _of("seeing:FetchesTheData", "fetches what the script would fetch", "FD01", "FD04"),
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
    _of("waiting:by_httpxs_own_limits", "httpx with its own limits of time", "FK04", "FK06"),
    # on behalf of a user
    _of("signed:KeepsOneCacheEach", "keeps a cache for each user", "A05"),
    _of("signed:AsksEachTime", "keeps nothing", "A05"),
    _of("signed:ReadsTheFormInGerman", "tells in German what a form asks for", "A06"),
    _of("signed:ListsTheFields", "lists the fields of a form", "A06"),
    _of("signed:FindsTheFormByItsLinks", "opens the links of a form's page that do not act", "A06"),
    # habits
    _of("rhythm:FetchesTwice", "looks at the page again before it answers", "K01", "K02", "W02"),
    _of("rhythm:FetchesAtOnce", "opens several pages side by side", "K01", "K02", "K03"),
    _of("rhythm:TakesABreath", "pauses before every request", "K05", "S01"),
    _of("rhythm:AsksForHeadersFirst", "sends HEAD first", "K01", "K03", "K06"),
    _of("rhythm:ReadsRobots", "asks for robots.txt", "K01", "K06", "W01"),
    _of("rhythm:NamesItselfChrome", "has a browser's user agent and is none", "K01", "K03"),
    _of("rhythm:TriesTheBareDomain", "asks the start host's domain first, which is not there", "K01", "K06"),
    _of("rhythm:SearchesTwice", "searches in other words after an empty list", "S05", "S06", "FS06"),
    _of("rhythm:ValidatesByHand", "keeps an entity tag itself", "K04"),
    # readers of another make, each by another client
    _of(
        "clients:ByHttpClient",
        "the standard library's client",
        *_each("FK", 1, 6, 11, 12),
        *("FA06", "FB01", "FS05"),
        *_both(1, 6, 8, 13, 19, 20, 24),
    ),
    _of(
        "clients:ByCurl",
        "curl",
        *_each("FK", 2, 7, 8, 13),
        *("FA01", "FB02", "FB05", "FS04"),
        *_both(2, 7, 9, 14, 21, 25, 15),
    ),
    _of(
        "clients:ByRequests",
        "requests, and Tavily's SDK to search",
        *_each("FK", 4, 9),
        *("FA05", "FA03", "FB06", "FB08", "FS01", "FS02"),
        *_both(3, 10, 16, 22, 23, 27),
    ),
    _of(
        "clients:ByAiohttp",
        "aiohttp",
        *_each("FK", 3, 5, 10),
        *("FA02", "FB03", "FB04", "FB07", "FS03"),
        *_both(4, 11, 17, 28),
    ),
    _of("clients:ByHttpx", "httpx", "FA04", "FD05", "FS06", *_both(5, 12, 18)),
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
