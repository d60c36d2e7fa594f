"""Truth files into ``Truth``: every version, with file and line in every error.

A file holds one case (``case_id`` and ``versions``, or ``case_id`` and the keys of its one version) or many
cases under ``truths``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from .canonical import sha256_of
from .case import Location
from .truth import DEFAULT_DEADLINE_S, Budget, Fact, Step, Truth
from .truth_check import check_order, check_version, instant
from .typed import Problem, did_you_mean, raise_problems, reader
from .yaml_reader import Mapping, Node, Sequence, error_at, parse_yaml, read_yaml


def load_truth(path: Path) -> tuple[Truth, ...]:
    """Every version of the one case in ``path``, the oldest first. Raises ``CaseError``."""
    cases = load_truth_file(path)
    if len(cases) != 1:
        raise error_at(path, 1, f"holds the truth of {len(cases)} cases, not of one")
    return next(iter(cases.values()))


def load_truth_file(path: Path) -> dict[str, tuple[Truth, ...]]:
    """Every version of every case in ``path``, by case id. Raises ``CaseError``."""
    return _versions_of_all(entries_by_case(read_yaml(path), path), path)


def parse_truth(text: str, path: Path) -> tuple[Truth, ...]:
    """Every version of the one case in ``text``; ``path`` is for messages. Raises ``CaseError``."""
    return next(iter(_versions_of_all(entries_by_case(parse_yaml(text, path), path), path).values()))


def entries_by_case(root: Node, path: Path) -> dict[str, Mapping]:
    """What a truth file holds of each case, not yet read. Raises ``CaseError`` where cases have no names."""
    problems: list[Problem] = []
    entries: dict[str, Mapping] = {}
    for entry in _entries(root, path):
        case_id = _case_id(entry, problems)
        if case_id in entries:
            text = "is here twice; put all its versions under one `versions`"
            problems.append(Problem(entry.line, text, who=f"case {case_id}"))
        entries[case_id] = entry
    raise_problems(problems, path)
    return entries


def versions_in(case_id: str, entry: Mapping, path: Path) -> tuple[Truth, ...]:
    """Every version of one case, the oldest first. Raises ``CaseError``."""
    problems: list[Problem] = []
    truths = _versions(case_id, entry, path, problems)
    raise_problems(problems, path)
    return truths


def _versions_of_all(entries: dict[str, Mapping], path: Path) -> dict[str, tuple[Truth, ...]]:
    problems: list[Problem] = []
    cases = {case_id: _versions(case_id, entry, path, problems) for case_id, entry in entries.items()}
    raise_problems(problems, path)
    return cases


def _entries(root: Node, path: Path) -> list[Mapping]:
    if not isinstance(root, Mapping):
        raise error_at(path, root.line, "a truth file is a mapping with `case_id`")
    if "truths" not in root.entries:
        return [root]
    for key in root.entries:
        if key != "truths":
            raise error_at(
                path, root.key_lines[key], f"key `{key}` stands beside `truths`; move it into an entry"
            )
    listed = root.entries["truths"]
    if not isinstance(listed, Sequence) or not listed.items:
        raise error_at(path, listed.line, "`truths` must be a list of cases, and not empty")
    for item in listed.items:
        if not isinstance(item, Mapping):
            raise error_at(path, item.line, "an entry of `truths` is a mapping with `case_id`")
    return [item for item in listed.items if isinstance(item, Mapping)]


def _case_id(entry: Mapping, problems: list[Problem]) -> str:
    node = entry.entries.get("case_id")
    if node is None:
        problems.append(Problem(entry.line, "missing key `case_id`"))
        return ""
    before = len(problems)
    value = reader("truth", "name")(node, problems)
    for index in range(before, len(problems)):
        problems[index] = replace(problems[index], trail=("case_id",))
    return value if isinstance(value, str) else ""


def _versions(case_id: str, entry: Mapping, path: Path, problems: list[Problem]) -> tuple[Truth, ...]:
    """The versions of one entry; what is wrong with them goes to ``problems``."""
    found: list[Problem] = []
    nodes = _version_nodes(entry, found)
    truths: list[Truth] = []
    for node in nodes:
        before = len(found)
        data = reader("truth", "version")(node, found)
        if len(found) > before:
            continue
        assert isinstance(node, Mapping)
        if data.pop("case_id", case_id) != case_id:
            found.append(Problem(node.line, "`case_id` of the version is another than that of the file"))
            continue
        check_version(data, node, found)
        if len(found) == before:
            truths.append(truth_of(case_id, data, Location(path, node.line)))
    if not found:
        check_order(truths, found)
    who = f"case {case_id}" if case_id else ""
    problems.extend(replace(problem, who=who) for problem in found)
    return tuple(truths)


def _version_nodes(entry: Mapping, found: list[Problem]) -> list[Node]:
    listed = entry.entries.get("versions")
    if listed is None:
        return [entry]
    for key in entry.entries:
        if key not in ("case_id", "versions"):
            text = f"key `{key}` stands beside `versions`{_hint(key)}"
            found.append(Problem(entry.key_lines[key], text))
    if not isinstance(listed, Sequence) or not listed.items:
        found.append(Problem(listed.line, "`versions` must be a list, and not empty"))
        return []
    return listed.items


def _hint(key: str) -> str:
    near = did_you_mean(key, ("case_id", "versions"))
    return near if near.startswith("; did you mean") else "; move it into a version"


def truth_of(case_id: str, data: dict[str, Any], where: Location) -> Truth:
    """A version's data, checked, as a truth."""
    steps = data.get("steps")
    return Truth(
        case_id=case_id,
        valid_at=instant(data["valid_at"]),
        recorded_at=instant(data["recorded_at"]),
        steps=tuple(_step(step, data) for step in steps) if steps else (_step(data, data),),
        allowed_sources=tuple(data["allowed_sources"]),
        forbidden_actions=tuple(data["forbidden_actions"]),
        freshness_window_s=float(data["freshness_window_s"]),
        max_budget=Budget(**data["max_budget"]),
        reason=data["reason"],
        adjudicated_by=data["adjudicated_by"],
        where=where,
        known_copies=tuple(data.get("known_copies", ())),
        canaries=_facts(data, "canaries"),
        lures=tuple(data.get("lures", ())),
        refusal_reasons=tuple(data.get("refusal_reasons", ())),
        evidence_url=data.get("evidence_url"),
        sha256=sha256_of({"case_id": case_id, **data}),
        **{key: data[key] for key in ("min_sources", "answer_max_chars", "max_extra_claims") if key in data},
    )


def _step(data: dict[str, Any], whole: dict[str, Any]) -> Step:
    """A step; user and deadline of the whole version hold where the step names none."""
    states = tuple(data.get("states", ()))
    step = Step(
        user=data.get("user", whole.get("user")),
        state=states[0] if states else data.get("state", "initial"),
        states=states,
        expected_facts=_facts(data, "expected_facts"),
        wrong_values=_facts(data, "wrong_values"),
        must_validate=data.get("must_validate", False),
        deadline_s=float(data.get("deadline_s", whole.get("deadline_s", DEFAULT_DEADLINE_S))),
    )
    when = {
        state: replace(
            step,
            state=state,
            expected_facts=_facts(other, "expected_facts")
            if "expected_facts" in other
            else step.expected_facts,
            wrong_values=_facts(other, "wrong_values") if "wrong_values" in other else step.wrong_values,
            must_validate=other.get("must_validate", step.must_validate),
        )
        for state, other in data.get("when", {}).items()
    }
    return replace(step, when=when) if when else step


def _facts(data: dict[str, Any], key: str) -> tuple[Fact, ...]:
    return tuple(Fact(**{**fact, "aliases": tuple(fact.get("aliases", ()))}) for fact in data.get(key, ()))
