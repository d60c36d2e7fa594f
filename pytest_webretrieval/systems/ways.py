"""Ways in to a system under test: what ``--webretrieval-system`` names, and the system that it leads to."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from .contract import Task

EXPECTED = (
    "expected `module:name` (a callable with one parameter, or an object, class or factory with "
    "`retrieve(task)`) or `cmd: command {prompt}`"
)
_REFERENCE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_DOTTED = re.compile(r"([^\W\d]\w*(?:\.[^\W\d]\w*)*)\.([^\W\d]\w*)")


class SystemUnusable(Exception):
    """A way in that leads nowhere; the message names the system, what is wrong and what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonWay:
    """``module:attribute``; both may be dotted."""

    spec: str
    module: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandWay:
    """A command, split into words; ``{prompt}`` still stands in them."""

    spec: str
    words: tuple[str, ...]

    @property
    def takes_prompt(self) -> bool:
        return any("{prompt}" in word for word in self.words)


Way = PythonWay | CommandWay


class System(Protocol):
    """A system that has been imported and not yet started.

    ``capabilities`` are those that it declares itself (None: it declares none, which means all).
    """

    @property
    def capabilities(self) -> frozenset[str] | None: ...

    def start(self) -> None: ...

    def ask(self, task: Task) -> Any: ...

    def close(self) -> None: ...


def parse(spec: str) -> Way:
    """The way that a text names; imports and runs nothing. Raises SystemUnusable."""
    text = spec.strip()
    if text.startswith("cmd:"):
        return _command(spec, text.removeprefix("cmd:"))
    if text.startswith("serve:"):
        raise SystemUnusable(f"system `{spec}`: `serve:` is not in this version; {EXPECTED}")
    if re.match(r"https?://", text, re.IGNORECASE):
        raise SystemUnusable(f"system `{spec}`: a remote system runs in the live lane only; {EXPECTED}")
    if _REFERENCE.fullmatch(text) and ".py:" not in text:
        module, attribute = text.split(":")
        return PythonWay(spec=spec, module=module, attribute=attribute)
    raise SystemUnusable(f"system `{spec}`: {_hint(text)}{EXPECTED}")


def load(spec: str, *, folder: Path) -> System:
    """The system, not started: imported with ``folder`` first on ``sys.path``; a command is looked up, and
    will run in ``folder``. Raises SystemUnusable."""
    way = parse(spec)
    if isinstance(way, CommandWay):
        from .command import load_command

        return load_command(way, folder)
    from .python_way import load_python

    return load_python(way, folder)


def _command(spec: str, template: str) -> CommandWay:
    try:
        words = tuple(shlex.split(template))
    except ValueError as error:
        raise SystemUnusable(f"system `{spec}`: {str(error).lower()}; {EXPECTED}") from None
    if not words:
        raise SystemUnusable(f"system `{spec}`: the command is empty; {EXPECTED}")
    return CommandWay(spec=spec, words=words)


def _hint(text: str) -> str:
    if not text:
        return ""
    if dotted := re.fullmatch(r"(?:\./)?([\w/]+)\.py(?::(\w+))?", text):
        return f"did you mean `{dotted[1].replace('/', '.')}:{dotted[2] or 'answer'}`? "
    if dotted := _DOTTED.fullmatch(text):
        return f"did you mean `{dotted[1]}:{dotted[2]}`? "
    if " " in text and ":" not in text.split()[0]:
        return f"did you mean `cmd: {text}`? "
    return ""
