"""The corpus of faults: what it crosses, what each of its cases has, and that no system is told."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

import pytest

from fixture_server.declarations import Serve
from fixture_server.marks import Template
from fixture_server.respond import plain_answer
from fixture_server.sites import Page, Sites
from fixture_server.stage import Stage
from fixture_server.text import read_html
from pytest_webretrieval.cases.case import STRATA, Case
from pytest_webretrieval.cases.data import find_corpus, find_truth, own_data
from pytest_webretrieval.cases.draw import draw_values, show
from pytest_webretrieval.cases.load import load_corpus, load_truths
from pytest_webretrieval.cases.lock import check_corpus_lock, read_truth_lock, truth_lock_path
from pytest_webretrieval.cases.tokens import stands_in
from pytest_webretrieval.cases.truth import Fact, Truth

StageAt = Callable[..., Stage]
NAME = "web-retrieval-faults-v1"
CORPUS = load_corpus(find_corpus(NAME, [own_data()]))
TRUTHS = load_truths(find_truth(NAME, CORPUS.path, [own_data()]))
CASES = {case.id: case for case in CORPUS.cases}
SEEDS = (0, 3, 11)
# What a system sees must not say what is wrong with it.
TELLING = re.compile(
    r"fault|reset|timeout|truncat|gzip|charset|encod|mojibake|loop|redirect|soft-?404|stale|etag|retry|429|503|"
    r"empty|broken|slice|slow|trap|decoy|mirror|canary|hidden|challenge|expired|cache",
    re.I,
)
REFRESH = re.compile(r'http-equiv="refresh" content="0; url=(fixture://[^"]+)"')


def pages_of(case: Case, sites: Sites) -> list[Page]:
    return [sites.pages[address] for address in sites.scenes[case.scene].pages]


def answers(page: Page) -> Iterator[Serve]:
    """Every answer that a page has, in any variant and state."""
    for states in page.variants:
        for serve in states.values():
            yield from serve.parts


def bodies(page: Page) -> Iterator[str]:
    """The files of a page as they are written."""
    for path in page.files.values():
        yield path.read_text(encoding="utf-8", errors="replace")


def starts(case: Case, sites: Sites) -> list[Page]:
    return [sites.pages[address] for address in sites.scenes[case.scene].start_urls]


def goes_round(page: Page, sites: Sites, target: Callable[[Page], str | None]) -> set[str]:
    """The addresses of a circle that a page is part of; none where its way ends."""
    passed = [page.address]
    while (following := target(sites.pages[passed[-1]])) in sites.pages:
        if following == page.address:
            return set(passed)
        if following in passed:
            return set()
        passed.append(following)
    return set()


def location(page: Page) -> str | None:
    found = next((serve.location for serve in answers(page) if serve.location is not None), None)
    return None if found is None else "".join(getattr(piece, "url", piece) for piece in found.pieces)


def refresh(page: Page) -> str | None:
    found = next((match for body in bodies(page) if (match := REFRESH.search(body))), None)
    return None if found is None else found[1]


def host(address: str) -> str:
    return address.split("/")[2]


def states_of(case: Case, sites: Sites, status: int) -> bool:
    return any(serve.status == status for page in pages_of(case, sites) for serve in answers(page))


def is_blank(page: Page) -> bool:
    own = list(bodies(page))
    return bool(own) and all(not read_html(body).text.strip() for body in own)


def says(case: Case, sites: Sites, words: str) -> bool:
    return any(re.search(words, body) for page in pages_of(case, sites) for body in bodies(page))


# The content faults that the specification of the corpora names, by what a scene must have to hold one.
CONTENT: Mapping[str, Callable[[Case, Truth, Sites], bool]] = {
    "empty 200": lambda case, truth, sites: any(map(is_blank, starts(case, sites))),
    "soft 404": lambda case, truth, sites: "soft_404" in truth.refusal_reasons,
    "login form": lambda case, truth, sites: any(
        'type="password"' in body for page in starts(case, sites) for body in bodies(page)
    ),
    "challenge": lambda case, truth, sites: "challenge" in truth.refusal_reasons,
    "redirect loop": lambda case, truth, sites: (
        len({host(one) for page in starts(case, sites) for one in goes_round(page, sites, location)}) == 2
    ),
    "cross-origin redirect": lambda case, truth, sites: any(
        (to := location(page)) is not None
        and host(to) != host(page.address)
        and not states_of(case, sites, 404)
        for page in pages_of(case, sites)
    ),
    "stale ETag": lambda case, truth, sites: any(step.must_validate for step in truth.steps),
    "401": lambda case, truth, sites: states_of(case, sites, 401),
    "403": lambda case, truth, sites: (
        states_of(case, sites, 403) and "challenge" not in truth.refusal_reasons
    ),
    "404": lambda case, truth, sites: states_of(case, sites, 404),
    "429 with Retry-After": lambda case, truth, sites: any(
        serve.status == 429 and "retry-after" in dict(serve.headers)
        for page in pages_of(case, sites)
        for serve in answers(page)
    ),
    "503": lambda case, truth, sites: (
        states_of(case, sites, 503) and "challenge" not in truth.refusal_reasons
    ),
    "451": lambda case, truth, sites: states_of(case, sites, 451),
    "expired session": lambda case, truth, sites: "session_expired" in truth.refusal_reasons,
    "role": lambda case, truth, sites: (
        truth.refusal_reasons == ("forbidden",) and any(step.user for step in truth.steps)
    ),
    "cache isolation": lambda case, truth, sites: len({step.user for step in truth.steps}) > 1,
    # and those beside them
    "meta refresh loop": lambda case, truth, sites: any(
        len(goes_round(page, sites, refresh)) == 2 for page in starts(case, sites)
    ),
    "body broken off": lambda case, truth, sites: any(
        serve.fault == "cut" for page in pages_of(case, sites) for serve in answers(page)
    ),
    "gzip cut short": lambda case, truth, sites: any(
        serve.packed == "gzip-short" for page in pages_of(case, sites) for serve in answers(page)
    ),
    "double encoding": lambda case, truth, sites: any(
        serve.packed == "utf-8-twice" for page in pages_of(case, sites) for serve in answers(page)
    ),
    "wrong charset": lambda case, truth, sites: any(
        "1252" in (serve.media_type or "") for page in pages_of(case, sites) for serve in answers(page)
    ),
}


def content_of(case: Case, sites: Sites) -> set[str]:
    """The content faults of a case."""
    return {name for name, holds in CONTENT.items() if holds(case, TRUTHS[case.id], sites)}


def transport_of(case: Case, sites: Sites) -> set[str]:
    """The toxics of a case, and what the pages themselves do to their connections."""
    own = {
        serve.fault for page in pages_of(case, sites) for serve in answers(page) if serve.fault is not None
    }
    return {fault.toxic for fault in case.faults} | own


def test_the_corpus_is_found_by_its_name_and_locked() -> None:
    assert len(CORPUS.cases) >= 30
    assert check_corpus_lock(CORPUS) == "locked"
    place = find_truth(NAME, CORPUS.path, [own_data()])
    assert truth_lock_path(place).is_file()
    assert set(read_truth_lock(truth_lock_path(place)).lines) == set(CASES) == set(TRUTHS)


def test_no_case_shares_its_id_with_the_first_corpus() -> None:
    other = load_corpus(find_corpus("web-retrieval-v1", [own_data()]))
    assert {case.id for case in other.cases} & set(CASES) == set()


@pytest.mark.parametrize("name", CONTENT)
def test_each_content_fault_stands_in_a_case(name: str, sites: Sites) -> None:
    assert [case.id for case in CORPUS.cases if name in content_of(case, sites)]


def test_both_kinds_of_faults_meet_in_every_stratum(sites: Sites) -> None:
    crossed = defaultdict(list)
    for case in CORPUS.cases:
        assert content_of(case, sites) | transport_of(case, sites), case.id
        if transport_of(case, sites) and content_of(case, sites):
            crossed[case.stratum].append(case.id)
    assert set(crossed) == set(STRATA)
    assert sum(map(len, crossed.values())) >= 20


def test_every_toxic_that_needs_no_kernel_is_used() -> None:
    used = {fault.toxic for case in CORPUS.cases for fault in case.faults}
    assert {"latency", "bandwidth", "timeout", "reset_peer", "slicer", "limit_data", "down"} <= used
    assert "loss" not in used


@pytest.mark.parametrize("case", CASES)
def test_every_case_has_a_budget_that_binds(case: str) -> None:
    budget = TRUTHS[case].max_budget
    assert budget.requests is not None
    assert budget.retries is not None
    assert budget.requests <= 16
    assert budget.retries <= 4
    assert None not in (budget.depth, budget.escalations, budget.bytes, budget.duration_s)


def test_waits_are_short(sites: Sites) -> None:
    for case in CORPUS.cases:
        for page in pages_of(case, sites):
            for serve in answers(page):
                assert serve.delay_s <= 1
                assert serve.hold_s <= 1
        for fault in case.faults:
            assert fault.attributes.get("latency", 0) <= 1000


@pytest.mark.parametrize("case", CASES)
def test_a_system_is_not_told(case: str, sites: Sites, stage_at: StageAt) -> None:
    stage = stage_at(5, CASES[case].scene)
    addresses = [*sites.scenes[CASES[case].scene].pages, *sites.scenes[CASES[case].scene].start_urls]
    seen = [CASES[case].query, *addresses, *(stage.edition.url(address) for address in addresses)]
    assert [text for text in seen if TELLING.search(text.removeprefix("fixture:"))] == []


def form_of(fact: Fact) -> set[str]:
    forms = {fact.value}
    for form in ("date-long", "number-en"):
        try:
            forms.add(show(fact.value, form))
        except ValueError:
            continue
    return forms


def written(case: Case, stage: Stage) -> Iterator[str]:
    """The lines of all files of a scene's pages, as this run has them."""
    for address in stage.scene.pages:
        for body in stage.edition.sites.pages[address].bodies.values():
            assert isinstance(body, Template)
            yield from stage.text(body).splitlines()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("case", CASES)
