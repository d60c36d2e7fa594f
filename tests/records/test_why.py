from __future__ import annotations

from typing import Any

from pytest_webretrieval.records.why import why_slow


def attempt(
    started: float, took: float, channel: str = "direct-fetch", error: str | None = None
) -> dict[str, Any]:
    row: dict[str, Any] = {
        "url.full": "https://north.example/page",
        "http.client.request.duration": took,
        "webretrieval.started_s": started,
        "webretrieval.channel": channel,
        "webretrieval.role": "document",
    }
    return row | ({"error.type": error} if error else {})


def test_a_wait_after_a_failed_attempt_is_told_with_its_status() -> None:
    assert why_slow(1.1, [attempt(0.0, 0.01, error="429"), attempt(1.02, 0.01)]) == "waited 1.0 s after 429"


def test_a_pause_after_a_good_answer_is_the_systems_own() -> None:
    assert why_slow(1.1, [attempt(0.0, 0.01), attempt(1.02, 0.01)]) == "the system itself"


def test_a_slow_response_is_told_with_its_host() -> None:
    assert why_slow(1.5, [attempt(0.0, 1.2)]) == "north.example took 1.2 s"


def test_a_browser_is_told_and_what_it_waited_for() -> None:
    assert (
        why_slow(2.6, [attempt(0.0, 0.1, "browser"), attempt(0.3, 1.2, "browser")])
        == "a browser; north.example took 1.2 s"
    )
    assert why_slow(1.3, [attempt(0.0, 1.2, "browser")]) == "north.example took 1.2 s, in a browser"
    assert why_slow(0.9, [attempt(0.0, 0.01, "browser")]) == "a browser"


def test_a_browsers_own_calls_home_are_no_reason() -> None:
    home = attempt(0.0, 2.0, "browser") | {"webretrieval.role": "background"}
    assert why_slow(2.1, [home, attempt(0.5, 0.1, "browser")]) == "a browser"
