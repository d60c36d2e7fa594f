"""The story as lines: what a call sent, how that is known, and what nobody can tell."""

from __future__ import annotations

from pytest_webretrieval.report.story import story_lines
from pytest_webretrieval.wire.attempt import Attempt
from pytest_webretrieval.wire.story import Beat, Sent, Use
from pytest_webretrieval.wire.turns import Turn

TURN = Turn(attempt=1, started_s=0.0, ended_s=0.1, kind="chat", model="m")
KNOWN = Use(
    name="read_page", arguments='{"url": "https://a.example/2"}', sent=(Sent(2, "address"),), given="page"
)
UNKNOWN = Use(name="search", arguments="{}", given="[]")


def page(number: int) -> Attempt:
    return Attempt(
        number=number,
        step=0,
        started_s=0.2,
        duration_s=0.1,
        method="GET",
        url=f"https://a.example/{number}",
        role="document",
        channel="direct-fetch",
        status=200,
    )


def told(beat: Beat) -> list[str]:
    lines = [line.strip() for line in story_lines([beat], [page(2), page(3)])]
    return [line for line in lines if line.startswith(("sent", "not known", "#2", "#3"))]


def test_a_call_says_how_its_requests_are_known() -> None:
    assert told(Beat(turn=TURN, uses=(KNOWN,))) == ["#2 GET a.example/2  200  0 B  (by its address)"]


def test_nothing_was_sent_where_every_request_is_somebodys() -> None:
    assert told(Beat(turn=TURN, uses=(KNOWN, UNKNOWN)))[1:] == ["sent nothing"]


def test_what_may_have_been_sent_is_not_called_nothing() -> None:
    assert told(Beat(turn=TURN, uses=(KNOWN, UNKNOWN), others=(3,)))[1:] == [
        "not known which of those below it sent",
        "#3 GET a.example/3  200  0 B",
    ]
