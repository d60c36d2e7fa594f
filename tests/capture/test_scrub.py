"""Secrets do not get into a site, and it fits together without them."""

from __future__ import annotations

from pytest_webretrieval.capture.exchange import Exchange
from pytest_webretrieval.capture.scrub import scrubbed, scrubber_for

SESSION = "s3ss10n-of-a-visitor"
ACCESS = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLWNhbmFyeQ"


def one(path: str, body: bytes, kind: str = "application/json") -> Exchange:
    headers = (("content-type", kind), ("location", f"/back?sid={SESSION}"))
    return Exchange(
        method="POST", url=f"https://a.example{path}", status=200, headers=headers, body=body, sent=body
    )


def test_what_was_seen_and_what_looks_like_a_secret_is_gone_in_every_place() -> None:
    before = one(f"/data?key={ACCESS}", f'"{SESSION}"'.encode())
    login = one("/login", f'{{"access_token": "{ACCESS}", "user": "alice"}}'.encode())
    clean = scrubbed([before, login], scrubber_for({SESSION: "cookie"}))
    everything = repr(clean)
    assert SESSION not in everything
    assert ACCESS not in everything
    assert b'"user": "alice"' in clean[1].body
    # the word that stands for it is one and the same, so that requests still find their answers
    assert clean[1].body == clean[1].sent


def test_a_picture_stays_as_it_is() -> None:
    picture = b"\x89PNG\x00 access_token=abcdefghijklmnop1234567890"
    (clean,) = scrubbed([one("/i.png", picture, "image/png")], scrubber_for({}))
    assert clean.body == picture
