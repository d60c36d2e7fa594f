"""Reading the faults of a case, with what a schema cannot say of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .faults import ATTRIBUTES, DOWN, ENDING, LOSS, OWN_ATTRIBUTES, Fault
from .typed import Problem
from .yaml_reader import Mapping, Node, Sequence

# Attributes without which a toxic does nothing, or nothing that ends.
_NEEDED = {"latency": "latency", "bandwidth": "rate", "slicer": "average_size", LOSS: "percent"}
_NAMES = {**ATTRIBUTES, **OWN_ATTRIBUTES}
_ALL = {name for names in _NAMES.values() for name in names}


def faults_of(written: Iterable[dict[str, Any]]) -> tuple[Fault, ...]:
    """Faults from what a file says, once it is checked."""
    return tuple(_fault(one) for one in written)


def _fault(written: dict[str, Any]) -> Fault:
    names = _NAMES[written["toxic"]]
    attributes = {name: value for name, value in written.items() if name in names}
    return Fault(attributes=attributes, **{name: written[name] for name in written if name not in names})


def check_faults(written: list[dict[str, Any]], node: Node, problems: list[Problem]) -> None:
    """What a schema cannot say: which attributes a toxic has, and what goes together."""
    assert isinstance(node, Sequence)
    for number, (one, at) in enumerate(zip(written, node.items, strict=True)):
        assert isinstance(at, Mapping)
        problems.extend(
            Problem(at.key_lines.get(key, at.line), f"faults[{number}]: {text}") for key, text in _wrong(one)
        )


def _wrong(one: dict[str, Any]) -> list[tuple[str, str]]:
    """Pairs of key and message."""
    toxic = one["toxic"]
    found: list[tuple[str, str]] = []
    names = _NAMES[toxic]
    for key in one:
        if key in _ALL and key not in names:
            has = ", ".join(f"`{name}`" for name in names) or "no attributes"
            found.append((key, f"`{key}` is none of `{toxic}`, which has {has}"))
    needed = _NEEDED.get(toxic)
    if needed is not None and not one.get(needed):
        found.append(("toxic", f"`{toxic}` does nothing without `{needed}` above 0"))
    if one.get("toxicity", 1) > 1 or (toxic == LOSS and one.get("percent", 0) > 100):
        key = "toxicity" if one.get("toxicity", 1) > 1 else "percent"
        found.append((key, f"`{key}` is a share; the most is {1 if key == 'toxicity' else 100}"))
    if "path" in one and one.get("by") != "document":
        found.append(("path", "`path` needs `by: document`: a connection has no path"))
    if "end" in one and toxic not in ENDING:
        found.append(("end", f"`{toxic}` ends no connection; `end` is for {', '.join(ENDING)}"))
    if toxic in OWN_ATTRIBUTES:
        for key in ("stream", *(("first", "by", "toxicity") if toxic == LOSS else ())):
            if key in one:
                found.append((key, f"`{toxic}` has no `{key}`"))
        if one.get("by") == "document" and toxic == DOWN:
            found.append(("by", "`down` is by connection: where nobody answers there is no document"))
    return found
