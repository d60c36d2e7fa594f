"""Any answer as a result: structured results, plain text, and what providers return."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .citing import Cited, read_citations
from .codec import result_from_json
from .contract import Citation, Claim, ContractError, Refusal, RetrievalResult, Source
from .jsonvalue import check_json
from .links import same_source
from .payload import UNREADABLE_SCHEMA
from .providers import read_response
from .reading import Located, Reading
from .refusals import refusal_in
from .spans import Spans


def read(payload: Any) -> RetrievalResult:
    """The result that a payload is (see ``payload.to_payload`` for how a payload is made).

    Text always gives a result, and so does a provider's response. Raises ContractError for an object
    that is neither that nor a right result, and for what is no text and no object.
    """
    if isinstance(payload, str):
        return _from_reading(Reading(answer=payload), raw=None)
    if isinstance(payload, dict) and payload.get("schema") == UNREADABLE_SCHEMA:
        raise ContractError(str(payload.get("pointer", "")), str(payload.get("message", "unreadable")))
    check_json(payload)
    if not _names_our_schema(payload) and (reading := read_response(payload)) is not None:
        return _from_reading(reading, raw=payload)
    if not isinstance(payload, dict):
        raise ContractError("", f"expected text or an object, got {type(payload).__name__}")
    return _structured(payload)


def _names_our_schema(payload: Any) -> bool:
    return isinstance(payload, dict) and str(payload.get("schema", "")).startswith("webretrieval.")


def _from_reading(reading: Reading, raw: Any) -> RetrievalResult:
    cited = read_citations(reading)
    refusal = refusal_in(cited.said, cited.sources)
    status = reading.status or ("declined" if refusal is not None else "answered")
    result = RetrievalResult(
        status=status,
        answer=reading.answer,
        claims=cited.claims if status == "answered" else (),
        sources=tuple(Source(url=url) for url in cited.sources),
        usage=reading.usage,
        raw=raw,
        notes=tuple(reading.notes),
    )
    if status != "declined":
        return result
    return replace(result, refusal=refusal or Refusal(detail=reading.detail))


def _structured(payload: dict[str, Any]) -> RetrievalResult:
    """Declared claims stand; sentences that none of them touches are read from the answer."""
    result = result_from_json(payload)
    declared, moved = _relocated(result)
    if result.status != "answered":
        return replace(result, claims=declared, notes=moved)
    reading = Reading(answer=result.answer)
    if "claims" not in payload:
        raw = read_response(result.raw)
        if raw is not None:
            _take_over(raw, reading)
    cited = read_citations(reading)
    claims = declared + _untouched(cited, declared)
    # Marks in the text of a result that declares its claims are decoration.
    notes = moved if "claims" in payload else tuple(reading.notes)
    return replace(result, claims=claims, notes=notes)


def _relocated(result: RetrievalResult) -> tuple[tuple[Claim, ...], tuple[str, ...]]:
    """Claims whose text is what the offsets say, and a note where that had to be mended."""
    notes: list[str] = []
    claims: list[Claim] = []
    for claim in result.claims:
        if result.answer[claim.start : claim.end] != claim.text:
            notes = ["offset-invalid"]
            claim = _found(claim, result.answer)
        claims.append(replace(claim, citations=_once(claim.citations)))
    return tuple(claims), tuple(notes)


def _found(claim: Claim, answer: str) -> Claim:
    start = answer.find(claim.text) if claim.text else -1
    if start < 0:
        return replace(claim, text=answer[claim.start : claim.end])
    return replace(claim, start=start, end=start + len(claim.text))


def _once(citations: tuple[Citation, ...]) -> tuple[Citation, ...]:
    once: dict[str, Citation] = {}
    for citation in citations:
        once.setdefault(same_source(citation.url), citation)
    return tuple(once.values())


def _take_over(raw: Reading, reading: Reading) -> None:
    """Citations of a provider's response for an answer that may be another text: places hold only in the
    same."""
    reading.listed = raw.listed
    if raw.answer == reading.answer:
        reading.located, reading.nearest = raw.located, raw.nearest
        reading.unlocated, reading.notes = raw.unlocated, raw.notes
        return
    for claim in read_citations(raw).claims:
        start = reading.answer.find(claim.text)
        if start >= 0:
            reading.located += [
                Located(start, start + len(claim.text), citation.url, is_claim=True)
                for citation in claim.citations
            ]


def _untouched(cited: Cited, declared: tuple[Claim, ...]) -> tuple[Claim, ...]:
    taken = Spans((claim.start, claim.end) for claim in declared)
    return tuple(claim for claim in cited.claims if not taken.overlap(claim.start, claim.end))
