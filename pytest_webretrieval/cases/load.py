"""Corpus files into cases; with what reads truth, all that a run loads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .canonical import sha256_of
from .case import Case, Corpus, LiveChannel, Location
from .data import find_corpus
from .store import TruthStore, load_truths, resolve
from .truth_file import load_truth, load_truth_file
from .typed import Problem, raise_problems, reader
from .yaml_reader import Mapping, Node, Scalar, read_yaml
from .yaml_reader import Sequence as Items

__all__ = [
    "TruthStore",
    "find_corpus",
    "load_corpus",
    "load_truth",
    "load_truth_file",
    "load_truths",
    "resolve",
]


def load_corpus(path: Path) -> Corpus:
    """Read a corpus file. Raises ``CaseError`` with one line ``path:line: ...`` for each thing that is
    wrong."""
    root = read_yaml(path)
    problems: list[Problem] = []
    read = reader("corpus")(root, problems)
    if not problems:
        _find_doubles(root, problems)
    raise_problems([_at_case(problem, root) for problem in problems], path)
    return Corpus(
        version=read["version"],
        path=path,
        identity=corpus_identity(read["cases"]),
        live_channels=tuple(LiveChannel(**channel) for channel in read.get("live_channels", ())),
        cases=tuple(
            Case(
                **{**fields, "expect": fields["expect"].replace("-", "_")},
                corpus=read["version"],
                where=Location(path, node.line),
            )
            for fields, node in zip(read["cases"], _case_nodes(root), strict=True)
        ),
    )


def corpus_identity(cases: Sequence[dict[str, Any]]) -> str:
    """SHA-256 over the canonical JSON of every key of every case, as written, in id order."""
    return sha256_of(sorted(cases, key=lambda case: str(case["id"])))


def _case_nodes(root: Node) -> list[Node]:
    cases = root.entries.get("cases") if isinstance(root, Mapping) else None
    return cases.items if isinstance(cases, Items) else []


def _find_doubles(root: Node, problems: list[Problem]) -> None:
    """Ids are file names too, so two that differ only in case would meet in one truth file."""
    seen: dict[str, Scalar] = {}
    for index, node in enumerate(_case_nodes(root)):
        assert isinstance(node, Mapping)
        name = node.entries["id"]
        assert isinstance(name, Scalar)
        first = seen.setdefault(name.text.casefold(), name)
        if first is not name:
            text = f"is already at line {first.line}"
            if first.text != name.text:
                text = f"differs only in capitals from {first.text} at line {first.line}"
            problems.append(Problem(name.line, text, ("cases", index)))


def _at_case(problem: Problem, root: Node) -> Problem:
    """Say whose problem it is: ``cases[7].expect`` becomes ``expect`` of ``case S01``."""
    match problem.trail:
        case ("cases", int(index), *rest):
            node = _case_nodes(root)[index]
            name = node.entries.get("id") if isinstance(node, Mapping) else None
            who = (
                f"case {name.text}" if isinstance(name, Scalar) and name.text else f"case number {index + 1}"
            )
            return replace(problem, trail=tuple(rest) or ("case",), who=who)
    return problem
