"""Whether a target of the real web still is what truth says, and whether a provider is down for everybody: read from
what the harness itself was given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pytest_webretrieval.cases.targets import Probe
from pytest_webretrieval.cases.truth import Fact
from pytest_webretrieval.wire.attempt import Attempt

from .page import read_page
from .seen import API_CHANNELS
from .text import fold
from .values import find

GONE, DENIED, DOWN, CHANGED, PROVIDER = "gone", "denied", "down", "changed", "provider"
_WORDS = {
    GONE: "target gone",
    DENIED: "permission withdrawn",
    DOWN: "target down",
    CHANGED: "target changed",
    PROVIDER: "provider down for every system",
}
TOO_MANY = 429
_GONE_STATUS, _DENIED_STATUS = (404, 410), (401, 403, TOO_MANY, 451)
# Nobody who answers one question asks one host more often.
_OFTEN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What the harness was given for a URL (after redirects), or why it did not ask: ``disallowed`` by the robots.txt
    that is the ``body`` then. ``status`` is None where no answer came; ``error_type`` is one word, None where all
    came; ``wait_s`` is after how long it was asked to come back."""

    url: str
    status: int | None = None
    error_type: str | None = None
    content_type: str = ""
    body: bytes = b""
    disallowed: bool = False
    wait_s: float | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A required fact, and whether it stands on the page."""

    fact: str
    value: str
    stands: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspicion:
    """Why a run says nothing of the system: GONE, DENIED, DOWN, CHANGED (the target) or PROVIDER (an API)."""

    kind: str
    message: str
    look: Look | None = None
    standing: tuple[Standing, ...] = ()

    @property
    def what(self) -> str:
        """The kind in words."""
        return _WORDS[self.kind]

    @property
    def line(self) -> str:
        return f"{self.what}: {self.message}"


def suspect_target(look: Look, probe: Probe, facts: Sequence[Fact]) -> Suspicion | None:
    """What is wrong with a target; None where it is what truth says."""
    where = urlsplit(look.url).hostname or look.url
    if look.disallowed:
        return _of(DENIED, look, f"robots.txt of {where} disallows {look.url}")
    if look.status is None:
        kind = GONE if look.error_type == "upstream_unknown_host" else DOWN
        return _of(kind, look, f"{look.url} gave no answer ({look.error_type})")
    if not _is_due(look.status, probe):
        return _of(_kind(look.status), look, _told(look, probe))
    if look.error_type is not None and look.error_type != str(look.status):
        return _of(DOWN, look, f"{look.url} broke off ({look.error_type})")
    page = read_page(look.body, look.content_type)
    text = page.text
    if probe.marker is not None and _plain(probe.marker) not in _plain(text):
        return _of(CHANGED, look, f"{look.url} no longer says `{probe.marker}`")
    if not probe.facts:
        return None
    standing = standing_of(facts, f"{text}\n{page.data}")
    missing = [one for one in standing if not one.stands]
    if not missing:
        return None
    named = ", ".join(f"{one.fact} `{one.value}`" for one in missing)
    message = f"{look.url} no longer says {named}, and truth was not updated"
    return Suspicion(kind=CHANGED, message=message, look=look, standing=standing)


def standing_of(facts: Iterable[Fact], text: str) -> tuple[Standing, ...]:
    """Each fact, and whether a text says it."""
    folded = fold(text)
    return tuple(Standing(fact.id, fact.value, bool(find(fact, folded))) for fact in facts)


def failed_providers(attempts: Iterable[Attempt]) -> tuple[str, ...]:
    """Hosts of search and extract APIs of which every answer to the system was a failure of theirs."""
    asked: dict[str, list[bool]] = {}
    for attempt in attempts:
        if attempt.channel in API_CHANNELS:
            host = urlsplit(attempt.url).hostname or ""
            asked.setdefault(host, []).append(is_down(attempt.status))
    return tuple(host for host, failures in asked.items() if all(failures))


def is_down(status: int | None) -> bool:
    """Whether an answer is a failure of whoever gave it, or is none."""
    return status is None or status >= 500


def was_provoked(look: Look, attempts: Iterable[Attempt]) -> bool:
    """Whether a host that takes no more requests (429) has the system to thank for it: it answered it and then no more,
    or was asked often. A host that took none from the beginning has not."""
    if look.status != TOO_MANY:
        return False
    host = urlsplit(look.url).hostname
    asked = [one for one in attempts if one.status is not None and urlsplit(one.url).hostname == host]
    statuses = [one.status for one in asked if one.error_type not in ("denied", "over_budget")]
    wished = [one for one in asked if one.role in ("document", "api")]
    return len(wished) > _OFTEN or (TOO_MANY in statuses and statuses[0] != TOO_MANY)


def suspect_provider(host: str, sample: Look | None) -> Suspicion | None:
    """What is wrong with a provider that also failed at what it answers to everybody; None where it did not, or where
    nobody knows such a request: then it may be the system's own that it failed at."""
    if sample is None or not is_down(sample.status):
        return None
    said = sample.status if sample.status is not None else sample.error_type
    return Suspicion(
        kind=PROVIDER,
        message=f"{host} fails at a plain request too ({said})",
        look=sample,
    )


def _plain(text: str) -> str:
    return fold(" ".join(text.split())).text


def _is_due(status: int, probe: Probe) -> bool:
    return 200 <= status < 300 if probe.status is None else status == probe.status


def _kind(status: int) -> str:
    if status in _GONE_STATUS:
        return GONE
    if status in _DENIED_STATUS:
        return DENIED
    return DOWN if status >= 500 else CHANGED


def _told(look: Look, probe: Probe) -> str:
    due = "" if probe.status is None else f", not {probe.status}"
    return f"{look.url} answers {look.status}{due}"


def _of(kind: str, look: Look, message: str) -> Suspicion:
    return Suspicion(kind=kind, message=message, look=look)
