"""Corpus files become items: one case, one item, with the corpus' own node id wherever the file lies."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.cases.case import Case, CaseError
from pytest_webretrieval.report.failure import CaseFailed, FailurePage
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
        corpus = self.run_session.corpus(self.path)
        for case in corpus.cases:
            if self.run_session.wanted(case):
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
    names = ("record", "attempts", "trouble", "replayed")
    return [{name: getattr(told, name) for name in names} for told in tolds]


class CaseItem(pytest.Item):
    """One case. It awaits its own record, which the runner makes in the background."""

    case: Case
    run_session: RunSession
    told: Told | None

    @classmethod
    def of(cls, parent: CorpusFile, case: Case, run_session: RunSession) -> CaseItem:
        """The item for ``case``, marked with its stratum and channel."""
        item: CaseItem = cls.from_parent(parent, name=case.id)
        item.case, item.run_session, item.told = case, run_session, None
        for mark in (case.stratum, case.live_channel):
            item.add_marker(mark.replace("-", "_"))
        return item

    def setup(self) -> None:
        self.told = None
        if reason := self.run_session.not_applicable(self.case):
            pytest.skip(f"not_applicable: {reason}")

    def runtest(self) -> None:
        self.told = self.run_session.result(self.case, self.nodeid)
        record = self.told.record
        if record["label"] != record["expect"]:
            raise CaseFailed(record, self.told.attempts, self.run_session.commands(record), self.told.said)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, CaseFailed):
            return FailurePage(excinfo.value.text, str(self.case.where.path), self.case.where.line)
        if isinstance(excinfo.value, self.run_session.refusals):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.case.where.line - 1, f"{self.case.corpus}::{self.case.id}"

    def tell(self) -> list[dict[str, Any]] | None:
        """The finished run, for its way to the process that writes; nothing of it is kept here."""
        if self.told is None:
            return None
        told, self.told = self.told, None
        return told_data([told])
