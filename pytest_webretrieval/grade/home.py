"""The likely home of a fault: the system's own code, its model, the world, or the grader; and by what it is known.

Each rule says what it rests on, attempts by their numbers and words quoted; where none applies, nobody is blamed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pytest_webretrieval.cases.truth import Truth

from . import home_access, home_answer, home_calls, home_citations, home_ends, home_facts, home_unseen
from .conduct import conduct_of
from .evidence import StepEvidence, Trouble
from .fault import CODE, GRADER, UNKNOWN, WORLD, Fault, Home
from .judge import Judgement
from .label import PASSING, first_to_tell

Rule = Callable[[Fault], Home | None]

_FACTS: tuple[Rule, ...] = (
    home_facts.misread,
    home_facts.dropped,
    home_facts.given,
    home_facts.withheld,
    home_access.signed_out,
    home_access.hasty,
    home_access.unlinked,
    home_access.unrendered,
    home_access.unread,
    home_unseen.never_seen,
)
# For each label the rules in the order in which they are asked.
RULES: Mapping[str, tuple[Rule, ...]] = {
    "policy_violation": (home_ends.acted,),
    "timeout": (home_ends.slow,),
    "system_failure": (home_ends.no_model, home_calls.misused, home_ends.broke),
    "unfounded_refusal": _FACTS,
    "unsafe_answer": (home_answer.unsafe,),
    "contradicted": (home_answer.put_in, *_FACTS),
    "no_answer": _FACTS,
    "partial": _FACTS,
    "unsupported": (
        home_citations.lost,
        home_citations.added,
        home_citations.missing,
        home_citations.chosen,
        home_citations.unfetched,
    ),
    "ungraded": (home_answer.ungraded,),
    "stale": (home_answer.stale,),
}


def find_home(
    truth: Truth, steps: Sequence[StepEvidence], judgement: Judgement, trouble: Trouble | None
) -> Home | None:
    """Where the fault of a run is at home; None for a run that passed. Pure, as all judging is."""
    if trouble is not None:
        where = GRADER if trouble.where == "grader" else WORLD
        return Home(
            where=where, why=f"the {trouble.where} failed, not the system", evidence=(trouble.message,)
        )
    if judgement.label in PASSING or not steps:
        return None
    number = first_to_tell(judgement.step_labels)
    forbidden = [act for act in judgement.acts if act.tag in truth.forbidden_actions]
    fault = Fault(
        label=judgement.label,
        tags=judgement.tags,
        verdicts=judgement.verdicts[number],
        conduct=conduct_of(truth, steps, number),
        acts=tuple(act.ground.url or act.ground.detail or "" for act in forbidden),
    )
    homes = (rule(fault) for rule in RULES.get(judgement.label, ()))
    return next((home for home in homes if home is not None), None) or _by_default(fault)


def _by_default(fault: Fault) -> Home:
    """Where no rule applies: a system without a model is all code."""
    conduct = fault.conduct
    if not conduct.turns and not conduct.model_elsewhere:
        return Home(
            where=CODE,
            why="no model was asked, so every decision was the program's own",
            evidence=(f"{len(conduct.fetches)} requests on the wire, none to a model",),
        )
    why = "the wire does not show which of code and model it was"
    if conduct.unheard:
        why = "a model was asked in a way that cannot be read here"
    return Home(where=UNKNOWN, why=why)
