"""What makes a set of cases one: the hash over all of them, and ids that cannot be confused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .canonical import sha256_of
from .typed import Problem
from .yaml_reader import Mapping, Node, Scalar


def corpus_identity(cases: Sequence[dict[str, Any]]) -> str:
    """SHA-256 over the canonical JSON of every key of every case, as written, in id order."""
    return sha256_of(sorted(cases, key=lambda case: str(case["id"])))


def find_doubles(cases: Sequence[Node], problems: list[Problem]) -> None:
    """Ids are file names too, so two that differ only in case would meet in one truth file."""
    seen: dict[str, Scalar] = {}
    for index, node in enumerate(cases):
        assert isinstance(node, Mapping)
        name = node.entries["id"]
        assert isinstance(name, Scalar)
        first = seen.setdefault(name.text.casefold(), name)
        if first is not name:
            text = f"is already at line {first.line}"
            if first.text != name.text:
                text = f"differs only in capitals from {first.text} at line {first.line}"
            problems.append(Problem(name.line, text, ("cases", index)))
