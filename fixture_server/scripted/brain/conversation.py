"""A conversation with a model, in no provider's shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function that the model may ask for. ``parameters`` is the JSON Schema of its arguments."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool that the model asked for; ``id`` joins it to its result and is empty before a provider gave one."""

    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a tool returned. ``failed`` says that the caller marked it as an error."""

    call: str
    text: str
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message. ``role`` is ``user``, ``assistant`` or ``tool``."""

    role: str
    text: str = ""
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """All that a request says. ``choice`` is ``auto``, ``none`` or ``required``; a tool that is named by the request
    is the only one in ``tools``. ``form`` is the JSON Schema that the answer must have; None for plain text."""

    system: str = ""
    turns: tuple[Turn, ...] = ()
    tools: tuple[Tool, ...] = ()
    choice: str = "auto"
    parallel: bool = True
    form: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the model says: a text, or tools that it asks for."""

    text: str = ""
    calls: tuple[Call, ...] = ()
