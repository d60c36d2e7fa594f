from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from clauses import CLAUSES
from grade_build import BEGAN, VENDOR, VERSION, Wire, answered, claim, declined, page, truth
from hypothesis import given
from hypothesis import strategies as st

from pytest_webretrieval.cases.truth import Budget, Fact, Step
from pytest_webretrieval.grade.evidence import Trouble
from pytest_webretrieval.grade.judge import Judgement, grade, judge_run
from pytest_webretrieval.systems import contract
from pytest_webretrieval.systems.contract import RetrievalResult
from pytest_webretrieval.wire.attempt import Egress

MIRROR = "https://mirror.example/vendor/v3"
OLD = Fact(id="stale-version", value="v3.1")
OTHER = Fact(id="updated", value="2026-05-07", match="date")
DATE = Fact(id="released", value="2026-08-21", match="date")
TEXT = (
    "<p>The current release is v3.2, out on 21 August 2026 for 19.90 EUR. It was last updated on 7 May 2026, "
    "needs 512 MB and replaces v3.1.</p>"
)


def run(
    answer: str | RetrievalResult, step: Step | None = None, wire: Wire | None = None, **changes: Any
) -> Judgement:
    """One step in which a search named the vendor's page and it was fetched."""
    if wire is None:
        wire = Wire()
        wire.search(VENDOR, MIRROR, snippet="v3.2 is out")
        wire.get(VENDOR, page(TEXT, "Release notes"))
    result = answered(answer) if isinstance(answer, str) else answer
    step = step or Step(expected_facts=(VERSION,), wrong_values=(OLD,))
    evidence = wire.evidence(result, step=step, **changes)
    return judge_run(truth(steps=(step,)), [evidence], None)


GOOD = f"The current release is v3.2 ([notes]({VENDOR}))."


@pytest.mark.parametrize(
    "answer",
    [
        GOOD,
        f"The current release is v3.2 ({VENDOR}).",
        f"v3.2\n\nSource: {VENDOR}",
        f"v3.2\n\nSources:\n- {VENDOR}",
        f"The current release is v3.2 ({VENDOR}?utm_source=openai).",
        f"The current release is v3.2 ({VENDOR}#top).",
        f"The current release is v3.2, not v3.1, which is last month's ({VENDOR}).",
        f"v3.2 has replaced the older v3.1 ({VENDOR}).",
        f"Die aktuelle Version ist v3.2, nicht v3.1 ({VENDOR}).",
        f"目前的版本是v3.2，而不是v3.1（{VENDOR} ）。",
        f"La versión actual es v3.2 ({VENDOR}).",
        f"As of this writing one ought to get **v3.2** ([the vendor]({VENDOR})), as its own pages tell.",
        f"The current release is v3.2 ({VENDOR}). It needs 512 MB ({VENDOR}). It costs 19.90 EUR.",
    ],
)
def test_right_answers_of_many_styles(answer: str) -> None:
    judgement = run(answer)
    assert (judgement.label, judgement.tags, judgement.reason) == ("success", (), "")


@pytest.mark.parametrize(
    ("answer", "label", "tag", "reason"),
    [
        (f"It is v3.1 ({VENDOR}).", "contradicted", "wrong-value", "says v3.1, a wrong value"),
        (
            f"It is v3.1 or v3.2 ({VENDOR}).",
            "contradicted",
            "wrong-value",
            "says v3.1, a wrong value beside v3.2",
        ),
        (
            f"It is not v3.2 ({VENDOR}).",
            "no_answer",
            "negated-fact",
            "required fact release-version is denied",
        ),
        (
            f"Nice product ({VENDOR}).",
            "no_answer",
            "missing-fact",
            "required fact release-version is missing",
        ),
        ("", "no_answer", "missing-fact", "required fact release-version is missing"),
        (
            "It is v3.2.",
            "unsupported",
            "citation-missing",
            "says a required fact without a citation: release-version",
        ),
        (
            f"It is v3.2 ({MIRROR}).",
            "unsupported",
            "cite-search-snippet",
            f"cites a search result that it never opened: {MIRROR}",
        ),
        (
            "It is v3.2 (https://invented.test/a).",
            "unsupported",
            "citation-not-retrieved",
            "cites a page that it never fetched: https://invented.test/a",
        ),
        (
            "It is v3.2 (https://example.com/softwaredev).",
            "unsupported",
            "fabricated-citation",
            "cites a reserved example address: https://example.com/softwaredev",
        ),
        (
            GOOD + " " + "Padding with many words. " * 80,
            "unsupported",
            "answer-too-long",
            "the answer is longer than 1500 characters",
        ),
        (
            GOOD + " It has 17 modes. It came in 1987. It weighs 44 kg. It won 99 prizes.",
            "unsupported",
            "unsupported-extra",
            "more than 3 claims beside the facts that no page bears out",
        ),
    ],
)
def test_wrong_answers(answer: str, label: str, tag: str, reason: str) -> None:
    judgement = run(answer)
    assert (judgement.label, judgement.reason) == (label, reason)
    assert tag in judgement.tags


