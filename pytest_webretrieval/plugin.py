"""The pytest plugin: each hook calls a room below. Without ``--lane`` it adds its options and does nothing."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from pytest_webretrieval import hookspecs
from pytest_webretrieval.options import OPTIONS
from pytest_webretrieval.settings import LANES

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_webretrieval.collect import CorpusFile
    from pytest_webretrieval.own_tests import RetrievalCase
    from pytest_webretrieval.session import RunSession

FIXTURE, MARKER = "retrieval_case", "webretrieval"
MARKER_HELP = (
    "webretrieval(case='CORPUS::ID', cases=[...]): the case or cases that the fixture retrieval_case runs"
)
MARKS = (
    "known_url: cases of the known-url stratum",
    "search: cases of the search stratum",
    "dynamic: cases of the dynamic stratum",
    "auth: cases of the auth stratum",
    "blocking: cases of the blocking stratum",
    "direct_fetch: cases whose live channel is direct fetch",
    "search_api: cases whose live channel is a search API",
    "browser: cases whose live channel is a browser",
    "extract_api: cases whose live channel is an extract API",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("webretrieval", "web-retrieval benchmarks")
    group.addoption("--lane", choices=LANES, help="run web-retrieval cases in this lane")
    for option in OPTIONS:
        details: dict[str, Any] = {"dest": option.dest, "help": option.help, "default": None}
        if option.repeatable:
            details["action"] = "append"
        if option.optional_value:
            details |= {"nargs": "?", "const": option.optional_value}
        if option.is_switch:
            details["action"] = "store_true"
        elif option.choices:
            details["choices"] = option.choices
        elif option.metavar:
            details["metavar"] = option.metavar
        group.addoption(option.flag, **details)
        if option.repeatable:
            parser.addini(option.dest, option.help, type="linelist", default=None)
        else:
            parser.addini(option.dest, option.help, type="string", default=None)


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(hookspecs)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if (
        FIXTURE not in metafunc.fixturenames
        or (mark := metafunc.definition.get_closest_marker(MARKER)) is None
    ):
        return
    from pytest_webretrieval.own_marks import MarkError, case_ids, case_names

    # What is wrong with a marker is told by the fixture: here it would end the collection of everything.
    with suppress(MarkError):
        names = case_names(mark.args, mark.kwargs)
        if "cases" in mark.kwargs:
            metafunc.parametrize(FIXTURE, names, indirect=True, ids=case_ids(names))


@pytest.fixture
def retrieval_case(request: pytest.FixtureRequest) -> RetrievalCase:
    """The case that the test's marker names, to be run by a system of one's own: ``run``, ``arun``."""
    if request.config.getoption("--lane") != "fixture":
        pytest.skip("needs --lane=fixture")
    from pytest_webretrieval.own_tests import retrieval_case_of

    return retrieval_case_of(request)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER_HELP)
    if config.getoption("--lane") is None:
        return
    from pytest_webretrieval.configure import configured

    for mark in MARKS:
        config.addinivalue_line("markers", mark)
    run_session, ledger = configured(config)
    config.pluginmanager.register(Worker(run_session), "webretrieval-worker")
    if ledger is not None:
        from pytest_webretrieval.controller import Controller

        config.pluginmanager.register(Controller(config, run_session, ledger), "webretrieval-controller")


class Worker:
    """Hooks of every process that collects and runs items."""

    def __init__(self, run_session: RunSession) -> None:
        from pytest_webretrieval.own_runs import OwnRuns

        self.run_session, self.own_runs = run_session, OwnRuns(run_session)

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> CorpusFile | None:
        if file_path.resolve() not in self.run_session.corpora.files:
            return None
        from pytest_webretrieval.collect import CorpusFile

        return CorpusFile.of(parent, file_path, self.run_session)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        from pytest_webretrieval.own_tests import read_ahead

        read_ahead(session.items, self.run_session)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        from pytest_webretrieval.collect import CaseItem

        items = [(item.case, item.nodeid) for item in session.items if isinstance(item, CaseItem)]
        try:
            # xdist tells a worker one item at a time which of all items are its own.
            if items and not session.config.option.collectonly and not hasattr(session.config, "workerinput"):
                # Modules, items and truth live as long as the run: the collector need not walk them again and again.
                gc.freeze()
                try:
                    self.run_session.start(items)
                except self.run_session.refusals as error:
                    raise pytest.UsageError(str(error)) from None
            return (yield)
        finally:
            self.own_runs.close()
            self.run_session.close()

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        from pytest_webretrieval.collect import CaseItem

        if hasattr(item.config, "workerinput"):
            ahead = [one for one in (item, nextitem) if isinstance(one, CaseItem)]
            self.run_session.ahead((one.case, one.nodeid) for one in ahead)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        from pytest_webretrieval.collect import CaseItem
        from pytest_webretrieval.controller import OUTCOME, TOLD
        from pytest_webretrieval.own_tests import tell

        report = yield
        if isinstance(item, CaseItem):
            if report.skipped and isinstance(report.longrepr, tuple):
                # Where the case stands, and not the line of ours that skipped it.
                path, line, _ = item.reportinfo()
                report.longrepr = (str(path), line + 1, report.longrepr[2])
            if call.when == "call" and (told := item.tell()) is not None:
                runs, outcome = told
                setattr(report, TOLD, runs)
                setattr(report, OUTCOME, outcome)
        else:
            setattr(report, TOLD, tell(item, call, report))
        return report
