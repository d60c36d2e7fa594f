"""Whose fault it is that a tool raised: did the model call it as it is offered?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pytest_webretrieval.wire.offers import Offer, offers_in

from .fault import MODEL, Fault, Home, quoted, start_of

_TAKES = re.compile(r"\b(?:takes?|needs?|needed|requires?|required|expects?|must|mandatory)\b", re.I)
_MAY = re.compile(r"\b(?:optional(?:ly)?|may|can|not|without|unless|ignored?|default)\b|n't\b", re.I)


def misused(fault: Fault) -> Home | None:
    """It raised when the model had called a tool with arguments that its schema or its description rules out."""
    conduct, outcome = fault.conduct, fault.verdicts.outcome
    if outcome.status != "raised" or not conduct.turns:
        return None
    turn = conduct.turns[-1]
    asked = next((one for one in conduct.evidence.trace.attempts if one.number == turn.attempt), None)
    offers = {offer.name: offer for offer in offers_in(asked.request_body)} if asked is not None else {}
    error = outcome.error_type or "an exception"
    for call in turn.calls:
        breach = _breach(call.arguments, offers[call.name]) if call.name in offers else None
        if breach:
            return Home(
                where=MODEL,
                why=f"the model called {call.name} as it is not offered, and it raised {error}",
                evidence=(f"#{turn.attempt} calls {call.name}({start_of(call.arguments)})", breach),
            )
    return None


def _breach(arguments: str, offer: Offer) -> str | None:
    """What of an offer these arguments break."""
    try:
        given = json.loads(arguments or "{}")
    except ValueError:
        return "the arguments are no JSON"
    breach = _of_schema(given, offer)
    return breach or (_of_description(given, offer) if isinstance(given, dict) else None)


def _of_schema(given: Any, offer: Offer) -> str | None:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError, best_match
    from referencing.exceptions import Unresolvable

    try:
        Draft202012Validator.check_schema(offer.parameters)
        error = best_match(Draft202012Validator(offer.parameters).iter_errors(given))
    except (SchemaError, Unresolvable):
        return None
    return f"its schema: {start_of(error.message)}" if error is not None else None


def _of_description(given: Mapping[str, Any], offer: Offer) -> str | None:
    """A clause that says of the value which a call chose that it takes a parameter which the call leaves out."""
    properties = offer.parameters.get("properties") or {}
    left_out = {
        name
        for name, schema in properties.items()
        if given.get(name) in (None, "", []) and isinstance(schema, Mapping) and "default" not in schema
    }
    for selector, schema in properties.items():
        values = schema.get("enum") or () if isinstance(schema, Mapping) else ()
        if given.get(selector) not in values:
            continue
        for clause in _clauses(offer.description, properties):
            words = set(re.findall(r"\w+", clause))
            about = words & {value for value in values if isinstance(value, str)}
            if (
                about == {given[selector]}
                and words & left_out
                and _TAKES.search(clause)
                and not _MAY.search(clause)
            ):
                return f"its description: {quoted(start_of(clause))}"
    return None


def _clauses(description: str, properties: Mapping[str, Any]) -> Iterator[str]:
    """The clauses of a tool's description, and those of its parameters' own, each with the parameter's name."""
    for clause in re.split(r"[.;,\n]|\band\b", description):
        yield clause.strip()
    for name, schema in properties.items():
        said = str(schema.get("description") or "") if isinstance(schema, Mapping) else ""
        for clause in re.split(r"[.;\n]", said):
            yield f"{name}: {clause.strip()}"
