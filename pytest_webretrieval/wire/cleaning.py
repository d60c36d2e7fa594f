"""What the wire saw of one run, without secrets, before anybody looks at it: it is judged as it is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from .archive import Archive
from .attempt import Attempt, Trace
from .scrubbing import Scrubber
from .tracing import Span

# What answers here repeats what it was asked: it gives nothing of the world's own.
_REPEATING = frozenset({"model", "search-api", "extract-api"})


class _Everywhere:
    """Every host there is."""

    def __contains__(self, host: object) -> bool:
        return True


# Where the web is the real one, no host is the world's.
EVERYWHERE = _Everywhere()
# In these nobody writes; what is known to be a secret is still looked for.
_NO_TEXT = (
    "image/",
    "video/",
    "audio/",
    "font/",
    "application/pdf",
    "application/zip",
    "application/octet-stream",
)
# A shorter credential may stand in anything.
_TELLING = 8


class Cleaner:
    """``outside`` are hosts that are not the world's; ``given`` are values that the world gave to the system, such as
    its users' credentials. Both, and whatever the world's own pages showed, stay as they are."""

    def __init__(
        self,
        outside: Container[str] = (),
        given: Iterable[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._outside, self._given = outside, tuple(given)
        self._shown: dict[str, bytes] = {}
        self.scrub = Scrubber(environment, self._is_known)

    def cleaned(self, trace: Trace, archive: Archive) -> tuple[Trace, Archive]:
        """A part of the run as it may be kept. A body from which something was taken has another hash, and what names
        it says that it is redacted."""
        foreign = {attempt.number for attempt in trace.attempts if self._is_foreign(attempt)}
        for attempt in trace.attempts:
            if attempt.body is not None and attempt.number not in foreign:
                self._show(attempt, archive.bodies)
        known = self.scrub.learned
        clean = self._clean(trace, archive, foreign)
        # What shows itself late may stand in what came before it.
        return clean if self.scrub.learned == known else self._clean(trace, archive, foreign)

    def _clean(self, trace: Trace, archive: Archive, foreign: Collection[int]) -> tuple[Trace, Archive]:
        named = {given.sha256: given.attempt for given in archive.representations}
        types = {given.sha256: given.media_type for given in archive.representations}
        for attempt in trace.attempts:
            if attempt.body is not None:
                named.setdefault(attempt.body, attempt.number)
                types.setdefault(attempt.body, attempt.response_headers.get("content-type", ""))
        bodies: dict[str, bytes] = {}
        renamed: dict[str, str] = {}
        attempts = tuple(self._attempt(attempt, attempt.number in foreign) for attempt in trace.attempts)
        for digest, body in archive.bodies.items():
            if named.get(digest) in foreign and not types.get(digest, "").startswith(_NO_TEXT):
                clean = self.scrub.body(body, types.get(digest, ""))
            else:
                clean = self.scrub.own_body(body)
            renamed[digest] = digest if clean is body else hashlib.sha256(clean).hexdigest()
            bodies[renamed[digest]] = clean
        return (
            replace(
                trace,
                attempts=tuple(_with_body(attempt, renamed) for attempt in attempts),
                lookups=tuple(replace(one, name=self.scrub.values(one.name)) for one in trace.lookups),
                egress=tuple(replace(one, address=self.scrub.values(one.address)) for one in trace.egress),
                spans=tuple(self._span(span) for span in trace.spans),
            ),
            Archive(
                representations=tuple(
                    replace(
                        given,
                        url=self.scrub.text(given.url),
                        sha256=renamed.get(given.sha256, given.sha256),
                        redacted=renamed.get(given.sha256, given.sha256) != given.sha256,
                        headers=self._received(given.headers, given.attempt in foreign),
                    )
                    for given in archive.representations
                ),
                bodies=bodies,
            ),
        )

    def _attempt(self, attempt: Attempt, foreign: bool) -> Attempt:
        scrub = self.scrub
        clean = replace(
            attempt,
            url=scrub.text(attempt.url),
            request_headers=scrub.headers(attempt.request_headers),
            request_body=scrub.body(attempt.request_body, attempt.request_headers.get("content-type", "")),
            response_headers=self._received(attempt.response_headers, foreign),
            model=None if attempt.model is None else scrub.text(attempt.model),
            referrer=None if attempt.referrer is None else scrub.text(attempt.referrer),
            redirected_from=None if attempt.redirected_from is None else scrub.text(attempt.redirected_from),
        )
        return clean if clean == attempt else replace(clean, redacted=True)

    def _span(self, span: Span) -> Span:
        scrub = self.scrub
        return replace(
            span,
            name=scrub.text(span.name),
            attributes=scrub.data(span.attributes),
            events=tuple(
                replace(event, name=scrub.text(event.name), attributes=scrub.data(event.attributes))
                for event in span.events
            ),
            error=None if span.error is None else scrub.text(span.error),
        )

    def _received(self, headers: Mapping[str, str], foreign: bool) -> dict[str, str]:
        if foreign:
            return self.scrub.headers(headers)
        return {name: self.scrub.values(value) for name, value in headers.items()}

    def _is_foreign(self, attempt: Attempt) -> bool:
        return attempt.channel in _REPEATING or (urlsplit(attempt.url).hostname or "") in self._outside

    def _show(self, attempt: Attempt, bodies: Mapping[str, bytes]) -> None:
        digest = attempt.body or ""
        self._shown[digest] = bodies.get(digest, b"")
        self._shown[f"headers of {attempt.number}"] = "\n".join(attempt.response_headers.values()).encode()

    def _is_known(self, value: str) -> bool:
        if any((len(given) >= _TELLING and given in value) or value in given for given in self._given):
            return True
        sought = value.encode("utf-8", "surrogateescape")
        return any(sought in shown for shown in self._shown.values())


def _with_body(attempt: Attempt, renamed: Mapping[str, str]) -> Attempt:
    if attempt.body is None or renamed.get(attempt.body, attempt.body) == attempt.body:
        return attempt
    return replace(attempt, body=renamed[attempt.body], redacted=True)
