"""What lives as long as a run in every process that runs items: settings, corpora, truth, the runner."""

from __future__ import annotations

import contextlib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from pytest_webretrieval.cases.case import Case, CaseError, Corpus
from pytest_webretrieval.cases.data import corpus_path, truth_folder
from pytest_webretrieval.cases.load import TruthStore, load_corpus
from pytest_webretrieval.cases.lock import check_corpus_lock
from pytest_webretrieval.cases.typed import did_you_mean
from pytest_webretrieval.lanes.carriers import BEYOND_PROXY, PROXY, choose
from pytest_webretrieval.lanes.fixture import LaneFailure, needs_browser, open_lane, scene_names
from pytest_webretrieval.records.folder import ATTEMPTS, read_rows, run_name
from pytest_webretrieval.records.record import Key
from pytest_webretrieval.runner import Open, Planned, Runner, Told
from pytest_webretrieval.settings import DEFAULT_CORPUS, Settings
from pytest_webretrieval.slots.carrier import NoCarrier
from pytest_webretrieval.systems.ways import SystemUnusable


class RunSession:
    """One pytest process' part of a run. ``folder`` is the run folder, where evidence goes; ``repeated`` are the words
    of the command line that whoever runs a case again must say again."""

    # What a user can mend: shown by its own message alone, without a traceback of ours.
    refusals = (CaseError, LaneFailure, NoCarrier, SystemUnusable)

    def __init__(self, settings: Settings, root: Path, folder: Path, repeated: Sequence[str] = ()) -> None:
        self.settings, self.root, self.folder, self.repeated = settings, root, folder, tuple(repeated)
        self.corpus_files = tuple(corpus_path(name, root).resolve() for name in settings.corpora)
        self._corpora: dict[Path, Corpus] = {}
        self._truths: dict[str, TruthStore] = {}
        self._trials: Counter[tuple[str, str]] = Counter()
        self._finished: dict[tuple[Any, ...], Told] = {}
        self._runner: Runner | None = None

    def corpus(self, path: Path) -> Corpus:
        """The corpus in ``path``, read once and held against its lock. Raises CaseError."""
        if path not in self._corpora:
            corpus = load_corpus(path)
            check_corpus_lock(corpus)
            self._corpora[path] = corpus
        return self._corpora[path]

    def settle_carrier(self) -> str | None:
        """Put into the settings what ``auto`` comes to on this machine; why it is not namespaces, where it is not."""
        choice = choose(self.settings.carrier)
        self.settings = replace(self.settings, carrier=choice.name)
        return choice.notice

    @property
    def corpora(self) -> tuple[Corpus, ...]:
        """All that were read so far."""
        return tuple(self._corpora.values())

    def wanted(self, case: Case) -> bool:
        """Whether ``--webretrieval-case`` leaves the case in."""
        return not self.settings.cases or f"{case.corpus}::{case.id}" in self.settings.cases

    def check_cases(self) -> None:
        """Raises CaseError for a case of ``--webretrieval-case`` that no corpus has."""
        if not self.settings.cases:
            return
        corpora = [self.corpus(path) for path in self.corpus_files]
        known = [f"{corpus.version}::{case.id}" for corpus in corpora for case in corpus.cases]
        for name in self.settings.cases:
            if name not in known:
                raise CaseError(f"--webretrieval-case: no case {name}{did_you_mean(name, known)}")

    def not_applicable(self, case: Case) -> str | None:
        """Why the case is beyond the carrier, or the capability that it needs and the system did not declare."""
        if self.settings.carrier == PROXY and (reason := self.beyond_a_proxy(case)):
            return reason
        if self._runner is not None and (reason := self._runner.beyond(case)):
            return reason
        declared = self.settings.capabilities
        if declared is None and self._runner is not None:
            declared = self._runner.capabilities
        if declared is None:
            return None
        missing = [need for need in needs(case) if need not in declared]
        return f"the system declares no {', '.join(missing)}" if missing else None

    def beyond_a_proxy(self, case: Case) -> str | None:
        """Why a case cannot be run where there is a proxy only."""
        return BEYOND_PROXY if needs_browser(case.scene) else None

    def unrunnable(self, cases: Iterable[Case]) -> Iterator[str]:
        """One line for each case that has no truth or no scene: nothing to run it against."""
        scenes = scene_names()
        for version, asked in groupby(cases, key=lambda case: case.corpus):
            truths, of_corpus = self._truth(version), tuple(asked)
            without = {case.id for case in truths.missing(of_corpus)}
            for case in of_corpus:
                if case.scene not in scenes:
                    yield f"{case.where}: case {case.id}: the fixture world has no scene for {case.fixture}"
                elif case.id in without:
                    yield f"{case.where}: case {case.id}: no truth in {truths.place}"

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
        planned = [self._planned(case, test, 0) for case, test in items]
        waiting = [run for run in planned if _identity(run.key) not in self._finished]
        if waiting:
            runner = self.running()
            runner.start([run for run in waiting if self.not_applicable(run.case) is None])

    def ahead(self, items: Iterable[tuple[Case, str]]) -> None:
        """The same for the few items that an xdist worker knows to be its own and has not begun. A lane that cannot
        be opened is told by the items' own results."""
        with contextlib.suppress(*self.refusals):
            self.start(item for item in items if not self._trials[item[0].id, item[1]])

    def result(self, case: Case, test: str) -> Told:
        """The finished run of a case; asked again (a rerun), a fresh trial."""
        planned = self.next_run(case, test, self.settings)
        return self.replayed(planned) or self.running().result(planned)

    def next_run(self, case: Case, test: str, settings: Settings) -> Planned:
        """The next trial of a case by one test, with the key that it has under ``settings``."""
        trial = self._trials[case.id, test]
        self._trials[case.id, test] += 1
        planned = self._planned(case, test, trial)
        return replace(planned, key=replace(planned.key, system=settings.fingerprint()))

    def replayed(self, planned: Planned) -> Told | None:
        """The run as it was finished before, where the folder that is gone on with has it."""
        return self._finished.pop(_identity(planned.key), None)

    def new_runner(self, settings: Settings, open_it: Open) -> Runner:
        """A runner that is not open yet; whoever takes it opens and closes it."""
        # The built-in pages mark facts of the built-in truth, whatever corpus asks for them: another corpus may
        # have cases of the same ids.
        own = truth_folder(DEFAULT_CORPUS, None)
        return Runner(settings, self.folder, self.root, [own], open_it)

    def commands(self, record: Mapping[str, Any], node: str | None = None) -> dict[str, str]:
        """The lines that a failing case ends with; ``node`` is the test's where it is one's own."""
        case = ("--webretrieval-case", f"{record['corpus']}::{record['case']}")
        again = (
            *("pytest", f"--lane={record['lane']}", *(case if node is None else (node,))),
            *("--webretrieval-fixture-seed", str(record["key"]["seed"]), *self.repeated),
        )
        story = ("webretrieval", "explain", run_name(self.folder, Path.cwd()), record["case"])
        return {"again": shlex.join(again), "story": shlex.join(story)}

    def close(self) -> None:
        """End every process of the run."""
        if self._runner is not None:
            self._runner.close()

    def running(self) -> Runner:
        """The runner of the settings' own system, opened at first use. Raises one of ``refusals``."""
        if self._runner is None:
            self._runner = self.new_runner(self.settings, open_lane)
            self._runner.open()
        return self._runner

    def _truth(self, version: str) -> TruthStore:
        if version not in self._truths:
            self._truths[version] = TruthStore(
                truth_folder(version, self.root, self._corpus_of(version).path)
            )
        return self._truths[version]

    def _corpus_of(self, version: str) -> Corpus:
        return next(corpus for corpus in self.corpora if corpus.version == version)

    def _planned(self, case: Case, test: str, trial: int) -> Planned:
        key = Key(
            corpus_identity=self._corpus_of(case.corpus).identity,
            case=case.id,
            system=self.settings.fingerprint(),
            engine=None,
            seed=self.settings.fixture_seed,
            trial=trial,
            test=test,
        )
        return Planned(case, key, partial(self._truth(case.corpus).get, case.id))


def needs(case: Case) -> tuple[str, ...]:
    """The capabilities that a case asks of a system: its channel, and ``auth`` for the signed-in web."""
    channel = {"search-api": "search", "direct-fetch": "fetch"}.get(case.live_channel, case.live_channel)
    return (channel, "auth") if case.stratum == "auth" else (channel,)


def _identity(key: Key) -> tuple[Any, ...]:
    return (key.corpus_identity, key.case, key.system, key.engine, key.seed, key.trial, key.test)
