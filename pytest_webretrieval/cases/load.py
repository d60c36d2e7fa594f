"""Corpus files into cases; with what reads truth, all that a run loads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from .case import Case, Corpus, LiveChannel, Location
from .data import find_corpus
from .fault_check import check_faults, faults_of
from .identity import corpus_identity, find_doubles
from .own import is_own, read_own
from .paraphrases import asked_anew, check_paraphrases
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
    """Read a corpus file, or a file of own cases. Raises ``CaseError`` with one line ``path:line: ...`` for each thing
    that is wrong."""
    root = read_yaml(path)
    if is_own(root):
        return read_own(root, path).corpus
    problems: list[Problem] = []
    read = reader("corpus")(root, problems)
    if not problems:
        find_doubles(_case_nodes(root), problems)
        check_paraphrases(_case_nodes(root), problems)
        _check_faults(read["cases"], _case_nodes(root), problems)
    raise_problems([_at_case(problem, root) for problem in problems], path)
    return Corpus(
        version=read["version"],
        path=path,
        identity=corpus_identity(read["cases"]),
        live_channels=tuple(LiveChannel(**channel) for channel in read.get("live_channels", ())),
        cases=tuple(
            case
            for fields, node in zip(read["cases"], _case_nodes(root), strict=True)
            for case in asked_anew(
                _case(fields, read["version"], Location(path, node.line)), fields.get("paraphrases", ()), node
            )
        ),
    )


def _case(fields: dict[str, Any], corpus: str, where: Location) -> Case:
    return Case(
        **{
            **{key: value for key, value in fields.items() if key != "paraphrases"},
            "expect": fields["expect"].replace("-", "_"),
            "faults": faults_of(fields.get("faults", ())),
        },
        corpus=corpus,
        where=where,
    )


def _case_nodes(root: Node) -> list[Node]:
    cases = root.entries.get("cases") if isinstance(root, Mapping) else None
    return cases.items if isinstance(cases, Items) else []


def _check_faults(cases: Iterable[dict[str, Any]], nodes: list[Node], problems: list[Problem]) -> None:
    for index, (fields, node) in enumerate(zip(cases, nodes, strict=True)):
        if "faults" in fields:
            assert isinstance(node, Mapping)
            found: list[Problem] = []
            check_faults(fields["faults"], node.entries["faults"], found)
            problems.extend(replace(problem, trail=("cases", index)) for problem in found)


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
