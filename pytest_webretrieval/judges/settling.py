"""A second word on the claims that proof left ``unknown``; on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_webretrieval.grade.support import NONE

from .parsing import UNGRADED, Opinion
from .showing import source_of

_CUT = "what was left out of its pages may say it"
# An opinion on a question, whose inputs have names: a model that is asked, or one that runs here.
Opine = Callable[[Mapping[str, str]], Opinion]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A claim that was ``unknown``, the step's claim of that ``number``, and what the judge says of it; ``verdict`` is
    ``ungraded`` where that counts for nothing. ``is_cut`` where the judge was not shown all of its pages."""

    case: str
    trial: int
    step: int
    number: int
    claim: str
    url: str
    is_cut: bool
    verdict: str
    quote: str
    reason: str


def settle(
    records: Iterable[Mapping[str, Any]],
    page: Callable[[Mapping[str, Any], str], str],
    opine: Opine,
) -> Iterator[Settled]:
    """Ask about every claim that is ``unknown``, with a ``claim`` and, as its ``source``, the pages that it cites.
    ``page`` gives the text of a representation of a record. Raises JudgeError where the judge cannot be asked."""
    for record in records:
        for at, step in enumerate(record["verdicts"]):
            for number, finding in enumerate(step["citation"].get("claims", ())):
                if finding["support"] != "unknown" or (shown := source_of(record, finding, page)) is None:
                    continue
                opinion = opine({"claim": finding["claim"], "source": shown.text})
                if shown.is_cut and opinion.verdict == NONE:
                    opinion = replace(opinion, verdict=UNGRADED, reason=f"{_CUT}: {opinion.reason}")
                yield Settled(
                    case=record["case"],
                    trial=record["key"]["trial"],
                    step=at,
                    number=number,
                    claim=finding["claim"],
                    url=finding["ground"]["url"],
                    is_cut=shown.is_cut,
                    verdict=opinion.verdict,
                    quote=opinion.quote,
                    reason=opinion.reason,
                )


def with_settled(record: Mapping[str, Any], settled: Iterable[Settled]) -> dict[str, Any]:
    """The record with the judge's word beside each ``unknown`` claim; what proof decided stays as it is. ``cut`` says
    whether the judge saw parts of its pages only."""
    words = {
        (item.step, item.number): item
        for item in settled
        if (item.case, item.trial) == (record["case"], record["key"]["trial"])
    }
    verdicts = [
        step
        | {
            "citation": step["citation"]
            | {
                "claims": [
                    claim | _word(words.get((at, number))) if claim["support"] == "unknown" else claim
                    for number, claim in enumerate(step["citation"].get("claims", ()))
                ]
            }
        }
        for at, step in enumerate(record["verdicts"])
    ]
    return {**record, "verdicts": verdicts}


def _word(item: Settled | None) -> dict[str, Any]:
    if item is None:
        return {"settled": None}
    return {"settled": None if item.verdict == UNGRADED else item.verdict, "cut": item.is_cut}
