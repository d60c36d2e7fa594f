"""Secrets out of what was captured: the same word in every place, so that the site still fits together."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pytest_webretrieval.wire.scrubbing import Scrubber

from .exchange import Exchange


def scrubber_for(secrets: Mapping[str, str]) -> Scrubber:
    """What takes out this machine's secrets, those that a recording showed (value to name), and what looks like one."""
    seen = {f"{name.upper()}_{number}_TOKEN": value for number, (value, name) in enumerate(secrets.items())}
    return Scrubber({**os.environ, **seen})


def scrubbed(exchanges: Sequence[Exchange], scrub: Scrubber) -> list[Exchange]:
    """The exchanges without secrets, in addresses, headers and bodies. What shows itself late is taken out of what came
    before it, too."""
    known = -1
    clean = list(exchanges)
    while known < scrub.learned:
        known = scrub.learned
        clean = [_one(one, scrub) for one in exchanges]
    return clean


def _one(one: Exchange, scrub: Scrubber) -> Exchange:
    return replace(
        one,
        url=scrub.text(one.url),
        headers=tuple((name, scrub.header(name, value)) for name, value in one.headers),
        body=_body(one.body, one.media_type, scrub),
        sent=_body(one.sent, one.sent_type, scrub),
    )


def _body(body: bytes, media_type: str, scrub: Scrubber) -> bytes:
    """In a picture chance can look like a key; only what is certain is taken out there."""
    return scrub.own_body(body) if b"\0" in body[:1024] else scrub.body(body, media_type)
