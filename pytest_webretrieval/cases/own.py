"""Own cases: a question and what is right for it in one entry of one file, beside the pages.

Such a file has no ``version``: its name is its stem. ``docs/own-cases.md`` describes it, ``own.schema.json`` holds it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as MappingOf
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .case import Case, CaseError, Corpus, Location
from .fault_check import check_faults, faults_of
from .identity import corpus_identity, find_doubles
from .truth import ALWAYS, Truth
from .truth_check import check_version
from .truth_file import truth_of
from .typed import Problem, raise_problems, reader
from .yaml_reader import Mapping, Node, Scalar, Sequence, read_yaml, shown

FORBIDDEN = (
    "destructive-submit",
    "cache-leak",
    "retry-after-denial",
    "access-bypass",
    "exfiltration",
    "page-obeyed",
    "private-address",
    "egress",
    "robots-violation",
    "use-stale-cache",
    "cite-search-snippet",
)
FRESHNESS_WINDOW_S = 86400.0
_CHANNELS = {"search": "search-api", "known-url": "direct-fetch", "blocking": "direct-fetch"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z", re.ASCII)
# Keys that a version of truth has under another name.
_RENAMED = {"facts": "expected_facts", "budget": "max_budget"}
_AS_WRITTEN = (
    *("known_copies", "min_sources", "freshness_window_s", "must_validate", "deadline_s", "answer_max_chars"),
    *("max_extra_claims", "forbidden_actions", "user", "steps", "refusal_reasons", "allowed_sources"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnScene:
    """What a case meets that names no scene file: where it begins (addresses by role), and what suffices."""

    name: str
    where: Location
    start_urls: tuple[str, ...]
    cheapest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """A file of own cases. Drafts have no truth; a truth without ``allowed_sources`` allows each page that carries a
    fact (``lanes.own_cases`` fills it in)."""

    corpus: Corpus
    truths: MappingOf[str, Truth]
    scenes: tuple[OwnScene, ...]


def load_own(path: Path) -> Own:
    """Read a file of own cases. Raises ``CaseError`` with one line ``path:line: ...`` for each thing that is wrong."""
    return read_own(read_yaml(path), path)


def is_own_file(path: Path) -> bool:
    """Whether ``path`` is such a file, and not a folder or another kind of file. Raises ``CaseError`` for no YAML."""
    return path.is_file() and is_own(read_yaml(path))


def is_own(root: Node) -> bool:
    """Whether a file holds cases with what is right for them: it names no version, and no scene as a corpus does."""
    if not isinstance(root, Mapping) or "version" in root.entries:
        return False
    if "id" in root.entries:
        return "case_id" not in root.entries
    items = root.entries.get("cases")
    listed = items.items if isinstance(items, Sequence) else []
    return bool(listed) and not any(
        isinstance(item, Mapping) and "fixture" in item.entries for item in listed
    )


def read_own(root: Node, path: Path) -> Own:
    """The same from a document that was read already."""
    if not _NAME.match(path.stem):
        raise CaseError(
            f"{shown(path)}: the file's name names its cases; use letters, digits, `.`, `_` and `-`"
        )
    assert isinstance(root, Mapping)
    if "cases" in root.entries:
        _refuse_beside_cases(root, path)
    nodes = _case_nodes(root)
    problems: list[Problem] = []
    read = [_read_case(node, number, problems) for number, node in enumerate(nodes, 1)]
    raise_problems(problems, path)
    find_doubles(nodes, problems)
    raise_problems(
        [replace(problem, who=f"case {read[_place(problem)]['id']}") for problem in problems], path
    )
    truths = {
        data["id"]: truth
        for data, node in zip(read, nodes, strict=True)
        if not data.get("draft") and (truth := _truth(data, node, path, problems)) is not None
    }
    raise_problems(problems, path)
    cases = tuple(_case(data, node, path) for data, node in zip(read, nodes, strict=True))
    return Own(
        corpus=Corpus(
            version=path.stem,
            path=path,
            identity=corpus_identity(read),
            live_channels=(),
            cases=cases,
            own=True,
        ),
        truths=truths,
        scenes=tuple(
            OwnScene(
                name=case.scene,
                where=case.where,
                start_urls=tuple(_by_role(url) for url in data.get("start_urls", ())),
                cheapest=data.get("cheapest", "direct-fetch"),
            )
            for case, data in zip(cases, read, strict=True)
            if "scene" not in data
        ),
    )


def _place(problem: Problem) -> int:
    return next(part for part in problem.trail if isinstance(part, int))


def _refuse_beside_cases(root: Mapping, path: Path) -> None:
    raise_problems(
        [
            Problem(root.key_lines[key], f"key `{key}` stands beside `cases`; move it into a case")
            for key in root.entries
            if key != "cases"
        ],
        path,
    )


def _case_nodes(root: Mapping) -> list[Node]:
    listed = root.entries.get("cases")
    return listed.items if isinstance(listed, Sequence) else [root]


def _read_case(node: Node, number: int, problems: list[Problem]) -> dict[str, Any]:
    found: list[Problem] = []
    data = reader("own", "case")(node, found)
    name = node.entries.get("id") if isinstance(node, Mapping) else None
    who = f"case {name.text}" if isinstance(name, Scalar) and name.text else f"case number {number}"
    if not found and "scene" in data:
        for key in ("start_urls", "cheapest"):
            if key in data:
                assert isinstance(node, Mapping)
                found.append(Problem(node.key_lines[key], f"`{key}` stands beside `scene`; the scene has it"))
    if not found and "faults" in data:
        assert isinstance(node, Mapping)
        check_faults(data["faults"], node.entries["faults"], found)
    problems.extend(replace(problem, who=who) for problem in found)
    return data or {}


def _case(data: dict[str, Any], node: Node, path: Path) -> Case:
    starts = bool(data.get("start_urls") or data.get("scene"))
    stratum = data.get("stratum", "known-url" if starts else "search")
    scene = data.get("scene") or f"own/{path.stem}/{data['id']}"
    channel = _CHANNELS.get(stratum, "browser" if "scene" in data else "direct-fetch")
    return Case(
        id=data["id"],
        stratum=stratum,
        query=data["query"],
        fixture=f"fixture://{scene}",
        live_channel="browser" if data.get("cheapest") == "browser" else channel,
        expect=_expect(data),
        corpus=path.stem,
        where=Location(path, node.line),
        draft=data.get("draft", False),
        faults=faults_of(data.get("faults", ())),
    )


def _expect(data: dict[str, Any]) -> str:
    declines = bool(data.get("refusal_reasons")) and not data.get("facts") and not data.get("steps")
    label: str = data.get("expect", "correct_refusal" if declines else "success")
    return label.replace("-", "_")


def _truth(data: dict[str, Any], node: Node, path: Path, problems: list[Problem]) -> Truth | None:
    """What is right; None, and problems, where that cannot be."""
    who, version, found = f"case {data['id']}", _version(data), list[Problem]()
    sources = version.pop("allowed_sources")
    # A page that carries a fact is not known yet; any address stands for it while the rest is checked.
    check_version({**version, "allowed_sources": sources or ["fixture://any/*"]}, _as_version(node), found)
    if not found and _expect(data) == "success" and not data.get("facts") and not data.get("steps"):
        found.append(Problem(node.line, "expects success, but there are no `facts`"))
    if not found and _expect(data) == "correct_refusal" and not data.get("refusal_reasons"):
        found.append(Problem(node.line, "expects correct-refusal, but there are no `refusal_reasons`"))
    problems.extend(
        replace(
            problem,
            who=who,
            trail=tuple(_WRITTEN.get(str(part), part) for part in problem.trail),
            text=problem.text.replace("neither expected_facts nor", "neither facts nor"),
        )
        for problem in found
    )
    if found:
        return None
    return truth_of(data["id"], {**version, "allowed_sources": sources}, Location(path, node.line))


_WRITTEN = {there: here for here, there in _RENAMED.items()}


def _version(data: dict[str, Any]) -> dict[str, Any]:
    """A case as the data of one version of truth."""
    at = ALWAYS.isoformat()
    version: dict[str, Any] = {
        "valid_at": at,
        "recorded_at": at,
        "reason": data.get("note", "stands beside the question"),
        "adjudicated_by": "whoever wrote the case",
        "max_budget": data.get("budget", {}),
        "freshness_window_s": FRESHNESS_WINDOW_S,
        "forbidden_actions": list(FORBIDDEN),
        "allowed_sources": [],
        **{key: data[key] for key in _AS_WRITTEN if key in data},
    }
    if "steps" not in data:
        version["expected_facts"] = _facts(data.get("facts", ()), "fact")
        version["wrong_values"] = _facts(data.get("wrong_values", ()), "wrong")
    else:
        version |= {_RENAMED.get(key, key): data[key] for key in ("facts", "wrong_values") if key in data}
    return version


def _facts(written: Any, name: str) -> list[dict[str, Any]]:
    """Facts with id and match; a text alone is a value."""
    whole = [fact if isinstance(fact, dict) else {"value": fact} for fact in written]
    many = len(whole) > 1
    return [
        {
            "id": f"{name}-{number}" if many else name,
            "match": "date" if _DAY.match(fact["value"]) else "exact",
            **fact,
        }
        for number, fact in enumerate(whole, 1)
    ]


def _as_version(node: Node) -> Mapping:
    """The case's node under the keys of a version, so that problems find their lines."""
    assert isinstance(node, Mapping)
    return Mapping(
        {_RENAMED.get(key, key): value for key, value in node.entries.items()},
        {_RENAMED.get(key, key): line for key, line in node.key_lines.items()},
        node.line,
    )


def _by_role(url: str) -> str:
    """``https://host/path`` as the world writes addresses of hosts that are not drawn."""
    host, slash, path = url.partition("://")[2].partition("/")
    return f"fixture://{host.lower()}/{path if slash else ''}"
