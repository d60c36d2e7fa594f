"""What user code returned, as JSON-able data that can cross into the harness."""

from __future__ import annotations

import dataclasses
import json
import uuid
from collections.abc import Mapping, Set
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any

from .contract import MAX_BYTES, ContractError, RetrievalResult
from .jsonvalue import MAX_DEPTH, check_json, point

UNREADABLE_SCHEMA = "webretrieval.unreadable/1"
# An object without a dump of its own is read by its attributes when it has one of these, as SDKs name them.
_ANSWER_ATTRIBUTES = ("choices", "output", "candidates", "content", "answer")


def to_payload(value: Any) -> Any:
    """A string or JSON-able data out of a string, dict, RetrievalResult, pydantic model, message or response.

    Text is cut at 8 MB. Raises ContractError for None, for what has no JSON form, and for data over 8 MB.
    """
    if value is None:
        raise ContractError("", "the system returned nothing (None); return the answer")
    if isinstance(value, bytes | bytearray):
        value = bytes(value).decode("utf-8", "replace")
    if isinstance(value, str):
        return cut(str(value))
    data = _plain(value, "", 0)
    size = check_json(data)
    if size > MAX_BYTES:
        raise ContractError("", f"{size} bytes of JSON; at most {MAX_BYTES} (8 MB) are read")
    return data


def from_stdout(output: bytes, *, whole: bool) -> Any:
    """Text, or the object that standard output is when it parses as a result or as a provider's response.

    ``whole`` is False when more than 8 MB were written. Raises ContractError for an object that was not read
    whole.
    """
    text = output.decode("utf-8", "replace")
    if not text.lstrip().startswith("{"):
        return cut(text.strip())
    if not whole:
        raise ContractError("", f"more than {MAX_BYTES} bytes (8 MB) of JSON")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return cut(text.strip())
    known = ("schema", "status", *_ANSWER_ATTRIBUTES)
    return data if isinstance(data, dict) and any(name in data for name in known) else cut(text.strip())


def from_response(body: bytes, media_type: str) -> Any:
    """The answer in an HTTP response: JSON as what it says, anything else as text.

    Raises ContractError for a page of HTML, a stream of events, JSON that cannot be read, and more than 8 MB of it.
    """
    text = body.decode("utf-8", "replace").strip()
    if media_type == "text/event-stream":
        raise ContractError("", "the server streams its answer (text/event-stream); have it answer at once")
    if text[:64].lower().startswith(("<!doctype html", "<html")):
        raise ContractError("", "the server answered with a page of HTML; answer with text or JSON")
    if media_type != "application/json" and not media_type.endswith("+json"):
        return cut(text)
    if len(body) > MAX_BYTES:
        raise ContractError("", f"more than {MAX_BYTES} bytes (8 MB) of JSON")
    try:
        return to_payload(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise ContractError(
            "", f"the server said that it answers with JSON, and it is none: {error}"
        ) from None


def unreadable(error: ContractError) -> dict[str, str]:
    """A payload that says why there is none: reading it raises the same error on the harness's side."""
    return {"schema": UNREADABLE_SCHEMA, "pointer": error.pointer, "message": error.message}


def cut(text: str) -> str:
    """The text, or as much of it as 8 MB of UTF-8 hold."""
    if len(text) * 4 <= MAX_BYTES:
        return text
    encoded = text.encode("utf-8", "surrogatepass")
    return text if len(encoded) <= MAX_BYTES else encoded[:MAX_BYTES].decode("utf-8", "ignore")


def _plain(value: Any, where: str, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise ContractError(where[:200], f"nested deeper than {MAX_DEPTH}, or in a circle")
    if value is None or isinstance(value, bool):
        return value
    scalar = _scalar(value)
    if scalar is not None:
        return scalar
    if isinstance(value, Mapping):
        return {
            _key(key, where): _plain(item, where + point(str(key)), depth + 1) for key, item in value.items()
        }
    if isinstance(value, list | tuple | Set):
        return [_plain(item, where + point(index), depth + 1) for index, item in enumerate(value)]
    return _plain(_dumped(value, where), where, depth + 1)


def _scalar(value: Any) -> str | int | float | None:
    if isinstance(value, Enum):
        return _scalar(value.value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float | Decimal):
        return float(value)
    if isinstance(value, bytes | bytearray):
        return bytes(value).decode("utf-8", "replace")
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, PurePath | uuid.UUID):
        return str(value)
    return None


def _key(key: Any, where: str) -> str:
    scalar = _scalar(key)
    if scalar is None:
        raise ContractError(where, f"the key {key!r} is not a string")
    return str(scalar)


def _dumped(value: Any, where: str) -> Any:
    """One level nearer to JSON; the caller goes on from there."""
    if isinstance(value, RetrievalResult):
        return _result(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, type):
        raise ContractError(where, f"the class {value.__name__} is not JSON")
    if callable(dump := getattr(value, "model_dump", None)):
        return _model(dump)
    if callable(to_dict := getattr(value, "to_dict", None)):
        return to_dict()
    attributes = getattr(value, "__dict__", None) or _slots(value)
    if any(name in attributes for name in _ANSWER_ATTRIBUTES):
        return {name: item for name, item in attributes.items() if not name.startswith("_")}
    raise ContractError(where, f"{_described(value)} is not JSON")


def _result(result: RetrievalResult) -> dict[str, Any]:
    """Its fields as they are, right or wrong: the harness's strict reading names what is wrong."""
    fields = {field.name: getattr(result, field.name) for field in dataclasses.fields(result)}
    fields.pop("notes")
    empty_means_absent = {name for name in ("claims", "sources") if not fields[name]}
    return {
        name: _without_none(item)
        for name, item in fields.items()
        if item is not None and name not in empty_means_absent
    }


def _without_none(value: Any) -> Any:
    """A dataclass of the contract (or a row of them) without what it leaves open."""
    if isinstance(value, list | tuple):
        return [_without_none(item) for item in value]
    if not dataclasses.is_dataclass(value) or isinstance(value, type):
        return value
    fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {name: _without_none(item) for name, item in fields.items() if item is not None}


def _model(dump: Any) -> Any:
    try:
        return dump(mode="json")
    except (
        TypeError,
        ValueError,
    ):  # no such parameter (pydantic 1 look-alikes), or a value without a JSON form
        return dump()


def _slots(value: Any) -> dict[str, Any]:
    names = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _described(value: Any) -> str:
    name = type(value).__name__
    if name in ("generator", "async_generator", "coroutine"):
        return f"a {name.replace('_', ' ')} (return the whole answer)"
    return f"an object of type {name}"
