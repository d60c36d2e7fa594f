"""What is kept of a body: as much as is said, and what a small one holds is no more than that."""

from __future__ import annotations

import gzip
from dataclasses import replace
from time import monotonic

import pytest

from fixture_server import kept
from fixture_server.exchange import Ending
from fixture_server.gateway.answering import answer_of
from fixture_server.gateway.played import played
from fixture_server.gateway.upstream import Chunk
from fixture_server.kept import ARCHIVED, UNPACKED_KEPT, Kept
from fixture_server.log import Log
from fixture_server.message import Answer, Asked
from pytest_webretrieval.wire.cassettes import Interaction, Sent

PAGE = Asked(method="GET", scheme="https", host="www.acme.test", target="/")
BOMB = gzip.compress(b"0" * 40 * 1024 * 1024)


def kept_of(*answers: Answer) -> Kept:
    """All that one log keeps of answers in a row."""
    log = Log(stage=None)
    for number, answer in enumerate(answers):
        exchange = log.open(replace(PAGE, target=f"/{number}"), monotonic(), False)
        log.kept.keep(exchange, answer, Ending(answer=answer, sent=len(answer.body), headers={}))
    return log.kept


@pytest.mark.parametrize(
    ("answer", "size"),
    [
        (Answer(status=200, body=b"x" * (ARCHIVED + 1)), ARCHIVED),
        (Answer(status=200, body=b"x" * ARCHIVED), ARCHIVED),
        (Answer(status=200, headers=(("content-encoding", "gzip"),), body=BOMB), UNPACKED_KEPT),
        (Answer(status=200, headers=(("content-encoding", "br"),), body=b"x" * (ARCHIVED + 1)), ARCHIVED),
    ],
    ids=["more", "just", "packed", "unreadable"],
)
def test_a_body_is_kept_to_its_cap(answer: Answer, size: int) -> None:
    (body,) = kept_of(answer).take(()).bodies.values()
    assert len(body) == size


def test_what_the_gateway_brings_is_unpacked_once_and_to_the_same_cap() -> None:
    twice = gzip.compress(BOMB)
    for body, size in ((BOMB, UNPACKED_KEPT), (twice, len(BOMB))):
        headers = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"))
        sent = Sent(method="GET", url=PAGE.url, headers={}, body=b"")
        upstream = played(Interaction(sent=sent, status=200, reason="OK", headers=headers, body=body))
        answer = answer_of(PAGE, upstream, [Chunk(0.0, body)])
        (given,) = kept_of(answer).take(()).bodies.values()
        assert len(given) == size


def test_what_is_too_much_in_all_is_not_held_and_not_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_KEPT", 100)
    same = Answer(status=200, body=b"x" * 60)
    full = kept_of(same, same)
    assert not full.is_full
    full = kept_of(same, Answer(status=200, body=b"y" * 60), same)
    assert full.is_full
    archive = full.take(())
    assert [given.url for given in archive.representations] == [
        "https://www.acme.test/0",
        "https://www.acme.test/2",
    ]
    assert {given.sha256 for given in archive.representations} == set(archive.bodies)
    assert not full.is_full
