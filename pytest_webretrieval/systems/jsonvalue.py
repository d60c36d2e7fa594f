"""What is JSON, how deep and how large."""

from __future__ import annotations

import json
import math
from typing import Any

from .contract import ContractError

MAX_DEPTH = 100


def point(*path: str | int) -> str:
    """A JSON pointer (RFC 6901) from keys and indexes."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def check_json(value: Any) -> int:
    """The size in bytes of ``value`` as compact JSON in UTF-8.

    Raises ContractError for what JSON cannot say (NaN, keys that are no strings, other types) and for nesting
    that is deeper than ``MAX_DEPTH``.
    """
    waiting: list[tuple[Any, str, int]] = [(value, "", 0)]
    while waiting:
        item, where, depth = waiting.pop()
        if depth > MAX_DEPTH:
            raise ContractError(where[:200], f"nested deeper than {MAX_DEPTH}")
        if isinstance(item, dict):
            for key, inner in item.items():
                if not isinstance(key, str):
                    raise ContractError(where, f"the key {key!r} is not a string")
                waiting.append((inner, where + point(key), depth + 1))
        elif isinstance(item, list):
            waiting.extend((inner, where + point(index), depth + 1) for index, inner in enumerate(item))
        elif isinstance(item, float) and not math.isfinite(item):
            raise ContractError(where, f"{item} is not JSON")
        elif item is not None and not isinstance(item, str | int | float | bool):
            raise ContractError(where, f"{type(item).__name__} is not JSON")
    try:
        compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except ValueError as error:  # an integer of more than 4300 digits
        raise ContractError("", str(error)) from None
    return len(compact.encode("utf-8", "surrogatepass"))
