"""Whose fault it is: one row a way in which a fact or a citation is lost between the page and the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from pytest_webretrieval.cases.truth import Fact, Step
from pytest_webretrieval.grade.evidence import StepEvidence, Trouble
from pytest_webretrieval.grade.fault import CODE, GRADER, MODEL, UNKNOWN, WORLD, Home
from pytest_webretrieval.grade.home import RULES, find_home
from pytest_webretrieval.grade.judge import judge_run
from pytest_webretrieval.grade.label import LABELS, PASSING
from pytest_webretrieval.systems import claims
from pytest_webretrieval.systems.contract import Testimony
from pytest_webretrieval.wire.attempt import Attempt, Egress

from .grade_build import VENDOR, VERSION, Wire, declined, page, truth

SAYS = page("<p>Filler text about many things that are not asked for here. Version v3.2 shipped today.</p>")
SAYS_NOT = page("<p>Nothing of interest is told here today.</p>")
SIGN_IN = page(
    "<form method=post><input name=u><input type=password name=p><button>Sign in</button></form>", "Sign in"
)
START = "https://vendor.example/start"
MIRROR = "https://mirror.example/v4f1c"
RIGHT = f"The release is v3.2 ([notes]({VENDOR}))."
ASKED = f"Which release is current? Start at {VENDOR}"


@dataclass
class Agent:
    """A tool loop over Chat Completions, written down turn by turn."""

    wire: Wire = field(default_factory=Wire)
    messages: list[dict[str, Any]] = field(default_factory=lambda: [{"role": "user", "content": ASKED}])
    tools: tuple[str, ...] = ("search", "fetch_page")

    def says(self, text: str = "", *calls: tuple[str, dict[str, str]], **changes: Any) -> Attempt:
        """One turn of the model."""
        message: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = [
                {
                    "id": f"c{n}",
                    "type": "function",
                    "function": {"name": name, "arguments": json.dumps(given)},
                }
                for n, (name, given) in enumerate(calls, len(self.messages))
            ]
        asked = {
            "model": "m",
            "messages": self.messages,
            "tools": [{"type": "function", "function": {"name": name}} for name in self.tools],
        }
        turn = self.wire.get(
            **{
                "url": "https://api.openai.com/v1/chat/completions",
                "body": json.dumps({"choices": [{"index": 0, "message": message}]}).encode(),
                "media_type": "application/json",
                "method": "POST",
                "role": "model",
                "channel": "model",
                "request_body": json.dumps(asked).encode(),
                **changes,
            },
        )
        self.messages = [*self.messages, message]
        return turn

    def calls(self, name: str = "fetch_page", **given: str) -> None:
        self.says("", (name, given or {"url": VENDOR}))

    def is_given(self, text: str) -> None:
        """The result of the last call goes into the conversation."""
        call = self.messages[-1]["tool_calls"][0]
        self.messages = [*self.messages, {"role": "tool", "tool_call_id": call["id"], "content": text}]

    def returns(self, text: str | None, **changes: Any) -> StepEvidence:
        result = None if text is None else claims.read(text)
        return self.wire.evidence(result, start_urls=(VENDOR,), **changes)


def truncated() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Page\nFiller text about many things that are not")
    agent.says("I found no release there.")
    return agent.returns("I found no release there.")


def wrong_charset() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("PagÃ© with a version v\ufffd3")
    agent.says("The page is broken.")
    return agent.returns("The page is broken.")


def not_asked_again() -> StepEvidence:
    agent = Agent()
    agent.says("Unknown to me.")
    agent.wire.get(VENDOR, SAYS)
    return agent.returns("Unknown to me.")


def given_and_not_said() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says("The newest release came out today.")
    return agent.returns("The newest release came out today.")


def given_in_the_prompt() -> StepEvidence:
    agent = Agent()
    agent.wire.get(VENDOR, SAYS)
    agent.messages = [{"role": "user", "content": f"{ASKED}\n\nContext: Version v3.2 shipped today."}]
    agent.says("No idea.")
    return agent.returns("No idea.")


def given_and_declined() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says("I could not find the release.")
    return replace(agent.returns("x"), result=declined("not_found", "I could not find the release."))


def said_another() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today, v3.1 was before.")
    agent.says(f"The release is v3.1 ([notes]({VENDOR})).")
    return agent.returns(f"The release is v3.1 ([notes]({VENDOR})).", step=_WITH_WRONG)


def put_in_by_code() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says(RIGHT)
    return agent.returns(f"The release is v3.1 ([notes]({VENDOR})).", step=_WITH_WRONG)


def dropped() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says(RIGHT)
    return agent.returns("The release is")


def other_page() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get("https://vendor.example/about", SAYS_NOT)
    agent.is_given("Nothing of interest is told here today.")
    agent.says("It does not say.")
    return agent.returns("It does not say.")


def no_request() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.is_given("error: not implemented")
    agent.says("The tool is broken.")
    return agent.returns("The tool is broken.")


def no_tools() -> StepEvidence:
    agent = Agent(tools=())
    agent.says("It was never said which.")
    return agent.returns("It was never said which.")


def no_call() -> StepEvidence:
    agent = Agent()
    agent.messages = [{"role": "user", "content": "Which release is current?"}]
    agent.says("Perhaps the newest.")
    return agent.returns("Perhaps the newest.")


def address_not_asked_for() -> StepEvidence:
    agent = Agent()
    agent.calls("search", query="release")
    agent.wire.search(VENDOR, query="release")
    agent.is_given(f"1. {VENDOR}: A snippet")
    agent.says("The snippet does not say.")
    return agent.returns("The snippet does not say.")


def result_filtered() -> StepEvidence:
    agent = Agent(messages=[{"role": "user", "content": "Which release is current?"}])
    agent.calls("search", query="release")
    agent.wire.search(MIRROR, VENDOR, query="release")
    agent.is_given(f"1. {MIRROR}")
    agent.says("No page of the vendor was found.")
    return replace(agent.returns("No page of the vendor was found."), start_urls=())


def other_words() -> StepEvidence:
    agent = Agent(messages=[{"role": "user", "content": "Which release is current?"}])
    agent.calls("search", query="current release of the product")
    agent.wire.search(MIRROR, query="weather in May")
    agent.is_given(f"1. {MIRROR}")
    agent.says("Nothing fits.")
    return replace(agent.returns("Nothing fits."), start_urls=())


def nothing_found() -> StepEvidence:
    agent = Agent(messages=[{"role": "user", "content": "Which release is current?"}])
    agent.calls("search", query="current release")
    agent.wire.search(MIRROR, query="current release")
    agent.is_given(f"1. {MIRROR}")
    agent.says("Nothing fits.")
    return replace(agent.returns("Nothing fits."), start_urls=())


def did_not_answer() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, b"Unavailable", 503)
    agent.is_given("error 503")
    agent.says("The page cannot be had now.")
    return agent.returns("The page cannot be had now.")


def asked_again_too_early() -> StepEvidence:
    agent = Agent()
    for _ in range(2):
        agent.calls()
        agent.wire.get(VENDOR, b"Too many", 429, headers={"retry-after": "5"})
        agent.is_given("error 429")
    agent.says("The page cannot be had now.")
    return agent.returns("The page cannot be had now.")


def not_told_to_come_back() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, b"Too many", 503, headers={"retry-after": "5"})
    agent.is_given("error 503")
    agent.says("The page cannot be had now.")
    return agent.returns("The page cannot be had now.")


def told_to_come_back() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, b"Too many", 429, headers={"retry-after": "5"})
    agent.is_given("error 429, Retry-After: 5")
    agent.says("The page cannot be had now.")
    return agent.returns("The page cannot be had now.")


def without_a_session() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SIGN_IN)
    agent.is_given("Sign in. Name. Password.")
    agent.says("The page asks to sign in.")
    return agent.returns("The page asks to sign in.", step=replace(_STEP, user="alice"))


def link_left_out() -> StepEvidence:
    agent = Agent(messages=[{"role": "user", "content": f"Read the file that {START} links to"}])
    agent.calls(url=START)
    agent.wire.get(START, page(f'<p>Our <a href="{VENDOR}">release notes</a> as a file.</p>'))
    agent.is_given("Our release notes as a file.")
    agent.says("No link stands there.")
    return replace(agent.returns("No link stands there."), start_urls=(START,))


def needs_a_browser(*tools: str, channel: str = "direct-fetch", cheapest: str = "browser") -> StepEvidence:
    agent = Agent(tools=tools)
    agent.calls(tools[0])
    agent.wire.get(VENDOR, SAYS_NOT, channel=channel)
    agent.is_given("Nothing of interest is told here today.")
    agent.says("The page does not say.")
    return replace(agent.returns("The page does not say."), cheapest=cheapest)


def no_browser() -> StepEvidence:
    return needs_a_browser("fetch_page")


def browser_unused() -> StepEvidence:
    return needs_a_browser("fetch_page", "openInBrowser")


def browser_without_hands() -> StepEvidence:
    return needs_a_browser("open_in_browser", channel="browser")


def browser_with_hands() -> StepEvidence:
    return needs_a_browser("open_in_browser", "click", channel="browser")


def read_by_an_api() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(
        "https://api.tavily.com/extract",
        b'{"results": [], "failed_results": [{"error": "Failed to fetch url"}]}',
        media_type="application/json",
        method="POST",
        role="api",
        channel="extract-api",
        request_body=json.dumps({"urls": [VENDOR]}).encode(),
    )
    agent.is_given("could not read it: Failed to fetch url")
    agent.says("The page could not be read.")
    return agent.returns("The page could not be read.")


def given_as_bytes() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given(
        '[{"status": 200, "text": "%PDF-1.7\\n6 0 obj\\nstream\\nBT (Version v3.2 shipped today.) Tj ET"}]'
    )
    agent.says("That is a file that I cannot read.")
    return agent.returns("That is a file that I cannot read.")


def only_a_part_given() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, page("<p>Version v3.2 shipped today. It weighs 640 kB.</p>"))
    agent.is_given("Version v3.2 shipped today.")
    agent.says("I could not find the weight.")
    step = Step(expected_facts=(VERSION, Fact(id="weight", value="640 kB")))
    return replace(
        agent.returns("x", step=step), result=declined("not_found", "I could not find the weight.")
    )


def moved_and_not_told() -> StepEvidence:
    agent = Agent(messages=[{"role": "user", "content": f"Which release is current? Start at {START}"}])
    agent.calls(url=START)
    agent.wire.get(START, status=301, headers={"location": VENDOR})
    agent.wire.get(VENDOR, SAYS, redirected_from=START)
    agent.is_given("Version v3.2 shipped today.")
    text = f"The release is v3.2 ([notes]({START}))."
    agent.says(text)
    return replace(agent.returns(text), start_urls=(START,))


def handed_over() -> StepEvidence:
    agent = Agent(tools=("fetch_page", "final_result"))
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says("", ("final_result", {"answer": f"The release is v3.2 ({VENDOR})."}))
    return agent.returns("The release is")


def noted() -> StepEvidence:
    error = 'Traceback\n  File "a.py", line 3\nlib.errors.KeyError: results\nDuring task with name tools'
    testimony = Testimony(ending="raised", duration_s=1.0, error=error, error_type="KeyError")
    return Wire().evidence(None, testimony=testimony)


def fetched_without_a_model() -> StepEvidence:
    wire = Wire()
    wire.get(VENDOR, SAYS)
    return wire.evidence(claims.read("Something shipped today."))


def nothing_without_a_model() -> StepEvidence:
    return Wire().evidence(claims.read("Something shipped today."))


def model_on_the_real_machine() -> StepEvidence:
    wire = Wire()
    wire.get("tcp://127.0.0.1:11434", role="allowed", method="CONNECT", status=None, error_type=None)
    wire.get(VENDOR, SAYS)
    return wire.evidence(claims.read("Something shipped today."))


def model_unread() -> StepEvidence:
    agent = Agent()
    agent.says(
        "", request_body=b"", url="https://generativelanguage.googleapis.com/v1/models/g:generateContent"
    )
    agent.wire.get(VENDOR, SAYS)
    return agent.returns("Something shipped today.")


def citation_lost() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says(RIGHT)
    return agent.returns("The release is v3.2.")


def citation_added() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says("The release is v3.2.")
    return agent.returns(f"The release is v3.2 ([source]({MIRROR})).")


def citation_forgotten() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given(f"{VENDOR}\nVersion v3.2 shipped today.")
    agent.says("The release is v3.2.")
    return agent.returns("The release is v3.2.")


def address_withheld() -> StepEvidence:
    agent = Agent(messages=[{"role": "user", "content": "Which release is current?"}])
    agent.calls("lookup", subject="release")
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says("The release is v3.2.")
    return agent.returns("The release is v3.2.")


def made_up() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    text = "The release is v3.2 ([source](https://vendor.example/blog/invented))."
    agent.says(text)
    return agent.returns(text)


def took_the_mirror() -> StepEvidence:
    agent = Agent()
    agent.calls("search", query="release")
    agent.wire.search(VENDOR, MIRROR, query="release")
    agent.is_given(f"1. {VENDOR}\n2. {MIRROR}")
    agent.calls(url=MIRROR)
    agent.wire.get(MIRROR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    text = f"The release is v3.2 ([source]({MIRROR}))."
    agent.says(text)
    return agent.returns(text)


def only_the_mirror() -> StepEvidence:
    agent = Agent(messages=[{"role": "user", "content": "Which release is current?"}])
    agent.calls("search", query="release")
    agent.wire.search(MIRROR, query="release")
    agent.is_given(f"1. {MIRROR}")
    agent.calls(url=MIRROR)
    agent.wire.get(MIRROR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    text = f"The release is v3.2 ([source]({MIRROR}))."
    agent.says(text)
    return replace(agent.returns(text), start_urls=())


def from_memory() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS_NOT)
    agent.is_given("Nothing of interest is told here today.")
    agent.says(RIGHT)
    return agent.returns(RIGHT)


def from_the_snippet() -> StepEvidence:
    agent = Agent()
    agent.calls("search", query="release")
    agent.wire.search(VENDOR, query="release", snippet="v3.2 is out")
    agent.is_given(f"1. {VENDOR}: v3.2 is out")
    agent.says(RIGHT)
    return agent.returns(RIGHT)


def another_notation() -> StepEvidence:
    wire = Wire()
    wire.get(VENDOR, page("<p>It costs 1234567 EUR.</p>"))
    fact = Fact(id="price", value="1234567", match="number")
    return wire.evidence(claims.read("It costs 12-34567 EUR or 12.34567."), step=Step(expected_facts=(fact,)))


def raised() -> StepEvidence:
    testimony = Testimony(
        ending="raised",
        duration_s=1.0,
        error='  File "agent.py", line 3\nKeyError: results',
        error_type="KeyError",
    )
    return Wire().evidence(None, testimony=testimony)


def no_model_answered() -> StepEvidence:
    agent = Agent()
    agent.says("", status=503, error_type="503")
    testimony = Testimony(ending="raised", duration_s=1.0, error="InternalServerError", error_type="E")
    return agent.returns(None, testimony=testimony)


def slow_model() -> StepEvidence:
    agent = Agent()
    agent.says("", duration_s=25.0)
    return agent.returns(None, testimony=Testimony(ending="timeout", duration_s=30.0))


def slow_page() -> StepEvidence:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, duration_s=28.0, status=None, error_type="unanswered")
    return agent.returns(None, testimony=Testimony(ending="timeout", duration_s=30.0))


def silent() -> StepEvidence:
    agent = Agent()
    agent.calls()
    return agent.returns(None, testimony=Testimony(ending="timeout", duration_s=30.0))


def sent_out_by_the_model() -> StepEvidence:
    agent = Agent()
    agent.calls(url="https://outside.test/collect")
    evidence = agent.returns(RIGHT)
    return _with_egress(evidence, "outside.test")


def sent_out_by_code() -> StepEvidence:
    agent = Agent()
    agent.calls()
    return _with_egress(agent.returns(RIGHT), "telemetry.test")


def _with_egress(evidence: StepEvidence, host: str) -> StepEvidence:
    left = Egress(step=0, started_s=0.1, protocol="dns", address=host, port=53)
    return replace(evidence, trace=replace(evidence.trace, egress=(left,)))


_STEP = Step(expected_facts=(VERSION,))
_WITH_WRONG = Step(expected_facts=(VERSION,), wrong_values=(Fact(id="release-version:old", value="v3.1"),))

Build = Callable[[], StepEvidence]
ROWS: tuple[tuple[Build, str, str, str, str], ...] = (
    (truncated, "unfounded_refusal", CODE, "and what the model was given of it does not", "cut before it"),
    (wrong_charset, "no_answer", CODE, "what the model was given of it does not", "in a wrong charset"),
    (not_asked_again, "no_answer", CODE, "fetched after the model's last turn", "was the last turn"),
    (given_and_not_said, "no_answer", MODEL, "and it did not say it", "result of fetch_page) “Version v3.2"),
    (given_in_the_prompt, "no_answer", MODEL, "stood in what the model was given", "(message) “…"),
    (given_and_declined, "unfounded_refusal", MODEL, "and it declined", "Version v3.2"),
    (said_another, "contradicted", MODEL, "and it said another value", "Version v3.2"),
    (
        put_in_by_code,
        "contradicted",
        CODE,
        "the answer says v3.1, and the model's last text does not",
        "v3.1",
    ),
    (
        dropped,
        "no_answer",
        CODE,
        "the model said release-version, and the answer",
        "returned: “The release is”",
    ),
    (
        other_page,
        "unfounded_refusal",
        CODE,
        "the wire shows no request for it",
        "it shows GET https://vendor.example/about (#2)",
    ),
    (no_request, "no_answer", CODE, "the wire shows no request for it", "it shows no request"),
    (no_tools, "no_answer", CODE, "the model was offered no tool", "#1 offers none"),
    (no_call, "no_answer", MODEL, "answered without asking for anything", "was offered search, fetch_page"),
    (address_not_asked_for, "no_answer", MODEL, "did not ask for it", VENDOR),
    (
        result_filtered,
        "unfounded_refusal",
        CODE,
        "its address was not given to the model",
        f"#2 names {VENDOR}",
    ),
    (other_words, "no_answer", CODE, "has not the words of the model", "weather in May"),
    (nothing_found, "no_answer", UNKNOWN, "its words, or the world", "current release"),
    (did_not_answer, "no_answer", UNKNOWN, "neither code nor model asked again", "503"),
    (asked_again_too_early, "no_answer", CODE, "was asked again after 0.10 s", "#4 asks again"),
    (
        not_told_to_come_back,
        "no_answer",
        CODE,
        "(Retry-After: 5), and it was not asked again",
        "not told of it",
    ),
    (told_to_come_back, "no_answer", UNKNOWN, "it was not asked again", "the model was told of it"),
    (without_a_session, "no_answer", CODE, "no request for it carried a session of alice", "no cookie"),
    (link_left_out, "no_answer", CODE, "links to an allowed source, and the model was not given", VENDOR),
    (no_browser, "unfounded_refusal", CODE, "in a browser only, and none opened it", "offered fetch_page"),
    (browser_unused, "unfounded_refusal", MODEL, "in a browser only, and none opened it", "openInBrowser"),
    (browser_without_hands, "unfounded_refusal", CODE, "no tool of the model's presses or scrolls", "#2"),
    (browser_with_hands, "unfounded_refusal", UNKNOWN, "does not show", ""),
    (read_by_an_api, "unfounded_refusal", CODE, "its own server was not asked why", f"for {VENDOR}"),
    (
        given_as_bytes,
        "unfounded_refusal",
        CODE,
        "what the model was given of it does not",
        "result of fetch_page",
    ),
    (only_a_part_given, "unfounded_refusal", CODE, "the page that was fetched says weight", "640 kB"),
    (fetched_without_a_model, "no_answer", CODE, "it fetched the page that says release-version", "#1"),
    (nothing_without_a_model, "no_answer", CODE, "no model was asked", "0 requests"),
    (model_on_the_real_machine, "no_answer", UNKNOWN, "does not show", ""),
    (model_unread, "no_answer", UNKNOWN, "cannot be read here", ""),
    (
        citation_lost,
        "unsupported",
        CODE,
        "cited a page, and the answer that was returned does not",
        "without a citation",
    ),
    (citation_added, "unsupported", CODE, "cites a page that the model's last text does not name", MIRROR),
    (citation_forgotten, "unsupported", MODEL, "given the page's address and did not cite it", VENDOR),
    (address_withheld, "unsupported", CODE, "no address of an allowed source to cite", "0 addresses"),
    (made_up, "unsupported", MODEL, "stands in nothing that it was given", "blog/invented"),
    (took_the_mirror, "unsupported", MODEL, "given an allowed source too", MIRROR),
    (only_the_mirror, "unsupported", UNKNOWN, "no allowed source was ever named to the model", MIRROR),
    (from_memory, "unsupported", MODEL, "cited a page for what it does not say", VENDOR),
    (from_the_snippet, "unsupported", MODEL, "cited a page that was never fetched", VENDOR),
    (moved_and_not_told, "unsupported", CODE, "was not told the new address", f"{START} leads to {VENDOR}"),
    (
        handed_over,
        "no_answer",
        CODE,
        "the model said release-version, and the answer",
        "returned: “The release is”",
    ),
    (noted, "system_failure", CODE, "it raised KeyError", "lib.errors.KeyError: results"),
    (raised, "system_failure", CODE, "it raised KeyError", "KeyError: results"),
    (no_model_answered, "system_failure", WORLD, "no model answered (503)", "#1 POST"),
    (slow_model, "timeout", MODEL, "the model took 25.0 s of 30.0 s", "#1"),
    (slow_page, "timeout", CODE, "without a limit of its own", "28.0 s"),
    (silent, "timeout", CODE, "nothing was on the wire for the last 29.9 s", "1 requests"),
    (sent_out_by_the_model, "policy_violation", MODEL, "the model asked for it", "outside.test/collect"),
    (
        sent_out_by_code,
        "policy_violation",
        CODE,
        "no call of the model names where it went",
        "telemetry.test",
    ),
    (another_notation, "no_answer", GRADER, "in another notation", "expected 1234567"),
)


def home_of(evidence: StepEvidence, **changes: Any) -> tuple[str, Home | None]:
    asked = truth(steps=(evidence.step,), **changes)
    judgement = judge_run(asked, [evidence], None)
    return judgement.label, find_home(asked, [evidence], judgement, None)


@pytest.mark.parametrize(
    ("build", "label", "where", "why", "shows"), ROWS, ids=[row[0].__name__ for row in ROWS]
)
def test_a_fault_is_at_home_where_the_evidence_shows_it(
    build: Build, label: str, where: str, why: str, shows: str
) -> None:
    found, home = home_of(build())
    assert found == label
    assert home is not None
    assert home.where == where, home
    assert why in home.why
    assert shows in "\n".join(home.evidence)


def test_what_passes_has_no_fault() -> None:
    agent = Agent()
    agent.calls()
    agent.wire.get(VENDOR, SAYS)
    agent.is_given("Version v3.2 shipped today.")
    agent.says(RIGHT)
    assert home_of(agent.returns(RIGHT)) == ("success", None)


@pytest.mark.parametrize(("where", "home"), [("world", WORLD), ("slot", WORLD), ("grader", GRADER)])
def test_what_failed_on_our_side_is_ours(where: str, home: str) -> None:
    evidence = fetched_without_a_model()
    trouble = Trouble(where=where, message="it broke")
    asked = truth()
    found = find_home(asked, [evidence], judge_run(asked, [evidence], trouble), trouble)
    assert found == Home(where=home, why=f"the {where} failed, not the system", evidence=("it broke",))


def test_each_label_that_fails_has_its_rules() -> None:
    assert set(RULES) == set(LABELS) - set(PASSING) - {"infra_error", "probe_invalid"}


def test_nobody_is_blamed_without_evidence() -> None:
    for build, _, where, _, _ in ROWS:
        _, home = home_of(build())
        assert home is not None
        assert home.evidence or where == UNKNOWN, build.__name__
