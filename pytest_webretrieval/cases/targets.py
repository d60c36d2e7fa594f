"""Where the cases of a corpus meet the real web, and why a program may go there."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from .case import Case, Corpus, Location
from .patterns import address_fault
from .toml_reader import read_toml
from .typed import FIELD, Problem, did_you_mean, raise_problems, reader
from .yaml_reader import Mapping as Table
from .yaml_reader import Node, Scalar, Sequence

_PORTS = {"http": 80, "https": 443}
# Names that no public resolver answers, or that stand for somebody's own network.
_OWN_NAMES = (
    "localhost",
    "local",
    "internal",
    "intranet",
    "lan",
    "corp",
    "home",
    "private",
    "arpa",
    "onion",
    "invalid",
)
# A host that ends in a number is an address to most clients, however it is written (127.1, 0x7f.0.0.1).
_NUMBER = re.compile(r"(?:[0-9]+|0[xX][0-9a-fA-F]*)\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What the harness itself fetches to see that a target still is what truth says. ``status``: what it must be (None:
    200 to 299); ``facts``: the text must carry every required fact; ``marker``: a text that must stand there."""

    url: str
    status: int | None = None
    facts: bool = False
    marker: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a case meets the real web. ``permission`` says why a program may read it, ``evidence_url`` where that
    stands, ``checked`` when a person last read it there (None: nobody has yet); ``account`` names one of the
    configuration; ``authorised``: the owner agreed to probes of blocking; ``splice``: its connections are passed on
    unopened."""

    case: str
    start_urls: tuple[str, ...]
    permission: str
    evidence_url: str
    checked: date | None
    account: str | None
    authorised: bool
    probe: Probe
    splice: bool
    where: Location


def load_targets(path: Path, corpus: Corpus) -> Mapping[str, Target]:
    """The targets of ``corpus`` in a file, by case id. Raises ``CaseError`` with a line ``path:line: ...`` for each
    thing that is wrong."""
    root = read_toml(path)
    problems: list[Problem] = []
    read = reader("targets")(root, problems)
    if not problems:
        problems += _misfits(root, read, corpus)
    raise_problems([_at_case(problem) for problem in problems], path)
    tables = root.entries["targets"]
    assert isinstance(tables, Table)
    return {
        case_id: _target(case_id, given, Location(path, tables.key_lines[case_id]))
        for case_id, given in read["targets"].items()
    }


def public_fault(url: str) -> str | None:
    """Why ``url`` is no http or https address of the public web, or None."""
    fault = address_fault(url)
    if fault is not None:
        return fault
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme == "fixture":
        return "begin with https:// or http://"
    if parts.port not in (None, _PORTS[parts.scheme]):
        return f"leave the port out; {parts.scheme} leads to {_PORTS[parts.scheme]} alone here"
    if _NUMBER.match(host.rpartition(".")[2]):
        return _number_fault(host)
    if "." not in host or host.rpartition(".")[2] in _OWN_NAMES:
        return f"`{host}` is no public name"
    return None


def _number_fault(host: str) -> str | None:
    try:
        return None if ipaddress.IPv4Address(host).is_global else f"`{host}` is no public address"
    except ValueError:
        return f"`{host}` is no host name"


def _misfits(root: Table, read: dict[str, Any], corpus: Corpus) -> Iterator[Problem]:
    """What the schema cannot say."""
    if read["corpus"] != corpus.version:
        text = f"`{FIELD}` is `{read['corpus']}`, and these would be targets of {corpus.version}"
        yield Problem(root.key_lines["corpus"], text, ("corpus",))
    tables = root.entries["targets"]
    assert isinstance(tables, Table)
    cases = {case.id: case for case in corpus.cases}
    for case_id, table in tables.entries.items():
        assert isinstance(table, Table)
        if case_id not in cases:
            text = f"{corpus.version} has no case `{case_id}`{did_you_mean(case_id, cases)}"
            yield Problem(tables.key_lines[case_id], text)
        else:
            yield from _misfits_of(cases[case_id], table, read["targets"][case_id])


def _misfits_of(case: Case, table: Table, given: dict[str, Any]) -> Iterator[Problem]:
    way = ("targets", case.id)
    for trail, node in _urls(table):
        if fault := public_fault(node.text):
            yield Problem(node.line, f"`{FIELD}` is `{node.text}`: {fault}", (*way, *trail))
    if "checked" in given and not _is_day(given["checked"]):
        text = f"`{FIELD}` is `{given['checked']}`: there is no such day"
        yield Problem(table.key_lines["checked"], text, (*way, "checked"))
    if case.stratum == "blocking" and not given.get("authorised"):
        yield Problem(
            table.line,
            "a case of blocking goes only to an origin whose owner agreed to it: write `authorised = true` where the "
            "owner did, else leave the target out",
            way,
        )


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _urls(table: Table) -> Iterator[tuple[tuple[str | int, ...], Scalar]]:
    probe, starts = table.entries["probe"], table.entries.get("start_urls")
    assert isinstance(probe, Table)
    found: list[tuple[tuple[str | int, ...], Node]] = [
        (("evidence_url",), table.entries["evidence_url"]),
        (("probe", "url"), probe.entries["url"]),
    ]
    if isinstance(starts, Sequence):
        found += [(("start_urls", index), node) for index, node in enumerate(starts.items)]
    for trail, node in found:
        assert isinstance(node, Scalar)
        yield trail, node


def _at_case(problem: Problem) -> Problem:
    """Say whose problem it is: ``targets.S01.probe`` becomes ``probe`` of ``case S01``."""
    match problem.trail:
        case ("targets", str(case_id), *rest):
            return Problem(problem.line, problem.text, tuple(rest), f"case {case_id}")
    return problem


def _target(case_id: str, given: dict[str, Any], where: Location) -> Target:
    return Target(
        case=case_id,
        start_urls=tuple(given.get("start_urls", ())),
        permission=given["permission"],
        evidence_url=given["evidence_url"],
        checked=date.fromisoformat(given["checked"]) if "checked" in given else None,
        account=given.get("account"),
        authorised=given.get("authorised", False),
        probe=Probe(**given["probe"]),
        splice=given.get("splice", False),
        where=where,
    )