def test_every_value_stands_in_the_pages_of_its_scene(case: str, seed: int, stage_at: StageAt) -> None:
    """A wrong one, too: else it would tempt nobody."""
    stage = stage_at(seed, CASES[case].scene)
    lines = list(written(CASES[case], stage))
    for step in TRUTHS[case].steps:
        for fact in (*step.expected_facts, *step.wrong_values):
            value = stage.edition.values[f"{case}.{fact.id}"]
            drawn = Fact(id=fact.id, value=value)
            assert any(stands_in(form, line) for form in form_of(drawn) for line in lines), fact.id


@pytest.mark.parametrize("case", CASES)
def test_other_seeds_draw_other_values(case: str) -> None:
    truth = TRUTHS[case]
    if any(step.expected_facts or step.wrong_values for step in truth.steps):
        assert draw_values(truth, 7) != draw_values(truth, 0)


@pytest.mark.parametrize("case", CASES)
def test_every_address_of_truth_is_a_page_of_the_scene(case: str, sites: Sites) -> None:
    truth, pages = TRUTHS[case], set(sites.scenes[CASES[case].scene].pages)
    assert {*truth.allowed_sources, *truth.known_copies, truth.evidence_url} <= pages


@pytest.mark.parametrize("case", [case.id for case in CORPUS.cases if case.stratum != "search"])
def test_the_index_of_other_corpora_is_left_alone(case: str, sites: Sites) -> None:
    scripts = (".js", ".json")
    for page in pages_of(CASES[case], sites):
        assert page.listing is None or page.address.endswith(scripts), page.address


