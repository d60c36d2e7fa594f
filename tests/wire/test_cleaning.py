"""A run's evidence without secrets: judged as it is kept, the world's own credentials in sight."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from pytest_webretrieval.wire.archive import Archive, Representation
from pytest_webretrieval.wire.attempt import Attempt, Egress, Lookup, Trace
from pytest_webretrieval.wire.cleaning import Cleaner
from pytest_webretrieval.wire.tracing import Span, SpanEvent

KEY = "4f1c9a7be2d84c6f9a10"
PAGE = b"<p>csrf=7d6c5b4a392817069f8e for you</p>"


def sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def attempt(**more: object) -> Attempt:
    given = {
        "number": 1,
        "step": 1,
        "started_s": 0.0,
        "duration_s": 0.1,
        "method": "GET",
        "url": "https://harbour.example/a",
        "role": "document",
        "channel": "direct-fetch",
        "status": 200,
    }
    return Attempt(**{**given, **more})  # type: ignore[arg-type]


def cleaner() -> Cleaner:
    return Cleaner(
        outside=("api.partner.test",), given=("user-credential-32",), environment={"VAULT_TOKEN": KEY}
    )


def test_every_place_of_an_attempt_is_looked_at() -> None:
    dirty = attempt(
        url=f"https://harbour.example/a?x={KEY}",
        request_headers={"x-note": KEY, "authorization": f"Bearer {KEY}", "content-type": "application/json"},
        request_body=f'{{"a": "{KEY}"}}'.encode(),
        response_headers={"x-echo": KEY},
        referrer=f"https://harbour.example/b?{KEY}",
        redirected_from=f"https://harbour.example/{KEY}",
    )
    trace = Trace(
        attempts=(dirty,),
        lookups=(Lookup(step=1, started_s=0, name=f"{KEY}.out.example", kind="A", known=False),),
        egress=(Egress(step=1, started_s=0, protocol="dns", address=f"{KEY}.out.example", port=53),),
    )
    span = Span(
        trace_id="0a" * 16,
        span_id="0b" * 8,
        parent_id=None,
        name=f"call {KEY}",
        started_s=0,
        duration_s=0,
        attributes={"input.value": [f"{KEY}"], "password": "c4n4ry"},
        events=(SpanEvent(name="raised", at_s=0, attributes={"exception.message": KEY}),),
        error=KEY,
    )
    clean, _ = cleaner().cleaned(replace(trace, spans=(span,)), Archive())
    assert KEY not in repr(clean)
    assert "c4n4ry" not in repr(clean)
    assert clean.attempts[0].redacted


def test_a_body_is_kept_under_the_hash_of_what_is_kept() -> None:
    body = f"<p>{KEY}</p>".encode()
    trace = Trace(attempts=(attempt(body=sha(body), response_headers={"content-type": "text/html"}),))
    given = Representation(
        url="https://harbour.example/a",
        sha256=sha(body),
        media_type="text/html",
        attempt=1,
        step=1,
        channel="direct-fetch",
    )
    clean, archive = cleaner().cleaned(trace, Archive(representations=(given,), bodies={sha(body): body}))
    kept = b"<p>[redacted:VAULT_TOKEN]</p>"
    assert dict(archive.bodies) == {sha(kept): kept}
    assert clean.attempts[0].body == sha(kept)
    assert archive.representations[0].sha256 == sha(kept)
    assert archive.representations[0].redacted
    assert not attempt().redacted


def test_what_the_world_gave_is_no_secret() -> None:
    page = attempt(body=sha(PAGE), response_headers={"set-cookie": "sid=0a1b2c3d4e5f60718293; Path=/"})
    post = attempt(
        number=2,
        method="POST",
        request_headers={
            "authorization": "bearer user-credential-32",
            "cookie": "sid=0a1b2c3d4e5f60718293",
            "content-type": "application/x-www-form-urlencoded",
        },
        request_body=b"csrf=7d6c5b4a392817069f8e&password=from-elsewhere",
    )
    trace, archive = cleaner().cleaned(Trace(attempts=(page, post)), Archive(bodies={sha(PAGE): PAGE}))
    assert dict(archive.bodies) == {sha(PAGE): PAGE}
    assert trace.attempts[0] == page
    assert dict(trace.attempts[1].request_headers) == dict(post.request_headers)
    assert trace.attempts[1].request_body == b"csrf=7d6c5b4a392817069f8e&password=[redacted:password]"


def test_what_comes_from_outside_is_looked_at_closely() -> None:
    body = b'{"access_token": "9f8e7d6c5b4a39281706"}'
    foreign = attempt(
        url="https://api.partner.test/login",
        body=sha(body),
        response_headers={"content-type": "application/json", "set-cookie": "sid=abc"},
    )
    use = attempt(number=2, url="https://api.partner.test/data?t=9f8e7d6c5b4a39281706")
    trace, archive = cleaner().cleaned(Trace(attempts=(foreign, use)), Archive(bodies={sha(body): body}))
    assert b"9f8e7d6c" not in b"".join(archive.bodies.values())
    assert "9f8e7d6c" not in repr(trace)
    assert trace.attempts[0].response_headers["set-cookie"] == "sid=[redacted:sid]"


def test_a_reply_that_repeats_the_question_gives_nothing() -> None:
    body = b'{"query": "password=c4n4ry", "results": []}'
    search = attempt(
        channel="search-api", role="api", request_body=b'{"query": "password=c4n4ry"}', body=sha(body)
    )
    trace, archive = cleaner().cleaned(Trace(attempts=(search,)), Archive(bodies={sha(body): body}))
    assert b"c4n4ry" not in b"".join(archive.bodies.values()) + trace.attempts[0].request_body


def test_without_secrets_nothing_changes() -> None:
    trace = Trace(attempts=(attempt(body=sha(PAGE)),))
    archive = Archive(bodies={sha(PAGE): PAGE})
    assert Cleaner(environment={}).cleaned(trace, archive) == (trace, archive)
