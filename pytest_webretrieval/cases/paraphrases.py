"""Paraphrases: the same question in other words, each a case of its own with the truth of the first.

A case that lists ``paraphrases`` stands for several: ``Q01`` for its ``query``, ``Q01.p2`` and on for the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .case import Case, Location
from .typed import FIELD, Problem
from .yaml_reader import Mapping, Node, Scalar
from .yaml_reader import Sequence as Items

_ID = re.compile(r"(?P<first>.+)\.p\d+\Z")


def first_of(case_id: str) -> str:
    """The case whose truth a case has: itself, or that of which it is a paraphrase."""
    found = _ID.match(case_id)
    return found["first"] if found else case_id


def asked_anew(case: Case, paraphrases: Sequence[str], node: Node) -> Iterator[Case]:
    """The case, then one for each of its paraphrases; ``node`` is what the file holds of it."""
    yield case
    lines = [item.line for item in _items(node)]
    for number, (query, line) in enumerate(zip(paraphrases, lines, strict=True), start=2):
        yield replace(case, id=f"{case.id}.p{number}", query=query, where=Location(case.where.path, line))


def check_paraphrases(cases: Sequence[Node], problems: list[Problem]) -> None:
    """No id may be that of a paraphrase, and no question may be asked twice in the same words."""
    for index, node in enumerate(cases):
        assert isinstance(node, Mapping)
        name, query = node.entries["id"], node.entries["query"]
        assert isinstance(name, Scalar)
        assert isinstance(query, Scalar)
        if _ID.match(name.text):
            text = f"`{FIELD}` {name.text} is what a paraphrase is called; take another"
            problems.append(Problem(name.line, text, ("cases", index, "id")))
        asked = {_folded(query): query}
        for place, item in enumerate(_items(node)):
            assert isinstance(item, Scalar)
            first = asked.setdefault(_folded(item), item)
            if first is not item:
                trail = ("cases", index, "paraphrases", place)
                problems.append(
                    Problem(item.line, f"`{FIELD}` asks in the words of line {first.line}", trail)
                )


def _folded(scalar: Scalar) -> str:
    return " ".join(scalar.text.casefold().split())


def _items(node: Node) -> list[Node]:
    listed = node.entries.get("paraphrases") if isinstance(node, Mapping) else None
    return listed.items if isinstance(listed, Items) else []
