"""What the harness makes of its own look at a target, or at a provider."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_webretrieval.cases.targets import Probe
from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.grade.probing import (
    CHANGED,
    DENIED,
    DOWN,
    GONE,
    PROVIDER,
    Look,
    failed_providers,
    suspect_provider,
    suspect_target,
    was_provoked,
)
from pytest_webretrieval.wire.attempt import Attempt

URL = "https://www.alder-bay.example/ferry"
FACTS = (Fact(id="begins", value="2027-05-16", match="date"), Fact(id="pier", value="Pier 4"))
PAGE = b"<html><body><h1>Ferry</h1><p>It begins on 16 May 2027 at Pier 4.</p></body></html>"


def look(status: int | None = 200, body: bytes = PAGE, error_type: str | None = None) -> Look:
    return Look(url=URL, status=status, body=body, content_type="text/html", error_type=error_type)


def kind(look: Look, probe: Probe) -> str | None:
    found = suspect_target(look, probe, FACTS)
    return None if found is None else found.kind


def test_a_target_that_says_what_truth_says_is_sound() -> None:
    assert kind(look(), Probe(url=URL, facts=True)) is None


def test_a_fact_in_other_words_still_stands() -> None:
    other = b"<html><body><p>Begin: 2027-05-16. Pier&nbsp;4.</p></body></html>"
    assert kind(look(body=other), Probe(url=URL, facts=True)) is None


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        (look(404), GONE),
        (look(410), GONE),
        (look(None, b"", "upstream_unknown_host"), GONE),
        (look(401), DENIED),
        (look(403), DENIED),
        (look(451), DENIED),
        (look(429), DENIED),
        (Look(url=URL, disallowed=True), DENIED),
        (look(503), DOWN),
        (look(None, b"", "upstream_refused"), DOWN),
        (look(200, PAGE[:40], "incomplete_body"), DOWN),
        (look(body=b"<p>It begins on 17 May 2027 at Pier 4.</p>"), CHANGED),
        (look(304, b""), CHANGED),
    ],
)
def test_what_is_wrong_with_a_target(seen: Look, expected: str) -> None:
    assert kind(seen, Probe(url=URL, facts=True)) == expected


def test_facts_that_no_longer_stand_are_named() -> None:
    found = suspect_target(
        look(body=b"<p>It begins on 17 May 2027 at Pier 4.</p>"), Probe(url=URL, facts=True), FACTS
    )
    assert found is not None
    assert "begins `2027-05-16`" in found.message
    assert "pier" not in found.message
    assert [(one.fact, one.stands) for one in found.standing] == [("begins", False), ("pier", True)]


def test_a_status_that_is_due_is_sound_and_another_is_none() -> None:
    wall = Probe(url=URL, status=403)
    assert kind(look(403, b"no"), wall) is None
    assert kind(look(200), wall) == CHANGED
    assert kind(look(404), wall) == GONE


def test_a_marker_must_stand_there() -> None:
    assert kind(look(), Probe(url=URL, marker="begins  ON 16 May")) is None
    assert kind(look(), Probe(url=URL, marker="begins on 17 May")) == CHANGED


def api(
    status: int | None, url: str = "https://api.tavily.com/search", channel: str = "search-api"
) -> Attempt:
    return Attempt(
        number=1,
        step=1,
        started_s=0,
        duration_s=0.1,
        method="POST",
        url=url,
        role="api",
        channel=channel,
        status=status,
    )


@pytest.mark.parametrize(
    ("statuses", "failed"),
    [((503, 500), True), ((None,), True), ((503, 200), False), ((429,), False), ((401,), False)],
)
def test_a_provider_failed_where_every_answer_of_it_did(
    statuses: tuple[int | None, ...], failed: bool
) -> None:
    assert failed_providers(map(api, statuses)) == (("api.tavily.com",) if failed else ())


def test_pages_and_models_are_no_providers_of_search() -> None:
    page = api(503, URL, "direct-fetch")
    model = api(503, "https://api.openai.com/v1/responses", "model")
    assert failed_providers((page, model)) == ()


def test_a_provider_is_down_for_everybody_only_where_it_fails_here_too() -> None:
    found = suspect_provider("api.tavily.com", look(503, b""))
    assert found is not None
    assert (found.kind, found.line) == (
        PROVIDER,
        "provider down for every system: api.tavily.com fails at a plain request too (503)",
    )
    assert suspect_provider("api.acme.test", None) is None
    assert suspect_provider("api.tavily.com", look(200, b"{}")) is None
    assert suspect_provider("api.tavily.com", look(429, b"{}")) is None


def asked(*statuses: int, role: str = "document", error_type: str | None = None) -> list[Attempt]:
    return [
        replace(api(status, URL, "direct-fetch"), role=role, error_type=error_type or str(status))
        for status in statuses
    ]


@pytest.mark.parametrize(
    ("attempts", "provoked"),
    [
        (asked(200, 200, 429, 429), True),
        (asked(*[200] * 11), True),
        (asked(200), False),
        (asked(429, 429, 429), False),
        (asked(*[200] * 11, role="subresource"), False),
        (asked(200, *[429] * 3, error_type="over_budget"), False),
        ([api(200), api(429)], False),
        ([], False),
    ],
)
def test_who_is_told_to_wait_may_have_asked_too_much(attempts: list[Attempt], provoked: bool) -> None:
    assert was_provoked(look(429, b""), attempts) is provoked
    assert not was_provoked(look(403, b""), attempts)
