"""What lives as long as a run in every process that runs items: settings, corpora, the runner, what is finished."""

from __future__ import annotations

import contextlib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import Case, CaseError
from pytest_webretrieval.corpora import Corpora
from pytest_webretrieval.gates.baseline import Baseline
from pytest_webretrieval.lanes.camp import LaneFailure
from pytest_webretrieval.lanes.carriers import BEYOND_PROXY, PROXY, choose
from pytest_webretrieval.lanes.fixture import open_lane
from pytest_webretrieval.lanes.grounds import needs_browser, sites_for
from pytest_webretrieval.lanes.live import open_live
from pytest_webretrieval.lanes.live_grounds import LiveGrounds
from pytest_webretrieval.lanes.own_cases import beside, draft_reason
from pytest_webretrieval.records.folder import ATTEMPTS, SPENDING, read_rows, run_name
from pytest_webretrieval.records.record import Key
from pytest_webretrieval.runner import Batch, Enter, Open, Planned, Runner, Told, in_a_slot, on_the_web
from pytest_webretrieval.settings import Settings
from pytest_webretrieval.slots.carrier import NoCarrier
from pytest_webretrieval.systems.ways import SystemUnusable
from pytest_webretrieval.trials import Trials, told_before


class RunSession:
    """One pytest process' part of a run. ``folder`` is the run folder, where evidence goes; ``repeated`` are the words
    of the command line that whoever runs a case again must say again; ``baseline`` is what was accepted before."""

    # What a user can mend: shown by its own message alone, without a traceback of ours.
    refusals = (CaseError, LaneFailure, NoCarrier, SystemUnusable)

    def __init__(
        self,
        settings: Settings,
        root: Path,
        folder: Path,
        repeated: Sequence[str] = (),
        baseline: Baseline | None = None,
    ) -> None:
        self.unfit: str | None = None
        self.trials = Trials(
            first=settings.trials,
            further=settings.confirming,
            baseline=baseline,
            today=date.today().isoformat(),
        )
        self.settings, self.root, self.folder, self.repeated = settings, root, folder, tuple(repeated)
        self._trials: Counter[tuple[str, str]] = Counter()
        self._finished: dict[tuple[Any, ...], Told] = {}
        self._runner: Runner | None = None
        self._live = None if settings.live is None else LiveGrounds(settings.live, root)
        self.corpora = Corpora(settings, root, self._live)

    def settle_carrier(self) -> str | None:
        """Put into the settings what ``auto`` comes to on this machine; why it is not namespaces, where it is not."""
        choice = choose(self.settings.carrier)
        self.settings = replace(self.settings, carrier=choice.name)
        return choice.notice

    def not_applicable(self, case: Case) -> str | None:
        """Why the case is not run: a draft, beyond the carrier, or in need of what the system did not declare."""
        if reason := draft_reason(case):
            return reason
        if self._live is not None and (
            reason := self._live.planned(self.corpora.named(case.corpus), case).why
        ):
            return reason
        if self.settings.carrier == PROXY and (reason := self.beyond_a_proxy(case)):
            return reason
        if self._runner is not None and (reason := self._runner.beyond(case)):
            return reason
        itself = self._runner.capabilities if self._runner is not None else None
        declared = [one for one in (self.settings.capabilities, itself) if one is not None]
        missing = [need for need in needs(case) if any(need not in one for one in declared)]
        return f"the system declares no {', '.join(missing)}" if missing else None

    def unasked(self, asked: Iterable[Case]) -> Iterator[Case]:
        """What else could meet the real web of the corpora that ``asked`` are of: where that is left out, a night is
        not one of the whole corpus. Raises CaseError."""
        if self._live is None:
            return
        names = {(case.corpus, case.id) for case in asked}
        for corpus in self.corpora.known:
            if corpus.version in {version for version, _ in names}:
                left = (case for case in corpus.cases if (corpus.version, case.id) not in names)
                yield from (case for case in left if self.not_applicable(case) is None)

    def beyond_a_proxy(self, case: Case) -> str | None:
        """Why a case cannot be run where there is a proxy only."""
        sites = () if self._live is not None else sites_for(self.corpora.places)
        return BEYOND_PROXY if needs_browser(case, sites) else None

    def too_dear(self, cases: Iterable[Case]) -> str | None:
        """Why a live run of these cases may not begin without its cost being approved; None where it may. Raises
        CaseError."""
        if self._live is None or self.settings.approve_cost:
            return None
        asked = groupby(cases, key=lambda case: case.corpus)
        corpora = [(self.corpora.named(version), tuple(own)) for version, own in asked]
        return self._live.too_dear(corpora, self.trials.most)

    def resume(self) -> None:
        """Take the finished runs of the folder as they are: their items replay them."""
        attempts: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for attempt in read_rows(self.folder, ATTEMPTS):
            run = tuple(attempt.get(f"webretrieval.{name}") for name in ("case", "seed", "trial", "test"))
            attempts.setdefault(run, []).append(attempt)
        for row in read_rows(self.folder):
            key = Key(**row["key"])
            seen = attempts.get((key.case, key.seed, key.trial, key.test), [])
            self._finished[_identity(key)] = Told(row, seen, replayed=True)

    def start(self, items: Iterable[tuple[Case, str]]) -> None:
        """Open the lane unless it is open, and begin to run what will be asked for. Raises one of ``refusals``."""
        batches = [(case, self._batch(case, test, 0)) for case, test in items]
        waiting = [(case, batch) for case, batch in batches if told_before(batch) is None]
        if waiting:
            runner = self.running()
            runner.start([batch for case, batch in waiting if self.not_applicable(case) is None])

    def ahead(self, items: Iterable[tuple[Case, str]]) -> None:
        """The same for the few items that an xdist worker knows to be its own and has not begun. A lane that cannot
        be opened is told by the items' own results."""
        with contextlib.suppress(*self.refusals):
            self.start(item for item in items if not self._trials[item[0].id, item[1]])

    def results(self, case: Case, test: str) -> tuple[Told, ...]:
        """The finished trials of a case, and those that were run to confirm them; asked again (a rerun), fresh ones."""
        first = self._trials[case.id, test]
        self._trials[case.id, test] += self.trials.most
        batch = self._batch(case, test, first)
        return told_before(batch) or self.running().results(batch)

    def fit_baseline(self) -> str | None:
        """Let go of a baseline that says nothing about this run; why, where that is so."""
        if (baseline := self.trials.baseline) is None:
            return None
        identities = {corpus.version: corpus.identity for corpus in self.corpora.read_all()}
        self.unfit = baseline.unfit(self.settings.lane, identities, self.settings.fingerprint())
        if self.unfit is not None:
            self.trials = replace(self.trials, baseline=None)
        return self.unfit

    def next_run(self, case: Case, test: str, settings: Settings) -> Planned:
        """The next trial of a case by one test, with the key that it has under ``settings``."""
        trial = self._trials[case.id, test]
        self._trials[case.id, test] += 1
        planned = self._planned(case, test, trial)
        key = replace(planned.key, system=settings.fingerprint())
        return replace(planned, key=key, told=self._finished.get(_identity(key)))

    def new_runner(self, settings: Settings, open_it: Open) -> Runner:
        """A runner that is not open yet; whoever takes it opens and closes it."""
        settings = replace(settings, purse=self.folder / SPENDING)
        truths = [] if self._live is not None else [*self.corpora.places, *beside(self.corpora.own_files)]
        return Runner(settings, self.folder, self.root, truths, open_it)

    def commands(self, record: Mapping[str, Any], node: str | None = None) -> dict[str, str]:
        """The lines that a failing case ends with; ``node`` is the test's where it is one's own."""
        case = ("--webretrieval-case", f"{record['corpus']}::{record['case']}")
        again = (
            *("pytest", f"--lane={record['lane']}", *(case if node is None else (node,))),
            *("--webretrieval-fixture-seed", str(record["key"]["seed"]), *self.repeated),
        )
        trial = record["key"]["trial"]
        story = (
            *("webretrieval", "explain", self.run_name, record["case"]),
            *(("--trial", str(trial)) if trial else ()),
        )
        wrong = ("webretrieval", "dispute", *story[2:])
        return {"again": shlex.join(again), "story": shlex.join(story), "wrong?": shlex.join(wrong)}

    @property
    def run_name(self) -> str:
        """What finds the run from here."""
        return run_name(self.folder, Path.cwd())

    def close(self) -> None:
        """End every process of the run."""
        if self._runner is not None:
            self._runner.close()

    def running(self) -> Runner:
        """The runner of the settings' own system, opened at first use. Raises one of ``refusals``."""
        if self._runner is None:
            self._runner = self.new_runner(self.settings, open_lane if self._live is None else open_live)
            self._runner.open()
        return self._runner

    def _planned(self, case: Case, test: str, trial: int) -> Planned:
        key = Key(
            corpus_identity=self.corpora.named(case.corpus).identity,
            case=case.id,
            system=self.settings.fingerprint(),
            engine=None,
            seed=self.settings.fixture_seed,
            trial=trial,
            test=test,
        )
        truth = partial(self.corpora.truths(case.corpus).get, case.id)
        return Planned(case, key, truth, self._way_in(case), told=self._finished.get(_identity(key)))

    def _way_in(self, case: Case) -> Enter:
        """How a run of the case gets its stage."""
        if self._live is None:
            return in_a_slot
        return on_the_web(self._live.planned(self.corpora.named(case.corpus), case).target)

    def _batch(self, case: Case, test: str, first: int) -> Batch:
        """The trials of an item from number ``first`` on."""
        return self.trials.batch(case, partial(self._planned, case, test), first)


def needs(case: Case) -> tuple[str, ...]:
    """The capabilities that a case asks of a system: its channel, and ``auth`` for the signed-in web."""
    channel = {"search-api": "search", "direct-fetch": "fetch"}.get(case.live_channel, case.live_channel)
    return (channel, "auth") if case.stratum == "auth" else (channel,)


def _identity(key: Key) -> tuple[Any, ...]:
    return (key.corpus_identity, key.case, key.system, key.engine, key.seed, key.trial, key.test)
