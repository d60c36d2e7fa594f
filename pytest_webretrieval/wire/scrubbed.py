"""Recordings without secrets: the same placeholder wherever a value stood, so that a replayed login still holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from .cassettes import Interaction, Sent
from .coding import decoded, encoded
from .scrubbing import Scrubber
from .spans import Span, applied

_Chunks = tuple[tuple[float, int], ...]


def scrubbed(interactions: Sequence[Interaction], scrub: Scrubber) -> tuple[Interaction, ...]:
    """The interactions as they may be written. Twice, as what shows itself in a later one may stand in an earlier."""
    for one in interactions:
        _one(one, scrub)
    return tuple(_one(one, scrub) for one in interactions)


def _one(one: Interaction, scrub: Scrubber) -> Interaction:
    sent = replace(
        one.sent,
        url=scrub.text(one.sent.url),
        headers=scrub.headers(one.sent.headers),
        body=_sent_body(one.sent, scrub),
    )
    body, chunks = _body(one, scrub)
    headers = [(name, scrub.header(name.lower(), value)) for name, value in one.headers]
    if len(body) != len(one.body):
        headers = [(n, str(len(body)) if n.lower() == "content-length" else value) for n, value in headers]
    return replace(one, sent=sent, headers=tuple(headers), body=body, chunks=chunks)


def _sent_body(sent: Sent, scrub: Scrubber) -> bytes:
    coding, media_type = sent.headers.get("content-encoding"), sent.headers.get("content-type", "")
    plain = decoded(sent.body, coding)
    if plain is None:
        return scrub.body(sent.body, media_type)
    clean = scrub.body(plain, media_type)
    return sent.body if clean == plain else encoded(clean, coding)


def _body(one: Interaction, scrub: Scrubber) -> tuple[bytes, _Chunks]:
    coding = one.header("content-encoding")
    plain = decoded(one.body, coding)
    if plain is None:
        coding, plain = None, one.body
    text = plain.decode("utf-8", "surrogateescape")
    spans = scrub.edits(text, one.header("content-type") or "")
    if not spans:
        return one.body, one.chunks
    clean = encoded(applied(text, spans).encode("utf-8", "surrogateescape"), coding)
    ends = list(accumulate(size for _, size in one.chunks))
    if clean_ends := _scaled(ends, len(clean)) if coding else _moved(ends, _in_bytes(text, spans)):
        sizes = (end - start for start, end in pairwise((0, *clean_ends)))
        return clean, tuple((at_s, size) for (at_s, _), size in zip(one.chunks, sizes, strict=True))
    return clean, ()


def _scaled(ends: Sequence[int], size: int) -> list[int]:
    """Where parts of an encoded body end in another encoding of it: nobody can say, but how many there were stays."""
    return [round(end * size / ends[-1]) for end in ends] if ends and ends[-1] else []


def _moved(ends: Sequence[int], spans: Iterable[tuple[int, int, int]]) -> list[int]:
    """Where parts end after replacements of (start, end, new size); one that reaches over an end stays before it."""
    found, spans = [], list(spans)
    for end in ends:
        inside = max((stop for start, stop, _ in spans if start < end), default=end)
        whole = max(end, inside)
        found.append(whole + sum(size - (stop - start) for start, stop, size in spans if start < end))
    return found


def _in_bytes(text: str, spans: Sequence[Span]) -> list[tuple[int, int, int]]:
    found, at, size = [], 0, 0
    for span in spans:
        size += _size(text[at : span.start])
        length = _size(text[span.start : span.end])
        found.append((size, size + length, _size(span.text)))
        at, size = span.end, size + length
    return found


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape"))
