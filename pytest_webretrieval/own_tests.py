"""Tests of one's own: the fixture ``retrieval_case`` runs a case by a system that the test names, and gives its record.

@pytest.mark.webretrieval(case="web-retrieval-v1::S06")
def test_duplicates(retrieval_case):
    record = retrieval_case.run("my_agent:answer")
    record.assert_success()
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pytest_webretrieval.cases.case import Case, CaseError, Corpus
from pytest_webretrieval.cases.data import corpus_path
from pytest_webretrieval.cases.typed import did_you_mean
from pytest_webretrieval.collect import diverged_line, told_data
from pytest_webretrieval.lanes.own_cases import draft_reason
from pytest_webretrieval.own_marks import EXAMPLE, MarkError, case_names
from pytest_webretrieval.own_runs import OwnRuns
from pytest_webretrieval.report.failure import CaseFailed, FailurePage
from pytest_webretrieval.runner import Told
from pytest_webretrieval.session import RunSession
from pytest_webretrieval.systems import ways

_TOLD = pytest.StashKey[list[Told]]()


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalRecord:
    """One run of a case. ``label``, ``expect`` and ``tags`` are as in results.jsonl, of which ``record`` is the line;
    ``verdicts`` has one entry a step, ``wire`` one a request (rows of attempts.jsonl); ``answer`` is the last that the
    system gave."""

    case: str
    label: str
    expect: str
    tags: tuple[str, ...]
    reason: str
    answer: str
    verdicts: tuple[Mapping[str, Any], ...]
    wire: tuple[Mapping[str, Any], ...]
    record: Mapping[str, Any]
    commands: Mapping[str, str]
    said: str = ""

    @property
    def as_expected(self) -> bool:
        """Whether the label is the one that the corpus expects: ``success``, or ``correct_refusal``."""
        return self.label == self.expect

    def assert_success(self) -> None:
        """Fail with the page of the case unless the label is the expected one."""
        __tracebackhide__ = True
        if not self.as_expected:
            raise CaseFailed(self.record, self.wire, self.commands, self.said)


class RetrievalCase:
    """A case of a corpus, for the test that asked for it. Each call of ``run`` or ``arun`` is a run of its own."""

    def __init__(self, case: Case, item: pytest.Item, runs: OwnRuns) -> None:
        self.id, self.corpus, self.query = case.id, case.corpus, case.query
        self._case, self._item, self._runs, self._session = case, item, runs, runs.run_session

    def run(self, system: str | None = None) -> RetrievalRecord:
        """Run the case in a slot. ``system`` is written as for ``--webretrieval-system`` (default: that system):
        ``module:attribute``, ``cmd: COMMAND {prompt}`` or ``serve: COMMAND @ URL``."""
        __tracebackhide__ = True
        if system is not None and not isinstance(system, str):
            pytest.fail(f"run({system!r}): {_CANNOT_CROSS}", pytrace=False)
        self._skip_unless_applicable()
        try:
            if system is not None:
                ways.local_only(system)
            return self._kept(self._runs.once(self._case, self._item.nodeid, system))
        except self._session.refusals as error:
            problem = str(error)
        pytest.fail(problem, pytrace=False)

    async def arun(self, system: Any) -> RetrievalRecord:
        """Run the case by ``system`` in this process and on this loop: a callable that takes the prompt, or an object
        with ``retrieve(task)``, async or not. One at a time; meanwhile the process has the variables of a proxy and
        the guard of ``docs/carriers.md``."""
        __tracebackhide__ = True
        if isinstance(system, str) or not (callable(system) or callable(getattr(system, "retrieve", None))):
            pytest.fail(f"arun({system!r}): expected a callable, or an object with `retrieve`", pytrace=False)
        if reason := self._session.beyond_a_proxy(self._case):
            pytest.skip(f"not_applicable: {reason}")
        try:
            return self._kept(await self._runs.once_inside(self._case, self._item.nodeid, system))
        except self._session.refusals as error:
            problem = str(error)
        pytest.fail(problem, pytrace=False)

    def _skip_unless_applicable(self) -> None:
        __tracebackhide__ = True
        if reason := self._session.not_applicable(self._case):
            pytest.skip(f"not_applicable: {reason}")

    def _kept(self, told: Told) -> RetrievalRecord:
        __tracebackhide__ = True
        if diverged := diverged_line((told,)):
            pytest.skip(diverged)
        self._item.stash.setdefault(_TOLD, []).append(told)
        record = told.record
        return RetrievalRecord(
            case=f"{record['corpus']}::{record['case']}",
            label=record["label"],
            expect=record["expect"],
            tags=tuple(record["tags"]),
            reason=record["reason"],
            answer=told.answer,
            verdicts=tuple(record["verdicts"]),
            wire=tuple(told.attempts),
            record=record,
            commands=self._session.commands(record, self._item.nodeid),
            said=told.said,
        )


_CANNOT_CROSS = "objects cannot cross into a slot; name it as `module:attribute`, or await `arun`"


def retrieval_case_of(request: pytest.FixtureRequest) -> RetrievalCase:
    """The case that the test's marker, or its parameter, names. What is wrong with it fails the test by its own
    message."""
    __tracebackhide__ = True
    item: pytest.Item = request.node
    try:
        worker: Any = request.config.pluginmanager.get_plugin("webretrieval-worker")
        runs: OwnRuns = worker.own_runs
        name = getattr(request, "param", None) or _named(item)
        return RetrievalCase(_found(name, item, runs.run_session), item, runs)
    except (MarkError, CaseError) as error:
        problem = str(error)
    pytest.fail(problem, pytrace=False)


def _named(item: pytest.Item) -> str:
    mark = item.get_closest_marker("webretrieval")
    if mark is None:
        raise MarkError(f"retrieval_case: the test names no case; mark it, as in {EXAMPLE}")
    return case_names(mark.args, mark.kwargs)[0]


def _found(name: str, item: pytest.Item, run_session: RunSession) -> Case:
    """The case. A draft skips the test."""
    corpus, case_id = _corpus_of(name, item, run_session), name.rpartition("::")[2]
    for case in corpus.cases:
        if case.id == case_id:
            if reason := draft_reason(case):
                pytest.skip(reason)
            for problem in run_session.corpora.unrunnable((case,)):
                raise CaseError(problem)
            return case
    known = [case.id for case in corpus.cases]
    raise CaseError(f"webretrieval: no case {name}{did_you_mean(case_id, known)}")


def _corpus_of(name: str, item: pytest.Item, run_session: RunSession) -> Corpus:
    """The corpus that ``CORPUS::ID`` names. It may be a file: beside the test, or as for ``--webretrieval-corpus``."""
    corpus_name = name.rpartition("::")[0]
    beside = item.path.parent / corpus_name
    path = beside if beside.is_file() else corpus_path(corpus_name, run_session.root)
    return run_session.corpora.read(Path(path).resolve())


def read_ahead(items: Iterable[pytest.Item], run_session: RunSession) -> None:
    """Read the corpora that tests name before the world is opened: it has the pages beside own cases only then. What is
    wrong with them is told by the tests."""
    for item in items:
        mark = item.get_closest_marker("webretrieval")
        if mark is not None and "retrieval_case" in getattr(item, "fixturenames", ()):
            with suppress(MarkError, CaseError):
                for name in case_names(mark.args, mark.kwargs):
                    _corpus_of(name, item, run_session)


def tell(
    item: pytest.Item, call: pytest.CallInfo[None], report: pytest.TestReport
) -> list[dict[str, Any]] | None:
    """The runs of a test that have not been told yet. A failed ``assert_success`` is shown by its page."""
    if call.excinfo is not None and isinstance(call.excinfo.value, CaseFailed):
        path, line, _ = item.location
        report.longrepr = FailurePage(call.excinfo.value.text, path, (line or 0) + 1)
    tolds = item.stash.get(_TOLD, [])
    if not tolds:
        return None
    data = told_data(tolds)
    tolds.clear()
    return data
