"""A case is one task of a corpus; a corpus is a locked set of them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from .faults import Fault

STRATA = ("known-url", "search", "dynamic", "auth", "blocking")
CHANNELS = ("direct-fetch", "search-api", "browser", "extract-api")

# What a case may expect. The other labels (infra_error, probe_invalid, ungraded) say nothing about a system.
EXPECTABLE = (
    "success",
    "correct_refusal",
    "partial",
    "no_answer",
    "unsupported",
    "stale",
    "contradicted",
    "unsafe_answer",
    "unfounded_refusal",
    "policy_violation",
    "timeout",
    "system_failure",
)


@dataclass(frozen=True, slots=True)
class Location:
    """Where in a file something was written; ``line`` counts from 1."""

    path: Path
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class CaseError(Exception):
    """A corpus, truth or lock file that cannot be used.

    The message is ``path:line: what is wrong; how to mend it``, one line for each problem.
    """

    @property
    def problems(self) -> tuple[str, ...]:
        """The lines of the message."""
        return tuple(str(self).splitlines())


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One task as its corpus states it; ``expect`` is a label, with underscores. What is right for a ``draft`` is not
    known yet, and it is never run. ``faults`` go wrong with its connections."""

    id: str
    stratum: str
    query: str
    fixture: str
    live_channel: str
    expect: str
    corpus: str
    where: Location
    draft: bool = False
    faults: tuple[Fault, ...] = ()

    @property
    def scene(self) -> str:
        """The scene's name: ``known/static`` for ``fixture://known/static``."""
        return self.fixture.removeprefix("fixture://")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveChannel:
    """A channel that the live lane must configure before it runs."""

    id: str
    adapter: str
    required: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """A set of cases; ``identity`` is a SHA-256 over the canonical JSON of every key of every case in id
    order, as 64 hexadecimal digits. ``own``: what is right stands in the same file (see ``own``)."""

    version: str
    path: Path
    identity: str
    live_channels: tuple[LiveChannel, ...]
    cases: tuple[Case, ...]
    own: bool = False
