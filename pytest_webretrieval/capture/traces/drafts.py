"""Traces as a file of draft cases: a person says what is right. Pure."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from pytest_webretrieval.capture.case_text import quoted
from pytest_webretrieval.wire.tokens import PLACEHOLDER

from .trace import TraceTask

_ANSWER_LINES = 12
_WIDTH = 110


def drafts_text(tasks: Sequence[TraceTask], source: str) -> str:
    """The file: each case a draft, with the answer that was given, and the lines that capture what was read."""
    head = (
        f"# Drafts from {source}. Capture the pages, say what is right in `facts`, take `draft: true` away.\n"
    )
    return (
        head
        + "cases:\n"
        + "\n".join(_draft(task, name) for task, name in zip(tasks, ids_of(tasks), strict=True))
    )


def ids_of(tasks: Sequence[TraceTask]) -> list[str]:
    """An id for each, from its question; a number behind those that are alike."""
    found: list[str] = []
    for task in tasks:
        stem = "-".join(re.findall(r"[a-z0-9]+", task.query.lower()))[:48].rstrip("-") or "trace"
        alike = sum(one == stem or re.fullmatch(rf"{re.escape(stem)}-\d+", one) is not None for one in found)
        found.append(f"{stem}-{alike + 1}" if alike else stem)
    return found


def capture_line(url: str, fact: str = "WHAT IS RIGHT") -> str:
    """The command that captures one page of a trace. Where a secret was taken out of its address, a variable of that
    name is due, and a shell that has none says so."""
    pieces, at = [], 0
    for found in PLACEHOLDER.finditer(url):
        pieces += [_word(url[at : found.start()]), f'"${{{_variable(found[0])}:?was not kept, set it}}"']
        at = found.end()
    return f"webretrieval capture {''.join(pieces)}{_word(url[at:])} --fact {shlex.quote(fact)}"


def _word(text: str) -> str:
    return shlex.quote(text) if text else ""


def _variable(placeholder: str) -> str:
    """The name of the variable for what a placeholder stands for: of `[redacted:NAME:…]` that name, else ``SECRET``."""
    named = re.match(r"\[redacted:([A-Za-z_][\w-]*)", placeholder)
    return named[1].replace("-", "_").upper() if named else "SECRET"


def _draft(task: TraceTask, name: str) -> str:
    lines = [f"- id: {name}", "  draft: true", f"  query: {quoted(task.query)}", "  facts: []"]
    if task.answer:
        lines += ["  # The answer then, to be confirmed or put right:", *_comment(task.answer)]
    if task.urls:
        lines += ["  # What was read then:", *(f"  #   {capture_line(url)}" for url in task.urls)]
    return "\n".join(lines) + "\n"


def _comment(text: str) -> list[str]:
    lines = [
        line[start : start + _WIDTH]
        for line in text.splitlines()
        for start in range(0, max(1, len(line)), _WIDTH)
    ]
    more = [f"  #   … {len(lines) - _ANSWER_LINES} lines more"] if len(lines) > _ANSWER_LINES else []
    return [f"  #   {line}".rstrip() for line in lines[:_ANSWER_LINES]] + more
