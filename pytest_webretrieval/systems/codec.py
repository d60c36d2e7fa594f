"""Tasks and results as JSON. What breaks the contract is named by its JSON pointer."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from .contract import (
    MAX_BYTES,
    Citation,
    Claim,
    ContractError,
    Credential,
    Refusal,
    RetrievalResult,
    Source,
    Task,
    User,
)
from .jsonvalue import check_json, point
from .secrets import secret_in

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_JSON_TYPES = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema ``task`` or ``result``, as it lies in the package."""
    text = files("pytest_webretrieval.systems").joinpath(f"schemas/{name}.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def task_to_json(task: Task) -> dict[str, Any]:
    """The task as a system gets it; every field is written, so that absence never has to be interpreted."""
    data = asdict(task)
    data["start_urls"] = list(task.start_urls)
    data["policy"] = list(task.policy)
    if task.user is not None:
        data["user"] = {"name": task.user.name, "credentials": [_given(c) for c in task.user.credentials]}
    return {"schema": data.pop("schema"), **data}


def task_from_json(data: Any) -> Task:
    """Raises ContractError."""
    _validate(data, "task")
    fields = dict(data)
    fields["start_urls"] = tuple(fields.get("start_urls", ()))
    fields["policy"] = tuple(fields.get("policy", ()))
    if (user := fields.get("user")) is not None:
        credentials = tuple(Credential(**credential) for credential in user.get("credentials", ()))
        fields["user"] = User(name=user["name"], credentials=credentials)
    return Task(**fields)


def result_to_json(result: RetrievalResult) -> dict[str, Any]:
    """The result as a system would have written it, with its claims spelled out and without our ``notes``; what
    was not said is left out."""
    data: dict[str, Any] = {"schema": result.schema, "status": result.status, "answer": result.answer}
    if result.claims or result.status == "answered":
        data["claims"] = [_claim_to_json(claim) for claim in result.claims]
    if result.sources:
        data["sources"] = [_given(source) for source in result.sources]
    if result.refusal is not None:
        data["refusal"] = _given(result.refusal)
    if result.attempts is not None:
        data["attempts"] = [dict(attempt) for attempt in result.attempts]
    for name in ("usage", "raw", "system"):
        if (value := getattr(result, name)) is not None:
            data[name] = value
    return data


def result_from_json(data: Any) -> RetrievalResult:
    """Raises ContractError: an unknown or missing field, a wrong type, an offset outside the answer, a
    relative URL, a secret in ``system.config``, more than 8 MB."""
    _validate(data, "result")
    answer = data.get("answer", "")
    claims = tuple(_claim(item, answer, index) for index, item in enumerate(data.get("claims", ())))
    _refuse_secrets(data.get("system"))
    attempts = data.get("attempts")
    refusal = data.get("refusal")
    return RetrievalResult(
        status=data["status"],
        answer=answer,
        claims=claims,
        sources=tuple(Source(**source) for source in data.get("sources", ())),
        refusal=None if refusal is None else Refusal(**refusal),
        attempts=None if attempts is None else tuple(attempts),
        usage=data.get("usage"),
        raw=data.get("raw"),
        system=data.get("system"),
        schema=data["schema"],
    )


def _given(value: Any) -> dict[str, Any]:
    return {name: field for name, field in asdict(value).items() if field is not None}


def _claim_to_json(claim: Claim) -> dict[str, Any]:
    citations = [{"url": citation.url} for citation in claim.citations]
    return {"text": claim.text, "start": claim.start, "end": claim.end, "citations": citations}


def _claim(item: Mapping[str, Any], answer: str, index: int) -> Claim:
    # JSON Schema counts 3.0 as an integer; slices do not.
    start, end = int(item["start"]), int(item["end"])
    for name, offset in (("start", start), ("end", end)):
        if offset > len(answer):
            raise ContractError(
                f"/claims/{index}/{name}",
                f"offset {offset} is outside the answer, which has {len(answer)} code points",
            )
    if end < start:
        raise ContractError(f"/claims/{index}/end", f"end {end} lies before start {start}")
    citations = tuple(Citation(url=citation["url"]) for citation in item.get("citations", ()))
    return Claim(text=item["text"], start=start, end=end, citations=citations)


def _refuse_secrets(system: Mapping[str, Any] | None) -> None:
    pointer = secret_in((system or {}).get("config"), "/system/config")
    if pointer is not None:
        raise ContractError(
            pointer, "looks like a secret; name the environment variable that holds it instead"
        )


@cache
def _validator(name: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(schema(name))


def _validate(data: Any, name: str) -> None:
    if not isinstance(data, dict):
        raise ContractError("", f"expected an object, got {_type_name(data)}")
    size = check_json(data)
    if size > MAX_BYTES:
        raise ContractError("", f"{size} bytes of JSON; at most {MAX_BYTES} (8 MB) are read")
    errors = sorted(_leaves(_validator(name).iter_errors(data)), key=lambda error: list(map(str, error.path)))
    if errors:
        raise _explain(errors[0])


def _leaves(errors: Iterator[ValidationError]) -> Iterator[ValidationError]:
    """What is wrong inside an ``anyOf`` of an object and null is what is wrong with the object."""
    for error in errors:
        if not error.context:
            yield error
        elif inner := [e for e in error.context if e.validator != "type" or e.validator_value != "null"]:
            yield from _leaves(iter(inner))


def _explain(error: ValidationError) -> ContractError:
    where = point(*error.absolute_path)
    wanted: Any = error.validator_value
    value: Any = error.instance
    rules: Any = error.schema
    match error.validator:
        case "additionalProperties":
            known = list(rules["properties"])
            name = next(key for key in value if key not in known)
            return ContractError(where + point(name), f"unknown field `{name}`{_did_you_mean(name, known)}")
        case "required":
            name = next(key for key in wanted if key not in value)
            return ContractError(where + point(name), f"missing field `{name}`")
        case "type":
            expected = wanted if isinstance(wanted, str) else " or ".join(wanted)
            return ContractError(where, f"expected {expected}, got {_type_name(value)}")
        case "enum":
            names = [str(item) for item in wanted if item is not None]
            return ContractError(where, f"{_shown(value)} is not one of {', '.join(names)}")
        case "const":
            return ContractError(where, f"expected {_shown(wanted)}, got {_shown(value)}")
        case "pattern":
            return ContractError(where, f"{_shown(value)} is not an absolute http or https URL")
        case _:
            return ContractError(where, _shown_text(error.message))


def _did_you_mean(name: str, known: list[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean `{close[0]}`?" if close else ""


def _type_name(value: Any) -> str:
    return _JSON_TYPES.get(type(value), type(value).__name__)


def _shown(value: Any) -> str:
    return _shown_text(json.dumps(value, ensure_ascii=False))


def _shown_text(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:79]}…"
