"""Corpus files become items: one case, one item, with the corpus' own node id wherever the file lies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.cases.case import Case, CaseError
from pytest_webretrieval.gates.confirm import FLAKY, KNOWN, OBSERVED, PASSED
from pytest_webretrieval.gates.outcome import Outcome
from pytest_webretrieval.gates.replay import PREFIX
from pytest_webretrieval.lanes.own_cases import draft_reason
from pytest_webretrieval.records.codec import to_json
from pytest_webretrieval.report.failure import CaseFailed, FailurePage
from pytest_webretrieval.report.outcome import first_line, known_line, page_rows
from pytest_webretrieval.runner import Told

from .session import RunSession


class CorpusFile(pytest.File):
    """A corpus; collects its cases."""

    run_session: RunSession

    @classmethod
    def of(cls, parent: pytest.Collector, path: Path, run_session: RunSession) -> CorpusFile:
        """The collector for ``path``, whose node id does not depend on where the file is installed."""
        node: CorpusFile = cls.from_parent(parent, path=path, nodeid=node_id(path, parent.config.rootpath))
        node.run_session = run_session
        return node

    def collect(self) -> Iterable[CaseItem]:
        corpus = self.run_session.corpora.read(self.path)
        for case in corpus.cases:
            if self.run_session.corpora.wanted(case):
                yield CaseItem.of(self, case, self.run_session)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Bad data is shown by its own message alone."""
        if isinstance(excinfo.value, CaseError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


def node_id(path: Path, root: Path) -> str:
    """``corpus/NAME.yaml`` for a packaged corpus, else the path below the root folder."""
    try:
        relative = path.relative_to(root).as_posix()
    except ValueError:
        return f"corpus/{path.name}"
    return f"corpus/{path.name}" if "site-packages" in relative else relative


def told_data(tolds: Iterable[Told]) -> list[dict[str, Any]]:
    """Finished runs as plain data, which xdist can carry to the process that writes."""
    names = ("record", "attempts", "trouble", "replayed", "recordings")
    return [{name: getattr(told, name) for name in names} for told in tolds]


def diverged_line(tolds: Iterable[Told]) -> str | None:
    """Why runs say nothing of the system: a replayed model was asked what was not recorded."""
    return next((f"{PREFIX}{told.diverged}" for told in tolds if told.diverged), None)


class CaseItem(pytest.Item):
    """One case. It awaits its own record, which the runner makes in the background."""

    case: Case
    run_session: RunSession
    tolds: tuple[Told, ...]
    outcome: Outcome | None

    @classmethod
    def of(cls, parent: CorpusFile, case: Case, run_session: RunSession) -> CaseItem:
        """The item for ``case``, marked with its stratum and channel."""
        item: CaseItem = cls.from_parent(parent, name=case.id)
        item.case, item.run_session, item.tolds, item.outcome = case, run_session, (), None
        for mark in (case.stratum, case.live_channel):
            item.add_marker(mark.replace("-", "_"))
        return item

    def setup(self) -> None:
        self.tolds, self.outcome = (), None
        if reason := draft_reason(self.case):
            pytest.skip(reason)
        if reason := self.run_session.not_applicable(self.case):
            pytest.skip(f"not_applicable: {reason}")

    def runtest(self) -> None:
        self.tolds = self.run_session.results(self.case, self.nodeid)
        if diverged := diverged_line(self.tolds):
            pytest.skip(diverged)
        self.outcome = outcome = self.run_session.trials.outcome(self.tolds)
        if outcome.state == KNOWN:
            pytest.xfail(known_line(outcome))
        if outcome.state not in (PASSED, FLAKY, OBSERVED):
            raise self._failed(outcome)

    def _failed(self, outcome: Outcome) -> CaseFailed:
        told = self.tolds[outcome.shown]
        line = first_line(told.record, outcome, self.run_session.run_name)
        commands = self.run_session.commands(told.record)
        return CaseFailed(told.record, told.attempts, commands, told.said, line, page_rows(outcome))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return FailurePage(excinfo.value.text, str(self.case.where.path), self.case.where.line)
        if isinstance(excinfo.value, self.run_session.refusals):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.where.line - 1, f"{self.case.corpus}::{self.case.id}"

    def tell(self) -> tuple[list[dict[str, Any]], dict[str, Any]] | None:
        """The finished runs and what they come to, for their way to the process that writes; none is kept here."""
        if self.outcome is None:
            return None
        tolds, self.tolds = self.tolds, ()
        return told_data(tolds), to_json(self.outcome)
