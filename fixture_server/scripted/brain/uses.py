"""What a tool can be used for: one thing, or several, where the value of one of its parameters says which."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from pytest_webretrieval.systems.reference.cues import words as word_set

from .conversation import Call, Tool
from .instance import flat
from .tools import (
    ACTS,
    BROWSES,
    FETCHES,
    FINISHES,
    LOOKS,
    SEARCHES,
    kind_of,
    purpose,
    says_browser,
    words_of,
)

_GOES = BROWSES - {"browse"}
_ADDRESS = word_set("url urls link")
# A search of these is one of the page that is open.
_WITHIN = word_set("in within page")


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """``tool`` as it is called for this use; ``words`` name it. Where a parameter selects it, that is ``selector``,
    and ``value`` is its value for it."""

    tool: Tool
    kind: str
    words: frozenset[str]
    selector: str = ""
    value: str = ""

    def is_of(self, call: Call) -> bool:
        """Whether a call uses the tool so."""
        chosen = not self.selector or call.arguments.get(self.selector) == self.value
        return call.name == self.tool.name and chosen


def uses_of(tool: Tool) -> tuple[Use, ...]:
    """The uses of a tool; one, of all of it, where nothing selects between several."""
    for selector, values in _choices(tool):
        if kinds := _kinds(tool, selector, values):
            return tuple(
                Use(
                    tool=_narrowed(tool, selector, value),
                    kind=kind or "other",
                    words=frozenset(words_of(value)),
                    selector=selector,
                    value=value,
                )
                for value, kind in kinds.items()
            )
    return (Use(tool=tool, kind=kind_of(tool), words=frozenset(words_of(tool.name))),)


def _choices(tool: Tool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The parameters that take one of several strings."""
    for name, schema in (tool.parameters.get("properties") or {}).items():
        if not isinstance(schema, Mapping):
            continue
        options = schema.get("anyOf") or schema.get("oneOf") or ()
        values = [one["const"] for one in options if isinstance(one, Mapping) and "const" in one]
        values = values or flat(tool.parameters, schema).get("enum") or []
        strings = tuple(value for value in values if isinstance(value, str))
        if len(strings) > 1:
            yield name, strings


def _kinds(tool: Tool, selector: str, values: tuple[str, ...]) -> dict[str, str]:
    """The kind of use that each value selects, empty where its words tell of none or the tool has no parameter for what
    that takes; nothing where the values are no uses, but engines, formats or the like."""
    names = [name for name in tool.parameters.get("properties") or {} if name != selector]
    purposes = {purpose(name) for name in names}
    asks = "query" in purposes or any("query" in words_of(name) for name in names)
    words = {value: frozenset(words_of(value)) for value in values}
    in_browser = bool(_GOES & set(words_of(tool.name))) or says_browser(tool)
    moves = any(_GOES & said or (in_browser and ACTS & said) for said in words.values())
    unfit = {
        *(() if "url" in purposes or not asks else ("fetch", "browse")),
        *(() if asks or "url" not in purposes else ("search",)),
        *(() if "answer" in purposes else ("finish",)),
    }
    kinds = {value: _kind_of_value(said, moves) for value, said in words.items()}
    kinds = {value: "" if kind in unfit else kind for value, kind in kinds.items()}
    if in_browser:
        kinds = {value: "browse" if kind == "fetch" else kind for value, kind in kinds.items()}
    told = {kind for kind in kinds.values() if kind and (moves or kind != "look")}
    return kinds if len(told) > 1 and (moves or "search" in told) else {}


def _kind_of_value(words: frozenset[str], moves: bool) -> str:
    """The kind that the words of a value tell. Where another value goes to a page (``moves``), one that reads reads
    what is open."""
    if words & SEARCHES - {"web"}:
        return "" if words & _WITHIN else "search"
    if words & ACTS:
        return "scroll" if "scroll" in words else "act"
    if words & FINISHES:
        return "finish"
    if words & _GOES:
        return "browse"
    if words & LOOKS and (moves or not words & FETCHES):
        return "look"
    if words & FETCHES or words <= _ADDRESS:
        return "fetch"
    return "search" if "web" in words else ""


def _narrowed(tool: Tool, selector: str, value: str) -> Tool:
    """The tool with one value for a parameter, which every call then names."""
    parameters = tool.parameters
    required = parameters.get("required") or ()
    return replace(
        tool,
        parameters={
            **parameters,
            "properties": {**parameters["properties"], selector: {"const": value}},
            "required": [*required, *(() if selector in required else (selector,))],
        },
    )
