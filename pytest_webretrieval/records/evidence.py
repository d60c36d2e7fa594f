"""What one run is judged by, as a file: enough to judge it again without running anything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.grade.evidence import WIRE, StepEvidence, Trouble
from pytest_webretrieval.systems import claims
from pytest_webretrieval.systems.contract import ContractError, RetrievalResult, Testimony
from pytest_webretrieval.wire.archive import Archive, Representation
from pytest_webretrieval.wire.attempt import Trace

from .codec import from_json, to_json

SCHEMA = "webretrieval.evidence/1"
_SHOWN = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStep:
    """One step without what can be had again: truth (from its file) and bodies (from the store, by the SHA-256 that
    ``bodies`` lists)."""

    testimony: Testimony
    trace: Trace
    representations: tuple[Representation, ...]
    start_urls: tuple[str, ...]
    cheapest: str
    began_at: float | None = None
    answered_s: float | None = None
    bodies: tuple[str, ...] = ()
    witness: str = WIRE


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """All steps of one run, and what went wrong on our side."""

    seed: int
    steps: tuple[StoredStep, ...]
    trouble: Trouble | None
    stdout: str = ""
    stderr: str = ""


def read_testimony(testimony: Testimony) -> tuple[RetrievalResult | None, str | None]:
    """The result that a testimony carries, or why it carries none that can be read."""
    if testimony.ending != "answered":
        return None, None
    try:
        return claims.read(testimony.payload), None
    except ContractError as error:
        return None, str(error)


def stored(steps: Sequence[StepEvidence], seed: int, trouble: Trouble | None) -> StoredRun:
    """What to keep of a run's evidence."""
    return StoredRun(
        seed=seed,
        trouble=trouble,
        steps=tuple(
            StoredStep(
                testimony=step.testimony,
                trace=step.trace,
                representations=step.archive.representations,
                start_urls=step.start_urls,
                cheapest=step.cheapest,
                began_at=step.began_at,
                answered_s=step.answered_s,
                bodies=tuple(sorted(step.archive.bodies)),
                witness=step.witness,
            )
            for step in steps
        ),
    )


def restored(run: StoredRun, truth: Truth, body: Callable[[str], bytes]) -> tuple[StepEvidence, ...]:
    """The evidence again, under ``truth`` as drawn for the run's seed; ``body`` reads one body by its SHA-256."""
    evidence: list[StepEvidence] = []
    earlier = Archive()
    for kept, step in zip(run.steps, truth.steps, strict=False):
        # A search reply is nobody's representation, and what it offered counts.
        names = {*kept.bodies, *(seen.sha256 for seen in kept.representations)}
        bodies = {name: body(name) for name in names}
        archive = Archive(representations=kept.representations, bodies=bodies)
        result, invalid = read_testimony(kept.testimony)
        evidence.append(
            StepEvidence(
                step=step,
                testimony=kept.testimony,
                result=result,
                invalid=invalid,
                trace=kept.trace,
                archive=archive,
                earlier=earlier,
                start_urls=kept.start_urls,
                cheapest=kept.cheapest,
                began_at=kept.began_at,
                answered_s=kept.answered_s,
                witness=kept.witness,
            )
        )
        earlier = merged(earlier, archive)
    return tuple(evidence)


def last_words(run: StoredRun) -> str:
    """The end of the traceback, else of what was printed, where a system gave no answer; empty where it gave one."""
    for step in run.steps:
        told = step.testimony
        if told.ending not in ("answered", "not-asked"):
            lines = (told.error or told.stderr or run.stderr).strip()[-_SHOWN:].splitlines()
            return "\n".join(line for line in lines if line.strip(" ^~"))
    return ""


def last_answer(run: StoredRun) -> str:
    """The text of the last answer that a system gave; empty where it gave none that can be read."""
    for step in reversed(run.steps):
        result, _ = read_testimony(step.testimony)
        if result is not None:
            return result.answer
    return ""


def merged(earlier: Archive, later: Archive) -> Archive:
    """Both archives as one, in order of arrival."""
    return Archive(
        representations=earlier.representations + later.representations,
        bodies={**earlier.bodies, **later.bodies},
    )


def dump(run: StoredRun) -> dict[str, Any]:
    """JSON-able data for ``evidence.json``."""
    return {"schema": SCHEMA, **to_json(run)}


def load(data: dict[str, Any]) -> StoredRun:
    """The stored run that ``dump`` wrote."""
    return from_json(StoredRun, data)
