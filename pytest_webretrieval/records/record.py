"""One line of results.jsonl: what one run of one case came to, and what it rests on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from pytest_webretrieval.cases.case import Case, Location
from pytest_webretrieval.cases.truth import Budget, Truth
from pytest_webretrieval.cases.yaml_reader import shown
from pytest_webretrieval.grade.evidence import WIRE, Trouble
from pytest_webretrieval.grade.fault import Home
from pytest_webretrieval.grade.judge import Judgement
from pytest_webretrieval.grade.verdicts import EfficiencyVerdict, Verdicts
from pytest_webretrieval.settings import Settings

from .evidence import StoredRun

SCHEMA = "webretrieval.record/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What makes two records the same run: equal keys are never run twice in one run folder."""

    corpus_identity: str
    case: str
    system: str
    engine: str | None
    seed: int
    trial: int
    test: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """``label`` and ``expect`` are labels, ``tags`` come from the closed list. ``duration_s`` is the time that the
    system took over all steps; ``efficiency`` is judged over the whole run, ``verdicts`` one a step. ``evidence`` is
    the folder of the run, below the run folder. ``home`` is whose fault a failure likely is.

    ``witness`` says what the evidence is (see ``grade.evidence``). Of a run on the real web: ``region`` and ``target``,
    its ``terms`` (see ``cases.live.terms_of``), the documents that were read although robots.txt ``disallowed`` it,
    and, where the probe is invalid, the kind of ``suspicion`` (see ``grade.probing``)."""

    schema: str = SCHEMA
    key: Key
    lane: str
    corpus: str
    case: str
    stratum: str
    query: str
    channel: str
    where: str
    truth: str
    truth_valid_at: str
    system: str
    observed_at: str
    expect: str
    label: str
    tags: tuple[str, ...]
    reason: str
    duration_s: float
    verdicts: tuple[Verdicts, ...]
    efficiency: EfficiencyVerdict
    budget: Budget
    max_extra_claims: int
    allowed_sources: tuple[str, ...]
    reported_attempts: int | None
    trouble: Trouble | None
    evidence: str
    home: Home | None = None
    witness: str = WIRE
    region: str | None = None
    target: str | None = None
    terms: str = ""
    disallowed: tuple[str, ...] = ()
    suspicion: str | None = None

    @property
    def as_expected(self) -> bool:
        return self.label == self.expect


def record_of(
    key: Key,
    case: Case,
    truth: Truth,
    settings: Settings,
    judgement: Judgement,
    run: StoredRun,
    observed_at: str,
) -> Record:
    """The record of one judged run."""
    return Record(
        key=key,
        lane=settings.lane,
        corpus=case.corpus,
        case=case.id,
        stratum=case.stratum,
        query=case.query,
        channel=case.live_channel,
        where=_shown(case.where),
        truth=_shown(truth.where),
        truth_valid_at=truth.valid_at.isoformat(),
        system=settings.system,
        observed_at=observed_at,
        expect=case.expect,
        label=judgement.label,
        tags=judgement.tags,
        reason=judgement.reason,
        duration_s=sum(verdict.outcome.duration_s for verdict in judgement.verdicts),
        verdicts=judgement.verdicts,
        efficiency=judgement.efficiency,
        budget=truth.max_budget,
        max_extra_claims=truth.max_extra_claims,
        allowed_sources=truth.allowed_sources,
        reported_attempts=_reported_attempts(run),
        trouble=run.trouble,
        evidence=_folder(key, case),
        witness=next((step.witness for step in run.steps), WIRE),
    )


def _folder(key: Key, case: Case) -> str:
    """Several tests may run one case, and each run has a folder of its own. A case's own item ends in its id, perhaps
    with the name of an xdist group."""
    if key.test.rpartition("::")[2].partition("@")[0] == case.id:
        return f"cases/{case.corpus}/{case.id}/{key.trial}"
    test = hashlib.sha256(key.test.encode()).hexdigest()[:12]
    return f"tests/{test}/{case.corpus}/{case.id}/{key.trial}"


def _shown(where: Location) -> str:
    return f"{shown(where.path)}:{where.line}"


def _reported_attempts(run: StoredRun) -> int | None:
    """How many requests the system itself says that it made, None where it says nothing."""
    told = [
        len(step.testimony.payload["attempts"])
        for step in run.steps
        if isinstance(step.testimony.payload, dict)
        and isinstance(step.testimony.payload.get("attempts"), list)
    ]
    return sum(told) if told else None