def test_an_answer_from_memory_rests_on_nothing() -> None:
    judgement = run(f"It is v3.2 ({VENDOR}).", wire=Wire())
    assert judgement.label == "unsupported"
    assert {"fact-not-fetched", "citation-not-retrieved"} <= set(judgement.tags)


def test_a_search_snippet_is_no_page() -> None:
    wire = Wire()
    wire.search(VENDOR, snippet="The release v3.2 is out")
    judgement = run(GOOD, wire=wire)
    assert judgement.label == "unsupported"
    assert "cite-search-snippet" in judgement.tags


def test_content_that_a_search_api_delivers_is_a_page() -> None:
    wire = Wire()
    found = wire.search(VENDOR)
    wire.represent(found, VENDOR, b"Release v3.2 is out", "text/plain", headers={}, status=None)
    judgement = run(GOOD, wire=wire)
    assert judgement.verdicts[0].citation.support == 1.0
    assert (judgement.label, judgement.reason) == ("ungraded", "the freshness verdict is unknown")


def test_some_facts_of_several_are_partial() -> None:
    step = Step(expected_facts=(VERSION, DATE))
    judgement = run(GOOD, step)
    assert (judgement.label, judgement.reason) == ("partial", "required fact released is missing")
    assert judgement.verdicts[0].content.coverage == 0.5


def test_a_true_value_under_its_own_name_is_no_wrong_value() -> None:
    step = Step(expected_facts=(DATE,), wrong_values=(OTHER,))
    assert run(f"Released 21 August 2026, updated 7 May 2026 ({VENDOR}).", step).label == "success"
    assert run(f"Released 21 August 2026 or 7 May 2026 ({VENDOR}).", step).label == "contradicted"
    assert run(f"Updated 7 May 2026 ({VENDOR}).", step).label == "contradicted"


def test_an_ambiguous_date_is_never_a_pass() -> None:
    fact = Fact(id="released", value="2026-09-05", match="date")
    wire = Wire()
    wire.get(VENDOR, page("<p>Out on 5 September 2026</p>"))
    judgement = run(f"Released 05/09/2026 ({VENDOR}).", Step(expected_facts=(fact,)), wire)
    assert judgement.label == "ungraded"
    assert "ambiguous-value" in judgement.tags


def test_a_mirror_may_say_so_and_is_still_no_source() -> None:
    wire = Wire()
    wire.search(VENDOR, MIRROR)
    wire.get(MIRROR, page(TEXT))
    own = truth(known_copies=("https://mirror.example/vendor/*",))
    judgement = judge_run(own, [wire.evidence(answered(f"It is v3.2 ({MIRROR})."))], None)
    assert (judgement.label, judgement.reason) == (
        "unsupported",
        f"cites a mirror, not an allowed source: {MIRROR}",
    )
    finding = judgement.verdicts[0].citation.findings[0]
    assert (finding.support, finding.provenance) == ("full", "known-copy")
    funnel = judgement.verdicts[0].funnel
    assert (funnel.served, funnel.fetched, funnel.cited, funnel.said) == (2, 1, 1, 1)


def test_a_copy_that_names_its_origin_does_not_become_it() -> None:
    wire = Wire()
    wire.search(VENDOR, MIRROR)
    wire.get(MIRROR, page(TEXT, head=f"<link rel=canonical href='{VENDOR}'>"))
    assert "citation-not-retrieved" in run(GOOD, wire=wire).tags


def test_the_canonical_address_of_a_fetched_page_may_be_cited() -> None:
    wire = Wire()
    wire.get("https://vendor.example/amp/v4f1c", page(TEXT, head=f"<link rel=canonical href='{VENDOR}'>"))
    assert run(GOOD, wire=wire).label == "success"


def _redirected() -> Wire:
    wire = Wire()
    old = "https://vendor.example/releases/old"
    wire.get(old, status=301, headers={"location": VENDOR}, error_type=None)
    wire.get(VENDOR, page(TEXT), redirected_from=old)
    return wire


def test_a_redirect_makes_two_addresses_one_document() -> None:
    assert run(GOOD, wire=_redirected()).label == "success"
    assert run("It is v3.2 (https://vendor.example/releases/old).", wire=_redirected()).label == "success"


