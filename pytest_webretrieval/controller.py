"""Hooks of the one process that writes and judges: header, records, gates, summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from pytest_webretrieval.cases.case import Case, CaseError
from pytest_webretrieval.collect import CaseItem, node_id
from pytest_webretrieval.configure import CARRIER_KEY, FOLDER_KEY
from pytest_webretrieval.gates.gate import GateResult
from pytest_webretrieval.gates.replay import PREFIX
from pytest_webretrieval.gates.trials import drop_of
from pytest_webretrieval.ledger import Ledger
from pytest_webretrieval.records.folder import FolderError
from pytest_webretrieval.report.failure import FailurePage
from pytest_webretrieval.report.junit import suite_properties
from pytest_webretrieval.report.live import live_lines
from pytest_webretrieval.report.model import diverged_lines, model_lines
from pytest_webretrieval.report.outcome import outcome_lines
from pytest_webretrieval.report.quarantine import quarantine_lines
from pytest_webretrieval.report.recordings import recording_lines
from pytest_webretrieval.report.terminal import summary
from pytest_webretrieval.report.trials import drop_line, reliability_lines
from pytest_webretrieval.session import RunSession
from pytest_webretrieval.settings import REFERENCE_SYSTEM

TOLD, OUTCOME = "webretrieval_told", "webretrieval_outcome"


class Controller:
    """Registered where no ``workerinput`` is: the only process, or xdist's controller."""

    def __init__(self, config: pytest.Config, run_session: RunSession, ledger: Ledger) -> None:
        self.config, self.run_session, self.ledger = config, run_session, ledger
        self._collected = 0
        self._asked: Counter[str] = Counter()
        self._known: set[str] = set()
        self._no_namespaces: str | None = None

    def pytest_report_header(self) -> list[str]:
        settings = self.run_session.settings
        lines = [f"webretrieval: {self._system()}, seed {settings.fixture_seed}, carrier {settings.carrier}"]
        if self._no_namespaces:
            lines.append(f"webretrieval: {_carrier_notice(self._no_namespaces)}")
        return lines

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.session = session
        if self.config.option.collectonly:
            return
        self._no_namespaces = self.run_session.settle_carrier()
        self.ledger.settings = self.run_session.settings
        try:
            self.ledger.open(self.run_session.corpora.read_all())
        except (CaseError, FolderError) as error:
            raise pytest.UsageError(str(error)) from None

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[FOLDER_KEY] = str(self.ledger.folder)
        node.workerinput[CARRIER_KEY] = self.run_session.settings.carrier

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        cases = {item.nodeid: item.case for item in session.items if isinstance(item, CaseItem)}
        if not self.config.option.collectonly:
            self._plan(cases, len(session.items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: Sequence[str]) -> None:
        cases = {
            f"{node_id(path, self.config.rootpath)}::{case.id}": case
            for path in self.run_session.corpora.files
            for case in self.run_session.corpora.read(path).cases
        }
        names = (name.partition("@")[0] for name in ids)
        self._plan({name: cases[name] for name in names if name in cases}, len(ids))

    def pytest_runtest_logstart(self) -> None:
        self._count_gates()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if tolds := report.__dict__.pop(TOLD, None):
            outcome = report.__dict__.pop(OUTCOME, None)
            if outcome is None:
                self.ledger.take_own(tolds, report.nodeid)
            else:
                self.ledger.take_item(tolds, report.nodeid, outcome)
            self._adopt(report.nodeid)
            if report.failed and isinstance(report.longrepr, str):
                path, line, _ = report.location
                report.longrepr = FailurePage(report.longrepr, path, (line or 0) + 1)
        elif report.skipped and _reason(report).startswith(PREFIX):
            self.ledger.diverged[report.nodeid] = _reason(report).removeprefix(PREFIX)
            self._adopt(report.nodeid)
        elif report.skipped and report.nodeid in self.ledger.planned:
            self.ledger.not_applicable[report.nodeid] = _reason(report)

    # Within the terminal's own wrapper, which writes the last progress when the loop is over.
    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        try:
            result = yield
        except (session.Failed, session.Interrupted, KeyboardInterrupt):
            if self.ledger.planned:
                done = len(self.ledger.outcomes)
                self._judge(session, f"stopped after {done} of {len(self.ledger.planned)}")
            raise
        if self.ledger.planned:
            self._judge(session, None)
        return result

    def pytest_sessionfinish(self) -> None:
        self.ledger.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.ledger.gates:
            return
        terminalreporter.section(f"webretrieval, {self.run_session.settings.lane} lane")
        for line in summary(self.ledger.rows, self.ledger.gates, self._about(), self._outcomes()):
            terminalreporter.write_line(line)

    def _outcomes(self) -> Iterator[str]:
        yield from model_lines(self.ledger.rows, self.run_session.settings.model)
        yield from diverged_lines(self.ledger.diverged)
        yield from recording_lines(self.ledger.recordings)
        yield from outcome_lines(self.ledger.outcomes)
        yield from reliability_lines(self.ledger.reliability())
        if self.ledger.nights is None:
            yield from drop_line(drop_of(self.ledger.outcomes))
            return
        yield from live_lines(self.ledger.rows, self.run_session.settings.max_cost_usd)
        yield from quarantine_lines(self.ledger.nights.undecided(), datetime.now(UTC))

    def _about(self) -> list[tuple[str, str]]:
        corpora = [
            f"{corpus.version}, {share} cases"
            for corpus in self.run_session.corpora.known
            if (share := _of(self._asked[corpus.version], len(corpus.cases)))
        ]
        about = [("system", self._system())]
        if corpora:
            about.append(("corpus", "; ".join(corpora)))
        if (live := self.run_session.settings.live) is not None:
            about.append(("region", f"{live.region}, as {live.user_agent}"))
        about.append(("run", str(self.ledger.folder)))
        if self._no_namespaces:
            about.insert(1, ("carrier", _carrier_notice(self._no_namespaces)))
        if baseline := self._baseline():
            about.append(("baseline", baseline))
        if left_out := Counter(self.ledger.not_applicable.values()):
            why = ", ".join(f"{reason} ({count})" for reason, count in left_out.most_common())
            about.append(("left out", f"{left_out.total()} not applicable: {why}"))
        return about

    def _baseline(self) -> str | None:
        """What it says of this run; None where there is none."""
        if self.run_session.unfit is not None:
            return f"not used: {self.run_session.unfit}"
        if (baseline := self.ledger.baseline) is None:
            return None
        known = sum(case.tolerated is not None for case in baseline.cases.values())
        return f"{baseline.path.name}, {len(baseline.cases)} cases, {known} known to fail"

    def _system(self) -> str:
        settings = self.run_session.settings
        if settings.system == REFERENCE_SYSTEM:
            return "the reference system (none was named; --webretrieval-system names yours)"
        return settings.system

    def _judge(self, session: pytest.Session, stopped: str | None) -> None:
        gates = self.ledger.judge(stopped)
        self._count_gates()
        for gate in gates:
            self._report(gate)
        self._add_to_junit(gates)

    def _plan(self, cases: Mapping[str, Case], collected: int) -> None:
        """Take ``cases``, by node id, as what will be run. Raises pytest.UsageError for those that cannot be."""
        try:
            problems = list(self.run_session.corpora.unrunnable(cases.values()))
            unasked = tuple(self.run_session.unasked(cases.values()))
        except CaseError as error:
            raise pytest.UsageError(str(error)) from None
        if problems:
            advice = 'select the cases that have both, as in -m "known_url or search"'
            raise pytest.UsageError("\n".join((*problems[:20], advice)))
        if too_dear := self._too_dear(cases.values()):
            raise pytest.UsageError(too_dear)
        self._known, self._collected = set(cases), collected
        self._asked = Counter(case.corpus for case in cases.values())
        corpora = [one for one in self.run_session.corpora.known if self._asked[one.version]]
        self.ledger.plan(tuple(cases), corpora, unasked)

    def _too_dear(self, cases: Iterable[Case]) -> str | None:
        try:
            reason = self.run_session.too_dear(cases)
        except CaseError as error:
            return str(error)
        return None if reason is None else f"{reason}; say --webretrieval-approve-cost to begin all the same"

    def _adopt(self, node: str) -> None:
        """Take a test of one's own as planned: whether it runs a case is not known before it has."""
        if self._known.isdisjoint((node, node.partition("@")[0])):
            self._known.add(node)
            self.ledger.planned += (node,)
            self._count_gates()

    def _count_gates(self) -> None:
        """Gates are reports, not items: they need the records of every worker. They are counted from the first case
        on, so that progress ends at 100 %; xdist sets the count anew for each worker."""
        if self.ledger.planned and self.session.testscollected == self._collected:
            self.session.testscollected += self.ledger.gate_count

    def _report(self, gate: GateResult) -> None:
        hook, name = self.config.hook, f"gate::{gate.name}"
        location = ("gate", 0, name)
        # --sw and --lf remember failures to run them again, which a gate cannot be.
        manager = self.config.pluginmanager
        remembering = [manager.get_plugin(plugin) for plugin in ("stepwiseplugin", "lfplugin")]
        report = manager.subset_hook_caller("pytest_runtest_logreport", [one for one in remembering if one])
        hook.pytest_runtest_logstart(nodeid=name, location=location)
        for when in ("setup", "call", "teardown"):
            report(report=_gate_report(gate, name, location, when))
        hook.pytest_runtest_logfinish(nodeid=name, location=location)

    def _add_to_junit(self, gates: Sequence[GateResult]) -> None:
        from _pytest.junitxml import xml_key

        xml = self.config.stash.get(xml_key, None)
        if xml is not None:
            for name, value in suite_properties(self.ledger.rows, gates, self.ledger.outcomes):
                xml.add_global_property(name, value)


def _of(part: int, whole: int) -> str:
    """``12 of 30``, or the number alone where it is all; empty for none."""
    return "" if not part else f"{part} of {whole}" if part < whole else str(whole)


def _reason(report: pytest.TestReport) -> str:
    """Why a test was skipped."""
    said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return said.removeprefix("Skipped: ").removeprefix("not_applicable: ")


def _carrier_notice(why: str) -> str:
    reason = why.partition("\n")[0].removesuffix(".")
    return f"proxy, which reaches less than namespaces; {reason} (`webretrieval doctor` says more)"


def _gate_report(gate: GateResult, name: str, location: tuple[str, int, str], when: Any) -> pytest.TestReport:
    outcome: Any = "passed"
    longrepr: Any = None
    if when == "call" and gate.verdict == "fail":
        outcome, longrepr = "failed", gate.line
    elif when == "call" and gate.verdict != "pass":
        said = gate.line if gate.verdict == "skipped" else f"{gate.verdict}: {gate.line}"
        outcome, longrepr = "skipped", (location[0], 0, f"Skipped: {said}")
    return pytest.TestReport(
        nodeid=name, location=location, keywords={name: 1}, outcome=outcome, longrepr=longrepr, when=when
    )
