"""A second word on the claims that proof left ``unknown``; on nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .parsing import UNGRADED, Opinion

# Characters of a page that a judge is shown.
SHOWN = 24_000
# An opinion on a question, whose inputs have names: a model that is asked, or one that runs here.
Opine = Callable[[Mapping[str, str]], Opinion]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A claim that was ``unknown`` and what the judge says of it; ``verdict`` is ``ungraded`` where that counts for
    nothing."""

    case: str
    trial: int
    step: int
    claim: str
    url: str
    verdict: str
    quote: str
    reason: str


def settle(
    records: Iterable[Mapping[str, Any]],
    page: Callable[[Mapping[str, Any], str], str],
    opine: Opine,
) -> Iterator[Settled]:
    """Ask about every claim that is ``unknown``, with a ``claim`` and a ``source``. ``page`` gives the text of the
    representation of a record that a claim's ground names. Raises JudgeError where the judge cannot be asked."""
    for record in records:
        for number, step in enumerate(record["verdicts"]):
            for finding in step["citation"].get("claims", ()):
                sha256 = finding["ground"]["sha256"]
                if finding["support"] != "unknown" or sha256 is None:
                    continue
                opinion = opine({"claim": finding["claim"], "source": page(record, sha256)[:SHOWN]})
                yield Settled(
                    case=record["case"],
                    trial=record["key"]["trial"],
                    step=number,
                    claim=finding["claim"],
                    url=finding["ground"]["url"],
                    verdict=opinion.verdict,
                    quote=opinion.quote,
                    reason=opinion.reason,
                )


def with_settled(record: Mapping[str, Any], settled: list[Settled]) -> dict[str, Any]:
    """The record with the judge's word beside each ``unknown`` claim; what proof decided stays as it is."""
    words = {
        (item.step, item.claim): item.verdict
        for item in settled
        if item.verdict != UNGRADED and (item.case, item.trial) == (record["case"], record["key"]["trial"])
    }
    verdicts = [
        step
        | {
            "citation": step["citation"]
            | {
                "claims": [
                    claim | {"settled": words.get((number, claim["claim"]))}
                    if claim["support"] == "unknown"
                    else claim
                    for claim in step["citation"].get("claims", ())
                ]
            }
        }
        for number, step in enumerate(record["verdicts"])
    ]
    return {**record, "verdicts": verdicts}