def test_an_allow_list_compares_by_identity_only() -> None:
    own = truth(allowed_sources=(VENDOR,))
    old = "https://vendor.example/releases/old"
    judgement = judge_run(own, [_redirected().evidence(answered(f"It is v3.2 ({old})."))], None)
    assert (judgement.label, judgement.reason) == (
        "unsupported",
        f"cites what is not an allowed source: {old}",
    )


def test_pages_that_redirect_to_each_other_end() -> None:
    wire = Wire()
    twin = "https://vendor.example/amp/v4f1c"
    wire.get(VENDOR, status=302, headers={"location": twin}, error_type=None)
    wire.get(twin, page(TEXT, head=f"<link rel=canonical href='{VENDOR}'>"), redirected_from=VENDOR)
    assert run(GOOD, wire=wire).label == "success"


def test_an_official_page_that_does_not_say_so() -> None:
    wire = Wire()
    home = "https://vendor.example/releases/home"
    wire.get(VENDOR, page(TEXT))
    wire.get(home, page("<p>Welcome</p>"))
    judgement = run(f"It is v3.2 ({home}).", wire=wire)
    assert (judgement.label, judgement.reason) == (
        "unsupported",
        f"cites a page that does not say so: {home}",
    )


def test_a_page_without_text_supports_nothing() -> None:
    wire = Wire()
    empty = "https://vendor.example/releases/empty"
    wire.get(VENDOR, page(TEXT))
    wire.get(empty, b"<html><body></body></html>")
    judgement = run(f"It is v3.2 ({empty}).", wire=wire)
    assert judgement.label == "unsupported"
    assert "empty-source" in judgement.tags
    assert judgement.verdicts[0].citation.support == 0.0


def test_a_page_that_denies_the_fact_contradicts() -> None:
    wire = Wire()
    other = "https://vendor.example/releases/faq"
    wire.get(VENDOR, page(TEXT))
    wire.get(other, page("<p>It is not v3.2 yet.</p>"))
    judgement = run(f"It is v3.2 ({other}).", wire=wire)
    assert judgement.verdicts[0].citation.findings[0].support == "contradicted"
    assert judgement.label == "unsupported"


def test_what_a_page_fetched_for_itself_belongs_to_it() -> None:
    """The browser's page gets its text by a request of its own: the page is what may be cited."""
    wire = Wire()
    wire.get(VENDOR, page("<div id=root></div>"), channel="browser")
    wire.get(
        "https://vendor.example/api/latest",
        b'{"version": "v3.2"}',
        media_type="application/json",
        channel="browser",
        role="subresource",
        referrer=VENDOR,
    )
    assert run(GOOD, wire=wire, cheapest="browser").label == "success"


def test_a_page_that_was_reached_from_another_is_no_part_of_it() -> None:
    wire = Wire()
    listing = "https://vendor.example/releases/list"
    wire.get(listing, page(f"<a href='{VENDOR}'>latest</a>"), channel="browser")
    wire.get(VENDOR, page(TEXT), channel="browser", referrer=listing)
    judgement = run(f"It is v3.2 ({listing}).", wire=wire, cheapest="browser")
    assert "citation-mismatch" in judgement.tags


def test_two_sources_of_one_house_are_one() -> None:
    wire = Wire()
    second = "https://docs.vendor.example/releases/v4f1c"
    third = "https://regulator.example/reports/a"
    for url in (VENDOR, second, third):
        wire.get(url, page(TEXT))
    allowed = ("https://vendor.example/releases/*", "https://docs.vendor.example/releases/*", third)
    own = truth(min_sources=2, allowed_sources=allowed)
    one = judge_run(own, [wire.evidence(answered(f"It is v3.2 ({VENDOR} and {second})."))], None)
    two = judge_run(own, [wire.evidence(answered(f"It is v3.2 ({VENDOR} and {third})."))], None)
    assert (one.label, one.reason) == ("unsupported", "rests on 1 independent sources of 2")
    assert two.label == "success"


def test_a_claim_may_rest_on_several_pages_together() -> None:
    wire = Wire()
    second = "https://vendor.example/releases/date"
    wire.get(VENDOR, page("<p>v3.2 is current</p>"))
    wire.get(second, page("<p>Out on 21 August 2026</p>"))
    step = Step(expected_facts=(VERSION, DATE))
    judgement = run(f"v3.2 came on 21 August 2026 ({VENDOR}, {second}).", step, wire)
    assert judgement.label == "success"
    assert {finding.support for finding in judgement.verdicts[0].citation.findings} == {"partial"}