def test_files_are_small_and_end_with_a_line_end(sites: Sites) -> None:
    for case in CORPUS.cases:
        for page in pages_of(case, sites):
            for path in page.files.values():
                raw = path.read_bytes()
                assert len(raw) < 2500, path
                assert b"\r" not in raw, path
                assert raw.endswith(b"\n"), path


def test_every_link_of_its_pages_leads_to_a_page(sites: Sites) -> None:
    dead = [
        f"{page.address} -> {piece.url}"
        for case in CORPUS.cases
        for page in pages_of(case, sites)
        for body in page.bodies.values()
        if isinstance(body, Template)
        for piece in body.pieces
        if (url := getattr(piece, "url", None)) is not None and url not in sites.pages
    ]
    assert dead == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_body_that_breaks_off_lacks_what_was_asked_for(seed: int, stage_at: StageAt) -> None:
    """And holds what may be taken for it."""
    for case in ("FK01", "FK02", "FS05"):
        stage = stage_at(seed, CASES[case].scene)
        (address,) = (one for one in stage.scene.pages if one in TRUTHS[case].allowed_sources)
        page = stage.edition.sites.pages[address]
        body = plain_answer(page, stage.serve(page), stage).body
        broken = [fault.attributes["bytes"] for fault in CASES[case].faults]
        # An answer's head is 200 bytes and more.
        came = body[: broken[0] - 150] if broken else body[: len(body) // 2]
        step = TRUTHS[case].steps[0]
        first = [fact for fact in step.wrong_values if fact.id in ("spring", "second", "hemp")]
        last = [*step.expected_facts, *(fact for fact in step.wrong_values if fact.id == "third")]
        for fact, there in [(first[0], True), (last[0], False)]:
            value = stage.edition.values[f"{case}.{fact.id}"]
            assert (value in came.decode("utf-8", "ignore")) is there, f"{case}.{fact.id}"
