"""Runs that tests of one's own ask for: by systems that they name, each in its slots, or in their own process."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any

from pytest_webretrieval.cases.case import Case
from pytest_webretrieval.lanes.fixture import open_lane
from pytest_webretrieval.lanes.inside import open_inside
from pytest_webretrieval.records.evidence import last_answer, load
from pytest_webretrieval.records.folder import read_json
from pytest_webretrieval.runner import Batch, Open, Planned, Runner, Told
from pytest_webretrieval.session import RunSession
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.inside import InsideCall

_INSIDE = ""


class OwnRuns:
    """Lives as long as the run session. A runner is opened when a test first asks for its system."""

    def __init__(self, run_session: RunSession) -> None:
        self.run_session = run_session
        self._runners: dict[str, Runner] = {}
        self._opening = threading.Lock()

    def once(self, case: Case, test: str, system: str | None) -> Told:
        """One run of ``case`` in a slot of ``system`` (None: that of the settings). Raises one of the session's
        ``refusals``."""
        ours = self.run_session.settings
        settings = replace(ours, system=system or ours.system)
        planned = self.run_session.next_run(case, test, settings)
        if told := self._replayed(planned):
            return told
        if settings.system == ours.system:
            return self.run_session.running().results(Batch((planned,)))[0]
        return self._runner(settings.system, settings, open_lane).results(Batch((planned,)))[0]

    async def once_inside(self, case: Case, test: str, function: Any) -> Told:
        """One run of ``case`` by a callable in this process, on the loop of whoever awaits this. Raises one of the
        session's ``refusals``."""
        call = InsideCall(function=function, loop=asyncio.get_running_loop())
        ours = self.run_session.settings
        planned = replace(
            self.run_session.next_run(case, test, replace(ours, system=call.name)),
            enter=lambda lane, case, truth, trial: lane.stage(call, case, truth, trial),
            system=call.name,
        )
        if told := self._replayed(planned):
            return told
        runner, batch = await asyncio.to_thread(self._runner, _INSIDE, ours, open_inside), Batch((planned,))
        try:
            return (await asyncio.wrap_future(runner.begun(batch)))[0]
        except asyncio.CancelledError:
            call.cancel()
            raise
        finally:
            runner.forget(batch)

    def close(self) -> None:
        """End every process of these runs."""
        for runner in self._runners.values():
            runner.close()

    def _runner(self, name: str, settings: Settings, open_it: Open) -> Runner:
        with self._opening:
            if name not in self._runners:
                runner = self.run_session.new_runner(settings, open_it)
                try:
                    runner.open()
                except BaseException:
                    runner.close()
                    raise
                self._runners[name] = runner
            return self._runners[name]

    def _replayed(self, planned: Planned) -> Told | None:
        """The run as it was finished before, with its answer, which only its evidence has."""
        told = planned.told
        if told is None:
            return None
        evidence = read_json(self.run_session.folder / told.record["evidence"] / "evidence.json")
        return replace(told, answer=last_answer(load(evidence)) if evidence else "")
