"""The tools that a request offers to a model, with what it says of their arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """``parameters`` is the JSON Schema of the arguments."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


def offers_in(body: bytes) -> tuple[Offer, ...]:
    """The functions that a request in one of the shapes of ``turns`` offers; tools that the provider runs are none."""
    try:
        asked = json.loads(body)
    except ValueError:
        return ()
    tools = asked.get("tools") if isinstance(asked, dict) else None
    found = []
    for tool in tools if isinstance(tools, list) else ():
        function = tool.get("function", tool) if isinstance(tool, dict) else None
        if not isinstance(function, dict):
            continue
        schema = function.get("parameters", function.get("input_schema"))
        if isinstance(schema, dict):
            description = str(function.get("description") or "")
            found.append(
                Offer(name=str(function.get("name") or ""), description=description, parameters=schema)
            )
    return tuple(found)