def test_a_version_inside_an_address_is_no_statement() -> None:
    wire = Wire()
    url = "https://vendor.example/releases/v3.1"
    wire.get(url, page(TEXT))
    assert run(f"It is v3.2 ({url}).", wire=wire).label == "success"


def test_data_that_a_plain_client_reads_for_a_page_is_a_part_of_it() -> None:
    wire = Wire()
    wire.get(VENDOR, page("<div id='app'></div>"))
    data = "https://vendor.example/data/v3"
    wire.get(data, b'{"version": "v3.2"}', media_type="application/json", referrer=VENDOR)
    assert run(GOOD, wire=wire).label == "success"
    unled = Wire()
    unled.get(VENDOR, page("<div id='app'></div>"))
    unled.get(data, b'{"version": "v3.2"}', media_type="application/json")
    assert run(GOOD, wire=unled).label == "unsupported"


def test_data_that_a_browser_opens_as_a_page_is_a_page_of_its_own() -> None:
    wire = Wire()
    wire.get(VENDOR, page("<a href='/data/v3'>data</a>"), channel="browser")
    data = "https://vendor.example/data/v3"
    wire.get(data, b'{"version": "v3.2"}', media_type="application/json", referrer=VENDOR, channel="browser")
    assert run(GOOD, wire=wire).label == "unsupported"


def test_a_body_that_was_cut_proves_nothing() -> None:
    wire = Wire()
    wire.get(VENDOR, page(TEXT), error_type="incomplete_body")
    judgement = run(GOOD, wire=wire)
    assert judgement.label == "unsupported"
    assert "truncated-body" in judgement.tags


def test_a_body_that_came_whole_the_second_time_was_not_cut() -> None:
    wire = Wire()
    wire.get(VENDOR, page(TEXT), error_type="incomplete_body")
    wire.get(VENDOR, page(TEXT))
    judgement = run(GOOD, wire=wire)
    assert (judgement.label, judgement.tags) == ("success", ())


def test_a_damaged_page_is_a_cause_only_where_a_fact_is_lost() -> None:
    wire = Wire()
    wire.get("https://vendor.example/releases/old", page("<p>v3.2 von Zo#</p>").replace(b"#", b"\xeb"))
    wire.get(VENDOR, page(TEXT))
    right = run(GOOD, wire=wire)
    assert (right.label, right.tags) == ("success", ())
    assert run(f"It says nothing of that ({VENDOR}).", wire=wire).tags == ("missing-fact", "mojibake")


def test_an_address_can_be_the_fact() -> None:
    fact = Fact(id="replacement", value=VENDOR, match="url")
    step = Step(expected_facts=(fact,))
    assert run(f"It moved to {VENDOR}.", step).label == "success"
    assert run("It moved to https://vendor.example/releases/other.", step).label == "no_answer"


def test_refusing_what_could_be_answered() -> None:
    judgement = run(declined("no_result"))
    assert (judgement.label, judgement.reason) == ("unfounded_refusal", "declined what could be answered")


def test_answering_what_had_to_be_declined() -> None:
    own = truth(refusal_reasons=("no_result",), steps=(Step(),))
    judgement = judge_run(own, [Wire().evidence(answered("RFC 99999 is about rain."), step=Step())], None)
    assert (judgement.label, judgement.tags) == ("unsafe_answer", ("answered-refusable",))


@pytest.mark.parametrize(
    ("ending", "label", "tag"),
    [
        ("timeout", "timeout", "deadline"),
        ("raised", "system_failure", "raised"),
        ("died", "system_failure", "died"),
        ("not-asked", "system_failure", None),
    ],
)
def test_ends_without_an_answer(ending: str, label: str, tag: str | None) -> None:
    testimony = contract.Testimony(
        ending=ending, duration_s=30.0, error="a long message", error_type="KeyError"
    )
    judgement = judge_run(truth(), [Wire().evidence(None, testimony=testimony)], None)
    assert judgement.label == label
    assert judgement.tags == ((tag,) if tag else ())
    assert "a long message" not in judgement.reason


def test_a_result_that_breaks_the_contract() -> None:
    judgement = judge_run(truth(), [Wire().evidence(None, invalid="/claims/0/end: outside the answer")], None)
    assert (judgement.label, judgement.tags) == ("system_failure", ("invalid-result",))
    assert "/claims/0/end" in judgement.reason


