"""Frozen dataclasses to JSON-able data and back, by their own field types."""

from __future__ import annotations

import base64
import dataclasses
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


@cache
def _field_names(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


@cache
def _field_types(cls: Any) -> dict[str, Any]:
    return typing.get_type_hints(cls)


def to_json(value: Any) -> Any:
    """Dataclasses become objects, tuples and sets lists, bytes base64 text, times and paths text."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if dataclasses.is_dataclass(value):
        kind: Any = type(value)
        return {name: to_json(getattr(value, name)) for name in _field_names(kind)}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [to_json(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(to_json(item) for item in value)
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def from_json(cls: type[T], data: Mapping[str, Any]) -> T:
    """The dataclass that ``to_json`` made ``data`` from; fields that ``data`` lacks keep their default."""
    kind: Any = cls
    hints = _field_types(kind)
    return cls(**{name: _restore(hints[name], data[name]) for name in _field_names(kind) if name in data})


def _restore(hint: Any, data: Any) -> Any:
    if data is None or hint is Any:
        return data
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _restore(next(kind for kind in arguments if kind is not type(None)), data)
    if origin is tuple:
        kinds = [arguments[0]] * len(data) if arguments[-1] is Ellipsis else arguments
        return tuple(_restore(kind, item) for kind, item in zip(kinds, data, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        return {key: _restore(arguments[1], item) for key, item in data.items()}
    if dataclasses.is_dataclass(hint):
        return from_json(typing.cast("type[Any]", hint), data)
    if hint is bytes:
        return base64.b64decode(data)
    if hint is datetime:
        return datetime.fromisoformat(data)
    if hint is Path:
        return Path(data)
    return data
