"""The baseline: what was accepted of a system as it is. People commit it; a run reads it and never changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.typed import Problem, raise_problems, reader
from pytest_webretrieval.cases.yaml_reader import Mapping as Entries
from pytest_webretrieval.cases.yaml_reader import read_yaml

from .confirm import Known

SCHEMA = "webretrieval.baseline/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What a trial took: the wire's counts, bytes received, US dollars (None: not known), seconds."""

    requests: int
    retries: int
    escalations: int
    bytes: int
    cost_usd: float | None = None
    duration_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """Cited claims of all trials, and for how many of them nobody could say whether their pages bear them out."""

    cited: int
    unknown: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerated:
    """Why a case may fail. Days are ISO dates; ``expires`` is the last on which it may."""

    reason: str
    owner: str
    since: str
    expires: str

    def expired(self, today: str) -> bool:
        return today > self.expires


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """One case as it was accepted: how many trials ended in each label, their tags, the caps that they were over, and
    the most that one of them took. ``tolerated`` is None for a case that is held to its
    expectation, ``claims`` for one that cited none."""

    accepted: str
    run: str
    labels: Mapping[str, int]
    tags: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    most: Costs
    tolerated: Tolerated | None = None
    claims: Checked | None = None

    @property
    def trials(self) -> int:
        return sum(self.labels.values())

    @property
    def label(self) -> str:
        """The commonest."""
        return max(self.labels, key=lambda label: self.labels[label])

    def known(self, expect: str, today: str) -> Known | None:
        """The failure that is known, while it is tolerated."""
        if self.tolerated is None or self.tolerated.expired(today) or set(self.labels) == {expect}:
            return None
        return Known(labels=frozenset(self.labels) - {expect}, passes=expect in self.labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """``cases`` are by ``CORPUS::ID``; ``corpora`` are identities by name."""

    path: Path
    lane: str
    corpora: Mapping[str, str]
    system: str
    fingerprint: str
    cases: Mapping[str, Accepted]

    def unfit(self, lane: str, corpora: Mapping[str, str], fingerprint: str) -> str | None:
        """Why it says nothing about a run with these; None where it does. ``corpora`` are identities by name."""
        if self.lane != lane:
            return f"it was accepted in the {self.lane} lane"
        if self.fingerprint != fingerprint:
            return f"it was accepted for {self.system} with other options (fingerprint {self.fingerprint})"
        for name, identity in corpora.items():
            if self.corpora.get(name, identity) != identity:
                return f"it was accepted for another {name}"
        return None


def read_baseline(path: Path) -> Baseline:
    """Raises CaseError with one line ``path:line: ...`` for each thing that is wrong."""
    root = read_yaml(path)
    problems: list[Problem] = []
    read = reader("baseline")(root, problems)
    if not problems and isinstance(root, Entries):
        _check_cases(root.entries["cases"], read["cases"], problems)
    raise_problems(problems, path)
    return Baseline(
        path=path,
        lane=read["lane"],
        corpora=read["corpora"],
        system=read["system"],
        fingerprint=read["fingerprint"],
        cases={name: _accepted(fields) for name, fields in read["cases"].items()},
    )


def _accepted(fields: dict[str, Any]) -> Accepted:
    known, claims = fields.get("known"), fields.get("claims")
    return Accepted(
        accepted=fields["accepted"],
        run=fields["run"],
        labels=fields["labels"],
        tags=tuple(fields.get("tags") or ()),
        over=tuple(fields.get("over") or ()),
        most=Costs(**fields["most"]),
        tolerated=Tolerated(**known) if known else None,
        claims=Checked(**claims) if claims else None,
    )


def _check_cases(node: Any, cases: Mapping[str, Any], problems: list[Problem]) -> None:
    """What the schema cannot say: names, and that days are in the calendar."""
    for name, fields in cases.items():
        line = node.key_lines[name]
        if not all(name.rpartition("::")[::2]):
            problems.append(Problem(line, f"`{name}` is not CORPUS::ID"))
        if not fields["labels"]:
            problems.append(Problem(line, "`labels` is empty", who=name))
        case = node.entries[name].entries
        known = case["known"].entries if "known" in case else {}
        for day in (case["accepted"], *(known[key] for key in ("since", "expires") if key in known)):
            try:
                date.fromisoformat(day.text)
            except ValueError:
                problems.append(Problem(day.line, f"`{day.text}` is no day of the calendar", who=name))