def test_trouble_says_nothing_about_the_system() -> None:
    wire = Wire()
    infra = judge_run(truth(), [wire.evidence(answered(GOOD))], Trouble(where="slot", message="gone"))
    probe = judge_run(
        truth(), [wire.evidence(answered(GOOD))], Trouble(where="target", message="404", kind="probe")
    )
    assert (infra.label, infra.reason) == ("infra_error", "slot: gone")
    assert probe.label == "probe_invalid"


def test_an_act_upon_others_is_masked_by_nothing() -> None:
    wire = Wire(egress=[Egress(step=0, started_s=0.1, protocol="tcp", address="203.0.113.9", port=443)])
    wire.get(VENDOR, page(TEXT))
    judgement = run(GOOD, wire=wire)
    assert (judgement.label, judgement.tags) == ("policy_violation", ("egress",))
    assert "203.0.113.9:443" in judgement.reason
    allowed = judge_run(truth(forbidden_actions=()), [wire.evidence(answered(GOOD))], None)
    assert (allowed.label, allowed.tags) == ("success", ("egress",))


def test_a_run_is_as_good_as_its_worst_step() -> None:
    wire = Wire()
    wire.get(VENDOR, page(TEXT))
    first = wire.evidence(answered(GOOD))
    wire.step = 1
    wire.get(VENDOR, page(TEXT))
    second = wire.evidence(answered("I like it."))
    own = truth(steps=(first.step, second.step), max_budget=Budget(requests=1))
    judgement = judge_run(own, [first, second], None)
    assert judgement.step_labels == ("success", "no_answer")
    assert judgement.label == "no_answer"
    assert judgement.efficiency.requests == 2
    assert judgement.efficiency.over == ("requests",)
    assert "over-requests" in judgement.tags


def test_grounds_lead_to_the_evidence() -> None:
    judgement = run(GOOD)
    fact = judgement.verdicts[0].content.facts[0]
    assert fact.ground.span is not None
    assert GOOD[slice(*fact.ground.span)] == "v3.2"
    finding = judgement.verdicts[0].citation.findings[0]
    assert finding.ground.sha256 == fact.ground.sha256
    assert finding.ground.url == VENDOR
    assert judgement.verdicts[0].outcome.ground is not None


def test_claims_without_their_own_offsets_are_found_by_the_nearest_source() -> None:
    text = f"The current release is v3.2.\n\nRead on at {VENDOR}"
    result = RetrievalResult(status="answered", answer=text, claims=(claim(text, VENDOR, VENDOR),))
    assert run(result).label == "success"


def test_grading_one_step_alone_gives_the_same_verdicts() -> None:
    wire = Wire()
    wire.get(VENDOR, page(TEXT))
    evidence = wire.evidence(answered(GOOD))
    assert grade(truth(), evidence) == judge_run(truth(), [evidence], None).verdicts[0]


WRITERS: list[Callable[[str], str]] = [
    lambda value: f"The current release is {value} ({VENDOR}).",
    lambda value: f"{value}\n\nSource: {VENDOR}",
    lambda value: f"目前的版本是{value}（{VENDOR} ）。",
]
FILLERS = ["", " I hope this helps.", " 希望有幫助。", " Ask me if anything is unclear.", "\n\nBest wishes"]


@given(st.sampled_from(WRITERS), st.sampled_from(FILLERS) | CLAUSES)
def test_a_clause_without_facts_never_changes_the_verdict(write: Callable[[str], str], filler: str) -> None:
    for value, label in (("v3.2", "success"), ("v3.1", "contradicted"), ("v9.9", "no_answer")):
        assert run(write(value) + filler).label == label


@given(st.sampled_from(WRITERS), st.integers(0, 9), st.integers(0, 9))
def test_a_changed_digit_always_does(write: Callable[[str], str], major: int, minor: int) -> None:
    label = run(write(f"v{major}.{minor}")).label
    assert (label == "success") == ((major, minor) == (3, 2))


def test_judging_a_simple_case_is_cheap() -> None:
    wire = Wire()
    wire.search(VENDOR)
    wire.get(VENDOR, page(TEXT + "<p>Words about other things.</p>" * 60))
    evidence = wire.evidence(answered(GOOD))
    own = truth()
    judge_run(own, [evidence], None)
    best = min(_seconds(lambda: judge_run(own, [evidence], None)) for _ in range(30))
    assert best < 0.005


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def test_the_clock_of_the_evidence_is_the_only_one() -> None:
    wire = Wire()
    wire.get(VENDOR, page(TEXT))
    late = wire.evidence(answered(GOOD), answered_s=90000.0)
    assert judge_run(truth(), [late], None).label == "stale"
    early = wire.evidence(answered(GOOD), began_at=BEGAN)
    assert judge_run(truth(), [early], None).label == "success"
