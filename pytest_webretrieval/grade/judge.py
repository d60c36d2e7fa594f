"""The way in: evidence in, verdicts, label, tags and a reason in plain words out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pytest_webretrieval.cases.truth import Truth
from pytest_webretrieval.wire.attempt import Attempt

from .act import Act
from .citations import Cited, cited_urls, read_citations
from .claims import weigh_claims
from .efficiency import over_tag, read_efficiency, whole_run
from .evidence import StepEvidence, Trouble
from .facts import Said, read_facts
from .freshness import Fresh, read_freshness
from .label import State, classify, first_to_tell
from .opaque import cites_what_nobody_read
from .outcome import read_outcome
from .pages_as_causes import cited_walls, is_damaged, page_causes
from .policy import read_acts
from .reason import explain
from .refusal import documents
from .seen import Shelf, View, look
from .tags import in_order
from .urls import canonical
from .verdicts import (
    CitationVerdict,
    ClaimFinding,
    ContentVerdict,
    EfficiencyVerdict,
    FactFinding,
    FreshnessVerdict,
    Funnel,
    Ground,
    Verdicts,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """A run's one label, its tags in the order of the table, the verdicts of each step, what the whole run
    consumed, and the reason in plain words (empty when it passed)."""

    label: str
    tags: tuple[str, ...]
    verdicts: tuple[Verdicts, ...]
    efficiency: EfficiencyVerdict
    reason: str
    step_labels: tuple[str, ...] = ()
    acts: tuple[Act, ...] = ()


@dataclass(frozen=True, slots=True)
class StepJudgement:
    """One step: its verdicts, the state that the label is read from, the tags and acts."""

    verdicts: Verdicts
    state: State
    tags: frozenset[str]
    acts: tuple[Act, ...]
    unsupported_extras: int


def grade(truth: Truth, evidence: StepEvidence) -> Verdicts:
    """The five verdicts on one step that stands alone."""
    return judge_step(truth, evidence, (), Shelf(), None).verdicts


def judge_run(truth: Truth, steps: Sequence[StepEvidence], trouble: Trouble | None) -> Judgement:
    """Judge one run by all of its steps. Pure: the same evidence gives the same judgement.

    Raises ValueError when there are no steps, or when a fact's value cannot be read as its kind.
    """
    shelf = Shelf()
    past: tuple[Attempt, ...] = ()
    judged: list[StepJudgement] = []
    for evidence in steps:
        judged.append(judge_step(truth, evidence, past, shelf, trouble))
        past = (*past, *evidence.trace.attempts)
    labels = tuple(classify(step.state) for step in judged)
    telling = first_to_tell(labels)
    total = whole_run([step.verdicts.efficiency for step in judged], truth.max_budget)
    tags = {tag for step in judged for tag in step.tags} | {over_tag(cap) for cap in total.over}
    return Judgement(
        label=labels[telling],
        tags=in_order(tags),
        verdicts=tuple(step.verdicts for step in judged),
        efficiency=total,
        reason=explain(
            labels[telling],
            truth,
            judged[telling].verdicts,
            judged[telling].state,
            judged[telling].acts,
            trouble,
        ),
        step_labels=labels,
        acts=tuple(act for step in judged for act in step.acts),
    )


def unjudged(trouble: Trouble) -> Judgement:
    """What a run comes to that has nothing to judge, or that the graders themselves failed on."""
    return Judgement(
        label="probe_invalid" if trouble.kind == "probe" else "infra_error",
        tags=(),
        verdicts=(),
        efficiency=EfficiencyVerdict(),
        reason=f"{trouble.where}: {trouble.message}",
    )


def judge_step(
    truth: Truth, evidence: StepEvidence, past: tuple[Attempt, ...], shelf: Shelf, trouble: Trouble | None
) -> StepJudgement:
    """Judge one step; ``past`` are the attempts of the steps before it, ``shelf`` what the run has read so
    far."""
    view = look(evidence, past, shelf)
    docs = documents(view)
    outcome, tags = read_outcome(truth, evidence, view, docs)
    acts = read_acts(truth, evidence, view, docs)
    spent = read_efficiency(evidence, view)
    tags |= {act.tag for act in acts} | set(spent.tags) | page_causes(outcome, docs, view)
    answer = evidence.result.answer if evidence.result is not None and outcome.status == "answered" else None
    said: tuple[Said, ...] = ()
    cited = _NOTHING_CITED
    claims: tuple[ClaimFinding, ...] = ()
    fresh = Fresh(FreshnessVerdict(state="n/a", window_s=truth.freshness_window_s))
    if answer is not None and evidence.result is not None:
        said = read_facts(evidence.step, answer, cited_urls(evidence.result), view)
        cited = read_citations(truth, evidence.result, said, view)
        claims = weigh_claims(evidence.result, view)
        fresh = read_freshness(truth, evidence, said, cited, view)
        tags |= {tag for item in said for tag in item.tags} | set(cited.tags) | set(fresh.tags)
        tags |= cited_walls(evidence, docs, view)
        if len(answer) > truth.answer_max_chars:
            tags.add("answer-too-long")
    if evidence.result is not None:
        tags |= {note for note in evidence.result.notes if note in ("dangling-citation", "offset-invalid")}
    content = ContentVerdict(facts=_findings(evidence, said, cited))
    if content.matched < content.required and any(map(is_damaged, docs)):
        tags.add("mojibake")
    verdicts = Verdicts(
        outcome=outcome,
        content=content,
        citation=replace(cited.verdict, claims=claims),
        freshness=fresh.verdict,
        efficiency=spent.verdict,
        funnel=_funnel(evidence, view, content),
    )
    blind = not evidence.shows_the_web and answer is not None and cites_what_nobody_read(evidence, view)
    state = _state(truth, evidence, verdicts, acts, cited, tags, trouble, blind=blind)
    return StepJudgement(verdicts, state, frozenset(tags), acts, cited.unsupported_extras)


_NOTHING_CITED = Cited(CitationVerdict(), (), frozenset(), frozenset(), {}, 0)


def _findings(evidence: StepEvidence, said: tuple[Said, ...], cited: Cited) -> tuple[FactFinding, ...]:
    if not said:
        return tuple(
            FactFinding(
                fact=fact.id,
                value=fact.value,
                state="missing",
                ground=Ground(rule="no-answer-to-look-in"),
                fetched=False,
            )
            for fact in evidence.step.expected_facts
        )
    return tuple(
        FactFinding(
            fact=item.fact.id,
            value=item.fact.value,
            state=item.state,
            ground=item.ground,
            fetched=bool(item.bearing),
            cited=item.fact.id in cited.facts_cited,
            supported=item.fact.id in cited.facts_supported,
        )
        for item in said
    )


def _funnel(evidence: StepEvidence, view: View, content: ContentVerdict) -> Funnel:
    own = {attempt.number for attempt in view.attempts}
    fetched = {
        view.group(seen.url) for seen in view.pages if seen.attempt in own and seen.role != "subresource"
    }
    cited = cited_urls(evidence.result) if evidence.result is not None else ()
    return Funnel(
        served=len({view.group(url) for url in view.offered} | fetched),
        fetched=len(fetched),
        cited=len({view.group(canonical(url)) for url in cited}),
        said=sum(finding.state in ("matched", "not-fetched") for finding in content.facts),
    )


def _state(
    truth: Truth,
    evidence: StepEvidence,
    verdicts: Verdicts,
    acts: tuple[Act, ...],
    cited: Cited,
    tags: set[str],
    trouble: Trouble | None,
    *,
    blind: bool,
) -> State:
    states = [finding.state for finding in verdicts.content.facts]
    forbidden = tuple(dict.fromkeys(act.tag for act in acts if act.tag in truth.forbidden_actions))
    return State(
        infra=trouble is not None and trouble.kind != "probe",
        probe=trouble is not None and trouble.kind == "probe",
        violations=forbidden,
        status=verdicts.outcome.status,
        refusal_due=bool(truth.refusal_reasons),
        refusal_proven=verdicts.outcome.refusal_proven,
        required=len(states),
        right=sum(state in ("matched", "not-fetched") for state in states),
        contradicted=states.count("contradicted"),
        ambiguous=states.count("ambiguous"),
        missing=states.count("missing"),
        flaw=None if blind else _flaw(truth, verdicts, cited, tags),
        unknown="pages" if blind else _unknown(verdicts),
        stale=verdicts.freshness.state == "stale",
    )


def _flaw(truth: Truth, verdicts: Verdicts, cited: Cited, tags: set[str]) -> str | None:
    """What the citations fall short of, as a tag; the worst first."""
    citation = verdicts.citation
    if not verdicts.content.facts and not cited.unsupported_extras:
        return "answer-too-long" if "answer-too-long" in tags else None
    for tag in (
        "answer-too-long",
        "cite-search-snippet",
        "fabricated-citation",
        "cited-mirror",
        "citation-not-retrieved",
        "citation-not-allowed",
        "citation-contradicts",
        "empty-source",
        "citation-mismatch",
        "citation-missing",
    ):
        if tag in tags and (
            tag == "answer-too-long" or citation.supported + citation.unknown < citation.checked
        ):
            return tag
    if any(finding.state == "not-fetched" for finding in verdicts.content.facts):
        return "fact-not-fetched"
    if citation.supported + citation.unknown < citation.checked:
        return "citation-mismatch"
    if "too-few-sources" in tags:
        return "too-few-sources"
    if cited.unsupported_extras > truth.max_extra_claims:
        return "unsupported-extra"
    return None


def _unknown(verdicts: Verdicts) -> str | None:
    if verdicts.citation.unknown:
        return "citation"
    return "freshness" if verdicts.freshness.state == "unknown" else None
