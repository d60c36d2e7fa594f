"""What shows that nothing to read ever came, and what does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from grade_build import VENDOR, Wire, declined, page, truth

from pytest_webretrieval.cases.truth import Step
from pytest_webretrieval.grade.judge import judge_run

OTHER = "https://other.example/releases/v4f1c"
BRIEF = "https://vendor.example/releases/board"


def sent(*calls: tuple[str, dict[str, Any]]) -> Wire:
    wire = Wire()
    for url, call in calls:
        wire.get(url, **call)
    return wire


def moved(target: str) -> dict[str, Any]:
    return {"status": 302, "headers": {"location": target}}


def on(target: str, wait: str = "0", more: str = "") -> dict[str, Any]:
    head = f'<meta http-equiv="refresh" content="{wait}; url={target}">'
    return {"body": page(f"<p>One moment.</p>{more}", head=head)}


RESET: dict[str, Any] = {"status": None, "error_type": "connection_reset"}
CUT = {"body": page("<p>Half of"), "error_type": "incomplete_body"}
GOOD = {"body": page("<p>The current release is v3.2.</p>")}
NEVER = {
    "reset": [(VENDOR, RESET), (VENDOR, RESET)],
    "no answer": [(VENDOR, {"status": None, "error_type": "client_closed"})],
    "nobody there": [("https://vendor.example/", {**RESET, "method": "?"})],
    "cut each time": [(VENDOR, CUT), (VENDOR, CUT)],
    "empty": [(VENDOR, {})],
    "blank": [(VENDOR, {"body": b"<!doctype html><html><body> </body></html>"})],
    "no content": [(VENDOR, {"status": 204})],
    "cannot now": [(VENDOR, {"status": 503}), (VENDOR, {"status": 503})],
    "asks to wait": [(VENDOR, {"status": 429, "body": page("<p>Later.</p>")})],
    "round by two hosts": [(VENDOR, moved(OTHER)), (OTHER, moved(VENDOR))],
    "to itself": [(VENDOR, moved(VENDOR))],
    "round by refreshes": [(VENDOR, on(BRIEF)), (BRIEF, on(VENDOR))],
    "moved to nothing": [(VENDOR, moved(OTHER)), (OTHER, RESET)],
    "refused, then broken": [(VENDOR, {"status": 503}), (VENDOR, CUT)],
}
SOMETHING = {
    "came": [(VENDOR, GOOD)],
    "came in the end": [(VENDOR, RESET), (VENDOR, GOOD)],
    "came behind a move": [(VENDOR, moved(OTHER)), (OTHER, GOOD)],
    "not followed": [(VENDOR, moved(OTHER))],
    "a refresh that was not followed": [(VENDOR, on(BRIEF))],
    "a page that renews itself": [(VENDOR, on(VENDOR, "0", "<p>The current release is v3.2.</p>"))],
    "a page that moves on much later": [(VENDOR, on(BRIEF, "600"))],
    "refused": [(VENDOR, {"status": 403, "body": page("<p>No.</p>")})],
    "not there": [(VENDOR, {"status": 404})],
    "another address alone": [(OTHER, RESET)],
    "nothing asked": [],
    "too late to count": [(VENDOR, {**RESET, "late": True})],
    "a file": [(VENDOR, {"body": b"\x89PNG\r\n\x1a\n" + bytes(99), "media_type": "image/png"})],
}


def label(wire: Wire, reason: str | None = "unavailable", start: tuple[str, ...] = (VENDOR,)) -> str:
    own = truth(refusal_reasons=("unavailable",), steps=(Step(),))
    return judge_run(own, [wire.evidence(declined(reason), start_urls=start, step=Step())], None).label


@pytest.mark.parametrize("name", NEVER)
@pytest.mark.parametrize("reason", ["unavailable", None])
def test_nothing_came(name: str, reason: str | None) -> None:
    assert label(sent(*NEVER[name]), reason) == "correct_refusal"


@pytest.mark.parametrize("name", SOMETHING)
@pytest.mark.parametrize("reason", ["unavailable", None])
def test_something_came(name: str, reason: str | None) -> None:
    assert label(sent(*SOMETHING[name]), reason) == "unfounded_refusal"


def search(status: int | None) -> Callable[[], Wire]:
    def wire() -> Wire:
        made = Wire()
        made.search(status=status, error_type="connection_reset" if status is None else None)
        return made

    return wire


@pytest.mark.parametrize(
    ("made", "expected"),
    [(search(None), "correct_refusal"), (search(503), "correct_refusal"), (search(200), "unfounded_refusal")],
)
def test_no_search_was_answered(made: Callable[[], Wire], expected: str) -> None:
    assert label(made(), start=()) == expected


def test_one_page_of_two_is_enough() -> None:
    wire = sent((VENDOR, RESET), (OTHER, GOOD))
    assert label(wire, start=(VENDOR, OTHER)) == "unfounded_refusal"


def test_a_challenge_is_another_reason() -> None:
    body = page("<p>Verify you are human by completing the action below.</p>", "Just a moment...")
    assert label(sent((VENDOR, {"status": 503, "body": body}))) == "unfounded_refusal"


def test_a_cut_body_is_no_fault_of_who_declines_for_it() -> None:
    own = truth(refusal_reasons=("unavailable",), steps=(Step(),))
    cut = sent((VENDOR, CUT), (VENDOR, CUT))

    def tags(reason: str) -> tuple[str, ...]:
        return judge_run(own, [cut.evidence(declined(reason), start_urls=(VENDOR,), step=Step())], None).tags

    assert tags("unavailable") == ()
    assert tags("not_found") == ("refusal-unproven", "truncated-body")
