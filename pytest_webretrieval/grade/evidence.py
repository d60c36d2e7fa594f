"""Everything that one step is judged by."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_webretrieval.cases.truth import Step
from pytest_webretrieval.systems.contract import RetrievalResult, Testimony
from pytest_webretrieval.wire.archive import Archive
from pytest_webretrieval.wire.attempt import Trace

WIRE, OPAQUE, REPORTED, METADATA = "wire", "opaque", "reported", "metadata"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEvidence:
    """What was asked in one step, what came back, and what the wire and the archive show.

    ``result`` is the testimony read by ``systems.claims`` (None unless the step was answered in a readable
    way; ``invalid`` then holds the reason, with its JSON pointer). ``trace`` and ``archive`` hold this step's
    traffic; ``earlier`` holds what the archive held before the step (for caches and validation over steps).
    ``start_urls`` are those of the task. ``cheapest`` is the scene's cheapest sufficient channel.
    ``began_at`` is the Unix time at which the run began (the zero of every attempt's ``started_s``) and
    ``answered_s`` the moment of the answer on that clock; without them the wire's own dates and its last
    response stand in. ``witness`` is WIRE, OPAQUE (a provider searched and read where nobody looks on), REPORTED (the
    system ran somewhere else) or METADATA (its connections were passed on unopened).
    """

    step: Step
    testimony: Testimony
    result: RetrievalResult | None
    invalid: str | None
    trace: Trace
    archive: Archive
    earlier: Archive
    start_urls: tuple[str, ...]
    cheapest: str
    began_at: float | None = None
    answered_s: float | None = None
    witness: str = WIRE

    @property
    def shows_the_web(self) -> bool:
        """Whether what the system did on the web shows in the evidence; else it is judged by the pages that the harness
        fetched for itself, and what it consumed is not known."""
        return self.witness == WIRE


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """The run says nothing about the system. ``kind`` is ``infra`` when the harness, slot, world or proxy
    failed, ``probe`` when a live target vanished or changed and truth was not updated."""

    where: str
    message: str
    kind: str = "infra"
