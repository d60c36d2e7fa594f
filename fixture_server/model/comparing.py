"""What differs between a recorded request to a model and the one that is made now, the weightiest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .said import Said, Text
from .sameness import Sameness, difference_of_data


@dataclass(frozen=True, slots=True)
class Difference:
    """``kind`` is ``host``, ``endpoint``, ``model``, ``tools``, a kind of text, or ``parameters``."""

    kind: str
    detail: str


def differences(recorded: Said, asked: Said, same: Sameness) -> list[Difference]:
    return list(_differences(recorded, asked, same))


def _differences(recorded: Said, asked: Said, same: Sameness) -> Iterator[Difference]:
    for kind in ("host", "endpoint", "model"):
        old, new = getattr(recorded, kind), getattr(asked, kind)
        if old != new:
            yield Difference(kind, f'"{old}" became "{new}"')
    yield from _of_tools(recorded, asked, same)
    if (text := _of_texts(recorded.texts, asked.texts, same)) is not None:
        yield text
    for told in difference_of_data(dict(recorded.parameters), dict(asked.parameters), same):
        yield Difference("parameters", told)


def _of_tools(recorded: Said, asked: Said, same: Sameness) -> Iterator[Difference]:
    for name in recorded.tools:
        if name not in asked.tools:
            yield Difference("tools", f'"{name}" is gone')
    for name, tool in asked.tools.items():
        if name not in recorded.tools:
            yield Difference("tools", f'"{name}" is new')
            continue
        for told in difference_of_data(recorded.tools[name], tool, same):
            yield Difference("tools", f'"{name}": {told}')


def _of_texts(recorded: tuple[Text, ...], asked: tuple[Text, ...], same: Sameness) -> Difference | None:
    """The first text that differs. Those after it follow from it more often than not."""
    for old, new in zip(recorded, asked, strict=False):
        if old.kind != new.kind:
            return Difference(new.kind, f"{new.place} stands where {old.place} was")
        if told := same.difference(old.text, new.text):
            return Difference(new.kind, told if new.kind == "prompt" else f"{new.place}: {told}")
    if len(recorded) == len(asked):
        return None
    longer, words = (recorded, "is gone") if len(recorded) > len(asked) else (asked, "is new")
    extra = longer[min(len(recorded), len(asked))]
    return Difference(extra.kind, f"{extra.place} {words}")
