"""A failing case as pytest shows it: a headline for the summary, a page for the reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from _pytest._code.code import TerminalRepr
from _pytest._io import TerminalWriter

from .page import headline, page


class CaseFailed(Exception):
    """The case's label is not the one that its corpus expects."""

    def __init__(
        self,
        record: Mapping[str, Any],
        attempts: Sequence[Mapping[str, Any]],
        commands: Mapping[str, str],
        said: str = "",
        first_line: str | None = None,
        rows: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(first_line or headline(record))
        self.text = f"{self}\n\n{page(record, attempts, commands, said, rows)}"


@dataclass(frozen=True, slots=True)
class Crash:
    """What pytest's short summary and JUnit's message read."""

    message: str
    path: str
    lineno: int


class FailurePage(TerminalRepr):
    """The headline, then the page. Its text is all that comes from an xdist worker, and enough to make it again."""

    def __init__(self, text: str, path: str, line: int) -> None:
        self.reprcrash = Crash(text.partition("\n")[0], path, line)
        self.text = text

    def __str__(self) -> str:
        return self.text

    def toterminal(self, tw: TerminalWriter) -> None:
        first, _, rest = self.text.partition("\n")
        tw.line(first, red=True, bold=True)
        tw.line(rest)
